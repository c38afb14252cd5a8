//! A bend of a path.

use glam::Vec3A;

use crate::bsdf::{Bsdf, Scattering, ScatteringSample};
use crate::light::{End, LightSample, Receiver};
use crate::ray::{Ray, SurfacePoint};
use crate::shading::Shading;
use crate::world::World;

/// A point where a path meets a surface, seen from where the path comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex<'world> {
    pub(super) surface: SurfacePoint,
    pub(super) bsdf: &'world Bsdf,
    shading: Shading,
    /// Unit direction back along the path in the frame of shading; z is never negative.
    pub(super) wo: Vec3A,
    /// Unit geometric normal on the side the path comes from.
    pub(super) facing: Vec3A,
    /// The cosine between that and the way back.
    pub(super) cos: f32,
    /// Whether that is the side of the geometric normal.
    pub(super) outside: bool,
}

impl<'world> Vertex<'world> {
    #[inline(always)]
    pub(super) fn new(surface: SurfacePoint, bsdf: &'world Bsdf, direction: Vec3A) -> Self {
        let along = surface.normal.dot(direction);
        let outside = along < 0.0;
        let facing = if outside { surface.normal } else { -surface.normal };
        let shading = Shading::new(facing, surface.shading, -direction);
        let mut wo = shading.frame.to_local(-direction);
        wo.z = wo.z.max(0.0);
        Self { surface, bsdf, shading, wo, facing, cos: along.abs(), outside }
    }

    /// As a point that light may arrive at.
    #[inline(always)]
    pub(super) fn receiver(&self) -> Receiver {
        let samples_sky = self.bsdf.is_matte();
        Receiver { point: self.surface.point, normal: self.facing, samples_sky }
    }

    /// The geometric cosine of a unit world direction.
    #[inline(always)]
    pub(super) fn cos_of(&self, direction: Vec3A) -> f32 {
        self.facing.dot(direction).abs()
    }

    /// What light from the unit world direction `towards` is worth to where the path comes from.
    #[inline(always)]
    pub(super) fn evaluate(&self, towards: Vec3A) -> Scattering {
        let local = self.shading.frame.to_local(towards);
        if !self.shading.agrees(local, towards) {
            return Scattering { value: Vec3A::ZERO, pdf: 0.0 };
        }
        self.bsdf.evaluate(self.wo, local)
    }

    /// What light from where the path comes from is worth along the unit world direction `towards`:
    /// as [`evaluate`](Self::evaluate), for paths from lights.
    #[inline(always)]
    pub(super) fn evaluate_power(&self, towards: Vec3A) -> Scattering {
        let scattering = self.evaluate(towards);
        if scattering.value == Vec3A::ZERO {
            return scattering;
        }
        let adjoint = self.adjoint(towards, self.shading.frame.to_local(towards));
        Scattering { value: scattering.value * adjoint, ..scattering }
    }

    /// The factor between power and radiance: a normal for shading changes the area that light falls
    /// on but not the area it is seen from. `direction` in the world is `local` in the frame.
    /// Veach 1997, section 5.3.2.
    #[inline(always)]
    pub(super) fn adjoint(&self, direction: Vec3A, local: Vec3A) -> f32 {
        if !self.shading.is_smooth() {
            return 1.0;
        }
        let (seen, falling) = (self.cos_of(direction) * self.wo.z, self.cos * local.z.abs());
        if falling > 0.0 { seen / falling } else { 0.0 }
    }

    /// Density of choosing `self.wo` for a path that comes from the unit world direction `towards`,
    /// per steradian.
    #[inline(always)]
    pub(super) fn reverse_pdf(&self, towards: Vec3A) -> f32 {
        self.bsdf.evaluate(self.shading.frame.to_local(towards), self.wo).pdf
    }

    /// The ray that goes on; `None` when it would leave on the wrong side.
    #[inline(always)]
    pub(super) fn ray_along(&self, sample: &ScatteringSample) -> Option<Ray> {
        let wi = sample.wi;
        // The side is that of the local direction: in world space a flat one may be rounded to
        // the other side.
        let side = if wi.z < 0.0 { -self.facing } else { self.facing };
        let mut direction = self.shading.frame.to_world(wi).normalize();
        if sample.pdf.is_none() {
            direction = self.shading.forced(wi, direction);
        } else if !self.shading.agrees(wi, direction) {
            return None;
        }
        Some(Ray::new(self.surface.origin_towards(side), direction))
    }

    /// Whether something keeps `light` from arriving here.
    #[inline(always)]
    pub(super) fn is_shadowed(&self, world: &World, light: &LightSample) -> bool {
        let start = self.surface.origin_towards(self.facing);
        match light.end {
            End::Infinity => world.is_blocked(&Ray::new(start, light.direction), f32::INFINITY),
            End::Point(point) => world.is_blocked_between(start, point),
            End::Surface(end) => {
                world.is_blocked_between(start, end.origin_towards(-light.direction))
            }
        }
    }
}
