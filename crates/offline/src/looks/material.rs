//! Materials: the colour one shows, and what words make of it.

use std::sync::LazyLock;

use glam::DVec3;
use scene::{Material, NamedMaterial, PresetName};
use serde_json::{Value, json};

use crate::frames::Quality;

use super::colour::{lightened, rgb_of};
use super::pattern::{tinted, toned, triple, typical, uncoloured};

/// The colour that a surface shows; `None` for what is clear.
pub(crate) fn colour_of(material: &Material) -> Option<DVec3> {
    if material.is_clear() && !matches!(material.main_part(), Material::Principled(_)) {
        return None;
    }
    Some(match material.main_part() {
        Material::Lambertian(matte) => matte.albedo.typical().get().into(),
        Material::Metal(metal) => metal.albedo.typical().get().into(),
        Material::Emissive(glow) => {
            let emission = DVec3::from(glow.emission.typical().get());
            emission / emission.max_element().max(1e-9)
        }
        Material::Principled(principled) if material.is_clear() => {
            let tint = DVec3::from(principled.transmission_color.typical().get());
            return (tint.min_element() < 0.8 * tint.max_element()).then_some(tint);
        }
        Material::Principled(principled) => principled.base_color.typical().get().into(),
        Material::Dielectric(_) | Material::Mix(_) | Material::Preset(_) => return None,
    })
}

/// The colour that a surface is called by: of a pattern that of its ground, not of its veins.
pub(crate) fn ground_of(material: &Material) -> Option<DVec3> {
    let colour = colour_of(material)?;
    let file = material.main_part().resolved().to_json();
    let patterns = ["albedo", "base_color"].map(|name| file[name]["first"].clone());
    let first = patterns.iter().find(|first| !first.is_null());
    Some(first.filter(|_| !material.is_clear()).map_or(colour, typical))
}

/// The material in another colour, its finish and its pattern kept.
pub(crate) fn recoloured(material: &Material, rgb: DVec3) -> Value {
    let colour = triple(rgb);
    let mut file = match material.resolved() {
        Material::Mix(mix) => mix.main_part().resolved().to_json(),
        plain => plain.to_json(),
    };
    match material.main_part() {
        Material::Metal(_) => file["albedo"] = tinted(&file["albedo"], rgb),
        Material::Dielectric(_) => {
            return json!({ "type": "principled", "transmission_weight": 1, "specular_roughness": 0,
                "transmission_color": colour, "base_color": colour });
        }
        Material::Principled(_) if material.is_clear() => {
            file["transmission_color"] = colour.clone();
            file["base_color"] = colour;
        }
        Material::Principled(_) => {
            if let Some(properties) = file.as_object_mut() {
                properties.shift_remove("subsurface_color");
                properties.shift_remove("coat_color");
                // The sheen of a cloth is a lighter tone of it, not so light that dark velvet looks bright.
                if properties.contains_key("fuzz_color") {
                    properties["fuzz_color"] = triple(lightened(rgb, 0.15));
                }
            }
            file["base_color"] = tinted(&file["base_color"], rgb);
        }
        Material::Emissive(glow) => {
            let strength = glow.emission.typical().get().into_iter().fold(0.0, f64::max);
            let tint = rgb / rgb.max_element().max(1e-6);
            file["emission"] = triple(tint * strength.max(1.0));
        }
        Material::Lambertian(_) => file["albedo"] = tinted(&file["albedo"], rgb),
        _ => file = json!({ "type": "lambertian", "albedo": colour }),
    }
    file
}

/// The material lighter (above 0) or darker, every value of its pattern as much; `None` for what is clear.
pub(crate) fn in_tone(material: &Material, by: f64) -> Option<Value> {
    let colour = lightened(colour_of(material)?, by);
    let old = material.main_part().resolved().to_json();
    let mut file = recoloured(material, colour);
    for name in ["albedo", "base_color"] {
        if old[name].is_object() {
            file[name] = toned(&old[name], by);
        }
    }
    Some(file)
}

/// What a quality makes of a surface; `None` for qualities that are no looks.
pub(crate) fn of_quality(quality: &Quality, old: &Material) -> Option<Value> {
    match quality {
        Quality::Colour(word) => Some(recoloured(old, rgb_of(word)?)),
        Quality::Material { name, tint } => {
            let tint = tint.as_ref().and_then(rgb_of);
            Some(made_of(name, tint, old))
        }
        Quality::Texture { name, colours } => {
            let colours: Vec<DVec3> = colours.iter().filter_map(rgb_of).collect();
            let own = colour_of(old).filter(|own| own.min_element() < 0.8);
            let first = colours.first().copied().unwrap_or(DVec3::splat(0.9));
            let second = colours.get(1).copied().or(own).unwrap_or(DVec3::splat(0.03));
            let texture = json!({ "type": name, "first": triple(first), "second": triple(second) });
            Some(json!({ "type": "lambertian", "albedo": texture }))
        }
        _ => None,
    }
}

