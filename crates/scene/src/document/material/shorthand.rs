//! Materials in tool arguments: aliases of properties, presets with changes, and partial updates.
//! Files only use the format of the document.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::aliases::{self, PRINCIPLED};
use super::kinds::{Material, PresetName};
use crate::json::with_type;
use crate::read::{PropertyPath, Read};
use crate::violations::ReadErrors;

/// Aliases of the general material type.
const GENERAL: [&str; 4] = ["standard", "pbr", "physical", "openpbr"];

impl Material {
    /// Parses a material argument: a preset's name, or an object, which may omit its type, use
    /// aliases of properties, or start from a preset.
    pub fn read_argument(
        value: &Value,
        at: &PropertyPath<'_>,
        errors: &mut ReadErrors,
    ) -> Option<Self> {
        Self::read(&spelled_out(value, None), at, errors)
    }
}

/// A material argument or a partial update; parsed when the current material is known.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct MaterialChange(Value);

impl MaterialChange {
    /// Applies it to `current`; errors are reported at `at`.
    pub fn apply(
        &self,
        current: &Material,
        at: &PropertyPath<'_>,
        errors: &mut ReadErrors,
    ) -> Option<Material> {
        Material::read(&spelled_out(&self.0, Some(current)), at, errors)
    }
}

impl Read for MaterialChange {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        if value.is_string() || value.is_object() {
            return Some(Self(value.clone()));
        }
        at.must_be(&Self::expected(), value, errors);
        None
    }

    fn expected() -> String {
        Material::expected()
    }
}

impl schemars::JsonSchema for MaterialChange {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MaterialChange".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["object", "string"] })
    }
}

/// The argument in the format of the document. Without a type it updates `current`, if there is
/// one.
pub(crate) fn spelled_out<'a>(given: &'a Value, current: Option<&Material>) -> Cow<'a, Value> {
    let Value::Object(given_properties) = given else { return Cow::Borrowed(given) };
    let mut properties = given_properties.clone();
    let type_name = properties.shift_remove("type");
    let preset = properties.shift_remove("preset").or_else(|| {
        let is_preset = type_name.as_ref().and_then(Value::as_str) == Some("preset");
        (is_preset && properties.len() > 1).then(|| properties.shift_remove("name"))?
    });
    let named = |name: &Value| PresetName::new(name.as_str()?).map(PresetName::material);
    let base = match (&preset, &type_name) {
        (Some(preset), _) => match named(preset) {
            Some(material) => Some(material),
            // The error names the preset.
            None => return Cow::Owned(preset.clone()),
        },
        (None, None) => current.map(Material::resolved),
        (None, Some(name)) => match name.as_str() {
            Some(name) if GENERAL.contains(&name) => {
                return Cow::Owned(of_type(PRINCIPLED, &properties));
            }
            Some(name) if Material::TYPES.contains(&name) => {
                let made = with_more_than_it_has(name, &properties);
                return Cow::Owned(made.unwrap_or_else(|| of_type(name, &properties)));
            }
            _ => match named(name) {
                Some(material) => Some(material),
                None => return Cow::Borrowed(given),
            },
        },
    };
    Cow::Owned(match base {
        Some(base) => changed(base, &properties),
        None if properties.is_empty() => json!({}),
        None => of_type(type_for(&properties), &properties),
    })
}

/// A simple material with properties that only the general one has, as the general one: `{"type": "lambertian",
/// "albedo": .., "roughness": ..}`; `None` if it has none of these, or any that no material has.
fn with_more_than_it_has(type_name: &str, properties: &Map<String, Value>) -> Option<Value> {
    let is_of = |type_name: &str, name: &str| {
        Material::fields_of(type_name).iter().any(|(field, _)| *field == name)
    };
    let (mut own, mut more) = (Map::new(), Map::new());
    for (name, value) in properties {
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        let is_own = renamed(type_name, &alone).keys().all(|name| is_of(type_name, name));
        let part = if is_own { &mut own } else { &mut more };
        part.insert(name.clone(), value.clone());
    }
    let is_simple = ["lambertian", "metal", "dielectric", "emissive"].contains(&type_name);
    let is_general = renamed(PRINCIPLED, &more).keys().all(|name| is_of(PRINCIPLED, name));
    if more.is_empty() || !is_simple || !is_general {
        return None;
    }
    let base = Material::from_json(&of_type(type_name, &own)).ok()?;
    Some(changed(&base, &more))
}

/// The properties with the names of the document, the type first.
fn of_type(type_name: &str, properties: &Map<String, Value>) -> Value {
    with_type(type_name, renamed(type_name, properties)).into()
}

