//! Materials of a glTF file: metallic-roughness with the extensions of Khronos becomes `principled`.

use scene::Material;
use serde_json::{Map, Value, json};

use super::super::ORIGINAL;
use super::super::write::to_gltf;
use super::json::JsonValue;
use super::texture::Textures;
use crate::import::SceneBuilder;

const WHITE: [f64; 3] = [1.0; 3];

/// The material in the JSON of a scene. Losses are noted.
///
/// A material that this program wrote and that was not edited since becomes its original again.
pub(super) fn from_gltf(
    material: &Value,
    textures: &mut Textures<'_>,
    builder: &mut SceneBuilder,
) -> Value {
    if let Some(original) = unedited_original(material) {
        return original;
    }
    let material = JsonValue(material);
    let extension = |name: &str| material.at(&format!("extensions/{name}"));
    note_textures(&material, builder);
    let metallic_roughness = material.at("pbrMetallicRoughness");
    let [red, green, blue, alpha] = metallic_roughness.factors("baseColorFactor", [1.0; 4]);
    let base = [red, green, blue].map(fraction);
    let strength = extension("KHR_materials_emissive_strength").number("emissiveStrength", 1.0);
    let emission =
        material.factors("emissiveFactor", [0.0; 3]).map(|part| (part * strength).max(0.0));
    if extension("KHR_materials_unlit").exists() {
        // The colour is visible without light.
        return json!({ "type": "emissive", "emission": base });
    }
    let mut principled = Principled::default();
    principled.colour("base_color", base, [0.8; 3]);
    principled.number(
        "base_metalness",
        fraction(metallic_roughness.number("metallicFactor", 1.0)),
        0.0,
    );
    principled.number(
        "specular_roughness",
        fraction(metallic_roughness.number("roughnessFactor", 1.0)),
        0.3,
    );
    principled.number(
        "specular_ior",
        index(material.at("extensions/KHR_materials_ior").number("ior", 1.5)),
        1.5,
    );
    let specular = extension("KHR_materials_specular");
    principled.number("specular_weight", fraction(specular.number("specularFactor", 1.0)), 1.0);
    principled.colour(
        "specular_color",
        specular.factors("specularColorFactor", WHITE).map(fraction),
        WHITE,
    );
    let anisotropy = extension("KHR_materials_anisotropy").number("anisotropyStrength", 0.0);
    principled.number("specular_roughness_anisotropy", fraction(anisotropy), 0.0);
    transmission(&mut principled, &material, base);
    coat_and_fuzz(&mut principled, &material);
    let brightest = emission.into_iter().fold(0.0, f64::max);
    if brightest > 0.0 {
        principled.number("emission_luminance", brightest, 0.0);
        principled.colour("emission_color", emission.map(|part| part / brightest), WHITE);
        let found = textures.find(&material, "emissiveTexture", builder);
        let textured = |value: [f64; 3]| {
            let value = json!(value.map(tidy));
            found.as_ref().map_or(value.clone(), |texture| texture.to_json(None, value))
        };
        if base == [0.0; 3] && !extension("KHR_materials_transmission").exists() {
            return json!({ "type": "emissive", "emission": textured(emission) });
        }
        if found.is_some() {
            let color = textured(emission.map(|part| part / brightest));
            principled.0.insert("emission_color".into(), color);
        }
    }
    if material.0.get("alphaMode").is_some_and(|mode| mode != "OPAQUE") {
        principled.number("geometry_opacity", fraction(alpha), 1.0);
    }
    let factors = Factors { base, alpha: fraction(alpha) };
    add_textures(&mut principled, &material, &factors, textures, builder);
    principled.0.into()
}

/// Transmission. A volume tints light on its way, a surface without a volume where it enters.
fn transmission(principled: &mut Principled, material: &JsonValue<'_>, base: [f64; 3]) {
    let weight =
        material.at("extensions/KHR_materials_transmission").number("transmissionFactor", 0.0);
    if weight <= 0.0 {
        return;
    }
    principled.number("transmission_weight", fraction(weight), 0.0);
    let volume = material.at("extensions/KHR_materials_volume");
    let depth = volume.number("attenuationDistance", 0.0);
    if volume.exists() && depth > 0.0 {
        let colour = volume.factors("attenuationColor", WHITE).map(fraction);
        principled.colour("transmission_color", colour, WHITE);
        principled.number("transmission_depth", depth, 0.0);
    } else {
        principled.colour("transmission_color", base, WHITE);
    }
    // A surface without a thickness is thin-walled.
    if volume.number("thicknessFactor", 0.0) <= 0.0 {
        principled.0.insert("geometry_thin_walled".into(), true.into());
    }
}

/// Clearcoat, sheen and iridescence.
fn coat_and_fuzz(principled: &mut Principled, material: &JsonValue<'_>) {
    let coat = material.at("extensions/KHR_materials_clearcoat");
    let weight = fraction(coat.number("clearcoatFactor", 0.0));
    if weight > 0.0 {
        principled.number("coat_weight", weight, 0.0);
        principled.number(
            "coat_roughness",
            fraction(coat.number("clearcoatRoughnessFactor", 0.0)),
            0.0,
        );
        principled.number("coat_ior", 1.5, 1.6);
        // The clearcoat of glTF does not darken the base.
        principled.number("coat_darkening", 0.0, 1.0);
    }
    let sheen = material.at("extensions/KHR_materials_sheen");
    let colour = sheen.factors("sheenColorFactor", [0.0; 3]).map(fraction);
    if colour != [0.0; 3] {
        principled.number("fuzz_weight", 1.0, 0.0);
        principled.colour("fuzz_color", colour, WHITE);
        principled.number(
            "fuzz_roughness",
            fraction(sheen.number("sheenRoughnessFactor", 0.0)),
            0.5,
        );
    }
    let film = material.at("extensions/KHR_materials_iridescence");
    let weight = fraction(film.number("iridescenceFactor", 0.0));
    if weight > 0.0 {
        principled.number("thin_film_weight", weight, 0.0);
        let nanometres = film.number("iridescenceThicknessMaximum", 400.0);
        principled.number("thin_film_thickness", (nanometres / 1000.0).clamp(0.0, 10.0), 0.5);
        principled.number("thin_film_ior", index(film.number("iridescenceIor", 1.3)), 1.4);
    }
}

