//! Where light comes from.

mod air;
mod brightness;
mod choice;
mod disc;
mod emission;
mod environment;
mod point;
mod quad;
mod receiver;
mod shape;
mod shown;
mod sky;
mod source;
mod sphere;
mod tree;

use glam::Vec3A;
use scene::{ConeAngle, Emission, Exponent};

pub(crate) use choice::LightSet;
pub(crate) use disc::DiscLight;
pub(crate) use emission::{EmissionChoice, Emitted};
pub(crate) use environment::Environment;
pub(crate) use point::PointLight;
pub(crate) use quad::QuadLight;
pub(crate) use receiver::{Anything, Known, OneSided, Receiver};
pub(crate) use shape::{Glow, ShapeLight};
pub(crate) use shown::{Shine, ShownLight};
pub(crate) use sky::{SkyMap, Sun};
pub(crate) use source::Source;
pub(crate) use sphere::SphereLight;

use crate::primitive::Primitive;
use crate::ray::SurfacePoint;

/// A source of light with a place.
#[derive(Debug, Clone)]
pub(crate) enum Light {
    Point(PointLight),
    Quad(QuadLight),
    /// Both kinds of disc: one shines into a cone of 90 degrees evenly.
    Disc(DiscLight),
    Sphere(SphereLight),
    /// One side of a glowing shape of another kind.
    Shape(Box<ShapeLight>),
    /// One side of a glowing shape whose light varies over it.
    Shown(Box<ShownLight>),
}

/// Light that arrives from a sampled direction, if nothing is in the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LightSample {
    /// Unit vector towards the light.
    pub(crate) direction: Vec3A,
    pub(crate) end: End,
    /// Radiance along the direction; for point lights the irradiance at right angles to it.
    pub(crate) radiance: Vec3A,
    /// Density per steradian; `None` for point lights, which have no other direction.
    pub(crate) pdf: Option<f32>,
}

/// Where the way to a light ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    Surface(SurfacePoint),
    Point(Vec3A),
    Infinity,
}

impl Light {
    /// `None` for light without a place, see [`Sun::of`].
    pub(crate) fn new(light: &scene::Light) -> Option<Self> {
        Some(match light {
            scene::Light::DirectionalLight(_) => return None,
            scene::Light::PointSpotLight(light) => Self::Point(PointLight::new(light)),
            scene::Light::AreaQuadLight(light) => Self::Quad(QuadLight::new(light)),
            scene::Light::DiscSpotLight(light) => Self::Disc(DiscLight::plain(light)),
            scene::Light::AreaSphereLight(light) => Self::Sphere(SphereLight::new(light)),
            scene::Light::AreaDiscSpotLight(light) => Self::Disc(DiscLight::spot(light)),
        })
    }

    /// The visible body of a light of the document; that of a glowing shape is the shape itself.
    pub(crate) fn body(&self) -> Option<Primitive> {
        match self {
            Self::Point(_) | Self::Shape(_) | Self::Shown(_) => None,
            Self::Quad(light) => Some(Primitive::Quad(light.body.clone())),
            Self::Disc(light) => Some(Primitive::Disc(light.body.clone())),
            Self::Sphere(light) => Some(Primitive::Sphere(light.body.clone())),
        }
    }

    /// Radiance that leaves the body at `surface`, in that `part` of it, along the unit vector
    /// `direction`.
    #[inline(always)]
    pub(crate) fn radiance(&self, surface: &SurfacePoint, part: u32, direction: Vec3A) -> Vec3A {
        let cos = surface.normal.dot(direction);
        match self {
            Self::Point(_) => Vec3A::ZERO,
            Self::Quad(light) if cos > 0.0 => light.emission,
            Self::Sphere(light) if cos > 0.0 => light.emission,
            Self::Shape(light) if cos > 0.0 => light.emission,
            Self::Disc(light) => light.radiance(cos),
            Self::Shown(light) => light.radiance(surface, part, direction),
            Self::Quad(_) | Self::Sphere(_) | Self::Shape(_) => Vec3A::ZERO,
        }
    }

    /// Samples the light as seen from `from`. `None` when nothing arrives.
    #[inline(always)]
    pub(crate) fn sample(&self, from: Vec3A, u: [f32; 2]) -> Option<LightSample> {
        let (surface, density) = match self {
            Self::Point(light) => return light.sample(from),
            Self::Quad(light) => light.sample(from, u),
            Self::Disc(light) => (light.sample(u), light.density()),
            Self::Sphere(light) => light.sample(from, u)?,
            Self::Shape(_) | Self::Shown(_) => return self.sample_shape(from, u),
        };
        self.arriving(from, (surface, 0), density)
    }

