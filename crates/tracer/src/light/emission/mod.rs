//! Sampling of emitted rays, where light paths start.

use std::f32::consts::PI;

use glam::Vec3A;

use super::{End, Environment, Light, Source};
use crate::bounds::Bounds;
use crate::color::luminance;
use crate::frame::Frame;
use crate::ray::Ray;
use crate::sampling::{cosine_hemisphere, cosine_hemisphere_pdf, unit_circle, unit_disc};

/// The maximum probability of choosing the sky while there are other lights: on a wide plane most
/// of its rays hit nothing visible, and camera paths find the sky by themselves.
const MAX_SKY_SHARE: f32 = 0.25;

/// A ray emitted by a light.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Emitted {
    /// The ray; from the sky it starts outside the scene.
    pub(crate) ray: Ray,
    /// Where it leaves the light.
    pub(crate) start: End,
    /// The part of the body that contains the start.
    pub(crate) part: u32,
    pub(crate) source: Source,
    /// Radiance times cosine (point lights: intensity) over density.
    pub(crate) weight: Vec3A,
    /// The pdf of position and direction, including the choice of the source: per steradian and,
    /// except for point lights, per area (for the sky, per area of a plane perpendicular to the
    /// direction).
    pub(crate) pdf: f32,
    /// Cosine between direction and normal; 1 for point lights and the sky.
    pub(crate) cos: f32,
}

/// The choice of a source for light paths, in proportion to its power.
#[derive(Debug, Clone)]
pub(crate) struct EmissionChoice {
    /// For each light, in order.
    chances: Vec<f32>,
    sky: f32,
    /// The bounding sphere of all objects.
    center: Vec3A,
    radius: f32,
}

/// An emitted direction and its start.
struct Departure {
    start: End,
    origin: Vec3A,
    direction: Vec3A,
    radiance: Vec3A,
    cos: f32,
    /// The part of the body.
    part: u32,
}

impl EmissionChoice {
    pub(super) fn new(lights: &[Light], sky: &Environment, bounds: Bounds) -> Self {
        let extent = bounds.max - bounds.min;
        let holds_something = extent.is_finite() && extent.min_element() >= 0.0;
        let (center, radius) = if holds_something {
            (bounds.center(), 0.5 * extent.length())
        } else {
            (Vec3A::ZERO, 0.0)
        };
        // Slightly larger, so that objects on the sphere are hit.
        let radius = radius * (1.0 + 1e-3);
        let powers = lights.iter().map(|light| light.power().clamp(0.0, 1e30));
        let mut chances: Vec<f32> = powers.collect();
        let of_lights: f32 = chances.iter().sum();
        let of_sky = (sky.power_per_area() * PI * radius * radius).min(1e30);
        let sky = if of_sky == 0.0 {
            0.0
        } else if of_lights == 0.0 {
            1.0
        } else {
            (of_sky / (of_sky + of_lights)).min(MAX_SKY_SHARE)
        };
        if of_lights > 0.0 {
            for chance in &mut chances {
                *chance *= (1.0 - sky) / of_lights;
            }
        }
        Self { chances, sky, center, radius }
    }

    pub(super) fn emit(
        &self,
        lights: &[Light],
        sky: &Environment,
        choice: f32,
        place: [f32; 2],
        u: [f32; 2],
    ) -> Option<Emitted> {
        let source = self.choose(choice)?;
        let departure = match source {
            Source::Light(index) => lights[index].departure(place, u)?,
            Source::Sky => self.departure_from_sky(sky, place, u),
        };
        let Departure { start, origin, direction, radiance, cos, part } = departure;
        let pdf = self.pdf(lights, sky, source, direction, cos);
        let weight = radiance * (cos / pdf);
        let leaves = pdf > 0.0 && weight != Vec3A::ZERO && weight.is_finite();
        let ray = Ray::new(origin, direction);
        leaves.then_some(Emitted { ray, start, part, source, weight, pdf, cos })
    }

    /// See [`LightSet::emission_pdf`](super::LightSet::emission_pdf).
    pub(super) fn pdf(
        &self,
        lights: &[Light],
        sky: &Environment,
        source: Source,
        direction: Vec3A,
        cos: f32,
    ) -> f32 {
        let pdf = match source {
            Source::Light(index) => {
                self.chances[index] * lights[index].departure_pdf(direction, cos)
            }
            Source::Sky => {
                self.sky * sky.direction_pdf(-direction) / (PI * self.radius * self.radius)
            }
        };
        // Distributions too narrow for single precision are not sampled.
        if pdf.is_finite() { pdf } else { 0.0 }
    }

    fn choose(&self, choice: f32) -> Option<Source> {
        if choice < self.sky {
            return Some(Source::Sky);
        }
        let mut left = choice - self.sky;
        // Rounding may leave a remainder; then the last light with a weight is chosen.
        let mut chosen = None;
        for (index, &chance) in self.chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0)
        {
            chosen = Some(Source::Light(index));
            left -= chance;
            if left < 0.0 {
                break;
            }
        }
        chosen.or((self.sky > 0.0).then_some(Source::Sky))
    }

    /// From a disc perpendicular to the direction that covers the bounding sphere. PBR 4e, section
    /// 12.5.
    fn departure_from_sky(&self, sky: &Environment, place: [f32; 2], u: [f32; 2]) -> Departure {
        let towards_sky = sky.sample_direction(u);
        let flat = unit_disc(place) * self.radius;
        let across = Frame::around(towards_sky).to_world(Vec3A::new(flat.x, flat.y, self.radius));
        Departure {
            start: End::Infinity,
            origin: self.center + across,
            direction: -towards_sky,
            radiance: sky.radiance(towards_sky),
            cos: 1.0,
            part: 0,
        }
    }
}

