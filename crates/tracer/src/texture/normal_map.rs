//! Normal mapping, in the tangent space of the uv coordinates.

use std::sync::Arc;

use glam::{Vec2, Vec3A};
use scene::Wrap;

use super::{Chart, Layout, Spot};
use crate::frame::Frame;
use crate::image_map::ImageMap;
use crate::mesh::Meshes;
use crate::ray::{ROUNDING, SurfacePoint};

/// A normal map.
#[derive(Debug, Clone)]
pub(crate) struct NormalMap {
    texels: Arc<ImageMap>,
    wrap: Wrap,
    /// The factor of the slopes along the image's x and y.
    strength: Vec2,
    layout: Layout,
    /// The step of the finite differences that give the tangents, in metres.
    step: f32,
}

impl NormalMap {
    /// The normal map of a shape of size `extent`; `None` if its image is missing.
    pub(crate) fn new(map: &scene::NormalMap, extent: f32, meshes: &Meshes) -> Option<Self> {
        let image = &map.image;
        let strength = image.strength.get() as f32;
        Some(Self {
            texels: Arc::clone(meshes.image(image.asset.as_str())?),
            wrap: image.wrap,
            strength: Vec2::new(strength, if image.flip_y { -strength } else { strength }),
            layout: Layout::new(&map.placement, map.mapping()),
            step: 1e-3 * extent,
        })
    }

    /// The perturbed shading normal at `surface`.
    pub(crate) fn normal(&self, chart: &Chart, surface: &SurfacePoint, part: u32) -> Vec3A {
        let normal = surface.shading;
        let spot = |point: Vec3A| Spot { chart, point, normal: surface.normal, part };
        let frame = Frame::around(normal);
        let (right, up) = (frame.to_world(Vec3A::X), frame.to_world(Vec3A::Y));
        let step = self.step.max(512.0 * ROUNDING * surface.point.abs().max_element());
        let change = |along: Vec3A| {
            let way = along * (0.5 * step);
            self.layout.between(&spot(surface.point - way), &spot(surface.point + way))
        };
        let (by_right, by_up) = (change(right), change(up));
        // The inverse maps image axes to tangents.
        let turn = by_right.x * by_up.y - by_up.x * by_right.y;
        let along_x = (right * by_up.y - up * by_right.y) * turn.signum();
        let along_y = (up * by_right.x - right * by_up.x) * turn.signum();
        let axes = along_x.try_normalize().zip(along_y.try_normalize());
        let Some((along_x, along_y)) = axes.filter(|_| turn != 0.0) else { return normal };
        let at = self.layout.at(&spot(surface.point));
        let stored = self.texels.image().at(Vec2::new(at.x, at.y), self.wrap, true);
        let slope = (Vec2::new(stored.x, stored.y) * 2.0 - 1.0) * self.strength;
        // A normal below the surface is invalid.
        let upwards = (stored.z * 2.0 - 1.0).max(1e-3);
        let bent = along_x * slope.x + along_y * slope.y + normal * upwards;
        bent.try_normalize().unwrap_or(normal)
    }
}