/// A surface of a material by the lexicon's name: a preset, or a finish that keeps the colour.
fn made_of(name: &str, tint: Option<DVec3>, old: &Material) -> Value {
    let own = tint.or_else(|| colour_of(old));
    let colour = own.unwrap_or(DVec3::splat(0.6));
    match name {
        "matte" => json!({ "type": "lambertian", "albedo": triple(colour) }),
        "metal" => {
            json!({ "type": "metal", "albedo": triple(colour.max(DVec3::splat(0.05))), "fuzz": 0.08 })
        }
        "brushed" => json!({ "type": "metal", "albedo": triple(colour), "fuzz": 0.35 }),
        // Polished brass stays brass.
        "shiny" if is_made_of(old, "metal") => {
            json!({ "type": "metal", "albedo": triple(colour), "fuzz": 0.02 })
        }
        "shiny" => {
            json!({ "type": "principled", "base_color": triple(colour), "specular_roughness": 0.08,
                "coat_weight": 0.6, "coat_roughness": 0.02 })
        }
        "glowing" => {
            let tint = colour / colour.max_element().max(1e-6);
            json!({ "type": "emissive", "emission": triple(tint * 6.0) })
        }
        "glass" | "water" | "ice" if tint.is_some() => {
            json!({ "type": "principled", "transmission_weight": 1, "specular_roughness": 0,
                "transmission_color": triple(colour), "base_color": triple(colour) })
        }
        preset => match (PresetName::new(preset), tint) {
            (Some(found), Some(tint)) => {
                recoloured(&Material::Preset(scene::Preset { name: found }), tint)
            }
            (Some(_), None) => json!(preset),
            (None, _) => json!({ "type": "lambertian", "albedo": triple(colour) }),
        },
    }
}

/// Whether a surface is of a material by the lexicon's name.
pub(crate) fn is_made_of(material: &Material, name: &str) -> bool {
    if let Material::Preset(preset) = material
        && preset.name.as_str() == name
    {
        return true;
    }
    let kind = scene::presets().iter().find(|preset| preset.name == name).map(|preset| preset.kind);
    let own = scene::presets().iter().find(|preset| preset.material == *material.resolved());
    let own = own.or_else(|| preset_in_colour(material));
    let is_metal = match material.main_part() {
        Material::Metal(_) => true,
        Material::Principled(principled) => principled.base_metalness.typical().get() > 0.5,
        _ => false,
    };
    match name {
        "glass" => material.is_clear(),
        "metal" => is_metal,
        "glowing" => material.glows(),
        "shiny" | "mirror" | "chrome" if is_metal => true,
        _ => own.is_some_and(|own| {
            // "wooden" is any wood.
            let same_kind = Some(own.kind) == kind
                && matches!(name, "oak" | "granite" | "matte_plastic" | "cotton");
            own.name == name || same_kind
        }),
    }
}

/// What a surface is made of, in a word.
pub(crate) fn kind_name(material: &Material) -> String {
    if let Material::Preset(preset) = material {
        return preset.name.as_str().replace('_', " ");
    }
    let own = scene::presets().iter().find(|preset| preset.material == *material.resolved());
    if let Some(own) = own.or_else(|| preset_in_colour(material)) {
        return own.name.replace('_', " ");
    }
    match material.main_part() {
        Material::Metal(metal) if metal.fuzz.typical().get() < 0.02 => "mirror-like metal",
        Material::Metal(_) => "metal",
        Material::Dielectric(_) => "glass",
        Material::Emissive(_) => "a glowing material",
        Material::Principled(principled) if principled.base_metalness.typical().get() > 0.5 => {
            "metal"
        }
        Material::Principled(_) if material.is_clear() => "glass",
        Material::Principled(_) => "a shiny material",
        _ => "a matte material",
    }
    .to_owned()
}

/// The only preset that is the same surface in another colour: velvet stays velvet when it is green.
fn preset_in_colour(material: &Material) -> Option<&'static NamedMaterial> {
    /// All in one colour.
    static ALIKE: LazyLock<Vec<(Material, &'static NamedMaterial)>> = LazyLock::new(|| {
        let presets = scene::presets().iter();
        presets.filter_map(|preset| Some((in_grey(&preset.material)?, preset))).collect()
    });
    let Material::Principled(_) = material.resolved() else { return None };
    let grey = in_grey(material)?;
    let mut fitting = ALIKE.iter().filter(|(preset, _)| *preset == grey);
    let (_, first) = fitting.next()?;
    fitting.next().is_none().then_some(*first)
}

fn in_grey(material: &Material) -> Option<Material> {
    let old = material.resolved().to_json();
    let mut file = recoloured(material, DVec3::splat(0.5));
    for name in ["albedo", "base_color"] {
        if old[name].is_object() {
            file[name] = uncoloured(&old[name]);
        }
    }
    Material::from_json(&file).ok()
}

/// The surface made shinier, or duller.
pub(crate) fn with_shine(material: &Material, more: bool) -> Value {
    let colour = triple(colour_of(material).unwrap_or(DVec3::splat(0.6)));
    match (material.main_part(), more) {
        (Material::Metal(metal), _) => {
            let fuzz = metal.fuzz.typical().get();
            let fuzz = if more { fuzz * 0.3 } else { (fuzz + 0.25).min(1.0) };
            json!({ "type": "metal", "albedo": colour, "fuzz": fuzz })
        }
        (_, true) => json!({ "type": "principled", "base_color": colour, "specular_roughness": 0.1,
            "coat_weight": 0.5 }),
        (_, false) => json!({ "type": "lambertian", "albedo": colour }),
    }
}
