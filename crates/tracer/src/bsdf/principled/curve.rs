//! Tabulated functions of a cosine.

use glam::Vec3A;

/// The number of intervals, which grow from 0 to 1, since reflectances are steepest at grazing
/// angles.
const STEPS: usize = 40;

/// A function of a cosine in 0..=1 with a value for each channel, linear between its nodes.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    nodes: [Vec3A; STEPS + 1],
}

/// The cosine of a node; the nodes are uniform in its square root.
fn cosine(node: usize) -> f32 {
    let root = node as f32 / STEPS as f32;
    root * root
}

impl Curve {
    /// The smallest cosine of the table.
    const MIN_COSINE: f32 = 1e-4;

    pub(super) fn new(function: impl Fn(f32) -> Vec3A) -> Self {
        let node = |node: usize| function(cosine(node).max(Self::MIN_COSINE));
        Self { nodes: std::array::from_fn(node) }
    }

    pub(super) fn at(&self, cos: f32) -> Vec3A {
        let place = cos.clamp(0.0, 1.0) * (STEPS * STEPS) as f32;
        let node = (place.sqrt() as usize).min(STEPS - 1);
        let share = (place - (node * node) as f32) / (2 * node + 1) as f32;
        self.nodes[node].lerp(self.nodes[node + 1], share)
    }

    /// The cosine-weighted mean over all directions.
    pub(super) fn mean(&self) -> Vec3A {
        // The integral of 2 cos times a linear function, exact by Simpson's rule.
        let between = |node: usize| {
            let [low, high] = [node, node + 1].map(cosine);
            let middle = 0.5 * (low + high) * (self.nodes[node] + self.nodes[node + 1]) * 0.5;
            (self.nodes[node] * low + middle * 4.0 + self.nodes[node + 1] * high)
                * ((high - low) / 6.0 * 2.0)
        };
        (0..STEPS).map(between).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_lines_are_kept_and_averaged_exactly() {
        let line = Curve::new(|cos| Vec3A::new(1.0, cos, 1.0 - cos));
        for cos in [0.1, 0.33, 0.5, 0.987, 1.0] {
            assert!((line.at(cos) - Vec3A::new(1.0, cos, 1.0 - cos)).length() < 1e-5);
        }
        // The means of 1, cos and 1 - cos with the weight 2 cos over 0..1.
        let expected = Vec3A::new(1.0, 2.0 / 3.0, 1.0 / 3.0);
        assert!((line.mean() - expected).length() < 1e-4, "{}", line.mean());
    }
}
