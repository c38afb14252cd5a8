//! The direction in which a convex body reaches least far from the origin, by the expanding polytope
//! algorithm (van den Bergen 2001, "Proximity Queries and Penetration Depth Computation on 3D Game
//! Objects"): a polytope inside the body grows where it is nearest to the origin, until it cannot.

use glam::DVec3;

/// Corners after which the best direction so far is taken: round bodies need some dozens.
const MAX_CORNERS: usize = 64;

/// A direction, and how far the body reaches along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) direction: DVec3,
    pub(super) distance: f64,
}

/// The direction in which the body given by its farthest points reaches least far, or one in which it
/// reaches at most `precise(best)` farther; `best` is the best that is known before. Bodies without
/// volume keep what is known.
pub(super) fn least_reach(
    support: impl Fn(DVec3) -> DVec3,
    best: Reach,
    precise: impl Fn(f64) -> f64,
) -> Reach {
    let Some(mut polytope) = Polytope::first(&support, best.direction) else { return best };
    let mut best = best;
    while polytope.corners.len() < MAX_CORNERS {
        let Some(face) = polytope.nearest() else { break };
        // Nothing of the body lies within the nearest face: a lower bound.
        if best.distance - face.distance <= precise(best.distance) {
            break;
        }
        let corner = support(face.normal);
        let distance = corner.dot(face.normal);
        if distance < best.distance {
            best = Reach { direction: face.normal, distance };
        }
        if distance - face.distance <= 0.1 * precise(best.distance) || !polytope.grow(corner) {
            break;
        }
    }
    best
}

/// The hull of some points of the body.
struct Polytope {
    corners: Vec<DVec3>,
    faces: Vec<Face>,
}

#[derive(Debug, Clone, Copy)]
struct Face {
    /// Counter-clockwise from outside.
    corners: [usize; 3],
    /// Outwards, of length 1.
    normal: DVec3,
    /// Of its plane from the origin; below 0 when the origin is outside.
    distance: f64,
}

impl Polytope {
    /// Four corners that span a volume; the first one lies farthest along `direction`.
    fn first(support: &impl Fn(DVec3) -> DVec3, direction: DVec3) -> Option<Self> {
        let (right, up) = direction.any_orthonormal_pair();
        let ways = [direction, -direction, right, -right, up, -up];
        let points = ways.map(support);
        let size = points.iter().map(|point| point.distance(points[0])).fold(0.0, f64::max);
        let farthest = |from: &dyn Fn(DVec3) -> f64| {
            points.into_iter().max_by(|one, other| from(*one).total_cmp(&from(*other)))
        };
        let a = points[0];
        let b = farthest(&|point| point.distance_squared(a))?;
        let c = farthest(&|point| (point - a).cross(b - a).length_squared())?;
        let normal = (b - a).cross(c - a);
        let d = farthest(&|point| (point - a).dot(normal).abs())?;
        let volume = (d - a).dot(normal);
        if volume.abs() <= 1e-9 * size * size * size || size == 0.0 {
            return None;
        }
        let corners = if volume > 0.0 { vec![a, c, b, d] } else { vec![a, b, c, d] };
        let mut polytope = Self { corners, faces: Vec::new() };
        let sides = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        sides.into_iter().all(|side| polytope.add(side)).then_some(polytope)
    }

    fn nearest(&self) -> Option<Face> {
        let nearer = |one: &&Face, other: &&Face| one.distance.total_cmp(&other.distance);
        self.faces.iter().min_by(nearer).copied()
    }

    /// Whether the three corners span a face, which is then one.
    fn add(&mut self, corners: [usize; 3]) -> bool {
        let [a, b, c] = corners.map(|at| self.corners[at]);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { return false };
        self.faces.push(Face { corners, normal, distance: normal.dot(a) });
        true
    }

    /// The hull with one more corner; false when rounding leaves nothing to build on.
    fn grow(&mut self, corner: DVec3) -> bool {
        let is_visible = |face: &Face| corner.dot(face.normal) > face.distance;
        let mut horizon: Vec<[usize; 2]> = Vec::new();
        for face in self.faces.iter().filter(|face| is_visible(face)) {
            let [a, b, c] = face.corners;
            for [from, to] in [[a, b], [b, c], [c, a]] {
                // An edge of two visible faces is met twice, once each way, and lies inside.
                match horizon.iter().position(|edge| *edge == [to, from]) {
                    Some(inner) => drop(horizon.swap_remove(inner)),
                    None => horizon.push([from, to]),
                }
            }
        }
        self.faces.retain(|face| !is_visible(face));
        let own = self.corners.len();
        self.corners.push(corner);
        !horizon.is_empty() && horizon.into_iter().all(|[from, to]| self.add([from, to, own]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(support: impl Fn(DVec3) -> DVec3) -> Reach {
        let distance = support(DVec3::Y).y;
        least_reach(support, Reach { direction: DVec3::Y, distance }, |_| 1e-6)
    }

    #[test]
    fn the_nearest_side_of_a_box_is_found() {
        let (center, half) = (DVec3::new(0.3, -0.2, 0.5), DVec3::new(1.0, 2.0, 0.8));
        let found = least(|way| center + half * way.signum());
        assert!((found.distance - 0.3).abs() < 1e-9, "{found:?}");
        assert!(found.direction.dot(DVec3::NEG_Z) > 1.0 - 1e-9);
    }

    #[test]
    fn the_nearest_point_of_a_ball_and_of_an_egg_is_found() {
        let center = DVec3::new(0.3, 0.4, 0.0);
        let found = least(|way| center + way.normalize());
        assert!((found.distance - 0.5).abs() < 1e-4, "{found:?}");
        let radii = DVec3::new(1.0, 2.0, 3.0);
        let found = least(|way| radii * radii * way / (radii * way).length());
        assert!((found.distance - 1.0).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn what_has_no_volume_keeps_what_is_known() {
        let square = |way: DVec3| DVec3::new(way.x.signum(), 0.0, way.z.signum());
        let found = least(square);
        assert_eq!((found.direction, found.distance), (DVec3::Y, 0.0));
    }

    #[test]
    fn an_origin_outside_has_a_reach_below_nothing() {
        let found = least(|way| DVec3::X * 3.0 + way.normalize());
        assert!((found.distance + 2.0).abs() < 1e-4, "{found:?}");
    }
}
