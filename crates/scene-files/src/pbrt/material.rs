//! Materials.

use serde_json::{Value, json};

use super::parameters::Parameters;
use super::spectrum::{colour, index, metal};
use super::state::Names;
use crate::draft::Draft;

/// The material in the form of scene files; what has no counterpart gets one that looks alike, and a
/// note.
pub(super) fn read(kind: &str, parameters: &Parameters, names: &Names, draft: &mut Draft) -> Value {
    if parameters.kind("displacement") == Some("texture") || parameters.text("normalmap").is_some()
    {
        draft.note("displacement and normal maps are left out");
    }
    let source = Source { parameters, names };
    match kind {
        "diffuse" => json!({ "type": "lambertian", "albedo": source.colour("reflectance", 0.5) }),
        "coateddiffuse" => json!({
            "type": "principled",
            "base_color": source.colour("reflectance", 0.5),
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
        "thindielectric" => {
            draft.note("thin glass stands as a surface of which a twelfth is there");
            json!({ "type": "principled", "base_metalness": 1.0, "base_color": [1.0, 1.0, 1.0],
                    "specular_roughness": 0.0, "geometry_opacity": 0.083 })
        }
        "mix" => {
            draft.note("of a mix of materials the first is kept");
            let first = parameters.texts("materials").first();
            let known = first.and_then(|name| names.materials.get(name));
            known.map_or_else(|| scene::Material::default().to_json(), |known| (**known).clone())
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
                self.parameters.text(name).and_then(|name| self.names.textures.get(name).copied())
            }
            _ => colour(self.parameters, name),
        };
        found.unwrap_or([default; 3]).map(|part| part.clamp(0.0, 1.0))
    }

    fn metal(&self, prefix: &str) -> [f64; 3] {
        let reflectance = format!("{prefix}reflectance");
        if self.parameters.kind(&reflectance).is_some() {
            return self.colour(&reflectance, 0.9);
        }
        metal(self.parameters, prefix)
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

/// The colour that a texture has in the mean.
pub(super) fn texture(
    kind: &str,
    parameters: &Parameters,
    names: &Names,
    draft: &mut Draft,
) -> [f64; 3] {
    let source = Source { parameters, names };
    match kind {
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
            draft.note("textures of pictures and noise are left out: grey");
            [0.5; 3]
        }
    }
}
