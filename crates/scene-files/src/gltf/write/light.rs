//! Lights of the scene as `KHR_lights_punctual`.

use scene::{DirectionalLight, PointSpotLight};
use serde_json::{Value, json};

/// A point light, or a spot light if it has a cone or a falloff.
pub(super) fn point_or_spot(id: &str, light: &PointSpotLight) -> Value {
    let cutoff = light.cutoff_angle.get().to_radians();
    let exponent = light.falloff_exponent.get();
    let is_spot = cutoff < std::f64::consts::PI || exponent > 0.0;
    let mut json = punctual(id, if is_spot { "spot" } else { "point" }, light.emission.get());
    if is_spot {
        let outer = cutoff.min(std::f64::consts::FRAC_PI_2);
        json["spot"] = json!({
            "outerConeAngle": outer,
            "innerConeAngle": inner_cone_angle(outer, exponent),
        });
    }
    json
}

pub(super) fn directional(id: &str, light: &DirectionalLight) -> Value {
    punctual(id, "directional", light.emission.get())
}

/// A light of a type. The emission is split into a colour up to 1 and an intensity.
fn punctual(id: &str, kind: &str, emission: [f64; 3]) -> Value {
    let intensity = emission.into_iter().fold(0.0, f64::max);
    let color = emission.map(|part| if intensity > 0.0 { part / intensity } else { 1.0 });
    json!({ "name": id, "type": kind, "color": color, "intensity": intensity })
}

/// The inner angle with which a glTF light has half its intensity at the same angle as one with a falloff
/// exponent.
fn inner_cone_angle(outer: f64, exponent: f64) -> f64 {
    // glTF requires an inner angle below the outer one.
    let max = outer * 0.999;
    if exponent == 0.0 {
        return max;
    }
    let half = 0.5f64.powf(1.0 / exponent);
    let cosine = outer.cos() + (half - outer.cos()) * std::f64::consts::SQRT_2;
    cosine.clamp(-1.0, 1.0).acos().clamp(0.0, max)
}
