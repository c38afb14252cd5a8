//! Smooth curves as cubic Bézier pieces.

/// A cubic Bézier piece of a curve: its end points, with two control points between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece<const D: usize>(pub [[f64; D]; 4]);

impl<const D: usize> Piece<D> {
    /// A straight piece with uniform parametrization.
    pub(crate) fn straight(from: [f64; D], to: [f64; D]) -> Self {
        let between = |share: f64| mixed(from, to, share);
        Self([from, between(1.0 / 3.0), between(2.0 / 3.0), to])
    }

    /// The point at `t` in 0..=1; exact at both ends.
    pub fn at(&self, t: f64) -> [f64; D] {
        if t >= 1.0 {
            return self.0[3];
        }
        let s = 1.0 - t;
        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        std::array::from_fn(|axis| (0..4).map(|at| weights[at] * self.0[at][axis]).sum())
    }

    /// The derivative at `t` in 0..=1.
    pub fn way(&self, t: f64) -> [f64; D] {
        let s = 1.0 - t;
        let weights = [3.0 * s * s, 6.0 * s * t, 3.0 * t * t];
        std::array::from_fn(|axis| {
            (0..3).map(|at| weights[at] * (self.0[at + 1][axis] - self.0[at][axis])).sum()
        })
    }

    /// The maximum distance of the piece from its chords for `steps` uniform steps of t: an eighth
    /// of the squared step times the largest second derivative.
    pub fn sag(&self, steps: usize) -> f64 {
        let [a, b, c, d] = self.0;
        let bend = |a: [f64; D], b: [f64; D], c: [f64; D]| {
            (0..D).map(|axis| (a[axis] - 2.0 * b[axis] + c[axis]).powi(2)).sum::<f64>().sqrt()
        };
        0.75 * bend(a, b, c).max(bend(b, c, d)) / (steps * steps) as f64
    }
}

fn mixed<const D: usize>(from: [f64; D], to: [f64; D], share: f64) -> [f64; D] {
    std::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * share)
}

fn distance<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}

/// The smooth curve through `points`, of which no two adjacent ones are equal: the centripetal
/// Catmull-Rom spline, which has no loops and cusps within a piece. Yuksel, Schaefer, Keyser 2011,
/// "Parameterization and Applications of Catmull-Rom Curves". A closed curve continues from the
/// last point to the first.
pub(crate) fn smooth_through<const D: usize>(points: &[[f64; D]], closed: bool) -> Vec<Piece<D>> {
    let count = points.len();
    // Beyond the ends of an open curve: the mirrored neighbour.
    let beyond = |end: [f64; D], next: [f64; D]| mixed(next, end, 2.0);
    let before = |at: usize| match (at, closed) {
        (0, true) => points[count - 1],
        (0, false) => beyond(points[0], points[1]),
        _ => points[at - 1],
    };
    let at = |index: usize| points[index % count];
    let after = |index: usize| match closed || index < count {
        true => at(index),
        false => beyond(points[count - 1], points[count - 2]),
    };
    let pieces = if closed { count } else { count - 1 };
    (0..pieces)
        .map(|index| piece([before(index), at(index), after(index + 1), after(index + 2)]))
        .collect()
}

/// The piece between the inner two of four points.
fn piece<const D: usize>([a, b, c, d]: [[f64; D]; 4]) -> Piece<D> {
    let [before, step, behind] = [(a, b), (b, c), (c, d)].map(|(a, b)| distance(a, b).sqrt());
    let tangent = |axis: usize, [a, b, c]: [[f64; D]; 3], [first, second]: [f64; 2]| {
        (b[axis] - a[axis]) / first - (c[axis] - a[axis]) / (first + second)
            + (c[axis] - b[axis]) / second
    };
    let start =
        std::array::from_fn(|axis| b[axis] + tangent(axis, [a, b, c], [before, step]) * step / 3.0);
    let end =
        std::array::from_fn(|axis| c[axis] - tangent(axis, [b, c, d], [step, behind]) * step / 3.0);
    Piece([b, start, end, c])
}

