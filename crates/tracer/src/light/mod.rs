//! Lights: sampling, densities and importance.

mod air;
mod area_light;
mod block;
mod bounds;
mod brightness;
mod choice;
mod cone;
mod density;
mod disc;
mod emission;
mod emission_texture;
mod environment;
mod many;
mod point;
mod quad;
mod receiver;
mod sample;
mod shape;
mod sky;
mod source;
mod sphere;
mod tree;
mod weighted_choice;

use glam::Vec3A;

pub(crate) use area_light::AreaLight;
pub(crate) use choice::LightSet;
pub(crate) use disc::DiscLight;
pub(crate) use emission::{EmissionChoice, Emitted};
pub(crate) use emission_texture::SurfaceEmission;
pub(crate) use environment::Environment;
pub(crate) use many::LightSamples;
pub(crate) use point::PointLight;
pub(crate) use quad::QuadLight;
pub(crate) use receiver::{Anything, Known, OneSided, Receiver, Receivers};
pub(crate) use sample::{End, LightSample};
pub(crate) use shape::ShapeLight;
pub(crate) use sky::{SkyMap, Sun};
pub(crate) use source::Source;
pub(crate) use sphere::SphereLight;

use self::bounds::LightBounds;
use self::density::Density;
use self::emission_texture::EmissionTexture;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;

/// The probability of sampling a textured light by its brightness; otherwise it is sampled like a
/// uniform light, which also finds what the brightness grid has missed.
const BY_BRIGHTNESS: f32 = 0.5;

/// A light at a finite position.
#[derive(Debug, Clone)]
pub(crate) enum Light {
    Point(PointLight),
    Quad(QuadLight),
    /// Both kinds of disc lights; a plain one is a cone of 90 degrees without falloff.
    Disc(DiscLight),
    Sphere(SphereLight),
    /// One side of any other emissive shape.
    Shape(Box<ShapeLight>),
    /// One side of an emissive shape with an emission texture.
    Textured(Box<TexturedLight>),
}

impl Light {
    /// `None` for distant lights, see [`Sun::of`].
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

    /// The visible body of a light of the document; that of an emissive shape is the shape itself.
    pub(crate) fn body(&self) -> Option<Primitive> {
        match self {
            Self::Point(_) | Self::Shape(_) | Self::Textured(_) => None,
            Self::Quad(light) => Some(Primitive::Quad(light.body.clone())),
            Self::Disc(light) => Some(Primitive::Disc(light.body.clone())),
            Self::Sphere(light) => Some(Primitive::Sphere(light.body.clone())),
        }
    }

    /// The radiance that leaves the body at `surface`, in its part `part`, along the unit vector
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
            Self::Textured(light) => light.radiance(surface, part, direction),
            Self::Quad(_) | Self::Sphere(_) | Self::Shape(_) => Vec3A::ZERO,
        }
    }

    /// Samples the light as seen from `from`. `None` if no light arrives.
    #[inline(always)]
    pub(crate) fn sample(&self, from: Vec3A, u: [f32; 2]) -> Option<LightSample> {
        let (surface, density) = match self {
            Self::Point(light) => return light.sample(from),
            Self::Quad(light) => light.sample(from, u),
            Self::Disc(light) => (light.sample(u), light.density()),
            Self::Sphere(light) => light.sample(from, u)?,
            Self::Shape(_) | Self::Textured(_) => return self.sample_shape(from, u),
        };
        self.arriving(from, (surface, 0), density)
    }

    /// Not inlined: most scenes have no emissive shape.
    #[inline(never)]
    fn sample_shape(&self, from: Vec3A, u: [f32; 2]) -> Option<LightSample> {
        let (place, density) = self.sample_place(from, u)?;
        self.arriving(from, place, density)
    }

    /// The light sample for a point of the body and the `part` of the body it lies in, sampled with
    /// `density`.
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

    /// Samples a point of the body as seen from `from`: the point, the part of the body that
    /// contains it, and the pdf. `None` if no light arrives, and for point lights.
    fn sample_place(&self, from: Vec3A, u: [f32; 2]) -> Option<((SurfacePoint, u32), Density)> {
        let (surface, density) = match self {
            Self::Point(_) => return None,
            Self::Quad(light) => light.sample(from, u),
            Self::Disc(light) => (light.sample(u), light.density()),
            Self::Sphere(light) => light.sample(from, u)?,
            Self::Shape(light) => return Some((light.sample(u), light.density())),
            Self::Textured(light) => return light.sample_place(from, u),
        };
        Some(((surface, 0), density))
    }

    /// The density per steradian with which `sample` finds the point `surface` of the body, in that
    /// `part` of it, which lies in `direction` from `from`.
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
            Self::Textured(light) => light.pdf(from, (surface, part), direction),
        }
    }

    /// What its importance is estimated from.
    fn bounds(&self) -> LightBounds {
        match self {
            Self::Point(light) => light.bounds(),
            Self::Quad(light) => light.bounds(),
            Self::Disc(light) => light.bounds(),
            Self::Sphere(light) => light.bounds(),
            Self::Shape(light) => light.bounds(),
            Self::Textured(light) => light.even.bounds(),
        }
    }

    /// Centre and radius of a bounding sphere of the body.
    fn ball(&self) -> (Vec3A, f32) {
        match self {
            Self::Point(light) => (light.center, 0.0),
            Self::Quad(light) => (light.center, light.reach),
            Self::Disc(light) => (light.body.center, light.body.radius),
            Self::Sphere(light) => (light.body.center, light.body.radius),
            Self::Shape(light) => (light.center, light.reach),
            Self::Textured(light) => light.even.ball(),
        }
    }

    /// The emitted power in W, as luminance.
    pub(crate) fn power(&self) -> f32 {
        match self {
            Self::Point(light) => light.power(),
            Self::Quad(light) => light.power(),
            Self::Disc(light) => light.power(),
            Self::Sphere(light) => light.power(),
            Self::Shape(light) => light.power(),
            Self::Textured(light) => light.even.power(),
        }
    }
}

