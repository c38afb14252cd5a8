//! Materials.

use serde_json::{Map, Value, json};

use super::parameters::Parameters;
use super::spectrum::{colour, index, metal};
use super::state::{Names, Texture};
use crate::draft::Draft;

/// The material in the form of scene files; what has no counterpart gets one that looks alike, and a
/// note.
pub(super) fn read(kind: &str, parameters: &Parameters, names: &Names, draft: &mut Draft) -> Value {
    if parameters.kind("displacement") == Some("texture") {
        draft.note("displacement is left out");
    }
    let source = Source { parameters, names };
    match kind {
        "diffuse" => json!({ "type": "lambertian", "albedo": source.shown("reflectance", 0.5) }),
        "coateddiffuse" => json!({
            "type": "principled",
            "base_color": source.shown("reflectance", 0.5),
            "specular_roughness": source.roughness(""),
            "specular_ior": index(parameters, "eta"),
        }),
        "conductor" => json!({
            "type": "principled",
            "base_color": source.metal(""),
            "base_metalness": 1.0,
            "specular_roughness": source.roughness(""),
        }),
        "coatedconductor" => json!({
            "type": "principled",
            "base_color": source.metal("conductor."),
            "base_metalness": 1.0,
            "specular_roughness": source.roughness("conductor."),
            "coat_weight": 1.0,
            "coat_roughness": source.roughness("interface."),
            "coat_ior": index(parameters, "interface.eta"),
        }),
        "dielectric" => {
            let roughness = source.roughness("");
            let refractive_index = index(parameters, "eta");
            if roughness == 0.0 {
                json!({ "type": "dielectric", "refractive_index": refractive_index })
            } else {
                json!({
                    "type": "principled",
                    "transmission_weight": 1.0,
                    "specular_roughness": roughness,
                    "specular_ior": refractive_index,
                })
            }
        }
        "thindielectric" => json!({
            "type": "principled",
            "transmission_weight": 1.0,
            "specular_roughness": 0.0,
            "specular_ior": index(parameters, "eta"),
            "geometry_thin_walled": true,
        }),
        "mix" => {
            let known = |at: usize| {
                let name = parameters.texts("materials").get(at);
                let found = name.and_then(|name| names.materials.get(name));
                found
                    .map_or_else(|| scene::Material::default().to_json(), |known| (**known).clone())
            };
            let mix = json!({ "type": "mix", "first": known(0), "second": known(1),
                              "weight": source.share("amount", 0.5) });
            // Two that are both clear, for one, have no place here.
            if scene::Material::from_json(&mix).is_ok() {
                return mix;
            }
            draft.note("of a mix of two clear materials the first is kept");
            known(0)
        }
        "diffusetransmission" | "subsurface" => {
            draft.note(format!("material '{kind}' stands as a matte one"));
            json!({ "type": "lambertian", "albedo": source.colour("reflectance", 0.5) })
        }
        _ => {
            let kind: String = kind.chars().take(40).collect();
            draft.note(format!("material '{kind}' is not known here: grey"));
            scene::Material::default().to_json()
        }
    }
}

/// Parameters that may name textures.
struct Source<'a> {
    parameters: &'a Parameters,
    names: &'a Names,
}

impl Source<'_> {
    fn colour(&self, name: &str, default: f64) -> [f64; 3] {
        let found = match self.parameters.kind(name) {
            Some("texture") => {
                let texture = self.parameters.text(name);
                texture.and_then(|name| self.names.textures.get(name)).map(|texture| texture.mean)
            }
            _ => colour(self.parameters, name),
        };
        found.unwrap_or([default; 3]).map(|part| part.clamp(0.0, 1.0))
    }

    /// A colour, or the image of a texture.
    fn shown(&self, name: &str, default: f64) -> Value {
        let texture = self.parameters.text(name).and_then(|name| self.names.textures.get(name));
        match texture.and_then(|texture| texture.image.as_ref()) {
            Some(image) if self.parameters.kind(name) == Some("texture") => {
                let mut shown = Map::new();
                shown.insert("type".into(), "image".into());
                shown.extend(image.clone());
                shown.into()
            }
            _ => json!(self.colour(name, default)),
        }
    }

    /// A number from 0 to 1, or an image of such.
    fn share(&self, name: &str, default: f64) -> Value {
        match self.parameters.kind(name) {
            Some("texture") => match self.shown(name, default) {
                image @ Value::Object(_) => image,
                _ => json!(default),
            },
            _ => json!(self.parameters.number_or(name, default).clamp(0.0, 1.0)),
        }
    }

    fn metal(&self, prefix: &str) -> Value {
        let reflectance = format!("{prefix}reflectance");
        if self.parameters.kind(&reflectance).is_some() {
            return self.shown(&reflectance, 0.9);
        }
        json!(metal(self.parameters, prefix))
    }

    /// PBRT's roughness is the square of GGX's alpha unless it says that it is alpha itself; ours is
    /// its root.
    fn roughness(&self, prefix: &str) -> f64 {
        let mean = |name: &str| -> Option<f64> {
            match self.parameters.kind(&format!("{prefix}{name}"))? {
                "texture" => Some(self.colour(&format!("{prefix}{name}"), 0.5)[0]),
                _ => self.parameters.number(&format!("{prefix}{name}")),
            }
        };
        let pair = mean("uroughness").zip(mean("vroughness")).map(|(u, v)| f64::midpoint(u, v));
        let given = mean("roughness").or(pair).unwrap_or(0.0).clamp(0.0, 1.0);
        let alpha = if self.parameters.flag("remaproughness", true) { given.sqrt() } else { given };
        (alpha.sqrt() * 1e5).round() / 1e5
    }
}

/// A texture of other textures: the colour that it has in the mean.
pub(super) fn texture(
    kind: &str,
    parameters: &Parameters,
    names: &Names,
    draft: &mut Draft,
) -> Texture {
    let source = Source { parameters, names };
    let mean = match kind {
        "constant" => source.colour("value", 1.0),
        "scale" => {
            let (factor, inner) = (source.colour("scale", 1.0), source.colour("tex", 1.0));
            std::array::from_fn(|at| factor[at] * inner[at])
        }
        "mix" | "directionmix" | "checkerboard" | "dots" => {
            draft.note("a texture counts as the colour it has in the mean");
            let names = if kind == "dots" { ["inside", "outside"] } else { ["tex1", "tex2"] };
            let [first, second] = names.map(|name| source.colour(name, 0.5));
            std::array::from_fn(|at| f64::midpoint(first[at], second[at]))
        }
        _ => {
            draft.note("textures of noise and of other kinds are left out: grey");
            [0.5; 3]
        }
    };
    Texture { mean, image: None }
}
