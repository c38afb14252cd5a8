//! The distance between two convex bodies, by the method of Gilbert, Johnson and Keerthi (1988): the
//! point of their Minkowski difference that is nearest to the origin, found from few of its corners.
//!
//! Own code rather than a library's: the bodies are the document's own (turned, truncated, flat, with
//! a round skin), and everything here leans on a lower bound of the distance that holds whenever the
//! search ends.

use glam::DVec3;

use super::convex::Core;

/// How two cores lie apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    /// They are at least this far apart.
    pub(crate) lower: f64,
    /// They are at most this far apart: the distance of `on_a` and `on_b`.
    pub(crate) upper: f64,
    /// Unit vector from b to a.
    pub(crate) normal: DVec3,
    /// The nearest point of a.
    pub(crate) on_a: DVec3,
    /// The nearest point of b.
    pub(crate) on_b: DVec3,
}

/// Steps after which the bounds are taken as they are; flat and box-like bodies need about six, round
/// ones a few dozen.
const MAX_STEPS: usize = 128;

/// A corner of the Minkowski difference a - b.
#[derive(Debug, Clone, Copy)]
struct Corner {
    difference: DVec3,
    on_a: DVec3,
    on_b: DVec3,
}

/// How `a`, moved by `shift`, and `b` lie apart; `None` when they meet. The bounds are `tolerance`
/// apart, save after [`MAX_STEPS`].
pub(crate) fn separation(a: &Core, shift: DVec3, b: &Core, tolerance: f64) -> Option<Separation> {
    let start = a.center() + shift - b.center();
    let mut simplex: Vec<Corner> = Vec::with_capacity(4);
    let mut nearest = if start == DVec3::ZERO { DVec3::X } else { start };
    let mut best: Option<Separation> = None;
    let mut largest: f64 = 0.0;
    let mut begun_again = false;
    for _ in 0..MAX_STEPS {
        let on_a = a.support(-nearest) + shift;
        let on_b = b.support(nearest);
        let difference = on_a - on_b;
        largest = largest.max(difference.length());
        let length = nearest.length();
        // Everything of the difference lies beyond the plane through this corner.
        let lower = difference.dot(nearest) / length;
        if let Some(best) = &mut best {
            best.lower = best.lower.max(lower);
            if best.upper - best.lower <= tolerance {
                return (best.lower > 0.0 || best.upper > tolerance).then_some(*best);
            }
        }
        if simplex.iter().any(|corner| corner.difference == difference) {
            break;
        }
        simplex.push(Corner { difference, on_a, on_b });
        let weights = closest(&simplex);
        let mut kept = weights.iter().map(|weight| *weight > 0.0);
        let used: Vec<f64> = weights.iter().copied().filter(|weight| *weight > 0.0).collect();
        simplex.retain(|_| kept.next().unwrap_or(false));
        let mix = |point: fn(&Corner) -> DVec3| {
            simplex.iter().zip(&used).map(|(corner, weight)| point(corner) * *weight).sum::<DVec3>()
        };
        nearest = mix(|corner| corner.difference);
        let upper = nearest.length();
        if simplex.len() == 4 || upper <= 1e-13 * largest {
            return None;
        }
        let known = best.map_or(0.0, |best| best.lower);
        if let Some(best) = best.filter(|best| upper >= best.upper) {
            // Corners on round bodies come to lie so close that rounding decides which point between
            // them is the nearest. The one that was found is a point of the difference, too: a line
            // from it to the next corner has no such trouble.
            if begun_again {
                break;
            }
            begun_again = true;
            nearest = best.normal * best.upper;
            simplex = vec![Corner { difference: nearest, on_a: best.on_a, on_b: best.on_b }];
            continue;
        }
        begun_again = false;
        best = Some(Separation {
            lower: known,
            upper,
            normal: nearest / upper,
            on_a: mix(|corner| corner.on_a),
            on_b: mix(|corner| corner.on_b),
        });
    }
    best.filter(|best| best.upper > tolerance || best.lower > 0.0)
}

/// The weights of the corners that make the point of the simplex nearest to the origin; those of
/// corners it does not need are 0. All four are above 0 when the origin lies inside.
fn closest(simplex: &[Corner]) -> [f64; 4] {
    let at = |index: usize| simplex[index].difference;
    let mut weights = [0.0; 4];
    match simplex.len() {
        1 => weights[0] = 1.0,
        2 => weights[..2].copy_from_slice(&of_segment(at(0), at(1))),
        3 => weights[..3].copy_from_slice(&of_triangle(at(0), at(1), at(2))),
        _ => weights = of_tetrahedron([at(0), at(1), at(2), at(3)]),
    }
    weights
}

fn of_segment(a: DVec3, b: DVec3) -> [f64; 2] {
    let edge = b - a;
    let square = edge.length_squared();
    let along = if square > 0.0 { (-a.dot(edge) / square).clamp(0.0, 1.0) } else { 0.0 };
    [1.0 - along, along]
}

/// Ericson 2005, Real-Time Collision Detection, section 5.1.5, for the origin.
fn of_triangle(a: DVec3, b: DVec3, c: DVec3) -> [f64; 3] {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let along = d1 / (d1 - d3);
        return [1.0 - along, along, 0.0];
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let along = d2 / (d2 - d6);
        return [1.0 - along, 0.0, along];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - along, along];
    }
    let sum = va + vb + vc;
    [va / sum, vb / sum, vc / sum]
}

fn of_tetrahedron(points: [DVec3; 4]) -> [f64; 4] {
    let faces = [([0, 1, 2], 3), ([0, 1, 3], 2), ([0, 2, 3], 1), ([1, 2, 3], 0)];
    let size = points.iter().map(|point| (*point - points[0]).length()).fold(0.0, f64::max);
    // A tetrahedron that is flat but for rounding has no inside.
    let flat = 1e-12 * size * size * size;
    let is_behind = |(face, opposite): &([usize; 3], usize)| {
        let [a, b, c] = face.map(|index| points[index]);
        let normal = (b - a).cross(c - a);
        let side = normal.dot(points[*opposite] - a);
        side.abs() > flat && -normal.dot(a) * side > 0.0
    };
    if faces.iter().all(is_behind) {
        return [0.25; 4];
    }
    // Outside, the nearest point lies on a face; asking all four does not lean on the signs, which
    // rounding may turn for slivers.
    let mut best = (f64::INFINITY, [0.0; 4]);
    for (face, _) in faces {
        let [a, b, c] = face.map(|index| points[index]);
        let weights = of_triangle(a, b, c);
        let square = (a * weights[0] + b * weights[1] + c * weights[2]).length_squared();
        if square < best.0 {
            let mut all = [0.0; 4];
            face.iter().zip(weights).for_each(|(index, weight)| all[*index] = weight);
            best = (square, all);
        }
    }
    best.1
}
