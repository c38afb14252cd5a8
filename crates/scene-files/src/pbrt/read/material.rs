//! Materials of a PBRT file.

use serde_json::{Value, json};

use super::parameters::Parameters;
use super::spectrum::{colour, index, metal};
use super::state::{Named, ScaledImage, Texture};
use crate::import::SceneBuilder;

/// The material in the JSON of a scene. One without a counterpart becomes a similar one, with a note.
pub(super) fn read(
    kind: &str,
    parameters: &Parameters,
    named: &Named,
    builder: &mut SceneBuilder,
) -> Value {
    if parameters.kind("displacement") == Some("texture") {
        builder.note("displacement is left out");
    }
    let source = TexturedParameters { parameters, named };
    match kind {
        "diffuse" => {
            json!({ "type": "lambertian", "albedo": source.color_or_image("reflectance", 0.5) })
        }
        "coateddiffuse" => json!({
            "type": "principled",
            "base_color": source.color_or_image("reflectance", 0.5),
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
                let found = name.and_then(|name| named.materials.get(name));
                found
                    .map_or_else(|| scene::Material::default().to_json(), |known| (**known).clone())
            };
            let mix = json!({ "type": "mix", "first": known(0), "second": known(1),
                              "weight": source.fraction_or_image("amount", 0.5) });
            // A scene refuses some mixes, e.g. of two transparent materials.
            if scene::Material::from_json(&mix).is_ok() {
                return mix;
            }
            builder.note("of a mix of two clear materials the first is kept");
            known(0)
        }
        "diffusetransmission" | "subsurface" => {
            builder.note(format!("material '{kind}' stands as a matte one"));
            json!({ "type": "lambertian", "albedo": source.colour("reflectance", 0.5) })
        }
        _ => {
            let kind: String = kind.chars().take(40).collect();
            builder.note(format!("material '{kind}' is not known here: grey"));
            scene::Material::default().to_json()
        }
    }
}

/// Parameters whose values may be textures.
struct TexturedParameters<'a> {
    parameters: &'a Parameters,
    named: &'a Named,
}

impl TexturedParameters<'_> {
    /// A colour; of a texture its average.
    fn colour(&self, name: &str, default: f64) -> [f64; 3] {
        let found = match self.parameters.kind(name) {
            Some("texture") => {
                let texture = self.parameters.text(name);
                texture.and_then(|name| self.named.textures.get(name)).map(|texture| texture.mean)
            }
            _ => colour(self.parameters, name),
        };
        found.unwrap_or([default; 3]).map(|part| part.clamp(0.0, 1.0))
    }

    /// The image of a texture parameter.
    fn image(&self, name: &str) -> Option<&ScaledImage> {
        let is_texture = self.parameters.kind(name) == Some("texture");
        let texture = self.parameters.text(name).filter(|_| is_texture)?;
        self.named.textures.get(texture)?.image.as_ref()
    }

    /// A colour or an image.
    fn color_or_image(&self, name: &str, default: f64) -> Value {
        let image = self.image(name).map(ScaledImage::color_json);
        image.unwrap_or_else(|| json!(self.colour(name, default)))
    }

    /// A number from 0 to 1 or an image.
    fn fraction_or_image(&self, name: &str, default: f64) -> Value {
        match self.parameters.kind(name) {
            Some("texture") => {
                self.image(name).map_or_else(|| json!(default), ScaledImage::number_json)
            }
            _ => json!(self.parameters.number_or(name, default).clamp(0.0, 1.0)),
        }
    }

    /// The reflectance of a conductor.
    fn metal(&self, prefix: &str) -> Value {
        let reflectance = format!("{prefix}reflectance");
        if self.parameters.kind(&reflectance).is_some() {
            return self.color_or_image(&reflectance, 0.9);
        }
        json!(metal(self.parameters, prefix))
    }

    /// The roughness of a scene, which is the root of GGX's alpha. In PBRT it is alpha, or its square if
    /// `remaproughness` is set.
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

/// A texture without an image, by its average colour.
pub(super) fn read_texture(
    kind: &str,
    parameters: &Parameters,
    named: &Named,
    builder: &mut SceneBuilder,
) -> Texture {
    let source = TexturedParameters { parameters, named };
    let mean = match kind {
        "constant" => source.colour("value", 1.0),
        "scale" => {
            let (factor, inner) = (source.colour("scale", 1.0), source.colour("tex", 1.0));
            std::array::from_fn(|at| factor[at] * inner[at])
        }
        "mix" | "directionmix" | "checkerboard" | "dots" => {
            builder.note("a texture counts as the colour it has in the mean");
            let names = if kind == "dots" { ["inside", "outside"] } else { ["tex1", "tex2"] };
            let [first, second] = names.map(|name| source.colour(name, 0.5));
            std::array::from_fn(|at| f64::midpoint(first[at], second[at]))
        }
        _ => {
            builder.note("textures of noise and of other kinds are left out: grey");
            [0.5; 3]
        }
    };
    Texture { mean, image: None }
}
