//! MTL materials, with the properties that programs of today add for metal and roughness.

use serde_json::{Value, json};
use tobj::Material;

use crate::draft::Draft;

/// The material in the form of scene files.
pub(super) fn from_mtl(material: &Material, draft: &mut Draft) -> Value {
    let textures = [
        &material.diffuse_texture,
        &material.specular_texture,
        &material.normal_texture,
        &material.shininess_texture,
        &material.dissolve_texture,
    ];
    if textures.iter().any(|texture| texture.is_some()) {
        draft.note("a material's textures are left out; its colours and numbers are kept");
    }
    let extra = |name: &str| -> Option<f64> {
        material.unknown_param.get(name)?.split_whitespace().next()?.parse().ok().filter(good)
    };
    let colour = |colour: Option<[f32; 3]>, default: f64| {
        colour.map_or([default; 3], |colour| colour.map(|part| share(f64::from(part))))
    };
    let emission = material.unknown_param.get("Ke").and_then(|text| triple(text));
    if let Some(emission) = emission.or(material.emissive.map(|parts| parts.map(f64::from)))
        && emission.iter().any(|part| *part > 0.0)
    {
        return json!({ "type": "emissive", "emission": emission.map(|part| part.max(0.0)) });
    }
    let diffuse = colour(material.diffuse, 0.6);
    let specular = colour(material.specular, 0.0);
    let roughness = extra("Pr").map_or_else(|| roughness(material.shininess), share);
    let metalness = extra("Pm").map_or(0.0, share);
    let opacity = material.dissolve.map_or(1.0, |share_left| share(f64::from(share_left)));
    let index =
        material.optical_density.map(f64::from).filter(|index| good(index) && *index >= 1.0);
    // Models of illumination 4, 6, 7 and 9 refract.
    let glass = matches!(material.illumination_model, Some(4 | 6 | 7 | 9)) && opacity < 1.0;
    if glass {
        return json!({ "type": "dielectric", "refractive_index": index.unwrap_or(1.5).min(100.0) });
    }
    let plain = extra("Pr").is_none() && metalness == 0.0 && specular == [0.0; 3] && opacity == 1.0;
    if plain {
        return json!({ "type": "lambertian", "albedo": diffuse });
    }
    let mut made = json!({
        "type": "principled",
        "base_color": diffuse,
        "base_metalness": metalness,
        "specular_roughness": roughness,
    });
    if let Some(index) = index {
        made["specular_ior"] = json!(index.min(100.0));
    }
    if opacity < 1.0 {
        made["geometry_opacity"] = json!(opacity);
    }
    made
}

/// The roughness whose highlight is about as wide as that of Blinn and Phong's exponent:
/// alpha = sqrt(2 / (exponent + 2)), and alpha is the roughness squared.
fn roughness(exponent: Option<f32>) -> f64 {
    let exponent = exponent.map_or(0.0, f64::from).clamp(0.0, 1e6);
    let alpha = (2.0 / (exponent + 2.0)).sqrt();
    (alpha.sqrt() * 1e4).round() / 1e4
}

fn triple(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
    <[f64; 3]>::try_from(numbers).ok().filter(|parts| parts.iter().all(good))
}

fn good(number: &f64) -> bool {
    number.is_finite()
}

/// Written in seven digits: colours are single precision.
fn share(number: f64) -> f64 {
    if number.is_finite() { (number.clamp(0.0, 1.0) * 1e7).round() / 1e7 } else { 0.0 }
}
