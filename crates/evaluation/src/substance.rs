//! Visible materials of surfaces.

use scene::{Material, Pattern, Principled, Shape, presets};

/// Names of materials.
pub(crate) const SUBSTANCES: &[&str] = &[
    "matte", "shiny", "metal", "mirror", "brushed", "glass", "clear", "frosted", "water",
    "glowing", "wood", "stone", "plastic",
];

/// Whether `material` is `substance`, one of [`SUBSTANCES`].
pub(crate) fn is_of(material: &Material, substance: &str) -> bool {
    let (kind, name) = family(material);
    let look = material.main_part();
    match substance {
        "matte" => !is_metal(look) && !look.is_clear() && !glows(look) && roughness(look) >= 0.45,
        "shiny" => look.is_clear() || roughness(look) <= 0.4,
        "metal" => is_metal(look),
        "mirror" => is_metal(look) && roughness(look) <= 0.12 && lightness(look) >= 0.4,
        "brushed" => is_metal(look) && roughness(look) >= 0.15,
        "glass" => look.is_clear() && index(look).is_some_and(|index| index >= 1.4),
        "clear" => look.is_clear(),
        "frosted" => look.is_clear() && (0.1..=0.9).contains(&roughness(look)),
        "water" => {
            look.is_clear() && index(look).is_some_and(|index| (1.28..=1.38).contains(&index))
        }
        "glowing" => glows(look),
        "wood" => {
            kind == "wood"
                || name.contains("wood")
                || has_texture(look, "wood")
                || (is_solid(look) && is_brown(look))
        }
        "stone" => {
            kind == "stone"
                || name.contains("stone")
                || has_texture(look, "marble")
                || (is_solid(look) && is_dull(look))
        }
        "plastic" => {
            is_solid(look) && !glows(look) && roughness(look) <= 0.6 || name.contains("plastic")
        }
        _ => false,
    }
}

/// The reflectance, tint or emission colour, in linear sRGB; `None` for clear, colourless
/// materials.
pub(crate) fn colour(material: &Material) -> Option<[f64; 3]> {
    match material.main_part() {
        Material::Lambertian(matte) => Some(matte.albedo.typical().get()),
        Material::Metal(metal) => Some(metal.albedo.typical().get()),
        Material::Emissive(glow) => Some(normalised(glow.emission.typical().get())),
        Material::Principled(principled)
            if principled.transmission_weight.typical().get() >= 0.5 =>
        {
            let tint = principled.transmission_color.typical().get();
            tint.iter().any(|channel| *channel < 0.95).then_some(tint)
        }
        Material::Principled(principled) if is_lamp(principled) => {
            Some(normalised(principled.emission().typical().get()))
        }
        Material::Principled(principled) => {
            let weight = principled.base_weight.typical().get();
            Some(principled.base_color.typical().get().map(|channel| channel * weight))
        }
        _ => None,
    }
}

/// The colour of a shape, or of the base below its texture.
pub(crate) fn colour_of(shape: &Shape) -> Option<[f64; 3]> {
    colour(&shape.material)
}

/// The colours of a shape: both colours of a two-colour pattern, otherwise one.
pub(crate) fn colours_of(shape: &Shape) -> Vec<[f64; 3]> {
    let painted = match shape.material.main_part() {
        Material::Lambertian(matte) => matte.albedo.texture(),
        Material::Principled(principled) => principled.base_color.texture(),
        _ => None,
    };
    match painted {
        Some(print) if matches!(print.pattern, Pattern::Checker(_) | Pattern::Stripes(_)) => {
            vec![print.first.typical().get(), print.second.typical().get()]
        }
        _ => colour_of(shape).into_iter().collect(),
    }
}

/// The colour of emitted light, scaled to a maximum of 1.
pub(crate) fn normalised(emission: [f64; 3]) -> [f64; 3] {
    let most = emission.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    emission.map(|channel| channel / most)
}

/// Whether it emits more than it could reflect.
fn is_lamp(principled: &Principled) -> bool {
    principled.emission().typical().get().iter().any(|channel| *channel > 1.0)
}

fn family(material: &Material) -> (&'static str, &'static str) {
    let Material::Preset(preset) = material else { return ("", "") };
    let found = presets().iter().find(|named| named.name == preset.name.as_str());
    found.map_or(("", ""), |named| (named.kind, named.name))
}

