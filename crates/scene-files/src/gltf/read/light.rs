//! Lights of a glTF file: `KHR_lights_punctual`.

use glam::{DMat4, DVec3};
use gltf::khr_lights_punctual::{Kind, Light};
use scene::{Aabb, MAX_RADIANCE};
use serde_json::{Map, Value, json};

use crate::SceneFileError;
use crate::import::SceneBuilder;
use crate::mesh_transform::{directional_light, tidy, vector_json};

/// The factor by which Blender multiplies watts when it writes glTF.
const LUMENS_PER_WATT: f64 = 683.0;

/// A light with the matrix of its node.
pub(super) struct PlacedLight<'a> {
    pub(super) light: Light<'a>,
    pub(super) name: String,
    pub(super) matrix: DMat4,
}

/// Adds a light to a scene with the bounding box `bounds`. `generator` is the program that wrote the file.
pub(super) fn add(
    placed: &PlacedLight<'_>,
    generator: &str,
    bounds: Aabb,
    builder: &mut SceneBuilder,
) -> Result<(), SceneFileError> {
    let PlacedLight { light, name, matrix } = placed;
    let is_directional = matches!(light.kind(), Kind::Directional);
    let mut intensity = f64::from(light.intensity());
    if generator.contains("Blender") && !is_directional {
        builder.note("lights from Blender are brought back to watts: 683 lumens each");
        intensity /= LUMENS_PER_WATT;
    }
    let emission = light.color().map(|part| f64::from(part).max(0.0) * intensity.max(0.0));
    let position = matrix.w_axis.truncate();
    // A light shines along its -z.
    let forward = -matrix.z_axis.truncate().normalize_or(DVec3::Y);
    if light.range().is_some() {
        builder.note("the range of a light is left out: light has none");
    }
    match light.kind() {
        Kind::Point => {
            let properties =
                fields(&[("center", vector_json(position)), ("emission", emission_json(emission))]);
            builder.light(name, "point_spot_light", properties)
        }
        Kind::Spot { inner_cone_angle, outer_cone_angle } => {
            let outer = f64::from(outer_cone_angle).clamp(1e-3, std::f64::consts::FRAC_PI_2);
            let inner = f64::from(inner_cone_angle).clamp(0.0, outer);
            let properties = fields(&[
                ("center", vector_json(position)),
                ("direction", vector_json(forward)),
                ("emission", emission_json(emission)),
                ("cutoff_angle", json!(tidy(outer.to_degrees()))),
                ("falloff_exponent", json!(falloff(inner, outer))),
            ]);
            builder.light(name, "point_spot_light", properties)
        }
        Kind::Directional => {
            let properties = directional_light(forward, emission, bounds);
            builder.light(name, "directional_light", properties)
        }
    }
}

/// The falloff exponent with which a light has half its intensity at the same angle as in glTF; 0, an even
/// cone, if the inner angle is close to the outer one.
fn falloff(inner: f64, outer: f64) -> f64 {
    if inner > 0.95 * outer {
        return 0.0;
    }
    // glTF interpolates between the cosines of the angles, and squares the result.
    let half = outer.cos() + (inner.cos() - outer.cos()) * std::f64::consts::FRAC_1_SQRT_2;
    tidy((0.5f64.ln() / half.ln()).clamp(0.0, 10_000.0))
}

fn emission_json(emission: [f64; 3]) -> Value {
    json!(emission.map(|part| tidy(part.min(MAX_RADIANCE))))
}

fn fields(list: &[(&str, Value)]) -> Map<String, Value> {
    list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}
