//! Path vertices on surfaces.

use glam::Vec3A;

use super::medium::Medium;
use crate::bsdf::{Bsdf, Scattering, ScatteringSample, Scatters};
use crate::light::{Anything, End, LightSample, Receiver};
use crate::ray::{Ray, SurfacePoint};
use crate::shading::Shading;

/// A path vertex on a surface; directions point away from the surface.
#[derive(Debug, Clone)]
pub(super) struct Vertex<'world> {
    pub(super) surface: SurfacePoint,
    pub(super) bsdf: &'world Bsdf,
    shading: Shading,
    /// The unit direction to the previous vertex in the shading frame; z is never negative.
    pub(super) wo: Vec3A,
    /// The unit geometric normal on the side of the previous vertex.
    pub(super) facing: Vec3A,
    /// The cosine between that normal and the direction to the previous vertex.
    pub(super) cos: f32,
    /// Whether the previous vertex is on the side of the geometric normal.
    pub(super) outside: bool,
    /// The medium on that side.
    pub(super) medium: Medium,
    /// Whether the BSDF transmits light other than by a Dirac delta.
    translucent: bool,
}

impl<'world> Vertex<'world> {
    #[inline(always)]
    pub(super) fn new(
        surface: SurfacePoint,
        bsdf: &'world Bsdf,
        direction: Vec3A,
        medium: Medium,
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

    /// The vertex as a point to sample lights for.
    #[inline(always)]
    pub(super) fn receiver(&self) -> Receiver {
        Receiver {
            point: self.surface.point,
            normal: self.facing,
            samples_sky: self.bsdf.is_matte(),
            both_sides: self.translucent,
            known: Anything,
        }
    }

    /// The geometric cosine of a unit world direction.
    #[inline(always)]
    pub(super) fn cos_of(&self, direction: Vec3A) -> f32 {
        self.facing.dot(direction).abs()
    }

    /// BSDF times cosine and its pdf for light from the unit world direction `towards`.
    #[inline(always)]
    pub(super) fn evaluate(&self, towards: Vec3A) -> Scattering {
        let local = self.shading.frame.to_local(towards);
        if !self.shading.agrees(local, towards) {
            return Scattering { value: Vec3A::ZERO, pdf: 0.0 };
        }
        self.bsdf.evaluate(self.wo, local, self.outside)
    }

    /// The correction of the adjoint BSDF for shading normals, which are not symmetric. `direction`
    /// in the world is `local` in the shading frame. Veach 1997, section 5.3.2.
    #[inline(always)]
    pub(super) fn adjoint(&self, direction: Vec3A, local: Vec3A) -> f32 {
        if !self.shading.is_smooth() {
            return 1.0;
        }
        let (seen, falling) = (self.cos_of(direction) * self.wo.z, self.cos * local.z.abs());
        if falling > 0.0 { seen / falling } else { 0.0 }
    }

    /// The reverse pdf: of sampling `self.wo` for a path from the unit world direction `towards`,
    /// per steradian.
    #[inline(always)]
    pub(super) fn reverse_pdf(&self, towards: Vec3A) -> f32 {
        self.bsdf.evaluate(self.shading.frame.to_local(towards), self.wo, self.outside).pdf
    }

    /// The reverse pdf: of sampling `self.wo` for a path from the local direction `wi`, per
    /// steradian.
    #[inline(always)]
    pub(super) fn reverse_pdf_of(&self, wi: Vec3A) -> f32 {
        self.bsdf.evaluate(wi, self.wo, self.outside).pdf
    }

    /// The origin of a ray that leaves along the unit world direction `towards`.
    #[inline(always)]
    pub(super) fn start_towards(&self, towards: Vec3A) -> Vec3A {
        let through = self.translucent && self.facing.dot(towards) < 0.0;
        self.surface.origin_towards(if through { -self.facing } else { self.facing })
    }

    /// The medium of a ray that leaves along the unit world direction `towards`.
    #[inline(always)]
    pub(super) fn medium_towards(&self, towards: Vec3A) -> Medium {
        if self.translucent && self.facing.dot(towards) < 0.0 {
            self.medium_behind()
        } else {
            self.medium
        }
    }

    /// Whether `sample` enters or leaves a medium. Light that passes without refraction does not.
    #[inline(always)]
    pub(super) fn is_crossed_by(&self, sample: &ScatteringSample) -> bool {
        sample.wi.z < 0.0 && sample.eta_squared != 1.0
    }

    /// Whether a ray along the unit world direction `towards` leaves into the medium behind the
    /// surface.
    #[inline(always)]
    pub(super) fn is_behind(&self, towards: Vec3A) -> bool {
        self.translucent && !self.bsdf.is_thin() && self.facing.dot(towards) < 0.0
    }

    /// The medium of the ray along `sample`.
    #[inline(always)]
    pub(super) fn medium_after(&self, sample: &ScatteringSample) -> Medium {
        if self.is_crossed_by(sample) { self.medium_behind() } else { self.medium }
    }

    #[inline(always)]
    fn medium_behind(&self) -> Medium {
        if self.bsdf.is_thin() {
            self.medium
        } else if self.outside {
            Medium::of(self.bsdf)
        } else {
            Medium::AIR
        }
    }

    /// The next ray of the path; `None` when it would leave on the wrong side of the surface.
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

    /// The transmittance of the medium for `light`; `None` when it is 1.
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

    /// The ray from here towards `light` and its length; `None` where they are at one place, so that nothing is
    /// between.
    #[inline(always)]
    pub(super) fn ray_to(&self, light: &LightSample) -> Option<(Ray, f32)> {
        let start = self.start_towards(light.direction);
        match light.end {
            End::Infinity => Some((Ray::new(start, light.direction), f32::INFINITY)),
            End::Point(point) => Ray::between(start, point),
            End::Surface(end) => Ray::between(start, end.origin_towards(-light.direction)),
        }
    }

    /// The adjoint BSDF times cosine and its pdf for paths from lights: as
    /// [`evaluate`](Self::evaluate) with light and viewer exchanged.
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

    /// The transmittance without a change of direction towards the previous vertex, per channel.
    pub(super) fn straight(&self) -> Vec3A {
        self.bsdf.straight(self.wo, self.outside)
    }
}