/// The properties with the names of the document, also those of the parts of a mix.
fn renamed(type_name: &str, properties: &Map<String, Value>) -> Map<String, Value> {
    let mut renamed = aliases::renamed(type_name, properties);
    for part in ["first", "second"].into_iter().filter(|_| type_name == "mix") {
        if let Some(material) = renamed.get_mut(part) {
            *material = spelled_out(material, None).into_owned();
        }
    }
    renamed
}

/// The simplest type with all the properties, or else the general one.
fn type_for(properties: &Map<String, Value>) -> &'static str {
    // A colour alone makes the general material, which looks like most things.
    let simple = [
        ("lambertian", &["albedo"][..]),
        ("metal", &["albedo", "fuzz"]),
        ("dielectric", &["refractive_index"]),
        ("emissive", &["emission"]),
    ];
    let has_all = |fields: &[&str]| {
        properties.len() == fields.len() && fields.iter().all(|it| properties.contains_key(*it))
    };
    let found = simple.into_iter().find(|(_, fields)| has_all(fields));
    found.map_or(PRINCIPLED, |(type_name, _)| type_name)
}

/// `base` with some properties changed; converted to the general material if `base` lacks them.
fn changed(base: &Material, properties: &Map<String, Value>) -> Value {
    let overlaid = |mut base: Map<String, Value>, properties: Map<String, Value>| {
        for (name, value) in properties {
            if value.is_null() {
                base.shift_remove(&name);
            } else {
                base.insert(name, value);
            }
        }
        base
    };
    let type_name = base.type_name();
    let fields = Material::fields_of(type_name);
    let own = renamed(type_name, properties);
    let has_all = own.keys().all(|name| fields.iter().any(|(field, _)| field == name));
    let as_told = match base.to_json() {
        Value::Object(told) => told,
        _ => Map::new(),
    };
    if has_all {
        let mut told = overlaid(as_told.clone(), own);
        tint_fuzz(&as_told, &mut told, properties);
        return told.into();
    }
    let general = with_type(PRINCIPLED, as_principled(base));
    overlaid(general, renamed(PRINCIPLED, properties)).into()
}