/// Whether a property of the material has a texture of this type.
fn has_texture(material: &Material, texture: &str) -> bool {
    let document = material.to_json();
    let properties = document.as_object().into_iter().flatten();
    properties.filter(|(name, _)| *name != "type").any(|(_, value)| value["type"] == texture)
}

fn is_metal(material: &Material) -> bool {
    match material {
        Material::Metal(_) => true,
        Material::Principled(principled) => principled.base_metalness.typical().get() >= 0.5,
        _ => false,
    }
}

/// Whether it is neither metal nor glass nor emissive.
fn is_solid(material: &Material) -> bool {
    !is_metal(material) && !material.is_clear() && !matches!(material, Material::Emissive(_))
}

fn glows(material: &Material) -> bool {
    match material {
        Material::Emissive(_) => true,
        Material::Principled(principled) => principled.glows(),
        _ => false,
    }
}

/// The roughness from 0 (mirror) to 1 (matte).
fn roughness(material: &Material) -> f64 {
    match material {
        Material::Metal(metal) => metal.fuzz.typical().get(),
        Material::Dielectric(_) => 0.0,
        Material::Principled(principled) if principled.coat_weight.typical().get() >= 0.5 => {
            principled.coat_roughness.typical().get()
        }
        Material::Principled(principled) => principled.specular_roughness.typical().get(),
        _ => 1.0,
    }
}

fn lightness(material: &Material) -> f64 {
    let [red, green, blue] = colour(material).unwrap_or([1.0; 3]);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn index(material: &Material) -> Option<f64> {
    match material {
        Material::Dielectric(glass) => Some(glass.refractive_index.get()),
        Material::Principled(principled) => Some(principled.specular_ior.get()),
        _ => None,
    }
}

fn is_brown(material: &Material) -> bool {
    let names = colour(material).map(crate::colour::names_of).unwrap_or_default();
    names.iter().any(|name| ["brown", "orange", "beige", "copper"].contains(name))
}

fn is_dull(material: &Material) -> bool {
    let names = colour(material).map(crate::colour::names_of).unwrap_or_default();
    roughness(material) >= 0.1
        && names.iter().any(|name| ["grey", "white", "beige", "black"].contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Scene;
    use serde_json::{Value, json};

    fn substances(material: &Value) -> Vec<&'static str> {
        let scene =
            Scene::from_json(&json!({ "version": 1, "shapes": [{ "id": "a", "type": "sphere",
            "properties": { "center": [0, 0, 0], "radius": 1, "material": material } }] }))
            .unwrap();
        let material = &scene.shapes[0].material;
        SUBSTANCES.iter().copied().filter(|word| is_of(material, word)).collect()
    }

    #[test]
    fn materials_are_called_what_they_look_like() {
        for (material, is, is_not) in [
            (
                json!({ "type": "lambertian", "albedo": [0.8, 0.1, 0.1] }),
                "matte",
                "shiny metal glass wood",
            ),
            (
                json!({ "type": "metal", "albedo": [0.9, 0.9, 0.9], "fuzz": 0 }),
                "metal mirror shiny",
                "matte brushed",
            ),
            (
                json!({ "type": "metal", "albedo": [0.6, 0.6, 0.6], "fuzz": 0.4 }),
                "metal brushed",
                "mirror matte",
            ),
            (
                json!({ "type": "dielectric", "refractive_index": 1.5 }),
                "glass clear shiny",
                "water matte frosted",
            ),
            (json!("water"), "water clear", "glass metal"),
            (json!("frosted_glass"), "frosted glass", "matte mirror"),
            (json!("oak"), "wood", "metal glass shiny"),
            (json!("marble"), "stone", "metal glass"),
            (json!("gold"), "metal shiny", "glass matte mirror"),
            (json!("chrome"), "metal shiny", "matte"),
            (json!({ "type": "emissive", "emission": [5, 5, 5] }), "glowing", "matte metal"),
            (
                json!({ "type": "principled", "specular_roughness": 0.2 }),
                "plastic shiny",
                "metal matte",
            ),
        ] {
            let found = substances(&material);
            assert!(is.split(' ').all(|word| found.contains(&word)), "{material}: {found:?}");
            assert!(!is_not.split(' ').any(|word| found.contains(&word)), "{material}: {found:?}");
        }
    }
}
