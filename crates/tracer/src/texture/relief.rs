//! Reliefs: normals for shading that follow a height over the surface.

use glam::Vec3A;

use super::{Chart, Spot, Texture};
use crate::frame::Frame;
use crate::mesh::Meshes;
use crate::ray::{ROUNDING, SurfacePoint};

/// A height over a surface, in metres.
#[derive(Debug, Clone)]
pub(crate) struct Relief {
    height: Texture,
    /// Differences are taken over this length, in metres.
    step: f32,
}

impl Relief {
    /// Of a shape about `extent` large.
    pub(crate) fn new(
        height: &scene::Texture<scene::Height>,
        extent: f32,
        meshes: &Meshes,
    ) -> Self {
        let height = Texture::new(height, meshes);
        Self { step: height.step(extent), height }
    }

    /// The normal for shading where the surface with that of `surface` is raised by the height.
    /// Blinn 1978, "Simulation of Wrinkled Surfaces".
    pub(crate) fn normal(&self, chart: &Chart, surface: &SurfacePoint, part: u32) -> Vec3A {
        let normal = surface.shading;
        let frame = Frame::around(normal);
        // Far from the origin, differences over less than this would be rounding.
        let step = self.step.max(512.0 * ROUNDING * surface.point.abs().max_element());
        let height =
            |point: Vec3A| self.height.at(&Spot { chart, point, normal: surface.normal, part }).x;
        let slope_along = |along: Vec3A| {
            let way = along * (0.5 * step);
            along * ((height(surface.point + way) - height(surface.point - way)) / step)
        };
        let slope = slope_along(frame.to_world(Vec3A::X)) + slope_along(frame.to_world(Vec3A::Y));
        // Steeper than this is a cliff: the normal would lie in the surface.
        let slope = slope.clamp_length_max(5.0);
        (normal - slope).try_normalize().unwrap_or(normal)
    }
}
