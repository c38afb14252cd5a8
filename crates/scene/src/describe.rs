//! Descriptions of the kinds of shapes, lights, materials, textures and environments.

use serde_json::{Map, Value, json};

use crate::document::{
    Camera, Easing, Environment, Fog, Geometry, KindInfo, Light, Material, PresetName, Track,
    presets, texture_types,
};
use crate::read::{Properties, nearest};
use crate::violations::Violations;

/// The names of properties, with whether they are required.
type Fields = &'static [(&'static str, bool)];

/// All names that [`describe`] accepts, by kind.
pub fn described_names() -> Value {
    let mut families: Map<String, Value> = Map::new();
    for preset in presets() {
        let family = families.entry(preset.kind).or_insert_with(|| json!([]));
        if let Some(names) = family.as_array_mut() {
            names.push(preset.name.into());
        }
    }
    json!({
        "shapes": Geometry::TYPES,
        "lights": Light::TYPES,
        "materials": Material::TYPES,
        "material_presets": families,
        "textures": texture_names(),
        "environments": Environment::TYPES.iter().map(|name| format!("environment_{name}"))
            .collect::<Vec<_>>(),
        "others": ["camera", "fog", "animation", "textures", "normal_map"],
    })
}

/// Describes `name`: for a preset its material; for a type its properties (meaning, unit, range and
/// default) and a valid example.
pub fn describe(name: &str) -> Result<Value, Violations> {
    let plain = name.trim().to_lowercase().replace(['-', ' '], "_");
    let found =
        of_kind(&plain, "shape", &Geometry::kinds(), &Geometry::schemas(), Geometry::fields_of)
            .or_else(|| {
                of_kind(&plain, "light", &Light::kinds(), &Light::schemas(), Light::fields_of)
            })
            .or_else(|| of_preset(&plain))
            .or_else(|| of_material(&plain))
            .or_else(|| of_texture(&plain))
            .or_else(|| of_environment(&plain))
            .or_else(|| (plain == "animation").then(of_animation))
            .or_else(|| of_other(&plain));
    found.ok_or_else(|| {
        Violations::one(format!(
            "'{}' is nothing that can be described; did you mean '{}'? Without names, describe lists all",
            name.chars().take(60).collect::<String>(),
            nearest(&plain, known_names().iter().map(String::as_str))
        ))
    })
}

fn known_names() -> Vec<String> {
    let types = [
        Geometry::TYPES,
        Light::TYPES,
        Material::TYPES,
        &["camera", "fog", "animation", "textures"],
    ];
    let types = types.into_iter().flatten().map(|name| (*name).to_owned());
    let presets = presets().iter().map(|preset| preset.name.to_owned());
    let environments = Environment::TYPES.iter().map(|name| format!("environment_{name}"));
    types.chain(presets).chain(environments).chain(texture_names()).collect()
}