    /// Apart, since most scenes have no shape that glows.
    #[inline(never)]
    fn sample_shape(&self, from: Vec3A, u: [f32; 2]) -> Option<LightSample> {
        let (place, density) = self.sample_place(from, u)?;
        self.arriving(from, place, density)
    }

    /// What arrives at `from` from a point of the body, which is sampled with some density; the part of
    /// the body it lies in is given, too.
    #[inline(always)]
    fn arriving(
        &self,
        from: Vec3A,
        (surface, part): (SurfacePoint, u32),
        density: Density,
    ) -> Option<LightSample> {
        let direction = (surface.point - from).try_normalize()?;
        let radiance = self.radiance(&surface, part, -direction);
        let pdf = density.of_directions(from, &surface, direction);
        let arrives = radiance != Vec3A::ZERO && pdf > 0.0 && pdf.is_finite();
        arrives.then_some(LightSample {
            direction,
            end: End::Surface(surface),
            radiance,
            pdf: Some(pdf),
        })
    }

    /// A point of the body for light that falls on `from`, the part of the body it lies in, and the
    /// density. `None` when nothing arrives, and for point lights.
    fn sample_place(&self, from: Vec3A, u: [f32; 2]) -> Option<((SurfacePoint, u32), Density)> {
        let (surface, density) = match self {
            Self::Point(_) => return None,
            Self::Quad(light) => light.sample(from, u),
            Self::Disc(light) => (light.sample(u), light.density()),
            Self::Sphere(light) => light.sample(from, u)?,
            Self::Shape(light) => return Some((light.sample(u), light.density())),
            Self::Shown(light) => return light.sample_place(from, u),
        };
        Some(((surface, 0), density))
    }

    /// Density per steradian of sampling, from `from`, the point `surface` of the body, in that part of
    /// it, which lies in `direction`.
    #[inline(never)]
    pub(crate) fn pdf(
        &self,
        from: Vec3A,
        (surface, part): (&SurfacePoint, u32),
        direction: Vec3A,
    ) -> f32 {
        match self {
            Self::Point(_) => 0.0,
            Self::Quad(light) => light.density(from).of_directions(from, surface, direction),
            Self::Disc(light) => light.density().of_directions(from, surface, direction),
            Self::Sphere(light) => light.pdf(from),
            Self::Shape(light) => light.density().of_directions(from, surface, direction),
            Self::Shown(light) => light.pdf(from, (surface, part), direction),
        }
    }

    /// Roughly the irradiance (as luminance) at a surface at `from` that faces `normal` if nothing
    /// is in the way. Zero only where nothing can arrive.
    pub(crate) fn importance(&self, from: Vec3A, normal: Vec3A) -> f32 {
        match self {
            Self::Point(light) => light.importance(from, normal),
            Self::Quad(light) => light.importance(from, normal),
            Self::Disc(light) => light.importance(from, normal),
            Self::Sphere(light) => light.importance(from, normal),
            Self::Shape(light) => light.importance(from, normal),
            Self::Shown(light) => light.even.importance(from, normal),
        }
    }

    /// Centre and radius of a ball around the body.
    fn ball(&self) -> (Vec3A, f32) {
        match self {
            Self::Point(light) => (light.center, 0.0),
            Self::Quad(light) => (light.center, light.reach),
            Self::Disc(light) => (light.body.center, light.body.radius),
            Self::Sphere(light) => (light.body.center, light.body.radius),
            Self::Shape(light) => (light.center, light.reach),
            Self::Shown(light) => light.even.ball(),
        }
    }

    /// All it emits, as luminance, in W.
    pub(crate) fn power(&self) -> f32 {
        match self {
            Self::Point(light) => light.power(),
            Self::Quad(light) => light.power(),
            Self::Disc(light) => light.power(),
            Self::Sphere(light) => light.power(),
            Self::Shape(light) => light.power(),
            Self::Shown(light) => light.even.power(),
        }
    }
}

/// How densely points of a body are sampled.
#[derive(Debug, Clone, Copy)]
enum Density {
    /// Per steradian, as seen from where the light falls.
    Directions(f32),
    /// Per area.
    Area(f32),
}

