//! The tools that change or read a scene, as declared to a model: names, descriptions and flat JSON
//! schemas, generated from the types that parse the arguments.

use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value, json};

use crate::document::{Camera, Environment, Geometry, Light, Material};

/// A tool for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// The name in calls.
    pub name: &'static str,
    /// The description.
    pub description: String,
    /// The JSON Schema of its arguments. It is flat, since models fail on deeply nested
    /// alternatives. All sessions share it.
    pub parameters: Arc<Value>,
}

/// Notes on properties whose names are not clear.
const SHAPE_NOTES: &str = "dimensions: full edges [w,h,d]; u, v: edges from corner; capped: closed ends; fuzz 0: mirror; sides? on round ones: so many flat \
    sides (low-poly); bevel? on box and extrusion: edges cut off.";
const LIGHT_NOTES: &str = "emission: W/(sr m^2), points W/sr, directional W/m^2 (sun: 3); cutoff_angle: \
    half-angle, 180 all around; falloff_exponent n: times cos^n.";

/// The tools whose calls are [edits](crate::Edit), in the order of [`crate::EDIT_NAMES`].
pub fn edit_tools() -> &'static [ToolSpec] {
    /// Generated once, since they are the same for all sessions.
    static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(make_edit_tools);
    &TOOLS
}

fn make_edit_tools() -> Vec<ToolSpec> {
    let mut tools = object_tools("shape", Geometry::TYPES, &shape_properties(), &shape_summary());
    tools.extend(object_tools(
        "light",
        Light::TYPES,
        &merge(&Light::schemas()),
        &summary(Light::TYPES, Light::fields_of),
    ));
    tools.push(environment_tool());
    tools.push(ToolSpec {
        name: "set_camera",
        description: "Places the camera; what is left out stays. aperture: lens diameter; \
                      height: metres an orthographic picture shows."
            .into(),
        parameters: object_schema(&camera_properties(), &[]).into(),
    });
    tools.push(animation_tool());
    tools
}

fn object_tools(
    kind: &'static str,
    types: &[&str],
    properties: &Map<String, Value>,
    summary: &str,
) -> Vec<ToolSpec> {
    let [create, update, remove] = match kind {
        "shape" => ["create_shape", "update_shape", "remove_shape"],
        _ => ["create_light", "update_light", "remove_light"],
    };
    let type_schema = json!({ "type": "string", "enum": types });
    let bag = json!({ "type": "object", "properties": properties });
    let id = json!({ "type": "string" });
    let group = json!({ "type": "string", "description": "Optional group." });
    let created = json!({ "id": id, "type": type_schema, "properties": bag, "group": group });
    // Findings are only known after a check; its description says how to mark them.
    let updates = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "New id." },
            "type": { "type": "string" },
            "properties": { "type": "object", "description": format!("As for {create}.") },
            "group": { "type": "string" },
            "intentional": { "type": "array", "items": { "type": "string" } },
        },
    });
    let notes = if kind == "shape" { SHAPE_NOTES } else { LIGHT_NOTES };
    let of_group = if kind == "shape" { " (or all of a group or pattern)" } else { "" };
    let nested = match kind {
        "shape" => "; a material with a type replaces the old one",
        _ => "",
    };
    vec![
        ToolSpec {
            name: create,
            description: format!("Adds a {kind}. By type (? = optional): {summary}. {notes}"),
            parameters: object_schema(&as_map(created), &["id", "type", "properties"]).into(),
        },
        ToolSpec {
            name: update,
            description: format!(
                "Changes a {kind}{of_group}; updates.properties are merged{nested}."
            ),
            parameters: object_schema(
                &as_map(json!({ "id": { "type": "string" }, "updates": updates })),
                &["id", "updates"],
            )
            .into(),
        },
        ToolSpec {
            name: remove,
            description: format!("Takes a {kind}{of_group} out of the scene."),
            parameters: object_schema(&as_map(json!({ "id": { "type": "string" } })), &["id"])
                .into(),
        },
    ]
}

/// Only the names of its arguments: `describe` tells what tracks are.
fn animation_tool() -> ToolSpec {
    let words = json!({ "type": "array", "items": { "type": "string" } });
    let properties = json!({
        "tracks": { "type": "array", "items": { "type": "object" },
            "description": "{target, property, keys: [[seconds, value, easing?]]}" },
        "turntable": { "type": "object", "description": "{around?: id, degrees?, clockwise?}" },
        "remove": words,
        "duration": { "type": "number" },
    });
    ToolSpec {
        name: "set_animation",
        description: "Animates: see describe animation. turntable: the camera goes around.".into(),
        parameters: object_schema(&as_map(properties), &[]).into(),
    }
}

fn environment_tool() -> ToolSpec {
    let mut properties =
        as_map(json!({ "type": { "type": "string", "enum": Environment::TYPES } }));
    properties.extend(merge(&Environment::schemas()));
    properties.insert(FOG.into(), json!({ "type": "object" }));
    ToolSpec {
        name: "set_environment_lighting",
        description: format!(
            "Light from all around, by type: {}. time: 12 noon, 18.5 evening, 20 dusk. fog: \
             {{visibility: metres}}; null ends it.",
            summary(Environment::TYPES, Environment::fields_of)
        ),
        parameters: object_schema(&properties, &["type"]).into(),
    }
}

