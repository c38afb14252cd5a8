//! What the importance of a light, or of a group of lights, is estimated from.

use glam::Vec3A;

use super::cone::Cone;

/// Bounds of a light or of a group of lights, and how much it emits.
///
/// Its importance at a point is the weight times the largest cosine at which it arrives there times the cosine at
/// which a flat light leaves, over the squared distance to the center.
#[derive(Debug, Clone)]
pub(super) struct LightBounds {
    /// A sphere around it.
    pub(super) center: Vec3A,
    pub(super) radius: f32,
    /// As luminance: the intensity far away, in W/sr, or pi times that, where cosines are averaged.
    pub(super) weight: f32,
    /// The direction in which a flat light emits most; zero for one that emits all around.
    pub(super) normal: Vec3A,
    /// Is added to the squared distance, which has no meaning near a large light.
    pub(super) added: f32,
    /// The least squared distance.
    pub(super) least: f32,
    /// No light arrives up to this squared distance: inside a glowing ball.
    pub(super) dark_within: f32,
    pub(super) beam: Option<Beam>,
}

impl LightBounds {
    /// A light that emits all around.
    pub(super) fn round((center, radius): (Vec3A, f32), weight: f32) -> Self {
        Self {
            center,
            radius,
            weight,
            normal: Vec3A::ZERO,
            added: 0.0,
            least: 0.0,
            dark_within: -1.0,
            beam: None,
        }
    }

    /// A light that emits to one side.
    pub(super) fn flat(ball: (Vec3A, f32), weight: f32, normal: Vec3A, added: f32) -> Self {
        Self { normal, added, ..Self::round(ball, weight) }
    }

    /// A group of lights, with their power in W. They are taken to emit all around.
    pub(super) fn group((center, radius): (Vec3A, f32), power: f32) -> Self {
        let weight = power / (4.0 * std::f32::consts::PI);
        // Within the sphere the distance has no meaning.
        Self { least: radius * radius, ..Self::round((center, radius), weight) }
    }
}

/// The directions that a spot light emits to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beam {
    pub(super) center: Vec3A,
    pub(super) radius: f32,
    pub(super) axis: Vec3A,
    pub(super) cone: Cone,
}

impl Beam {
    /// The strength in the direction closest to the axis among those from points of the light to the point `to`.
    pub(super) fn strongest(&self, to: Vec3A) -> f32 {
        let from_center = to - self.center;
        let distance = from_center.length();
        let sin_spread = self.radius / distance;
        if sin_spread >= 1.0 || distance == 0.0 {
            return 1.0;
        }
        let cos = (self.axis.dot(from_center) / distance).clamp(-1.0, 1.0);
        let cos_spread = (1.0 - sin_spread * sin_spread).sqrt();
        // cos(angle - spread), unless the spread reaches the axis, with a margin for rounding, since a strength of
        // 0 must be exact.
        let cos_closest = if cos >= cos_spread {
            1.0
        } else {
            (cos * cos_spread + (1.0 - cos * cos).sqrt() * sin_spread + 1e-4).min(1.0)
        };
        self.cone.strength(cos_closest)
    }
}
