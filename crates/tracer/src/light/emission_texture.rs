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

/// Lookups for the mean emission of a surface without a parametrization by patches.
const LOOKS: u32 = 1024;
/// The minimum mean relative to the texture's maximum, so that a surface emits light even if no
/// lookup has hit its small bright spots.
const MIN_MEAN: f64 = 1e-3;
/// The emission of a surface: radiance in W/(sr m^2) per channel.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceEmission {
    /// The approximate mean over the whole surface.
    pub(super) mean: Vec3A,
    /// `None` for constant emission.
    pub(super) texture: Option<EmissionTexture>,
}

/// Emission that varies over a surface.
#[derive(Debug, Clone)]
pub(crate) struct EmissionTexture {
    emission: Value,
    chart: Chart,
    pub(super) body: Primitive,
    /// The importance distribution, shared by both sides; `None` where it does not pay.
    pub(super) brightness: Option<Arc<Brightness>>,
}

impl SurfaceEmission {
    /// The emission of `body`, whose texture coordinates are those of `chart`.
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
    /// The emission at `point`, where the geometric normal is `normal`.
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

/// The R2 low-discrepancy sequence. Roberts 2018, "The Unreasonable Effectiveness of Quasirandom
/// Sequences".
fn evenly(index: u32) -> [f32; 2] {
    [0.754_877_666_246_692_8, 0.569_840_290_998_053_2]
        .map(|step| (0.5 + step * f64::from(index)).fract() as f32)
        .map(|number| number.min(1.0 - f32::EPSILON))
}
