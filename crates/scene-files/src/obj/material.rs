//! MTL materials, with the properties that programs of today add for metal and roughness.

use serde_json::{Value, json};
use tobj::Material;

use super::map::{Maps, Shown};
use crate::draft::Draft;
use crate::pictures::texture;

/// The depth of a relief whose image is white where it is highest, in metres: MTL has no unit for it.
const RELIEF: f64 = 0.005;

/// The images of a material.
struct Images {
    color: Option<Shown>,
    specular: Option<Shown>,
    emission: Option<Shown>,
    opacity: Option<Shown>,
    roughness: Option<Shown>,
    metalness: Option<Shown>,
    relief: Option<Shown>,
    normals: Option<Shown>,
}

impl Images {
    fn of(material: &Material, maps: &mut Maps<'_>, draft: &mut Draft) -> Self {
        let extra = |name: &str| material.unknown_param.get(name);
        if material.shininess_texture.is_some() || extra("disp").is_some() {
            draft.note("images of shininess and of displacement are left out");
        }
        let mut find = |text: Option<&String>| text.and_then(|text| maps.find(text, draft));
        let relief = find(material.normal_texture.as_ref());
        let normals = find(extra("norm").or_else(|| extra("map_Kn")));
        // Many programs write normals where reliefs belong.
        let (relief, normals) = match relief {
            Some(relief) if relief.holds_normals => (None, normals.or(Some(relief))),
            relief => (relief, normals),
        };
        Self {
            color: find(material.diffuse_texture.as_ref()),
            specular: find(material.specular_texture.as_ref()),
            emission: find(extra("map_Ke")),
            opacity: find(material.dissolve_texture.as_ref()),
            roughness: find(extra("map_Pr")),
            metalness: find(extra("map_Pm")),
            relief,
            normals,
        }
    }

    /// Whether a matte surface can show all of them.
    fn are_matte(&self) -> bool {
        [&self.specular, &self.emission, &self.opacity, &self.roughness, &self.metalness]
            .iter()
            .all(|image| image.is_none())
    }
}

/// The material in the form of scene files.
pub(super) fn from_mtl(material: &Material, maps: &mut Maps<'_>, draft: &mut Draft) -> Value {
    let images = Images::of(material, maps, draft);
    let mut made = plain(material, &images);
    let is_glass = made["type"] == "dielectric";
    if !is_glass && let Some(color) = &images.color {
        let property = if made["type"] == "lambertian" { "albedo" } else { "base_color" };
        // Black times an image is black: whoever writes that means the image alone.
        let factor = material.diffuse.map(|parts| parts.map(|part| share(part.into())));
        let factor = factor.filter(|parts| *parts != [0.0; 3]).unwrap_or([1.0; 3]);
        made[property] = texture(&color.image, None, json!(factor));
    }
    if made["type"] == "principled" {
        if let Some(specular) = &images.specular {
            made["specular_color"] = texture(&specular.image, None, json!([1.0, 1.0, 1.0]));
        }
        // Where there is no number, the image has all of it.
        let number = |name: &str, image: &Option<Shown>| {
            let image = image.as_ref()?;
            let factor = extra(material, name).map(share).filter(|factor| *factor > 0.0);
            Some(texture(&image.image, image.channel, json!(factor.unwrap_or(1.0))))
        };
        for (property, name, image) in [
            ("specular_roughness", "Pr", &images.roughness),
            ("base_metalness", "Pm", &images.metalness),
        ] {
            if let Some(shown) = number(name, image) {
                made[property] = shown;
            }
        }
        if let Some(opacity) = &images.opacity {
            // The image of the colour has the opacity in its alpha.
            let same = images.color.as_ref().is_some_and(|color| color.image == opacity.image);
            let channel = opacity.channel.or(same.then_some("alpha"));
            let factor = material.dissolve.map_or(1.0, |left| share(left.into()));
            made["geometry_opacity"] = texture(&opacity.image, channel, json!(factor));
        }
    }
    if made["type"] != "emissive" {
        if let Some(relief) = &images.relief {
            draft.note("reliefs are taken as 5 mm deep: MTL has no unit for them");
            let height = (RELIEF * relief.strength).clamp(-10.0, 10.0);
            made["bump"] = texture(&relief.image, relief.channel, json!(height));
        }
        if let Some(normals) = &images.normals {
            let mut map = normals.image.clone();
            let strength = share(normals.strength);
            if strength < 1.0 {
                map.insert("strength".into(), json!(strength));
            }
            made["normal_map"] = map.into();
        }
    }
    made
}

fn extra(material: &Material, name: &str) -> Option<f64> {
    material.unknown_param.get(name)?.split_whitespace().next()?.parse().ok().filter(good)
}

/// The material by its numbers, of the type that can show `images`.
fn plain(material: &Material, images: &Images) -> Value {
    let colour = |colour: Option<[f32; 3]>, default: f64| {
        colour.map_or([default; 3], |colour| colour.map(|part| share(f64::from(part))))
    };
    let emission = material.unknown_param.get("Ke").and_then(|text| triple(text));
    let emission = emission.or(material.emissive.map(|parts| parts.map(f64::from)));
    let emission = emission.map(|parts| parts.map(|part| part.max(0.0)));
    let emission = emission.filter(|parts| *parts != [0.0; 3]);
    if let Some(image) = &images.emission {
        let strength = emission.unwrap_or([1.0; 3]);
        return json!({ "type": "emissive", "emission": texture(&image.image, None, json!(strength)) });
    }
    if let Some(emission) = emission {
        return json!({ "type": "emissive", "emission": emission });
    }
    let diffuse = colour(material.diffuse, 0.6);
    let specular = colour(material.specular, 0.0);
    let roughness = extra(material, "Pr").map_or_else(|| roughness(material.shininess), share);
    let metalness = extra(material, "Pm").map_or(0.0, share);
    let opacity = material.dissolve.map_or(1.0, |share_left| share(f64::from(share_left)));
    let index =
        material.optical_density.map(f64::from).filter(|index| good(index) && *index >= 1.0);
    // Models of illumination 4, 6, 7 and 9 refract.
    let glass = matches!(material.illumination_model, Some(4 | 6 | 7 | 9)) && opacity < 1.0;
    if glass {
        return json!({ "type": "dielectric", "refractive_index": index.unwrap_or(1.5).min(100.0) });
    }
    let plain = extra(material, "Pr").is_none()
        && metalness == 0.0
        && specular == [0.0; 3]
        && opacity == 1.0
        && images.are_matte();
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
