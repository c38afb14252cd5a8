//! Emission of surfaces, constant or from a texture.

use std::sync::Arc;

use glam::Vec3A;
use scene::{Emission, Textured};

use super::brightness::{Brightness, Survey};
use crate::color::channels;
use crate::mesh::Meshes;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;
use crate::texture::{Chart, Spot, Value};

/// Points of a surface that is not in numbered pieces at which its light is looked up for the mean.
const LOOKS: u32 = 1024;
/// The mean counts as at least this share of the most a surface may show: a small bright spot that no
/// look has met is light all the same.
const MIN_MEAN: f64 = 1e-3;
/// What a surface shines with: radiance in W/(sr m^2) per channel.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceEmission {
    /// Over the whole surface, about.
    pub(super) mean: Vec3A,
    /// At each point, where that is not the same everywhere.
    pub(super) texture: Option<EmissionTexture>,
}

/// Radiance that varies over a surface.
#[derive(Debug, Clone)]
pub(crate) struct EmissionTexture {
    emission: Value,
    chart: Chart,
    pub(super) body: Primitive,
    /// Shared by both sides.
    pub(super) brightness: Option<Arc<Brightness>>,
}

impl SurfaceEmission {
    /// From `body`, on which textures lie by `chart`.
    pub(crate) fn new(
        emission: &Textured<Emission>,
        body: &Primitive,
        chart: impl FnOnce() -> Chart,
        meshes: &Meshes,
    ) -> Self {
        if let Some(even) = emission.even() {
            return Self { mean: channels(even.get()), texture: None };
        }
        let (emission_at, body) = (Value::new(emission, meshes), body.clone());
        let mut texture =
            EmissionTexture { emission: emission_at, chart: chart(), body, brightness: None };
        let at = |surface: &SurfacePoint, part| texture.at(surface.point, surface.normal, part);
        let mean = match Survey::of(&texture.body, at) {
            Some(survey) => {
                texture.brightness = survey.brightness.map(Arc::new);
                survey.mean
            }
            None => texture.mean(),
        };
        let [_, most] = emission.range();
        let least = channels(most.map(|channel| channel * MIN_MEAN));
        Self { mean: mean.max(least), texture: Some(texture) }
    }
}

impl EmissionTexture {
    /// Where the geometric normal is `normal`.
    pub(super) fn at(&self, point: Vec3A, normal: Vec3A, part: u32) -> Vec3A {
        self.emission.at(&Spot { chart: &self.chart, point, normal, part })
    }

    fn mean(&self) -> Vec3A {
        let areas = match &self.body {
            Primitive::Instance(mesh) => Some(mesh.areas()),
            _ => None,
        };
        let sum: Vec3A = (0..LOOKS)
            .map(|look| {
                let (surface, part) = self.body.sample_area_with(areas.as_ref(), evenly(look));
                self.at(surface.point, surface.normal, part)
            })
            .sum();
        sum / LOOKS as f32
    }
}

/// Points that fill a square. Roberts 2018, "The Unreasonable Effectiveness of Quasirandom Sequences".
fn evenly(index: u32) -> [f32; 2] {
    [0.754_877_666_246_692_8, 0.569_840_290_998_053_2]
        .map(|step| (0.5 + step * f64::from(index)).fract() as f32)
        .map(|number| number.min(1.0 - f32::EPSILON))
}
