//! Materials: metal and roughness with the extensions of Khronos on one side, `principled` on the
//! other.

use scene::Material;
use serde_json::{Map, Value, json};

use super::source::Source;
use super::texture::Textures;
use crate::draft::Draft;
use crate::pictures::texture;

/// The most that is taken for a colour.
const WHITE: [f64; 3] = [1.0; 3];
/// Where a written material says what it was made of.
pub(super) const ORIGINAL: &str = "scene_llm_material";

/// The material in the form of scene files. What is not understood is noted.
///
/// One that this program wrote, and nobody has changed since, is what it was made of.
pub(super) fn from_gltf(material: &Value, textures: &mut Textures<'_>, draft: &mut Draft) -> Value {
    if let Some(original) = untouched(material) {
        return original;
    }
    let material = Source(material);
    let extension = |name: &str| material.at(&format!("extensions/{name}"));
    note_textures(&material, draft);
    let metallic_roughness = material.at("pbrMetallicRoughness");
    let [red, green, blue, alpha] = metallic_roughness.factors("baseColorFactor", [1.0; 4]);
    let base = [red, green, blue].map(share);
    let strength = extension("KHR_materials_emissive_strength").number("emissiveStrength", 1.0);
    let emission =
        material.factors("emissiveFactor", [0.0; 3]).map(|part| (part * strength).max(0.0));
    if extension("KHR_materials_unlit").is_there() {
        // It shows its colour whatever shines on it.
        return json!({ "type": "emissive", "emission": base });
    }
    let mut principled = Principled::default();
    principled.colour("base_color", base, [0.8; 3]);
    principled.number(
        "base_metalness",
        share(metallic_roughness.number("metallicFactor", 1.0)),
        0.0,
    );
    principled.number(
        "specular_roughness",
        share(metallic_roughness.number("roughnessFactor", 1.0)),
        0.3,
    );
    principled.number(
        "specular_ior",
        index(material.at("extensions/KHR_materials_ior").number("ior", 1.5)),
        1.5,
    );
    let specular = extension("KHR_materials_specular");
    principled.number("specular_weight", share(specular.number("specularFactor", 1.0)), 1.0);
    principled.colour(
        "specular_color",
        specular.factors("specularColorFactor", WHITE).map(share),
        WHITE,
    );
    let anisotropy = extension("KHR_materials_anisotropy").number("anisotropyStrength", 0.0);
    principled.number("specular_roughness_anisotropy", share(anisotropy), 0.0);
    transmission(&mut principled, &material, base);
    coat_and_fuzz(&mut principled, &material);
    let brightest = emission.into_iter().fold(0.0, f64::max);
    if brightest > 0.0 {
        principled.number("emission_luminance", brightest, 0.0);
        principled.colour("emission_color", emission.map(|part| part / brightest), WHITE);
        let shown = textures.find(&material, "emissiveTexture", draft);
        let lit = |value: [f64; 3]| {
            let value = json!(value.map(tidy));
            shown.as_ref().map_or(value.clone(), |found| texture(found, None, value))
        };
        if base == [0.0; 3] && !extension("KHR_materials_transmission").is_there() {
            return json!({ "type": "emissive", "emission": lit(emission) });
        }
        if shown.is_some() {
            let color = lit(emission.map(|part| part / brightest));
            principled.0.insert("emission_color".into(), color);
        }
    }
    if material.0.get("alphaMode").is_some_and(|mode| mode != "OPAQUE") {
        principled.number("geometry_opacity", share(alpha), 1.0);
    }
    let factors = Factors { base, alpha: share(alpha) };
    show_images(&mut principled, &material, &factors, textures, draft);
    principled.0.into()
}

/// What goes through: with a volume the light is coloured on its way, without on the surface.
fn transmission(principled: &mut Principled, material: &Source<'_>, base: [f64; 3]) {
    let weight =
        material.at("extensions/KHR_materials_transmission").number("transmissionFactor", 0.0);
    if weight <= 0.0 {
        return;
    }
    principled.number("transmission_weight", share(weight), 0.0);
    // What goes through is not scattered on the ground, whose colour counts here.
    let volume = material.at("extensions/KHR_materials_volume");
    let depth = volume.number("attenuationDistance", 0.0);
    if volume.is_there() && depth > 0.0 {
        let colour = volume.factors("attenuationColor", WHITE).map(share);
        principled.colour("transmission_color", colour, WHITE);
        principled.number("transmission_depth", depth, 0.0);
    } else {
        principled.colour("transmission_color", base, WHITE);
    }
    // Without a thickness the surface is a wall by itself.
    if volume.number("thicknessFactor", 0.0) <= 0.0 {
        principled.0.insert("geometry_thin_walled".into(), true.into());
    }
}

