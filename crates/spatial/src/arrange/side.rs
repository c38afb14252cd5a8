//! Sides as the viewer sees them.

use glam::DVec3;

use crate::space::Space;
use crate::view::View;

/// The viewer's left, right, front and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Front,
    Back,
}

impl Side {
    pub(crate) const ALL: [Self; 4] = [Self::Right, Self::Left, Self::Front, Self::Back];

    /// The level unit vector to this side of things as the camera of the scene sees them; along an
    /// axis of the world when the camera looks within 10 degrees of one.
    pub(crate) fn direction(self, space: &Space<'_>) -> DVec3 {
        let view = View::of(&space.scene.camera);
        let right = view.right().with_y(0.0).try_normalize().unwrap_or(DVec3::X);
        let axes = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
        let near = axes.into_iter().find(|axis| axis.dot(right) > 10f64.to_radians().cos());
        let right = near.unwrap_or(right);
        match self {
            Self::Right => right,
            Self::Left => -right,
            Self::Front => right.cross(DVec3::Y),
            Self::Back => DVec3::Y.cross(right),
        }
    }
}
