//! Lights without a shape.

use glam::{DMat4, DVec3};
use serde_json::{Map, Value, json};

use super::parameters::Parameters;
use super::spectrum::colour;
use crate::SceneFileFault;
use crate::draft::Draft;
use crate::placement::{sun, tidy};

/// A light as the file has it, with the matrix to our world; added once all shapes are known.
pub(super) struct Lamp {
    pub(super) kind: String,
    pub(super) parameters: Parameters,
    pub(super) matrix: DMat4,
}

/// Adds a light. `exposure` is the factor of the film for all light.
pub(super) fn add(lamp: &Lamp, exposure: f64, draft: &mut Draft) -> Result<(), SceneFileFault> {
    let Lamp { kind, parameters, matrix } = lamp;
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
                draft.note(format!("light '{kind}' shines without its picture"));
            }
            let mut properties = Map::new();
            properties.insert("center".into(), point(from));
            let mut whole = 4.0 * std::f64::consts::PI;
            if kind == "spot" {
                let cone = parameters.number_or("coneangle", 30.0).clamp(0.1, 90.0);
                let inner = (cone - parameters.number_or("conedeltaangle", 5.0)).clamp(0.0, cone);
                // Half of the rim that fades.
                let middle = f64::midpoint(cone, inner);
                properties.insert("direction".into(), point(direction));
                properties.insert("cutoff_angle".into(), json!(tidy(middle)));
                draft.note("the soft rim of a spot light is sharp");
                whole = std::f64::consts::TAU * (1.0 - middle.to_radians().cos());
            }
            let emission = match power {
                Some(watts) => given("I").map(|part| tidy(part * watts / whole)),
                None => emission("I"),
            };
            properties.insert("emission".into(), json!(emission));
            draft.light(kind, "point_spot_light", properties)
        }
        "distant" => {
            let Some(bounds) = draft.bounds() else { return Ok(()) };
            let irradiance = match parameters.number("illuminance") {
                Some(illuminance) => given("L").map(|part| part * illuminance * exposure),
                None => emission("L"),
            };
            draft.light("sun", "directional_light", sun(direction, irradiance, bounds))
        }
        "infinite" => {
            if parameters.text("filename").is_some() {
                draft.note("the picture of the surroundings is left out: they shine evenly");
            }
            let radiance = match parameters.number("illuminance") {
                Some(illuminance) => given("L").map(|part| {
                    tidy((part * illuminance * exposure / std::f64::consts::PI).clamp(0.0, 1e9))
                }),
                None => emission("L"),
            };
            draft.surround(json!({ "type": "uniform", "emission": radiance }));
            Ok(())
        }
        _ => {
            let kind: String = kind.chars().take(40).collect();
            draft.note(format!("light '{kind}' is not known here and left out"));
            Ok(())
        }
    }
}

fn point(vector: DVec3) -> Value {
    json!(vector.to_array().map(tidy))
}