fn coat_and_fuzz(principled: &mut Principled, material: &Source<'_>) {
    let coat = material.at("extensions/KHR_materials_clearcoat");
    let weight = share(coat.number("clearcoatFactor", 0.0));
    if weight > 0.0 {
        principled.number("coat_weight", weight, 0.0);
        principled.number(
            "coat_roughness",
            share(coat.number("clearcoatRoughnessFactor", 0.0)),
            0.0,
        );
        principled.number("coat_ior", 1.5, 1.6);
        // The coat of glTF does not darken what lies under it.
        principled.number("coat_darkening", 0.0, 1.0);
    }
    let sheen = material.at("extensions/KHR_materials_sheen");
    let colour = sheen.factors("sheenColorFactor", [0.0; 3]).map(share);
    if colour != [0.0; 3] {
        principled.number("fuzz_weight", 1.0, 0.0);
        principled.colour("fuzz_color", colour, WHITE);
        principled.number("fuzz_roughness", share(sheen.number("sheenRoughnessFactor", 0.0)), 0.5);
    }
    let film = material.at("extensions/KHR_materials_iridescence");
    let weight = share(film.number("iridescenceFactor", 0.0));
    if weight > 0.0 {
        principled.number("thin_film_weight", weight, 0.0);
        let nanometres = film.number("iridescenceThicknessMaximum", 400.0);
        principled.number("thin_film_thickness", (nanometres / 1000.0).clamp(0.0, 10.0), 0.5);
        principled.number("thin_film_ior", index(film.number("iridescenceIor", 1.3)), 1.4);
    }
}

/// What textures are multiplied by.
struct Factors {
    base: [f64; 3],
    alpha: f64,
}

/// The textures of metal, roughness and normals, over their factors.
fn show_images(
    principled: &mut Principled,
    material: &Source<'_>,
    factors: &Factors,
    textures: &mut Textures<'_>,
    draft: &mut Draft,
) {
    let metallic_roughness = material.at("pbrMetallicRoughness");
    let mut at = |path: &str| textures.find(material, path, draft);
    if let Some(found) = at("pbrMetallicRoughness/baseColorTexture") {
        let color = texture(&found, None, json!(factors.base.map(tidy)));
        principled.0.insert("base_color".into(), color);
        if material.0.get("alphaMode").is_some_and(|mode| mode != "OPAQUE") {
            let opacity = texture(&found, Some("alpha"), json!(factors.alpha));
            principled.0.insert("geometry_opacity".into(), opacity);
        }
    }
    if let Some(found) = at("pbrMetallicRoughness/metallicRoughnessTexture") {
        for (name, factor, channel) in [
            ("base_metalness", "metallicFactor", "blue"),
            ("specular_roughness", "roughnessFactor", "green"),
        ] {
            let factor = share(metallic_roughness.number(factor, 1.0));
            if factor > 0.0 {
                let shown = texture(&found, Some(channel), json!(factor));
                principled.0.insert(name.into(), shown);
            }
        }
    }
    if let Some(mut found) = at("normalTexture") {
        let strength = share(material.at("normalTexture").number("scale", 1.0));
        if strength < 1.0 {
            found.insert("strength".into(), json!(strength));
        }
        principled.0.insert("normal_map".into(), found.into());
    }
}

/// A material without some of its textures looks different: that is told. Baked shadows are not missed:
/// light is followed here.
fn note_textures(material: &Source<'_>, draft: &mut Draft) {
    fn any(value: &Value) -> bool {
        value.as_object().is_some_and(|object| {
            object.iter().any(|(name, member)| name.ends_with("Texture") || any(member))
        })
    }
    if any(material.at("extensions").0) {
        draft.note("the images of a material's extensions are left out; their numbers are kept");
    }
}

