//! Lights of a PBRT file, but for area lights.

use glam::{DMat4, DVec3};
use serde_json::{Map, json};

use super::parameters::Parameters;
use super::spectrum::colour;
use crate::SceneFileError;
use crate::import::SceneBuilder;
use crate::mesh_transform::{directional_light, tidy, vector_json};

/// A `LightSource` directive with the matrix to the scene. It is added after all shapes, when the bounding
/// box of the scene is known.
pub(super) struct LightSource {
    pub(super) kind: String,
    pub(super) parameters: Parameters,
    pub(super) matrix: DMat4,
}

/// Adds a light. `exposure` is the factor of all emission.
pub(super) fn add(
    light: &LightSource,
    exposure: f64,
    builder: &mut SceneBuilder,
) -> Result<(), SceneFileError> {
    let LightSource { kind, parameters, matrix } = light;
    let scale = parameters.number_or("scale", 1.0) * exposure;
    let power = parameters.number("power").map(|watts| watts * exposure);
    let given = |name: &str| colour(parameters, name).unwrap_or([1.0; 3]);
    let emission = |name: &str| given(name).map(|part| tidy((part * scale).clamp(0.0, 1e9)));
    let at = |name: &str, default: [f64; 3]| {
        matrix.transform_point3(DVec3::from_array(parameters.triple(name).unwrap_or(default)))
    };
    let (from, to) = (at("from", [0.0; 3]), at("to", [0.0, 0.0, 1.0]));
    let direction = (to - from).normalize_or(DVec3::NEG_Y);
    match kind.as_str() {
        "point" | "spot" | "goniometric" | "projection" => {
            if !matches!(kind.as_str(), "point" | "spot") {
                builder.note(format!("light '{kind}' shines without its picture"));
            }
            let mut properties = Map::new();
            properties.insert("center".into(), vector_json(from));
            let mut whole = 4.0 * std::f64::consts::PI;
            if kind == "spot" {
                let cone = parameters.number_or("coneangle", 30.0).clamp(0.1, 90.0);
                let inner = (cone - parameters.number_or("conedeltaangle", 5.0)).clamp(0.0, cone);
                // A sharp edge in the middle of the soft one.
                let middle = f64::midpoint(cone, inner);
                properties.insert("direction".into(), vector_json(direction));
                properties.insert("cutoff_angle".into(), json!(tidy(middle)));
                builder.note("the soft rim of a spot light is sharp");
                whole = std::f64::consts::TAU * (1.0 - middle.to_radians().cos());
            }
            let emission = match power {
                Some(watts) => given("I").map(|part| tidy(part * watts / whole)),
                None => emission("I"),
            };
            properties.insert("emission".into(), json!(emission));
            builder.light(kind, "point_spot_light", properties)
        }
        "distant" => {
            let Some(bounds) = builder.bounds() else { return Ok(()) };
            let irradiance = match parameters.number("illuminance") {
                Some(illuminance) => given("L").map(|part| part * illuminance * exposure),
                None => emission("L"),
            };
            let properties = directional_light(direction, irradiance, bounds);
            builder.light("sun", "directional_light", properties)
        }
        "infinite" => {
            if parameters.text("filename").is_some() {
                builder.note("the picture of the surroundings is left out: they shine evenly");
            }
            let radiance = match parameters.number("illuminance") {
                Some(illuminance) => given("L").map(|part| {
                    tidy((part * illuminance * exposure / std::f64::consts::PI).clamp(0.0, 1e9))
                }),
                None => emission("L"),
            };
            builder.set_environment(json!({ "type": "uniform", "emission": radiance }));
            Ok(())
        }
        _ => {
            let kind: String = kind.chars().take(40).collect();
            builder.note(format!("light '{kind}' is not known here and left out"));
            Ok(())
        }
    }
}