/// A Catmull-Rom spline through uniformly spaced numbers, with `finer` steps between each two.
pub(crate) fn through(values: &[f64], finer: usize) -> Vec<f64> {
    let last = values.len() - 1;
    let mut line = Vec::with_capacity(last * finer + 1);
    for span in 0..last {
        let (b, c) = (values[span], values[span + 1]);
        // Linear extrapolation beyond the ends.
        let a = if span > 0 { values[span - 1] } else { 2.0 * b - c };
        let d = if span + 1 < last { values[span + 2] } else { 2.0 * c - b };
        let piece = Piece([[b], [b + (c - a) / 6.0], [c - (d - b) / 6.0], [c]]);
        line.extend((0..finer).map(|step| piece.at(step as f64 / finer as f64)[0]));
    }
    line.push(values[last]);
    line
}

/// Monotone interpolation of uniformly spaced numbers: the control values of each piece. Fritsch
/// and Butland 1984, "A Method for Constructing Local Monotone Piecewise Cubic Interpolants".
pub(crate) fn monotone(values: &[f64], closed: bool) -> Vec<[f64; 4]> {
    let count = values.len();
    let at = |index: usize| values[index % count];
    let pieces = if closed { count } else { count - 1 };
    let step = |index: usize| at(index + 1) - at(index);
    let slope = |index: usize| {
        let inner = closed || (index > 0 && index + 1 < count);
        match inner {
            true => {
                let (before, after) = (step((index + count - 1) % count), step(index % count));
                let product = before * after;
                if product > 0.0 { 2.0 * product / (before + after) } else { 0.0 }
            }
            false if index == 0 => step(0),
            false => step(count - 2),
        }
    };
    (0..pieces)
        .map(|index| {
            let (from, to) = (at(index), at(index + 1));
            [from, from + slope(index) / 3.0, to - slope(index + 1) / 3.0, to]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_lines_go_through_their_points_without_a_kink() {
        let points = [[0.0, 0.0], [1.0, 2.0], [1.2, 2.1], [4.0, 0.0], [2.0, -3.0]];
        for closed in [false, true] {
            let pieces = smooth_through(&points, closed);
            assert_eq!(pieces.len(), if closed { 5 } else { 4 });
            for (at, piece) in pieces.iter().enumerate() {
                assert_eq!(piece.at(0.0), points[at]);
                assert_eq!(piece.at(1.0), points[(at + 1) % 5]);
            }
            for pair in pieces.windows(2) {
                let way = |from: [f64; 2], to: [f64; 2]| {
                    let length = distance(from, to);
                    [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
                };
                let (end, start) =
                    (way(pair[0].0[2], pair[0].0[3]), way(pair[1].0[0], pair[1].0[1]));
                assert!(distance(end, start) < 1e-9, "{end:?} {start:?}");
            }
        }
    }

    #[test]
    fn chords_are_as_close_as_said() {
        let piece = Piece([[0.0, 0.0], [1.0, 2.0], [3.0, 2.0], [4.0, -1.0]]);
        for steps in [1, 4, 16] {
            let mut farthest = 0.0_f64;
            for step in 0..steps {
                let at = |share: f64| piece.at((step as f64 + share) / steps as f64);
                let (from, to) = (at(0.0), at(1.0));
                for part in 1..20 {
                    let share = f64::from(part) / 20.0;
                    farthest = farthest.max(distance(at(share), mixed(from, to, share)));
                }
            }
            let sag = piece.sag(steps);
            assert!(farthest <= sag && farthest > 0.3 * sag, "{steps}: {farthest} {sag}");
        }
    }

    #[test]
    fn numbers_between_stay_between() {
        for closed in [false, true] {
            for [from, one, other, to] in monotone(&[1.0, 1.0, 4.0, 4.5, 0.1], closed) {
                let (low, high) = (from.min(to) - 1e-12, from.max(to) + 1e-12);
                assert!((low..=high).contains(&one) && (low..=high).contains(&other));
            }
        }
    }
}