/// What a material was made of, when it still says what was written then.
fn untouched(material: &Value) -> Option<Value> {
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

/// The same, but for what single precision loses and defaults that were spelled out.
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

/// The material in the form of glTF.
pub(super) fn to_gltf(material: &Material) -> Value {
    let mut made = match material.resolved() {
        Material::Lambertian(matte) => json!({
            "pbrMetallicRoughness": base(matte.albedo.typical().get(), 1.0, 0.0, 1.0),
            "extensions": { "KHR_materials_specular": { "specularFactor": 0.0 } },
        }),
        Material::Metal(metal) => json!({
            "pbrMetallicRoughness": base(metal.albedo.typical().get(), 1.0, 1.0, metal.fuzz.typical().get()),
        }),
        Material::Dielectric(glass) => json!({
            "pbrMetallicRoughness": base(WHITE, 1.0, 0.0, 0.0),
            "extensions": {
                "KHR_materials_transmission": { "transmissionFactor": 1.0 },
                "KHR_materials_ior": { "ior": glass.refractive_index.get() },
                // Any thickness says that it is a solid.
                "KHR_materials_volume": { "thicknessFactor": 1.0 },
            },
        }),
        Material::Emissive(emissive) => light_material(emissive.emission.typical().get()),
        Material::Principled(principled) => from_principled(principled),
        // Resolved above, and before.
        Material::Mix(_) | Material::Preset(_) => json!({}),
    };
    // Images are not in the file.
    if material.asset_names().is_empty() {
        made["extras"] = json!({ ORIGINAL: material.to_json() });
    }
    made
}

/// A surface that glows and reflects nothing.
pub(super) fn light_material(radiance: [f64; 3]) -> Value {
    let mut made = json!({
        "pbrMetallicRoughness": base([0.0; 3], 1.0, 0.0, 1.0),
        "extensions": { "KHR_materials_specular": { "specularFactor": 0.0 } },
    });
    glow(&mut made, radiance);
    made
}

fn base(colour: [f64; 3], opacity: f64, metalness: f64, roughness: f64) -> Value {
    let [red, green, blue] = colour;
    json!({ "baseColorFactor": [red, green, blue, opacity], "metallicFactor": metalness,
        "roughnessFactor": roughness })
}

/// Colours go up to 1 there; what is brighter has a strength.
pub(super) fn glow(made: &mut Value, emission: [f64; 3]) {
    let brightest = emission.into_iter().fold(0.0, f64::max);
    if brightest > 0.0 {
        made["emissiveFactor"] = json!(emission.map(|part| part / brightest));
        made["extensions"]["KHR_materials_emissive_strength"] =
            json!({ "emissiveStrength": brightest });
    }
}

fn from_principled(principled: &scene::Principled) -> Value {
    let weight = principled.base_weight.typical().get();
    let clear = principled.transmission_weight.typical().get() >= 0.5
        && principled.transmission_depth.get() == 0.0;
    // What goes through has the colour of the base there, unless a volume colours it.
    let tint = if clear { &principled.transmission_color } else { &principled.base_color };
    let weight = if clear { 1.0 } else { weight };
    let colour = tint.typical().get().map(|part| part * weight);
    let opacity = principled.geometry_opacity.typical().get();
    let mut made = json!({
        "pbrMetallicRoughness": base(
            colour,
            opacity,
            principled.base_metalness.typical().get(),
            principled.specular_roughness.typical().get(),
        ),
        "extensions": {
            "KHR_materials_ior": { "ior": principled.specular_ior.get() },
            "KHR_materials_specular": {
                "specularFactor": principled.specular_weight.typical().get(),
                "specularColorFactor": principled.specular_color.typical().get(),
            },
        },
    });
    if opacity < 1.0 {
        made["alphaMode"] = "BLEND".into();
    }
    glow(&mut made, principled.emission().typical().get());
    let extensions = &mut made["extensions"];
    if principled.transmission_weight.typical().get() > 0.0 {
        extensions["KHR_materials_transmission"] =
            json!({ "transmissionFactor": principled.transmission_weight.typical().get() });
        let mut volume = json!({ "thicknessFactor": 1.0 });
        if principled.transmission_depth.get() > 0.0 {
            volume["attenuationDistance"] = principled.transmission_depth.get().into();
            volume["attenuationColor"] = json!(principled.transmission_color.typical().get());
        }
        // Without a volume it is a wall by itself.
        if !principled.geometry_thin_walled {
            extensions["KHR_materials_volume"] = volume;
        }
    }
    if principled.coat_weight.typical().get() > 0.0 {
        extensions["KHR_materials_clearcoat"] = json!({
            "clearcoatFactor": principled.coat_weight.typical().get(),
            "clearcoatRoughnessFactor": principled.coat_roughness.typical().get(),
        });
    }
    let fuzz = principled.fuzz_weight.typical().get();
    if fuzz > 0.0 {
        extensions["KHR_materials_sheen"] = json!({
            "sheenColorFactor": principled.fuzz_color.typical().get().map(|part| part * fuzz),
            "sheenRoughnessFactor": principled.fuzz_roughness.typical().get(),
        });
    }
    if principled.thin_film_weight.typical().get() > 0.0 {
        extensions["KHR_materials_iridescence"] = json!({
            "iridescenceFactor": principled.thin_film_weight.typical().get(),
            "iridescenceIor": principled.thin_film_ior.get(),
            "iridescenceThicknessMaximum": principled.thin_film_thickness.typical().get() * 1000.0,
        });
    }
    if principled.specular_roughness_anisotropy.typical().get() > 0.0 {
        extensions["KHR_materials_anisotropy"] = json!({ "anisotropyStrength": principled.specular_roughness_anisotropy.typical().get() });
    }
    made
}

/// The properties that differ from the defaults.
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

fn share(number: f64) -> f64 {
    number.clamp(0.0, 1.0)
}

/// 0 stands for "infinite", which no real material is.
fn index(number: f64) -> f64 {
    if number < 1.0 { 1.5 } else { number.min(100.0) }
}

/// Single precision written in seven digits: 0.1 instead of 0.10000000149.
fn tidy(number: f64) -> f64 {
    if number == 0.0 {
        return 0.0;
    }
    let unit = 10f64.powi(6 - number.abs().log10().floor() as i32);
    let rounded = (number * unit).round() / unit;
    if rounded.is_finite() { rounded } else { number }
}
