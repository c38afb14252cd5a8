//! Samples of lights.

use glam::Vec3A;

use crate::ray::SurfacePoint;

/// A light sample: unshadowed light from a sampled direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LightSample {
    /// Unit vector towards the light.
    pub(crate) direction: Vec3A,
    pub(crate) end: End,
    /// Radiance along the direction; for point lights the irradiance perpendicular to it.
    pub(crate) radiance: Vec3A,
    /// Density per steradian; `None` for point lights, which have no other direction.
    pub(crate) pdf: Option<f32>,
}

/// The far end of a shadow ray.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    Surface(SurfacePoint),
    Point(Vec3A),
    Infinity,
}
