//! A smooth curve through points, walked by its length.

use glam::DVec3;

/// Straight pieces from each point to the next.
const PIECES: usize = 32;

/// A centripetal Catmull-Rom curve (Barry and Goldman 1988), as a line of short pieces.
#[derive(Debug)]
pub(super) struct Curve {
    places: Vec<DVec3>,
    /// The way along the curve to each place.
    ways: Vec<f64>,
}

impl Curve {
    pub(super) fn through(corners: &[DVec3]) -> Self {
        let mut places: Vec<DVec3> = corners.first().copied().into_iter().collect();
        for at in 1..corners.len() {
            let (from, to) = (corners[at - 1], corners[at]);
            let before = if at >= 2 { corners[at - 2] } else { 2.0 * from - to };
            let after = corners.get(at + 1).copied().unwrap_or(2.0 * to - from);
            for piece in 1..=PIECES {
                let share = piece as f64 / PIECES as f64;
                places.push(between([before, from, to, after], share));
            }
        }
        let mut ways = vec![0.0];
        for pair in places.windows(2) {
            ways.push(ways[ways.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { places, ways }
    }

    pub(super) fn length(&self) -> f64 {
        self.ways[self.ways.len() - 1]
    }

    /// The place after a way along the curve, and the direction there.
    pub(super) fn at(&self, way: f64) -> (DVec3, DVec3) {
        let end = self.ways.partition_point(|there| *there < way).clamp(1, self.places.len() - 1);
        let (from, to) = (self.places[end - 1], self.places[end]);
        let piece = (self.ways[end] - self.ways[end - 1]).max(1e-12);
        let share = ((way - self.ways[end - 1]) / piece).clamp(0.0, 1.0);
        (from.lerp(to, share), (to - from).normalize_or(DVec3::X))
    }
}

/// The point a share of the way from the second to the third of four.
fn between([a, b, c, d]: [DVec3; 4], share: f64) -> DVec3 {
    let step = |from: DVec3, to: DVec3| from.distance(to).sqrt().max(1e-9);
    let (first, second, third) = (step(a, b), step(b, c), step(c, d));
    let (t1, t2) = (first, first + second);
    let (t3, t) = (t2 + third, t1 + share * second);
    let mix =
        |from: DVec3, to: DVec3, start: f64, end: f64| from.lerp(to, (t - start) / (end - start));
    let (ab, bc, cd) = (mix(a, b, 0.0, t1), mix(b, c, t1, t2), mix(c, d, t2, t3));
    mix(mix(ab, bc, 0.0, t2), mix(bc, cd, t1, t3), t1, t2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_meets_its_points_and_is_walked_evenly() {
        let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 1.0], [4.0, 0.0, 0.0]].map(DVec3::from);
        let curve = Curve::through(&corners);
        assert!(curve.at(0.0).0.distance(corners[0]) < 1e-9);
        assert!(curve.at(0.5 * curve.length()).0.distance(corners[1]) < 1e-6);
        assert!(curve.at(curve.length()).0.distance(corners[2]) < 1e-9);
        let straight = Curve::through(&[DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
        assert!((straight.length() - 3.0).abs() < 1e-9);
        assert!((straight.at(1.2).0.x - 1.2).abs() < 1e-6);
        assert!(straight.at(1.2).1.distance(DVec3::X) < 1e-9);
    }
}