/// One side of a surface with an emission texture. Its importance is that of its mean emission.
#[derive(Debug, Clone)]
pub(crate) struct TexturedLight {
    even: Light,
    texture: EmissionTexture,
    /// Whether it is the back side, which the normals of the shape point away from.
    inwards: bool,
}

impl TexturedLight {
    fn new(even: Light, texture: EmissionTexture, inwards: bool) -> Self {
        Self { even, texture, inwards }
    }

    /// The radiance that leaves the body at `surface`, in that part of it, along the unit vector
    /// `direction`.
    #[inline(never)]
    fn radiance(&self, surface: &SurfacePoint, part: u32, direction: Vec3A) -> Vec3A {
        if self.even.radiance(surface, part, direction) == Vec3A::ZERO {
            return Vec3A::ZERO;
        }
        let normal = if self.inwards { -surface.normal } else { surface.normal };
        self.texture.at(surface.point, normal, part)
    }

    /// Samples a point of the body as seen from `from`: the point, the part of the body that
    /// contains it, and the pdf. `None` if no light arrives.
    fn sample_place(
        &self,
        from: Vec3A,
        [u, v]: [f32; 2],
    ) -> Option<((SurfacePoint, u32), Density)> {
        let Some(brightness) = &self.texture.brightness else {
            return self.even.sample_place(from, [u, v]);
        };
        let (surface, part) = if u < BY_BRIGHTNESS {
            let place = brightness.sample(&self.texture.body, [u / BY_BRIGHTNESS, v]);
            if self.inwards { (place.0.flipped(), place.1) } else { place }
        } else {
            let left = (u - BY_BRIGHTNESS) / (1.0 - BY_BRIGHTNESS);
            self.even.sample_place(from, [left.min(1.0 - f32::EPSILON), v])?.0
        };
        let direction = (surface.point - from).try_normalize()?;
        let pdf = self.pdf(from, (&surface, part), direction);
        Some(((surface, part), Density::Directions(pdf)))
    }

    /// The pdf per steradian with which [`sample_place`](Self::sample_place) samples the point
    /// `surface`, in that part of the body, which is in `direction`.
    #[inline(never)]
    fn pdf(&self, from: Vec3A, (surface, part): (&SurfacePoint, u32), direction: Vec3A) -> f32 {
        let even = self.even.pdf(from, (surface, part), direction);
        let Some(brightness) = &self.texture.brightness else { return even };
        let density = Density::Area(brightness.density(&self.texture.body, surface, part));
        let by_brightness = density.of_directions(from, surface, direction);
        BY_BRIGHTNESS * by_brightness + (1.0 - BY_BRIGHTNESS) * even
    }
}

#[cfg(test)]
mod tests;