fn shape_properties() -> Map<String, Value> {
    let mut material = as_map(json!({
        "type": { "type": "string", "enum": Material::TYPES },
        "preset": { "type": "string" },
    }));
    let mut schemas = Material::schemas();
    schemas.retain(|(name, _)| *name != MIX);
    material.extend(merge(&schemas));
    let seldom = |name: &str| SELDOM.iter().any(|part| name.contains(part));
    material.retain(|name, _| !seldom(name));
    let mut properties = merge(&Geometry::schemas());
    let mut schema = object_schema(&material, &[]);
    schema["type"] = json!(["object", "string"]);
    schema["description"] = format!(
        "A preset, e.g. \"gold\", or {{preset: \"velvet\", base_color: ...}}, or by type: {}; else principled \
         (OpenPBR). On update, without a type it changes the present one. Colors and numbers may be textures.",
        summary(&of_types_but_principled(), Material::fields_of),
    )
    .into();
    properties.insert("material".into(), schema);
    properties
}

/// Rare properties of materials, which only `describe` lists.
const SELDOM: [&str; 14] = [
    "fuzz_color",
    "coat_roughness",
    "transmission_depth",
    "normal_map",
    "specular_color",
    "specular_weight",
    "coat_color",
    "thin_film",
    "darkening",
    "anisotropy",
    "base_weight",
    "coat_ior",
    "fuzz_roughness",
    "name",
];

/// Only `describe` lists it.
const NORMAL_MAP: &str = "normal_map";

/// The same for all types, so it is listed once.
const FOG: &str = "fog";

/// The type with so many properties that only the schema lists them.
const PRINCIPLED: &str = "principled";

/// Its parts are materials, which the schema does not nest.
const MIX: &str = "mix";

fn of_types_but_principled() -> Vec<&'static str> {
    let told = |name: &&str| ![PRINCIPLED, "preset"].contains(name);
    Material::TYPES.iter().copied().filter(told).collect()
}

fn shape_summary() -> String {
    let told: Vec<&str> = Geometry::TYPES.iter().copied().filter(|name| is_told(name)).collect();
    let told = summary(&told, Geometry::fields_of);
    format!("{told}; others: describe; material? on all")
}

/// Whether the tools' descriptions list the properties of this kind of shape.
fn is_told(name: &str) -> bool {
    Geometry::ON_REQUEST.iter().any(|(kind, on_request)| *kind == name && !on_request)
}

fn camera_properties() -> Map<String, Value> {
    merge(&[("camera", schemars::schema_for!(Camera))])
}

/// "sphere: center, radius; box: center, dimensions, rotation?".
fn summary(types: &[&str], fields: fn(&str) -> &'static [(&'static str, bool)]) -> String {
    let one = |name: &&str| {
        let fields: Vec<String> = fields(name)
            .iter()
            .filter(|(field, _)| {
                ![NORMAL_MAP, FOG, "bump", "sides", "bevel", "visible_to_camera"].contains(field)
            })
            .map(|(field, required)| format!("{field}{}", if *required { "" } else { "?" }))
            .collect();
        match fields.is_empty() {
            true => format!("{name}: nothing"),
            false => format!("{name}: {}", fields.join(", ")),
        }
    };
    types.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The properties of all types in one flat map, without descriptions, which would double the text.
/// The tool's description explains names that are not clear.
fn merge(schemas: &[(&'static str, schemars::Schema)]) -> Map<String, Value> {
    let mut all: Map<String, Value> = Map::new();
    for (_, schema) in schemas {
        for (name, mut property) in schema_properties(schema) {
            if let Some(property) = property.as_object_mut() {
                property.shift_remove("description");
            }
            all.entry(name).or_insert(property);
        }
    }
    all
}

fn schema_properties(schema: &schemars::Schema) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn object_schema(properties: &Map<String, Value>, required: &[&str]) -> Value {
    let properties: Map<String, Value> =
        properties.iter().map(|(name, property)| (name.clone(), brief(property))).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn as_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The schema of a property without rules that the reader checks anyway, since models get the text
/// with every request.
pub fn brief(property: &Value) -> Value {
    let Some(property) = property.as_object() else { return property.clone() };
    let mut brief = Map::new();
    for (keyword, value) in property {
        match (keyword.as_str(), value) {
            (
                "default" | "minItems" | "maxItems" | "minimum" | "maximum" | "exclusiveMinimum",
                _,
            ) => {}
            // A description this short only repeats the name.
            ("description", Value::String(text)) if text.len() <= 30 => {}
            ("type", Value::Array(types)) => {
                let mut named: Vec<&Value> = types.iter().filter(|name| *name != "null").collect();
                let kind = if named.len() == 1 { named.remove(0).clone() } else { json!(named) };
                brief.insert(keyword.clone(), kind);
            }
            ("enum", Value::Array(words)) => {
                let words: Vec<&Value> = words.iter().filter(|word| !word.is_null()).collect();
                brief.insert(keyword.clone(), json!(words));
            }
            ("anyOf", Value::Array(ways)) => {
                let way = ways.iter().find(|way| way["type"] != "null");
                if let Some(Value::Object(way)) = way.map(self::brief) {
                    brief.extend(way);
                }
            }
            // Words with an explanation each; describe has it.
            ("oneOf", Value::Array(ways)) if ways.iter().all(|way| way["const"].is_string()) => {
                let words: Vec<&Value> = ways.iter().map(|way| &way["const"]).collect();
                brief.insert("type".into(), "string".into());
                brief.insert("enum".into(), json!(words));
            }
            ("items", item) => {
                brief.insert(keyword.clone(), self::brief(item));
            }
            ("properties", Value::Object(inner)) => {
                let inner: Map<String, Value> = inner
                    .iter()
                    .map(|(name, property)| (name.clone(), self::brief(property)))
                    .collect();
                brief.insert(keyword.clone(), Value::Object(inner));
            }
            _ => {
                brief.insert(keyword.clone(), value.clone());
            }
        }
    }
    Value::Object(brief)
}
