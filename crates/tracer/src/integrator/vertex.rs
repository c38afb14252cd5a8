//! A bend of a path.

use glam::Vec3A;

use super::medium::Medium;
use crate::bsdf::{Bsdf, Scattering, ScatteringSample, Scatters};
use crate::light::{End, Known, LightSample, Receiver};
use crate::ray::{Ray, SurfacePoint};
use crate::shading::Shading;
use crate::world::World;

/// A point where a path meets a surface of the kind `B`, seen from where the path comes from.
#[derive(Debug, Clone)]
pub(super) struct Vertex<'world, B = Bsdf> {
    pub(super) surface: SurfacePoint,
    pub(super) bsdf: &'world B,
    shading: Shading,
    /// Unit direction back along the path in the frame of shading; z is never negative.
    pub(super) wo: Vec3A,
    /// Unit geometric normal on the side the path comes from.
    pub(super) facing: Vec3A,
    /// The cosine between that and the way back.
    pub(super) cos: f32,
    /// Whether that is the side of the geometric normal.
    pub(super) outside: bool,
    /// What light on that side goes through.
    pub(super) medium: Medium<'world>,
    /// Whether light may leave on the other side into more than single directions.
    translucent: bool,
}

impl<'world, B: Scatters> Vertex<'world, B> {
    #[inline(always)]
    pub(super) fn new(
        surface: SurfacePoint,
        bsdf: &'world B,
        direction: Vec3A,
        medium: Medium<'world>,
    ) -> Self {
        let along = surface.normal.dot(direction);
        let outside = along < 0.0;
        let facing = if outside { surface.normal } else { -surface.normal };
        let shading = Shading::new(facing, surface.shading, -direction, bsdf.is_brushed());
        let mut wo = shading.frame.to_local(-direction);
        wo.z = wo.z.max(0.0);
        let (cos, translucent) = (along.abs(), bsdf.is_translucent());
        Self { surface, bsdf, shading, wo, facing, cos, outside, medium, translucent }
    }

    /// As a point that light may arrive at.
    #[inline(always)]
    pub(super) fn receiver<K: Known>(&self, known: K) -> Receiver<K> {
        Receiver {
            point: self.surface.point,
            normal: self.facing,
            samples_sky: self.bsdf.is_matte(),
            both_sides: self.translucent,
            known,
        }
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
        self.bsdf.evaluate(self.wo, local, self.outside)
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
        self.bsdf.evaluate(self.shading.frame.to_local(towards), self.wo, self.outside).pdf
    }

    /// Density of choosing `self.wo` for a path that comes from the local direction `wi`, per
    /// steradian.
    #[inline(always)]
    pub(super) fn reverse_pdf_of(&self, wi: Vec3A) -> f32 {
        self.bsdf.evaluate(wi, self.wo, self.outside).pdf
    }

    /// Where a ray starts that leaves along the unit world direction `towards`.
    #[inline(always)]
    pub(super) fn start_towards(&self, towards: Vec3A) -> Vec3A {
        let through = self.translucent && self.facing.dot(towards) < 0.0;
        self.surface.origin_towards(if through { -self.facing } else { self.facing })
    }

    /// What light goes through that leaves along the unit world direction `towards`.
    #[inline(always)]
    pub(super) fn medium_towards(&self, towards: Vec3A) -> Medium<'world> {
        if self.translucent && self.facing.dot(towards) < 0.0 {
            self.medium_behind()
        } else {
            self.medium
        }
    }

    /// Whether `sample` crosses the border of what is behind. What goes straight on, bent by nothing,
    /// has not met one.
    #[inline(always)]
    pub(super) fn is_crossed_by(&self, sample: &ScatteringSample) -> bool {
        sample.wi.z < 0.0 && sample.eta_squared != 1.0
    }

    /// Whether light along the unit world direction `towards` leaves on the other side.
    #[inline(always)]
    pub(super) fn is_behind(&self, towards: Vec3A) -> bool {
        self.translucent && !self.bsdf.is_thin() && self.facing.dot(towards) < 0.0
    }

    /// What light goes through after `sample`.
    #[inline(always)]
    pub(super) fn medium_after(&self, sample: &ScatteringSample) -> Medium<'world> {
        if self.is_crossed_by(sample) { self.medium_behind() } else { self.medium }
    }

    #[inline(always)]
    fn medium_behind(&self) -> Medium<'world> {
        if self.bsdf.is_thin() {
            self.medium
        } else if self.outside {
            Medium::of(self.bsdf)
        } else {
            Medium::AIR
        }
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

    /// What is left of `light` after its way here; `None` when it is all of it.
    #[inline(always)]
    pub(super) fn left_of(&self, light: &LightSample) -> Option<Vec3A> {
        if self.medium.is_air() && !self.translucent {
            return None;
        }
        let distance = match light.end {
            End::Infinity => f32::INFINITY,
            End::Point(end) => self.surface.point.distance(end),
            End::Surface(end) => self.surface.point.distance(end.point),
        };
        self.medium_towards(light.direction).left_after(distance)
    }

    /// Whether something keeps `light` from arriving here.
    #[inline(always)]
    pub(super) fn is_shadowed(&self, world: &World, light: &LightSample) -> bool {
        let start = self.start_towards(light.direction);
        match light.end {
            End::Infinity => world.is_blocked(&Ray::new(start, light.direction), f32::INFINITY),
            End::Point(point) => world.is_blocked_between(start, point),
            End::Surface(end) => {
                world.is_blocked_between(start, end.origin_towards(-light.direction))
            }
        }
    }
}

impl Vertex<'_> {
    /// What light from where the path comes from is worth along the unit world direction `towards`:
    /// as [`evaluate`](Self::evaluate), for paths from lights.
    #[inline(always)]
    pub(super) fn evaluate_power(&self, towards: Vec3A) -> Scattering {
        let scattering = self.evaluate(towards);
        if scattering.value == Vec3A::ZERO {
            return scattering;
        }
        let local = self.shading.frame.to_local(towards);
        let adjoint = self.adjoint(towards, local) * self.bsdf.compression(local, self.outside);
        Scattering { value: scattering.value * adjoint, ..scattering }
    }

    /// What goes straight on through the surface to where the path comes from, per channel.
    pub(super) fn straight(&self) -> Vec3A {
        self.bsdf.straight(self.wo, self.outside)
    }
}
