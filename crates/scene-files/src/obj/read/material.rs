//! MTL materials, with the PBR extension (`Pr`, `Pm`, `map_Pr`, `norm` ...).

use serde_json::{Value, json};
use tobj::Material;

use super::texture::{MtlTexture, Textures};
use crate::import::SceneBuilder;

/// The height of a bump map from black to white, in metres. MTL has no unit for it.
const BUMP_HEIGHT: f64 = 0.005;

/// The textures of a material.
struct MtlTextures {
    color: Option<MtlTexture>,
    specular: Option<MtlTexture>,
    emission: Option<MtlTexture>,
    opacity: Option<MtlTexture>,
    roughness: Option<MtlTexture>,
    metalness: Option<MtlTexture>,
    bump: Option<MtlTexture>,
    normals: Option<MtlTexture>,
}

impl MtlTextures {
    fn of(material: &Material, textures: &mut Textures<'_>, builder: &mut SceneBuilder) -> Self {
        let extra = |name: &str| material.unknown_param.get(name);
        if material.shininess_texture.is_some() || extra("disp").is_some() {
            builder.note("images of shininess and of displacement are left out");
        }
        let mut find = |text: Option<&String>| text.and_then(|text| textures.find(text, builder));
        let bump = find(material.normal_texture.as_ref());
        let normals = find(extra("norm").or_else(|| extra("map_Kn")));
        // Many programs write normal maps as bump maps.
        let (bump, normals) = match bump {
            Some(bump) if bump.is_normal_map => (None, normals.or(Some(bump))),
            bump => (bump, normals),
        };
        Self {
            color: find(material.diffuse_texture.as_ref()),
            specular: find(material.specular_texture.as_ref()),
            emission: find(extra("map_Ke")),
            opacity: find(material.dissolve_texture.as_ref()),
            roughness: find(extra("map_Pr")),
            metalness: find(extra("map_Pm")),
            bump,
            normals,
        }
    }

    /// Whether a `lambertian` material can have all of them.
    fn are_lambertian(&self) -> bool {
        [&self.specular, &self.emission, &self.opacity, &self.roughness, &self.metalness]
            .iter()
            .all(|texture| texture.is_none())
    }
}

/// The material in the JSON of a scene.
pub(super) fn from_mtl(
    material: &Material,
    textures: &mut Textures<'_>,
    builder: &mut SceneBuilder,
) -> Value {
    let textures = MtlTextures::of(material, textures, builder);
    let mut made = untextured(material, &textures);
    let is_glass = made["type"] == "dielectric";
    if !is_glass && let Some(color) = &textures.color {
        let property = if made["type"] == "lambertian" { "albedo" } else { "base_color" };
        // Programs that write black beside an image mean the image alone.
        let factor = material.diffuse.map(|parts| parts.map(|part| fraction(part.into())));
        let factor = factor.filter(|parts| *parts != [0.0; 3]).unwrap_or([1.0; 3]);
        made[property] = color.texture.to_json(None, json!(factor));
    }
    if made["type"] == "principled" {
        if let Some(specular) = &textures.specular {
            made["specular_color"] = specular.texture.to_json(None, json!([1.0, 1.0, 1.0]));
        }
        // Without a number the factor is 1.
        let textured = |name: &str, image: &Option<MtlTexture>| {
            let found = image.as_ref()?;
            let factor = extra(material, name).map(fraction).filter(|factor| *factor > 0.0);
            Some(found.texture.to_json(found.channel, json!(factor.unwrap_or(1.0))))
        };
        for (property, name, image) in [
            ("specular_roughness", "Pr", &textures.roughness),
            ("base_metalness", "Pm", &textures.metalness),
        ] {
            if let Some(value) = textured(name, image) {
                made[property] = value;
            }
        }
        if let Some(opacity) = &textures.opacity {
            // If it is the image of the colour, its alpha is the opacity.
            let same =
                textures.color.as_ref().is_some_and(|color| color.texture == opacity.texture);
            let channel = opacity.channel.or(same.then_some("alpha"));
            let factor = material.dissolve.map_or(1.0, |dissolve| fraction(dissolve.into()));
            made["geometry_opacity"] = opacity.texture.to_json(channel, json!(factor));
        }
    }
    if made["type"] != "emissive" {
        if let Some(bump) = &textures.bump {
            builder.note("reliefs are taken as 5 mm deep: MTL has no unit for them");
            let height = (BUMP_HEIGHT * bump.strength).clamp(-10.0, 10.0);
            made["bump"] = bump.texture.to_json(bump.channel, json!(height));
        }
        if let Some(normals) = &textures.normals {
            made["normal_map"] = normals.texture.normal_map(fraction(normals.strength));
        }
    }
    made
}