/// Adapts fuzz of the colour of its base: a velvet that becomes blue gets blue fuzz with the same
/// relative brightness.
fn tint_fuzz(
    before: &Map<String, Value>,
    after: &mut Map<String, Value>,
    given: &Map<String, Value>,
) {
    let color = |of: &Map<String, Value>, name: &str| -> Option<[f64; 3]> {
        let channels = of.get(name)?.as_array()?.iter().map(Value::as_f64);
        channels.collect::<Option<Vec<f64>>>()?.try_into().ok()
    };
    let is_new = |name: &str| after.get(name) != before.get(name);
    let brightness = |[red, green, blue]: [f64; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    if given.contains_key("fuzz_color") || !is_new("base_color") || is_new("fuzz_color") {
        return;
    }
    let colors =
        (color(before, "base_color"), color(before, "fuzz_color"), color(after, "base_color"));
    let (Some(base), Some(fuzz), Some(new)) = colors else { return };
    let ratio = brightness(fuzz) / brightness(base).max(1e-6);
    let fuzz = new.map(|channel| (channel * ratio).clamp(0.0, 1.0));
    after.insert("fuzz_color".into(), json!(fuzz));
}

/// The nearest general material, as properties.
fn as_principled(base: &Material) -> Map<String, Value> {
    let mut told = match base.resolved().to_json() {
        Value::Object(told) => told,
        _ => Map::new(),
    };
    told.shift_remove("type");
    let mut principled = renamed(PRINCIPLED, &told);
    match base.resolved() {
        Material::Metal(_) => {
            principled.insert("base_metalness".into(), json!(1.0));
        }
        Material::Dielectric(_) => {
            principled.insert("transmission_weight".into(), json!(1.0));
            principled.insert("specular_roughness".into(), json!(0.0));
        }
        _ => {}
    }
    principled.retain(|name, _| Material::fields_of(PRINCIPLED).iter().any(|(it, _)| it == name));
    principled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(json: &Value) -> Material {
        Material::from_json(json).unwrap()
    }

    fn read(given: &Value, current: Option<&Material>) -> Result<Value, String> {
        let mut errors = ReadErrors::default();
        let spelled = spelled_out(given, current);
        let read = Material::read(&spelled, &PropertyPath::of("the material"), &mut errors);
        errors.finish(read).map(|read| read.to_json()).map_err(|errors| errors.to_string())
    }

    #[test]
    fn usual_names_are_understood() {
        let cases = [
            (
                json!({ "color": [1, 0, 0], "roughness": 0.5, "metallic": 1 }),
                json!({ "type": "principled", "base_color": [1.0, 0.0, 0.0], "base_metalness": 1.0, "specular_roughness": 0.5 }),
            ),
            (
                json!({ "type": "lambertian", "color": [1, 0, 0] }),
                json!({ "type": "lambertian", "albedo": [1.0, 0.0, 0.0] }),
            ),
            (
                json!({ "type": "standard", "ior": 1.33 }),
                json!({ "type": "principled", "specular_ior": 1.33 }),
            ),
            (
                json!({ "albedo": [0, 1, 0] }),
                json!({ "type": "lambertian", "albedo": [0.0, 1.0, 0.0] }),
            ),
            (
                json!({ "refractive_index": 1.33 }),
                json!({ "type": "dielectric", "refractive_index": 1.33 }),
            ),
            (
                json!({ "baseColorFactor": [1, 0, 0, 0.5], "metallicFactor": 1, "roughnessFactor": 0.5 }),
                json!({ "type": "principled", "base_color": [1.0, 0.0, 0.0], "base_metalness": 1.0,
                    "specular_roughness": 0.5, "geometry_opacity": 0.5 }),
            ),
            (
                json!({ "baseColor": [1, 0, 0], "clearcoatRoughness": 0.1, "emissiveColor": [0, 1, 0],
                    "specularRoughness": 0.4 }),
                json!({ "type": "principled", "base_color": [1.0, 0.0, 0.0], "coat_roughness": 0.1,
                    "emission_color": [0.0, 1.0, 0.0], "specular_roughness": 0.4 }),
            ),
            (
                json!({ "type": "lambertian", "albedo": [1, 0, 0], "roughness": 0.9 }),
                json!({ "type": "principled", "base_color": [1.0, 0.0, 0.0], "specular_roughness": 0.9 }),
            ),
            (json!({ "type": "gold" }), material(&json!("gold")).resolved().to_json()),
            (json!("gold"), json!("gold")),
            (
                json!({ "color": [0, 0, 0], "emission": [2, 4, 0] }),
                json!({ "type": "principled", "base_color": [0.0, 0.0, 0.0], "emission_luminance": 4.0, "emission_color": [0.5, 1.0, 0.0] }),
            ),
        ];
        for (given, expected) in cases {
            assert_eq!(read(&given, None).as_ref(), Ok(&expected), "{given}");
        }
    }

    #[test]
    fn a_preset_can_be_changed_and_a_part_changes_the_rest_not() {
        let velvet = material(&json!("velvet")).resolved().to_json();
        let red = read(&json!({ "preset": "velvet", "base_color": [1, 0, 0] }), None).unwrap();
        assert_eq!(red["base_color"], json!([1.0, 0.0, 0.0]));
        assert_eq!(red["fuzz_weight"], velvet["fuzz_weight"]);
        let blue = read(&json!({ "preset": "velvet", "color": [0, 0, 0.2] }), None).unwrap();
        let fuzz: Vec<f64> = serde_json::from_value(blue["fuzz_color"].clone()).unwrap();
        assert!(fuzz[0] == 0.0 && fuzz[2] > 0.2, "{blue}");
        let gold = material(&json!("gold"));
        let rough = read(&json!({ "roughness": 0.7 }), Some(&gold)).unwrap();
        assert_eq!(
            (&rough["specular_roughness"], &rough["base_metalness"]),
            (&json!(0.7), &json!(1.0))
        );
        // A property that a simple material lacks converts it to the general one with the same
        // colour.
        let clay = material(&json!({ "type": "lambertian", "albedo": [0.6, 0.3, 0.2] }));
        let shiny = read(&json!({ "clearcoat": 1 }), Some(&clay)).unwrap();
        assert_eq!(
            (&shiny["base_color"], &shiny["coat_weight"]),
            (&json!([0.6, 0.3, 0.2]), &json!(1.0))
        );
        // With a type it is a complete material.
        let whole = read(&json!({ "type": "metal", "albedo": [1, 1, 1], "fuzz": 0 }), Some(&clay));
        assert_eq!(whole.unwrap()["type"], "metal");
    }

    #[test]
    fn what_is_wrong_is_still_told() {
        let cases = [
            (json!({ "preset": "velvett" }), "did you mean 'velvet'?"),
            (json!({ "colr": [1, 0, 0] }), "has no property 'colr'"),
            (json!({ "color": [1, 0, 0], "base_color": [1, 0, 0] }), "has no property 'color'"),
            (
                json!({ "type": "lambertian", "rougness": 1, "color": [1, 0, 0] }),
                "has no property 'rougness'",
            ),
            (json!({}), "requires 'type'"),
            (json!({ "type": "lambertain" }), "did you mean 'lambertian'"),
            (json!({ "roughness": 2 }), "'specular_roughness' must be"),
        ];
        for (given, expected) in cases {
            let error = read(&given, None).unwrap_err();
            assert!(error.contains(expected), "{given}: {error}");
        }
    }
}
