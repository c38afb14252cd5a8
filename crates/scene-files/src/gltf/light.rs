//! Lights: `KHR_lights_punctual`.

use glam::{DMat4, DVec3};
use gltf::khr_lights_punctual::{Kind, Light};
use scene::{Aabb, MAX_RADIANCE};
use serde_json::{Map, Value, json};

use crate::SceneFileFault;
use crate::draft::Draft;
use crate::placement::{sun, tidy};

/// What Blender makes of a watt when it writes glTF.
const LUMENS_A_WATT: f64 = 683.0;

/// A light at its place.
pub(super) struct PlacedLight<'a> {
    pub(super) light: Light<'a>,
    pub(super) name: String,
    pub(super) matrix: DMat4,
}

/// Adds a light to a scene that fills `bounds`. `generator` is the program that wrote the file.
pub(super) fn add(
    placed: &PlacedLight<'_>,
    generator: &str,
    bounds: Aabb,
    draft: &mut Draft,
) -> Result<(), SceneFileFault> {
    let PlacedLight { light, name, matrix } = placed;
    let directional = matches!(light.kind(), Kind::Directional);
    let mut intensity = f64::from(light.intensity());
    if generator.contains("Blender") && !directional {
        draft.note("lights from Blender are brought back to watts: 683 lumens each");
        intensity /= LUMENS_A_WATT;
    }
    let emission = light.color().map(|part| f64::from(part).max(0.0) * intensity.max(0.0));
    let position = matrix.w_axis.truncate();
    // A light shines along its -z.
    let forward = -matrix.z_axis.truncate().normalize_or(DVec3::Y);
    if light.range().is_some() {
        draft.note("the range of a light is left out: light has none");
    }
    match light.kind() {
        Kind::Point => {
            let properties = fields(&[("center", point(position)), ("emission", bright(emission))]);
            draft.light(name, "point_spot_light", properties)
        }
        Kind::Spot { inner_cone_angle, outer_cone_angle } => {
            let outer = f64::from(outer_cone_angle).clamp(1e-3, std::f64::consts::FRAC_PI_2);
            let inner = f64::from(inner_cone_angle).clamp(0.0, outer);
            let properties = fields(&[
                ("center", point(position)),
                ("direction", point(forward)),
                ("emission", bright(emission)),
                ("cutoff_angle", json!(tidy(outer.to_degrees()))),
                ("falloff_exponent", json!(falloff(inner, outer))),
            ]);
            draft.light(name, "point_spot_light", properties)
        }
        Kind::Directional => draft.light(name, "directional_light", sun(forward, emission, bounds)),
    }
}

/// The exponent with which half the light is left at the angle where glTF leaves half of it; 0, the
/// same light all over the cone, where it leaves all nearly to the rim.
fn falloff(inner: f64, outer: f64) -> f64 {
    if inner > 0.95 * outer {
        return 0.0;
    }
    // glTF squares a share that goes from the cosine of one angle to that of the other.
    let half = outer.cos() + (inner.cos() - outer.cos()) * std::f64::consts::FRAC_1_SQRT_2;
    tidy((0.5f64.ln() / half.ln()).clamp(0.0, 10_000.0))
}

fn point(vector: DVec3) -> Value {
    json!(vector.to_array().map(tidy))
}

fn bright(emission: [f64; 3]) -> Value {
    json!(emission.map(|part| tidy(part.min(MAX_RADIANCE))))
}

fn fields(list: &[(&str, Value)]) -> Map<String, Value> {
    list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}
