//! Densities per area and per solid angle.

use glam::Vec3A;

use crate::ray::SurfacePoint;

/// The probability density of a sampled point of a light.
#[derive(Debug, Clone, Copy)]
pub(super) enum Density {
    /// Per steradian, as seen from the receiving point.
    Directions(f32),
    /// Per area.
    Area(f32),
}

impl Density {
    /// Converts to a pdf per steradian as seen from `from`, where the point `surface` is in
    /// `direction`.
    #[inline(always)]
    pub(super) fn of_directions(
        self,
        from: Vec3A,
        surface: &SurfacePoint,
        direction: Vec3A,
    ) -> f32 {
        match self {
            Self::Directions(pdf) => pdf,
            Self::Area(pdf) => {
                pdf * from.distance_squared(surface.point) / surface.normal.dot(direction).abs()
            }
        }
    }
}