fn texture_names() -> Vec<String> {
    let told = texture_types();
    told["types"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// Describes a kind of shape or light.
fn of_kind(
    name: &str,
    what: &str,
    kinds: &[KindInfo],
    schemas: &[(&'static str, schemars::Schema)],
    fields: fn(&str) -> Fields,
) -> Option<Value> {
    let info = kinds.iter().find(|info| info.kind == name)?;
    let (_, schema) = schemas.iter().find(|(kind, _)| *kind == name)?;
    let unit = |property: &str| {
        info.properties.iter().find(|it| it.name == property).map_or("", |it| it.unit)
    };
    let defaults = info.properties.iter();
    let defaults = defaults.filter_map(|it| Some((it.name.to_owned(), it.default.clone()?)));
    let mut told = json!({
        what: name,
        "properties": properties(schema, fields(name), &defaults.collect(), unit),
    });
    if let Some(sample) = &info.sample {
        told["example"] = json!({ "id": format!("my_{name}"), "type": name, "properties": sample });
    }
    Some(told)
}

fn of_preset(name: &str) -> Option<Value> {
    let preset = PresetName::new(name)?;
    Some(json!({
        "preset": preset.as_str(),
        "material": preset.material().to_json(),
        "example": { "preset": preset.as_str(), "base_color": [0.5, 0.1, 0.1] },
    }))
}

fn of_material(name: &str) -> Option<Value> {
    let schemas = Material::schemas();
    let (type_name, schema) = schemas.iter().find(|(kind, _)| *kind == name)?;
    let example = match *type_name {
        "lambertian" => json!({ "type": "lambertian", "albedo": [0.8, 0.3, 0.2] }),
        "metal" => json!({ "type": "metal", "albedo": [0.9, 0.9, 0.9], "fuzz": 0.1 }),
        "dielectric" => json!({ "type": "dielectric", "refractive_index": 1.5 }),
        "emissive" => json!({ "type": "emissive", "emission": [10, 8, 6] }),
        "mix" => json!({ "type": "mix", "first": "copper", "second": { "color": [0.1, 0.4, 0.3] },
            "weight": { "type": "noise", "first": 0, "second": 1, "scale": 0.2 } }),
        "preset" => json!("gold"),
        _ => {
            json!({ "type": "principled", "base_color": [0.1, 0.3, 0.1], "specular_roughness": 0.4,
            "coat_weight": 1 })
        }
    };
    let defaults = match *type_name {
        "principled" => {
            Material::Principled(crate::document::Principled::default()).properties_json()
        }
        _ => Map::new(),
    };
    Some(json!({
        "material": type_name,
        "properties": properties(schema, Material::fields_of(type_name), &defaults, |_| ""),
        "example": example,
    }))
}

fn of_texture(name: &str) -> Option<Value> {
    let mut told = texture_types();
    if ["textures", "texture"].contains(&name) {
        return Some(told);
    }
    if name == "normal_map" {
        return Some(json!({ "normal_map": told["normal_map"], "all": told["all"] }));
    }
    let properties = told["types"].get_mut(name)?.take();
    let mut example = json!({ "type": name, "first": [0.9, 0.9, 0.9], "second": [0.1, 0.1, 0.1] });
    if name == "image" {
        example = json!({ "type": name, "asset": "the hash of an uploaded picture" });
    }
    Some(json!({
        "texture": name,
        "properties": properties,
        "properties_of_all": told["all"],
        "use": told["use"],
        "example": { "type": "principled", "base_color": example },
    }))
}

/// Describes `environment sky`, or `sky` if the name is unique.
fn of_environment(name: &str) -> Option<Value> {
    let type_name = name.strip_prefix("environment_").unwrap_or(name);
    let schemas = Environment::schemas();
    let (type_name, schema) = schemas.iter().find(|(kind, _)| *kind == type_name)?;
    let defaults = Environment::tool_defaults(type_name);
    let mut example = defaults.clone();
    if *type_name == "image" {
        example.insert("asset".into(), "the hash of an uploaded picture".into());
    }
    example.shift_insert(0, "type".into(), (*type_name).into());
    Some(json!({
        "environment": type_name,
        "properties": properties(schema, Environment::fields_of(type_name), &defaults, |_| ""),
        "example": example,
    }))
}

fn of_other(name: &str) -> Option<Value> {
    let (schema, fields, defaults, example) = match name {
        "camera" => {
            let mut defaults = match Camera::default().to_json() {
                Value::Object(defaults) => defaults,
                _ => Map::new(),
            };
            let example = Value::Object(defaults.clone());
            let required = Camera::FIELDS.iter().filter(|(_, required)| *required);
            required.for_each(|(field, _)| drop(defaults.shift_remove(*field)));
            (schemars::schema_for!(Camera), Camera::FIELDS, defaults, example)
        }
        "fog" => {
            let fog = json!({ "type": "gradient", "fog": { "visibility": 50 } });
            (schemars::schema_for!(Fog), Fog::FIELDS, Map::new(), fog)
        }
        _ => return None,
    };
    Some(
        json!({ "of": name, "properties": properties(&schema, fields, &defaults, |_| ""), "example": example }),
    )
}

/// Describes tracks, which have no schema in the tool's text.
fn of_animation() -> Value {
    let track = schemars::schema_for!(Track);
    let fields = properties(&track, Track::FIELDS, &Map::new(), |_| "");
    json!({
        "of": "animation",
        "tool": "set_animation {tracks?, turntable?, remove?, duration?, fps?, loops?}",
        "track": fields,
        "keys": format!(
            "[seconds, value, easing?]; easing is how it goes on to the next key: {}",
            Easing::WORDS.join(", ")
        ),
        "follow": "look_at and center of the camera may be the id of a thing",
        "duration": "seconds; alone it makes all slower or faster; default: until the last key",
        "loops": "default true: the end leads to the beginning",
        "remove": "targets, or \"target property\", or \"*\" for all",
        "example": {
            "duration": 4,
            "tracks": [
                { "target": "camera", "property": "orbit", "keys": [[0, 0], [4, 360]] },
                { "target": "environment", "property": "time", "keys": [[0, 12, "ease_in"], [4, 19]] },
            ],
        },
    })
}

/// A sentence for each property: whether it is required, its meaning, unit, range, values and
/// default.
fn properties(
    schema: &schemars::Schema,
    fields: Fields,
    defaults: &Map<String, Value>,
    unit: impl Fn(&str) -> &'static str,
) -> Map<String, Value> {
    let told = schema.get("properties").and_then(Value::as_object);
    // The schema reports every property with a default as required.
    let is_required =
        |name: &str| fields.iter().any(|(field, required)| *field == name && *required);
    let sentence = |(name, property): (&String, &Value)| {
        let default = defaults.get(name).filter(|default| !default.is_null());
        let need = match default {
            Some(default) => format!("default {default}"),
            None if is_required(name) => "required".to_owned(),
            None => "optional".to_owned(),
        };
        let mut parts = vec![need];
        let meaning = property["description"].as_str().unwrap_or_default().replace('\n', " ");
        let meaning = meaning.trim_end_matches('.').to_owned();
        parts.extend(Some(meaning).filter(|meaning| !meaning.is_empty()));
        parts.extend(range(property));
        if let Some(words) = property["enum"].as_array() {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            parts.push(format!("one of {}", words.join(", ")));
        }
        parts.extend(Some(unit(name).to_owned()).filter(|unit| !unit.is_empty()));
        (name.clone(), parts.join("; ").into())
    };
    told.into_iter().flatten().map(sentence).collect()
}

fn range(property: &Value) -> Option<String> {
    let bound = |name: &str| property.get(name).filter(|bound| !bound.is_null());
    let least = bound("minimum").map(|least| format!("at least {least}"));
    let least = least.or_else(|| bound("exclusiveMinimum").map(|least| format!("above {least}")));
    match (least, bound("maximum")) {
        (Some(least), Some(most)) => Some(format!("{least}, at most {most}")),
        (Some(least), None) => Some(least),
        (None, Some(most)) => Some(format!("at most {most}")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Edit;

    fn create(call: &str, example: &Value) -> Result<Edit, Violations> {
        Edit::parse(call, example)
    }

    #[test]
    fn every_name_is_described_and_every_example_can_be_used() {
        for name in known_names() {
            let told = describe(&name).unwrap();
            let example = &told["example"];
            let used = match &told {
                told if told.get("shape").is_some() => create("create_shape", example),
                told if told.get("light").is_some() => create("create_light", example),
                told if told.get("environment").is_some() => {
                    create("set_environment_lighting", example)
                }
                told if told["of"] == "camera" => create("set_camera", example),
                told if told["of"] == "animation" => create("set_animation", example),
                told if told["of"] == "fog" => create("set_environment_lighting", example),
                _ => {
                    let ball = json!({ "id": "ball", "type": "sphere",
                        "properties": { "center": [0, 0, 0], "radius": 1, "material": example } });
                    create("create_shape", &ball)
                }
            };
            let takes_a_file = ["mesh", "image", "environment_image"].contains(&name.as_str());
            if !takes_a_file && name != "textures" {
                assert!(used.is_ok(), "{name}: {used:?}");
            }
        }
    }

    #[test]
    fn properties_tell_their_need_meaning_range_and_default() {
        let told = describe("lathe").unwrap();
        let profile = told["properties"]["profile"].as_str().unwrap();
        assert!(
            profile.starts_with("required; Points [distance from the axis, height]"),
            "{profile}"
        );
        let sky = describe("sky").unwrap();
        let time = sky["properties"]["time"].as_str().unwrap();
        assert!(time.starts_with("default 10") && time.contains("at most 24"), "{time}");
        let gold = describe(" Gold ").unwrap();
        assert_eq!(gold["material"]["base_metalness"], 1.0);
        let error = describe("golt").unwrap_err().to_string();
        assert!(error.contains("did you mean 'gold'"), "{error}");
    }

    #[test]
    fn the_list_of_names_holds_all_presets() {
        let listed = described_names();
        let families = listed["material_presets"].as_object().unwrap();
        let count: usize = families.values().map(|names| names.as_array().unwrap().len()).sum();
        assert_eq!(count, presets().len());
    }
}