impl Light {
    /// Samples a position uniformly by area and a direction in proportion to radiance times cosine.
    fn departure(&self, place: [f32; 2], u: [f32; 2]) -> Option<Departure> {
        let ((surface, part), local) = match self {
            Self::Textured(light) => {
                let departure = light.even.departure(place, u)?;
                let End::Surface(surface) = departure.start else { return Some(departure) };
                let radiance = light.radiance(&surface, departure.part, departure.direction);
                return Some(Departure { radiance, ..departure });
            }
            Self::Point(light) => {
                let direction = light.sample_direction(u);
                return Some(Departure {
                    start: End::Point(light.center),
                    origin: light.center,
                    direction,
                    radiance: light.intensity_along(direction),
                    cos: 1.0,
                    part: 0,
                });
            }
            Self::Quad(light) => {
                ((light.body.surface(place[0], place[1]), 0), cosine_hemisphere(u))
            }
            Self::Disc(light) => ((light.sample(place), 0), light.cone.sample_flux(u)),
            Self::Sphere(light) => {
                let outwards = crate::sampling::cone(place, 2.0);
                ((light.body.surface_towards(outwards), 0), cosine_hemisphere(u))
            }
            Self::Shape(light) => (light.sample(place), cosine_hemisphere(u)),
        };
        let direction = Frame::around(surface.normal).to_world(local).try_normalize()?;
        let cos = surface.normal.dot(direction);
        Some(Departure {
            start: End::Surface(surface),
            origin: surface.origin_towards(surface.normal),
            direction,
            radiance: self.radiance(&surface, part, direction),
            cos,
            part,
        })
    }

    /// The pdf of [`departure`](Self::departure) along the unit vector `direction`, at `cos` to the
    /// normal: per steradian and, except for point lights, per area.
    fn departure_pdf(&self, direction: Vec3A, cos: f32) -> f32 {
        match self {
            Self::Point(light) => light.direction_pdf(direction),
            Self::Quad(light) => cosine_hemisphere_pdf(cos) / light.area,
            Self::Disc(light) => light.cone.flux_pdf(cos) / light.area,
            Self::Sphere(light) => {
                let radius = light.body.radius;
                cosine_hemisphere_pdf(cos) / (4.0 * PI * radius * radius)
            }
            Self::Shape(light) => cosine_hemisphere_pdf(cos) / light.area,
            Self::Textured(light) => light.even.departure_pdf(direction, cos),
        }
    }
}

impl Environment {
    /// The integral of its radiance over all directions, as luminance.
    pub(super) fn power_per_area(&self) -> f32 {
        let uneven = self.uneven.as_ref().map_or(0.0, |uneven| uneven.total());
        self.even_power() + uneven
    }

    fn even_power(&self) -> f32 {
        4.0 * PI * luminance(self.middle)
    }

    /// The slope of the luminance relative to its mean, in -1..=1.
    fn tilt(&self) -> f32 {
        (luminance(self.slope) / luminance(self.middle)).clamp(-1.0, 1.0)
    }

    /// Samples a direction towards the sky in proportion to its luminance; that of the smooth part
    /// is linear in y.
    pub(super) fn sample_direction(&self, u: [f32; 2]) -> Vec3A {
        let Some(uneven) = &self.uneven else { return self.sample_even(u) };
        let even = self.even_power() / self.power_per_area();
        if u[0] < even {
            return self.sample_even([u[0] / even, u[1]]);
        }
        let rest = ((u[0] - even) / (1.0 - even)).min(1.0 - f32::EPSILON);
        uneven.sample_by_power([rest, u[1]])
    }

    fn sample_even(&self, u: [f32; 2]) -> Vec3A {
        let tilt = self.tilt();
        // The root of the quadratic distribution function, in a form that is stable at tilt 0.
        let root = ((1.0 - tilt) * (1.0 - tilt) + 4.0 * u[0] * tilt).max(0.0).sqrt();
        let y = ((4.0 * u[0] + tilt - 2.0) / (1.0 + root)).clamp(-1.0, 1.0);
        let flat = (1.0 - y * y).sqrt() * unit_circle(u[1]);
        Vec3A::new(flat.x, y, flat.y)
    }

    /// Density of [`sample_direction`](Self::sample_direction), per steradian.
    pub(super) fn direction_pdf(&self, direction: Vec3A) -> f32 {
        let Some(uneven) = &self.uneven else { return self.even_pdf(direction) };
        let even = self.even_power() / self.power_per_area();
        let of_even = if even > 0.0 { even * self.even_pdf(direction) } else { 0.0 };
        of_even + (1.0 - even) * uneven.power_pdf(direction)
    }

    fn even_pdf(&self, direction: Vec3A) -> f32 {
        ((1.0 + self.tilt() * direction.y) / (4.0 * PI)).max(0.0)
    }
}

#[cfg(test)]
mod tests;
