//! Names of properties of materials as other programs have them.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::kinds::Material;

/// The general material.
pub(super) const PRINCIPLED: &str = "principled";

/// Aliases of the properties of each type, from other programs.
const ALIASES: &[(&str, &[(&str, &str)])] = &[
    ("lambertian", &[("color", "albedo"), ("colour", "albedo"), ("base_color", "albedo")]),
    (
        "metal",
        &[
            ("color", "albedo"),
            ("colour", "albedo"),
            ("base_color", "albedo"),
            ("roughness", "fuzz"),
        ],
    ),
    ("dielectric", &[("ior", "refractive_index")]),
    ("emissive", &[("color", "emission"), ("colour", "emission")]),
    (
        "principled",
        &[
            ("color", "base_color"),
            ("colour", "base_color"),
            ("albedo", "base_color"),
            ("base_colour", "base_color"),
            ("base_color_factor", "base_color"),
            ("roughness", "specular_roughness"),
            ("roughness_factor", "specular_roughness"),
            ("fuzz", "specular_roughness"),
            ("metallic", "base_metalness"),
            ("metalness", "base_metalness"),
            ("metallicness", "base_metalness"),
            ("metallic_factor", "base_metalness"),
            ("ior", "specular_ior"),
            ("refractive_index", "specular_ior"),
            ("specular", "specular_weight"),
            ("specular_tint", "specular_color"),
            ("anisotropy", "specular_roughness_anisotropy"),
            ("anisotropic", "specular_roughness_anisotropy"),
            ("transmission", "transmission_weight"),
            ("transmissive", "transmission_weight"),
            ("attenuation_color", "transmission_color"),
            ("attenuation_distance", "transmission_depth"),
            ("clearcoat", "coat_weight"),
            ("coat", "coat_weight"),
            ("clearcoat_roughness", "coat_roughness"),
            ("sheen", "fuzz_weight"),
            ("sheen_color", "fuzz_color"),
            ("sheen_roughness", "fuzz_roughness"),
            ("emissive_color", "emission_color"),
            ("emissive_intensity", "emission_luminance"),
            ("emission_strength", "emission_luminance"),
            ("iridescence", "thin_film_weight"),
            ("opacity", "geometry_opacity"),
            ("alpha", "geometry_opacity"),
            ("thin_walled", "geometry_thin_walled"),
        ],
    ),
];

/// The properties with the names of the document.
pub(super) fn renamed(type_name: &str, properties: &Map<String, Value>) -> Map<String, Value> {
    let aliases = ALIASES.iter().find(|(name, _)| *name == type_name);
    let aliases = aliases.map(|(_, aliases)| *aliases).unwrap_or_default();
    let mut renamed = Map::new();
    let fields = Material::fields_of(type_name);
    for (name, value) in properties {
        let usual = in_snake_case(name);
        let field = aliases.iter().find(|(alias, _)| **alias == *usual).map(|(_, field)| *field);
        let own = fields.iter().map(|(field, _)| *field).find(|field| **field == *usual);
        // Both names are kept: the reader rejects the alias.
        let field = own.or(field).filter(|field| !properties.contains_key(*field));
        renamed.insert(field.unwrap_or(name).to_owned(), value.clone());
    }
    if type_name == PRINCIPLED {
        part_alpha(&mut renamed);
        spell_out_emission(&mut renamed);
    }
    renamed
}

/// `base_color` for `baseColor`.
fn in_snake_case(name: &str) -> Cow<'_, str> {
    if !name.bytes().any(|letter| letter.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    Cow::Owned(snake)
}

/// Splits a colour of four numbers, as glTF has it, into the colour and its opacity.
fn part_alpha(properties: &mut Map<String, Value>) {
    let Some(Value::Array(color)) = properties.get_mut("base_color") else { return };
    if color.len() != 4 || color.iter().any(|channel| !channel.is_number()) {
        return;
    }
    let alpha = color.pop().unwrap_or(json!(1.0));
    if alpha.as_f64() != Some(1.0) {
        properties.entry("geometry_opacity").or_insert(alpha);
    }
}

/// Splits radiance, as lights have it, into a colour and its strength.
fn spell_out_emission(properties: &mut Map<String, Value>) {
    for name in ["emission", "emissive"] {
        let Some(radiance) = properties.get(name).and_then(Value::as_array) else { continue };
        let channels: Option<Vec<f64>> = radiance.iter().map(Value::as_f64).collect();
        let Some(channels) = channels.filter(|channels| channels.len() == 3) else { continue };
        let strength = channels.iter().copied().fold(0.0, f64::max);
        let is_told = ["emission_color", "emission_luminance"]
            .iter()
            .any(|told| properties.contains_key(*told));
        if is_told {
            continue;
        }
        properties.shift_remove(name);
        let color = channels.iter().map(|channel| channel / strength.max(f64::MIN_POSITIVE));
        properties.insert("emission_color".into(), color.collect());
        properties.insert("emission_luminance".into(), strength.into());
    }
}
