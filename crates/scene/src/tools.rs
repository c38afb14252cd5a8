//! The tools that change or read a scene, as a model sees them: names, descriptions and flat JSON
//! schemas, made from the same types that read the arguments.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::document::{Camera, Environment, Geometry, Light, Material};

/// A tool for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// The name of the call.
    pub name: &'static str,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments. Flat on purpose: models fail on deeply nested alternatives.
    pub parameters: Value,
}

/// What the names of properties do not say, told with the tool.
const SHAPE_NOTES: &str = "dimensions: full edges [w,h,d]; rotation: degrees about x, y, then z; \
    u, v: edges from corner; capped: closed ends; top_radius 0: pointed; fuzz 0: mirror.";
const LIGHT_NOTES: &str = "emission: W/(sr m^2) per channel, points W/sr, directional W/m^2 (sun: 3); \
    quads shine to the side of u x v, discs along normal; cutoff_angle: half-angle, 180 \
    all around; falloff_exponent n: times cos^n.";

/// The tools whose calls are [edits](crate::Edit), in the order of [`crate::EDIT_NAMES`].
pub fn edit_tools() -> &'static [ToolSpec] {
    /// Made once: every session has the same.
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
        description: "Places the camera; what is left out stays. aperture: lens diameter. \
                      projection: orthographic (of height metres), panoramic."
            .into(),
        parameters: object_schema(&camera_properties(), &["center", "look_at"]),
    });
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
    let mut id = json!({ "type": "string" });
    // Said once: what holds for shapes holds for lights.
    if kind == "shape" {
        id["description"] = "Unique, meaningful snake_case name, e.g. red_sphere.".into();
    }
    let group = json!({ "type": "string", "description": "Optional group it belongs to." });
    let created = json!({ "id": id, "type": type_schema, "properties": bag, "group": group });
    let mut updates = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "New id." },
            "type": { "type": "string" },
            "properties": { "type": "object", "description": format!("As for {create}.") },
            "group": { "type": "string" },
        },
    });
    if kind == "shape" {
        // Marks belong to what a check has found; its description says how.
        updates["properties"]["intentional"] =
            json!({ "type": "array", "items": { "type": "string" } });
    }
    let notes = if kind == "shape" { SHAPE_NOTES } else { LIGHT_NOTES };
    let of_group = if kind == "shape" { " (or all of a group)" } else { "" };
    let nested = match kind {
        "shape" => "; a nested object such as material replaces the old one whole",
        _ => "",
    };
    vec![
        ToolSpec {
            name: create,
            description: format!("Adds a {kind}. By type (? = optional): {summary}. {notes}"),
            parameters: object_schema(&as_map(created), &["id", "type", "properties"]),
        },
        ToolSpec {
            name: update,
            description: format!(
                "Changes a {kind}{of_group}. updates.properties are merged into the present ones{nested}."
            ),
            parameters: object_schema(
                &as_map(json!({ "id": { "type": "string" }, "updates": updates })),
                &["id", "updates"],
            ),
        },
        ToolSpec {
            name: remove,
            description: format!("Takes a {kind}{of_group} out of the scene."),
            parameters: object_schema(&as_map(json!({ "id": { "type": "string" } })), &["id"]),
        },
    ]
}

fn environment_tool() -> ToolSpec {
    let mut properties =
        as_map(json!({ "type": { "type": "string", "enum": Environment::TYPES } }));
    let mut schemas = Environment::schemas();
    // Of a sky the hour is what people speak of; the rest is told in one line, as are images.
    schemas.retain(|(name, _)| ![SKY, "image"].contains(name));
    properties.extend(merge(&schemas));
    properties.insert("time".into(), json!({ "type": "number" }));
    properties.insert(FOG.into(), json!({ "type": "object" }));
    ToolSpec {
        name: "set_environment_lighting",
        description: format!(
            "Light from all around, by type: {}. time: 12 noon, 18.5 evening, 20 dusk. fog: \
             {{visibility: metres}}.",
            summary(Environment::TYPES, Environment::fields_of)
        ),
        parameters: object_schema(&properties, &["type"]),
    }
}

