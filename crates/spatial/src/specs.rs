//! The spatial tools as a model sees them.

use std::sync::{Arc, LazyLock};

use scene::read::Properties;
use scene::{ToolSpec, brief};
use serde_json::{Map, Value, json};

use crate::batch::{BATCH_NAME, OnFault};
use crate::calls::{Fields, computed_schemas};
use crate::measure::Measure;
use crate::select::Select;

/// The tools that change the scene by computation, the batch last.
pub fn computed_tools() -> &'static [ToolSpec] {
    /// Made once: every session has the same.
    static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
        let computed = computed_schemas().into_iter();
        let computed = computed.map(|(name, schema, fields)| spec(name, &schema, fields));
        computed.chain([batch()]).collect()
    });
    &TOOLS
}

/// The tools that ask about the scene and that geometry alone answers.
pub fn question_tools() -> &'static [ToolSpec] {
    /// Made once: every session has the same.
    static TOOLS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
        vec![
            spec("measure", &schemars::schema_for!(Measure), Measure::FIELDS),
            without_words(
                spec("select_objects", &schemars::schema_for!(Select), Select::FIELDS),
                "colour",
            ),
        ]
    });
    &TOOLS
}

fn description(name: &str) -> &'static str {
    match name {
        "add_object" => {
            "Adds a ready-made object (furniture, plants, animals, vehicles, food ...) or a whole scene, as \
             a group. It stands, life-size; without a place it goes where room is."
        }
        "place" => {
            "Puts things on/beside/between/around others, touching the real surfaces; sides are as the \
             camera sees them."
        }
        "align" => "Lines things up along an axis.",
        "distribute" => "Makes the gaps between things equal.",
        "array" => {
            "Makes many of one thing in a pattern. Scatter: as many as fit, also of other things; sizes, slope, \
             heights: [least, most]."
        }
        "remove" => "Removes shapes, lights, groups; names can be patterns (leg_*).",
        "share_material" => {
            "Gives shapes one material under a name; later the name alone changes it for all."
        }
        "duplicate" => "Copies things.",
        "mirror" => "Mirrors things, copies by default.",
        "group" => "Puts things into a named group; tools take its name as an id.",
        "ungroup" => "Dissolves a group.",
        "move" => "Moves things.",
        "rotate" => "Turns things; along: about the axes of what was turned.",
        "scale" => "Makes things larger or smaller.",
        "look_at" => "Points the camera.",
        "frame" => "Places the camera so that all of some things is in the picture.",
        "measure" => "Exact bounds, what is below, gaps, overlaps.",
        "select_objects" => "Ids of what fits a description.",
        _ => "",
    }
}

/// Leaves out the words a property may be: a model knows them, and a wrong one is answered by all.
fn without_words(mut spec: ToolSpec, property: &str) -> ToolSpec {
    let parameters = Arc::make_mut(&mut spec.parameters);
    if let Some(property) = parameters["properties"][property].as_object_mut() {
        property.shift_remove("enum");
    }
    spec
}

fn spec(name: &'static str, schema: &schemars::Schema, fields: Fields) -> ToolSpec {
    let mut properties = Map::new();
    if let Some(given) = schema.get("properties").and_then(Value::as_object) {
        properties.extend(given.iter().map(|(name, property)| (name.clone(), brief(property))));
    }
    let mut parameters = json!({ "type": "object", "properties": properties });
    // The schema alone takes every field with a default for a required one.
    let required: Vec<&str> =
        fields.iter().filter(|(_, required)| *required).map(|(name, _)| *name).collect();
    if !required.is_empty() {
        parameters["required"] = json!(required);
    }
    ToolSpec { name, description: description(name).into(), parameters: parameters.into() }
}

fn batch() -> ToolSpec {
    let call = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "args": { "type": "object" },
            "index": { "type": "integer", "description": "Corrects this call." },
            "skip": { "type": "boolean" },
        },
    });
    ToolSpec {
        name: BATCH_NAME,
        description: "Several changing calls in order. If one fails, those before it stay: send only that call \
                      again, with its index, and the rest follows."
            .into(),
        parameters: json!({
            "type": "object",
            "properties": {
                "calls": { "type": "array", "items": call },
                "on_fault": { "type": "string", "enum": OnFault::NAMES },
            },
            "required": ["calls"],
        })
        .into(),
    }
}