fn extra(material: &Material, name: &str) -> Option<f64> {
    material.unknown_param.get(name)?.split_whitespace().next()?.parse().ok().filter(is_finite)
}

/// The material without its textures, of a type that can have them.
fn untextured(material: &Material, textures: &MtlTextures) -> Value {
    let colour = |colour: Option<[f32; 3]>, default: f64| {
        colour.map_or([default; 3], |colour| colour.map(|part| fraction(f64::from(part))))
    };
    let emission = material.unknown_param.get("Ke").and_then(|text| triple(text));
    let emission = emission.or(material.emissive.map(|parts| parts.map(f64::from)));
    let emission = emission.map(|parts| parts.map(|part| part.max(0.0)));
    let emission = emission.filter(|parts| *parts != [0.0; 3]);
    if let Some(image) = &textures.emission {
        let strength = emission.unwrap_or([1.0; 3]);
        return json!({ "type": "emissive", "emission": image.texture.to_json(None, json!(strength)) });
    }
    if let Some(emission) = emission {
        return json!({ "type": "emissive", "emission": emission });
    }
    let diffuse = colour(material.diffuse, 0.6);
    let specular = colour(material.specular, 0.0);
    let roughness = extra(material, "Pr").map_or_else(|| roughness(material.shininess), fraction);
    let metalness = extra(material, "Pm").map_or(0.0, fraction);
    let opacity = material.dissolve.map_or(1.0, |dissolve| fraction(f64::from(dissolve)));
    let index =
        material.optical_density.map(f64::from).filter(|index| is_finite(index) && *index >= 1.0);
    // Illumination models 4, 6, 7 and 9 refract.
    let glass = matches!(material.illumination_model, Some(4 | 6 | 7 | 9)) && opacity < 1.0;
    if glass {
        return json!({ "type": "dielectric", "refractive_index": index.unwrap_or(1.5).min(100.0) });
    }
    let is_lambertian = extra(material, "Pr").is_none()
        && metalness == 0.0
        && specular == [0.0; 3]
        && opacity == 1.0
        && textures.are_lambertian();
    if is_lambertian {
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

/// The roughness whose highlight is about as wide as that of a Blinn-Phong exponent:
/// alpha = sqrt(2 / (exponent + 2)), and alpha is the roughness squared.
fn roughness(exponent: Option<f32>) -> f64 {
    let exponent = exponent.map_or(0.0, f64::from).clamp(0.0, 1e6);
    let alpha = (2.0 / (exponent + 2.0)).sqrt();
    (alpha.sqrt() * 1e4).round() / 1e4
}

fn triple(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
    <[f64; 3]>::try_from(numbers).ok().filter(|parts| parts.iter().all(is_finite))
}

fn is_finite(number: &f64) -> bool {
    number.is_finite()
}

/// A number from 0 to 1 rounded to seven digits: colours have single precision.
fn fraction(number: f64) -> f64 {
    if number.is_finite() { (number.clamp(0.0, 1.0) * 1e7).round() / 1e7 } else { 0.0 }
}
