//! Glowing shapes that do not shine the same everywhere.

use std::sync::Arc;

use glam::Vec3A;
use scene::{Emission, Textured};

use super::brightness::{Brightness, Survey};
use super::{Density, Light};
use crate::mesh::Meshes;
use crate::primitive::{MeshAreas, Primitive};
use crate::ray::SurfacePoint;
use crate::texture::{Chart, Spot, Value, channels};

/// Points of a surface that is not in numbered pieces at which its light is looked up for the mean.
const LOOKS: u32 = 1024;
/// The mean counts as at least this share of the most a surface may show: a small bright spot that no
/// look has met is light all the same.
const SMALLEST_MEAN: f64 = 1e-3;
/// How often points are chosen by the brightness of the surface, where that pays; else as on an even
/// one, which knows what is near and finds what the grid of the brightness has missed.
const BY_BRIGHTNESS: f32 = 0.5;

/// What a surface shines with: radiance in W/(sr m^2) per channel.
#[derive(Debug, Clone)]
pub(crate) struct Shine {
    /// Over the whole surface, about.
    pub(super) mean: Vec3A,
    /// At each point, where that is not the same everywhere.
    pub(super) shown: Option<Shown>,
}

/// Radiance that varies over a surface.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    emission: Value,
    chart: Chart,
    body: Primitive,
    /// Shared by both sides.
    brightness: Option<Arc<Brightness>>,
}

impl Shine {
    /// From `body`, on which textures lie by `chart`.
    pub(crate) fn new(
        emission: &Textured<Emission>,
        body: &Primitive,
        chart: impl FnOnce() -> Chart,
        meshes: &Meshes,
    ) -> Self {
        if let Some(even) = emission.even() {
            return Self { mean: channels(even.get()), shown: None };
        }
        let (emission_at, body) = (Value::new(emission, meshes), body.clone());
        let mut shown = Shown { emission: emission_at, chart: chart(), body, brightness: None };
        let at = |surface: &SurfacePoint, part| shown.at(surface.point, surface.normal, part);
        let mean = match Survey::of(&shown.body, at) {
            Some(survey) => {
                shown.brightness = survey.brightness.map(Arc::new);
                survey.mean
            }
            None => shown.mean(),
        };
        let [_, most] = emission.range();
        let least = channels(most.map(|channel| channel * SMALLEST_MEAN));
        Self { mean: mean.max(least), shown: Some(shown) }
    }
}

impl Shown {
    /// Where the geometric normal is `normal`.
    fn at(&self, point: Vec3A, normal: Vec3A, part: u32) -> Vec3A {
        self.emission.at(&Spot { chart: &self.chart, point, normal, part })
    }

    fn mean(&self) -> Vec3A {
        let areas = match &self.body {
            Primitive::Instance(mesh) => Some(mesh.areas()),
            _ => None,
        };
        let sum: Vec3A = (0..LOOKS)
            .map(|look| {
                let (surface, part) = sample(&self.body, areas.as_ref(), evenly(look));
                self.at(surface.point, surface.normal, part)
            })
            .sum();
        sum / LOOKS as f32
    }
}

/// A point of the surface of `body`, evenly by area, and the part of it; `areas` are those of a mesh.
pub(super) fn sample(
    body: &Primitive,
    areas: Option<&MeshAreas>,
    u: [f32; 2],
) -> (SurfacePoint, u32) {
    match (areas, body) {
        (Some(areas), Primitive::Instance(mesh)) => areas.sample(mesh, u),
        _ => (body.sample_area(u), 0),
    }
}

/// Points that fill a square. Roberts 2018, "The Unreasonable Effectiveness of Quasirandom Sequences".
fn evenly(index: u32) -> [f32; 2] {
    [0.754_877_666_246_692_8, 0.569_840_290_998_053_2]
        .map(|step| (0.5 + step * f64::from(index)).fract() as f32)
        .map(|number| number.min(1.0 - f32::EPSILON))
}

/// One side of a surface that shines by a texture. It is chosen as if it shone with its mean.
#[derive(Debug, Clone)]
pub(crate) struct ShownLight {
    pub(super) even: Light,
    shown: Shown,
    /// Whether it is the side that the normals of the shape point away from.
    inwards: bool,
}

impl ShownLight {
    pub(super) fn new(even: Light, shown: Shown, inwards: bool) -> Self {
        Self { even, shown, inwards }
    }

    /// Radiance that leaves the body at `surface`, in that part of it, along the unit vector `direction`.
    #[inline(never)]
    pub(super) fn radiance(&self, surface: &SurfacePoint, part: u32, direction: Vec3A) -> Vec3A {
        if self.even.radiance(surface, part, direction) == Vec3A::ZERO {
            return Vec3A::ZERO;
        }
        let normal = if self.inwards { -surface.normal } else { surface.normal };
        self.shown.at(surface.point, normal, part)
    }

    /// A point of the body for light that falls on `from`, the part of the body it lies in, and the
    /// density. `None` when nothing arrives.
    pub(super) fn sample_place(
        &self,
        from: Vec3A,
        [u, v]: [f32; 2],
    ) -> Option<((SurfacePoint, u32), Density)> {
        let Some(brightness) = &self.shown.brightness else {
            return self.even.sample_place(from, [u, v]);
        };
        let (surface, part) = if u < BY_BRIGHTNESS {
            let place = brightness.sample(&self.shown.body, [u / BY_BRIGHTNESS, v]);
            if self.inwards { (place.0.flipped(), place.1) } else { place }
        } else {
            let left = (u - BY_BRIGHTNESS) / (1.0 - BY_BRIGHTNESS);
            self.even.sample_place(from, [left.min(1.0 - f32::EPSILON), v])?.0
        };
        let direction = (surface.point - from).try_normalize()?;
        let pdf = self.pdf(from, (&surface, part), direction);
        Some(((surface, part), Density::Directions(pdf)))
    }

    /// Density per steradian of [`sample_place`](Self::sample_place) making the point `surface`, in
    /// that part of the body, which lies in `direction`.
    #[inline(never)]
    pub(super) fn pdf(
        &self,
        from: Vec3A,
        (surface, part): (&SurfacePoint, u32),
        direction: Vec3A,
    ) -> f32 {
        let even = self.even.pdf(from, (surface, part), direction);
        let Some(brightness) = &self.shown.brightness else { return even };
        let density = Density::Area(brightness.density(&self.shown.body, surface, part));
        let by_brightness = density.of_directions(from, surface, direction);
        BY_BRIGHTNESS * by_brightness + (1.0 - BY_BRIGHTNESS) * even
    }
}