impl Density {
    /// Per steradian as seen from `from`, where the point `surface` lies in `direction`.
    #[inline(always)]
    fn of_directions(self, from: Vec3A, surface: &SurfacePoint, direction: Vec3A) -> f32 {
        match self {
            Self::Directions(pdf) => pdf,
            Self::Area(pdf) => {
                pdf * from.distance_squared(surface.point) / surface.normal.dot(direction).abs()
            }
        }
    }
}

/// The largest cosine with which a surface that faces `normal` can see a ball at `to_center`.
fn receiver_cosine(normal: Vec3A, to_center: Vec3A, radius: f32) -> f32 {
    let distance = to_center.length();
    if distance <= radius {
        return 1.0;
    }
    ((normal.dot(to_center) + radius) / distance).clamp(0.0, 1.0)
}

/// The perceived strength of a colour: the Y of linear sRGB.
pub(crate) fn luminance(color: Vec3A) -> f32 {
    color.dot(Vec3A::new(0.2126, 0.7152, 0.0722))
}

pub(crate) fn color(emission: Emission) -> Vec3A {
    Vec3A::from_array(emission.get().map(|channel| channel as f32))
}

/// How the strength of a light falls off around its axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cone {
    /// Cosine of the half-angle; below -1 when there is no limit.
    cos_cutoff: f32,
    exponent: f32,
}

impl Cone {
    fn new(cutoff: ConeAngle, exponent: Exponent) -> Self {
        let cutoff = cutoff.get();
        let cos_cutoff = if cutoff >= 180.0 { -2.0 } else { cutoff.to_radians().cos() as f32 };
        Self { cos_cutoff, exponent: exponent.get() as f32 }
    }

    /// `max(0, cos)^exponent` inside the cone, 0 outside.
    fn strength(self, cos: f32) -> f32 {
        if cos < self.cos_cutoff {
            0.0
        } else if self.exponent == 0.0 {
            1.0
        } else {
            cos.max(0.0).powf(self.exponent)
        }
    }

    /// A direction about +z in proportion to strength.
    fn sample_intensity(self, u: [f32; 2]) -> Vec3A {
        let power = self.exponent + 1.0;
        let lowest = if self.exponent > 0.0 { 0.0 } else { -1.0 };
        self.sample_power(u, self.cos_cutoff.max(lowest), power)
    }

    /// Density of [`sample_intensity`](Self::sample_intensity), per steradian.
    fn intensity_pdf(self, cos: f32) -> f32 {
        self.strength(cos) / self.solid_angle(-1.0)
    }

    /// A direction about +z in proportion to strength times cosine.
    fn sample_flux(self, u: [f32; 2]) -> Vec3A {
        self.sample_power(u, self.cos_cutoff.max(0.0), self.exponent + 2.0)
    }

    /// Density of [`sample_flux`](Self::sample_flux), per steradian.
    fn flux_pdf(self, cos: f32) -> f32 {
        self.strength(cos) * cos.max(0.0) / self.projected_solid_angle()
    }

    /// A direction about +z whose cosine, raised to `power`, lies evenly above that of `lowest`.
    fn sample_power(self, u: [f32; 2], lowest: f32, power: f32) -> Vec3A {
        // Only the power 1 comes with negative cosines.
        let cos = if power == 1.0 {
            1.0 - u[0] * (1.0 - lowest)
        } else {
            (1.0 - u[0] * (1.0 - lowest.powf(power))).powf(1.0 / power)
        };
        let flat = (1.0 - cos * cos).max(0.0).sqrt()
            * glam::Vec2::from_angle(std::f32::consts::TAU * u[1]);
        Vec3A::new(flat.x, flat.y, cos)
    }

    /// The integral of strength over the directions with cosine above `lowest`.
    fn solid_angle(self, lowest: f32) -> f32 {
        let from = self.cos_cutoff.max(lowest).clamp(-1.0, 1.0);
        let from = if self.exponent > 0.0 { from.max(0.0) } else { from };
        let power = self.exponent + 1.0;
        std::f32::consts::TAU * (1.0 - from.signum() * from.abs().powf(power)) / power
    }

    /// The integral of strength times cosine over the hemisphere.
    fn projected_solid_angle(self) -> f32 {
        let power = self.exponent + 2.0;
        std::f32::consts::TAU * (1.0 - self.cos_cutoff.max(0.0).powf(power)) / power
    }
}

#[cfg(test)]
mod tests;