/// The factors of the base colour texture.
struct Factors {
    base: [f64; 3],
    alpha: f64,
}

/// Adds the textures of base colour, opacity, metalness, roughness and normals.
fn add_textures(
    principled: &mut Principled,
    material: &JsonValue<'_>,
    factors: &Factors,
    textures: &mut Textures<'_>,
    builder: &mut SceneBuilder,
) {
    let metallic_roughness = material.at("pbrMetallicRoughness");
    let mut at = |path: &str| textures.find(material, path, builder);
    if let Some(texture) = at("pbrMetallicRoughness/baseColorTexture") {
        let color = texture.to_json(None, json!(factors.base.map(tidy)));
        principled.0.insert("base_color".into(), color);
        if material.0.get("alphaMode").is_some_and(|mode| mode != "OPAQUE") {
            let opacity = texture.to_json(Some("alpha"), json!(factors.alpha));
            principled.0.insert("geometry_opacity".into(), opacity);
        }
    }
    if let Some(texture) = at("pbrMetallicRoughness/metallicRoughnessTexture") {
        for (name, factor, channel) in [
            ("base_metalness", "metallicFactor", "blue"),
            ("specular_roughness", "roughnessFactor", "green"),
        ] {
            let factor = fraction(metallic_roughness.number(factor, 1.0));
            if factor > 0.0 {
                let value = texture.to_json(Some(channel), json!(factor));
                principled.0.insert(name.into(), value);
            }
        }
    }
    if let Some(texture) = at("normalTexture") {
        let strength = fraction(material.at("normalTexture").number("scale", 1.0));
        principled.0.insert("normal_map".into(), texture.normal_map(strength));
    }
}

/// Notes textures of extensions, which are left out. Occlusion textures are not missed: the path tracer
/// computes occlusion.
fn note_textures(material: &JsonValue<'_>, builder: &mut SceneBuilder) {
    fn any(value: &Value) -> bool {
        value.as_object().is_some_and(|object| {
            object.iter().any(|(name, member)| name.ends_with("Texture") || any(member))
        })
    }
    if any(material.at("extensions").0) {
        builder.note("the images of a material's extensions are left out; their numbers are kept");
    }
}

/// The original of a material that this program wrote, if the material still equals what was written.
fn unedited_original(material: &Value) -> Option<Value> {
    let original = material.get("extras")?.get(ORIGINAL)?;
    let read = Material::from_json(original).ok().filter(|read| read.asset_names().is_empty())?;
    let written = to_gltf(&read);
    let same = written.as_object()?.iter().all(|(name, value)| {
        name == "extras" || material.get(name).is_some_and(|found| alike(value, found))
    });
    let no_more = material.as_object()?.iter().all(|(name, _)| {
        matches!(name.as_str(), "name" | "doubleSided") || written.get(name).is_some()
    });
    (same && no_more).then(|| original.clone())
}

/// Equality up to rounding to single precision and added members.
fn alike(written: &Value, found: &Value) -> bool {
    match (written, found) {
        (Value::Number(written), Value::Number(found)) => {
            let (written, found) = (written.as_f64().unwrap_or(0.0), found.as_f64().unwrap_or(0.0));
            (written - found).abs() <= 1e-6 * written.abs().max(1e-6)
        }
        (Value::Array(written), Value::Array(found)) => {
            written.len() == found.len() && written.iter().zip(found).all(|(a, b)| alike(a, b))
        }
        (Value::Object(written), Value::Object(found)) => written
            .iter()
            .all(|(name, value)| found.get(name).is_some_and(|found| alike(value, found))),
        _ => written == found,
    }
}

/// A `principled` material with the properties that differ from their defaults.
struct Principled(Map<String, Value>);

impl Default for Principled {
    fn default() -> Self {
        let mut properties = Map::new();
        properties.insert("type".into(), "principled".into());
        Self(properties)
    }
}

impl Principled {
    fn number(&mut self, name: &str, value: f64, default: f64) {
        if value != default {
            self.0.insert(name.into(), json!(value));
        }
    }

    fn colour(&mut self, name: &str, value: [f64; 3], default: [f64; 3]) {
        if value != default {
            self.0.insert(name.into(), json!(value.map(tidy)));
        }
    }
}

fn fraction(number: f64) -> f64 {
    number.clamp(0.0, 1.0)
}

/// A valid refractive index. glTF uses 0 for infinity, which becomes the default.
fn index(number: f64) -> f64 {
    if number < 1.0 { 1.5 } else { number.min(100.0) }
}

/// A number of single precision rounded to seven digits: 0.1 instead of 0.10000000149.
fn tidy(number: f64) -> f64 {
    if number == 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(6 - number.abs().log10().floor() as i32);
    let rounded = (number * unit).round() / unit;
    if rounded.is_finite() { rounded } else { number }
}