fn shape_properties() -> Map<String, Value> {
    let mut material = as_map(json!({ "type": { "type": "string", "enum": Material::TYPES } }));
    let mut schemas = Material::schemas();
    schemas.retain(|(name, _)| ![PRINCIPLED, MIX].contains(name));
    material.extend(merge(&schemas));
    // Said by list_textures.
    material.shift_remove(NORMAL_MAP);
    let mut shapes = Geometry::schemas();
    shapes.retain(|(name, _)| is_told(name));
    let mut properties = merge(&shapes);
    let mut schema = object_schema(&material, &["type"]);
    schema["type"] = json!(["object", "string"]);
    schema["description"] = format!(
        "Surface: a preset, e.g. \"gold\" (list_presets), or an object by type: \
         {}; principled is OpenPBR's, all optional, mostly 0 to 1: {}. A colour or number may be a \
         texture (list_textures).",
        summary(&of_types_but_principled(), Material::fields_of),
        names(PRINCIPLED, Material::fields_of).join(", ")
    )
    .into();
    properties.insert("material".into(), schema);
    properties
}

/// Has many properties that are seldom meant.
const SKY: &str = "sky";

/// Told by list_textures.
const NORMAL_MAP: &str = "normal_map";

/// The same for all types, told once.
const FOG: &str = "fog";

/// Has so many properties that they are told in one line, not in the schema.
const PRINCIPLED: &str = "principled";

/// Its parts are materials again, which the schema does not spell out.
const MIX: &str = "mix";

fn of_types_but_principled() -> Vec<&'static str> {
    Material::TYPES.iter().copied().filter(|name| *name != PRINCIPLED).collect()
}

fn names(
    type_name: &str,
    fields: fn(&str) -> &'static [(&'static str, bool)],
) -> Vec<&'static str> {
    fields(type_name).iter().map(|(name, _)| *name).filter(|name| *name != NORMAL_MAP).collect()
}

fn shape_summary() -> String {
    let told: Vec<&str> = Geometry::TYPES.iter().copied().filter(|name| is_told(name)).collect();
    let told = summary(&told, Geometry::fields_of);
    format!("{told}; others: list_presets {{name: type}}; material? on all")
}

/// Whether models are told the properties of a kind of shape without asking.
fn is_told(name: &str) -> bool {
    Geometry::ON_REQUEST.iter().any(|(kind, on_request)| *kind == name && !on_request)
}

/// What a kind of shape takes: `{type, properties: {name: "required; ..."}}`; `None` for an unknown
/// kind.
pub fn describe_shape(type_name: &str) -> Option<Value> {
    let schemas = Geometry::schemas();
    let (name, schema) = schemas.iter().find(|(name, _)| *name == type_name)?;
    let told = schema_properties(schema);
    let properties: Map<String, Value> = Geometry::fields_of(name)
        .iter()
        .map(|(field, required)| {
            let need = if *required { "required" } else { "optional" };
            let meaning = told.get(*field).and_then(|one| one["description"].as_str());
            ((*field).to_owned(), format!("{need}; {}", meaning.unwrap_or_default()).into())
        })
        .collect();
    Some(json!({ "type": name, "properties": properties }))
}

fn camera_properties() -> Map<String, Value> {
    let mut properties = merge(&[("camera", schemars::schema_for!(Camera))]);
    // Said in one line.
    properties.retain(|name, _| !["projection", "height"].contains(&name.as_str()));
    properties
}

/// "sphere: center, radius; box: center, dimensions, rotation?".
fn summary(types: &[&str], fields: fn(&str) -> &'static [(&'static str, bool)]) -> String {
    let one = |name: &&str| {
        let fields: Vec<String> = fields(name)
            .iter()
            .filter(|(field, _)| ![NORMAL_MAP, FOG].contains(field))
            .map(|(field, required)| format!("{field}{}", if *required { "" } else { "?" }))
            .collect();
        match fields.is_empty() {
            true => format!("{name}: nothing"),
            false => format!("{name}: {}", fields.join(", ")),
        }
    };
    types.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// All types' properties in one flat map, without descriptions: with those of all types the text
/// would double, and what a name does not say stands once, in the description of the tool.
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
    json!({ "type": "object", "properties": properties, "required": required })
}

fn as_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// A property's schema without what the reader checks and the model need not be told: its text is
/// sent with every request.
pub fn brief(property: &Value) -> Value {
    let Some(property) = property.as_object() else { return property.clone() };
    let mut brief = Map::new();
    for (keyword, value) in property {
        match (keyword.as_str(), value) {
            (
                "default" | "minItems" | "maxItems" | "minimum" | "maximum" | "exclusiveMinimum",
                _,
            ) => {}
            // What is that short only says the name again.
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
