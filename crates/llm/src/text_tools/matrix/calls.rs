//! The tools and the calls of the matrix.

use serde_json::{Value, json};

use crate::model::ToolDeclaration;

fn tool(name: &str, parameters: Value) -> ToolDeclaration {
    ToolDeclaration {
        name: name.into(),
        description: format!("Does {name}."),
        parameters: parameters.into(),
    }
}

/// Tools with all kinds of arguments, some named like the vocabulary of calls.
pub(super) fn tools() -> Vec<ToolDeclaration> {
    let object = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required });
    let text = json!({ "type": "string" });
    let ids = json!({ "type": "array", "items": { "type": "string" } });
    let any = json!({ "type": "object" });
    vec![
        tool(
            "create_shape",
            object(
                json!({ "id": text, "type": text, "properties": any, "material": any }),
                json!(["id", "type"]),
            ),
        ),
        tool("update_shape", object(json!({ "id": text, "properties": any }), json!(["id"]))),
        tool("remove_shape", object(json!({ "id": text }), json!(["id"]))),
        tool(
            "create_text",
            object(
                json!({ "id": text, "text": text, "size": { "type": "number" }, "bold": { "type": "boolean" } }),
                json!(["text"]),
            ),
        ),
        tool(
            "set_camera",
            object(
                json!({ "position": { "type": "array", "items": { "type": "number" } },
                "target": { "type": "array" }, "vfov_degrees": { "type": ["number", "null"] } }),
                json!([]),
            ),
        ),
        tool("get_scene_state", json!({ "type": "object", "properties": {} })),
        tool("render_preview", object(json!({ "width": { "type": "integer" } }), json!([]))),
        tool("group", object(json!({ "name": text, "ids": ids }), json!(["name", "ids"]))),
        tool(
            "move",
            object(
                json!({ "ids": ids, "by": { "anyOf": [{ "type": "array" }, { "type": "object" }] } }),
                json!(["ids", "by"]),
            ),
        ),
        tool(
            "batch",
            object(
                json!({ "calls": { "type": "array", "items": { "type": "object" } } }),
                json!(["calls"]),
            ),
        ),
        tool(
            "delegate_to_painter",
            object(json!({ "input": text, "urgent": { "type": "boolean" } }), json!(["input"])),
        ),
        tool(
            "search_memory",
            object(json!({ "query": text, "limit": { "type": "integer" } }), json!(["query"])),
        ),
    ]
}

/// The calls of the matrix: name and arguments.
pub(super) fn calls() -> Vec<(&'static str, Value)> {
    let text = |text: &str| ("create_text", json!({ "id": "label", "text": text }));
    vec![
        (
            "create_shape",
            json!({ "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 0.5 } }),
        ),
        (
            "create_shape",
            json!({ "id": "b", "type": "box", "properties": {}, "material": { "color": "#ff0000", "roughness": 0.25, "nested": { "deep": { "er": [1, [2, [3]]] } } } }),
        ),
        (
            "create_shape",
            json!({ "id": "mesh", "type": "mesh", "properties": { "vertices": [[0, 0, 0], [1.5, -2.25, 1e-7], [0.1, 12345.678, -3]], "closed": false } }),
        ),
        (
            "create_shape",
            json!({ "id": "kugel_größe", "type": "sphere", "properties": { "note": "日本語 🏠" } }),
        ),
        (
            "update_shape",
            json!({ "id": "ball", "properties": { "radius": null, "visible": true } }),
        ),
        (
            "update_shape",
            json!({ "id": "ball", "properties": { "a": { "b": { "c": {} } }, "list": [] } }),
        ),
        ("remove_shape", json!({ "id": "ball" })),
        ("remove_shape", json!({ "id": "42" })),
        ("remove_shape", json!({ "id": "true" })),
        ("remove_shape", json!({ "id": "red ball, the second" })),
        text("Hello"),
        text("He said \"hi\" and left"),
        text("it's Tom's"),
        text("line one\nline two\n\ttabbed"),
        text("a </tool_code> b </parameter> and </arguments>"),
        text("braces } ] ) and { [ ( and ``` ticks ```"),
        text("back\\slash \\n and C:\\dir"),
        text("1 < 2 && 3 > 2; a: b, c = d # no comment // none"),
        text("Größe “quoted” – 🎉 naïve"),
        ("create_text", json!({ "text": "3.50", "size": 12.5, "bold": true })),
        (
            "set_camera",
            json!({ "position": [0, 1.5, -4], "target": [0, 0, 0], "vfov_degrees": 45 }),
        ),
        ("set_camera", json!({ "vfov_degrees": null })),
        ("get_scene_state", json!({})),
        ("render_preview", json!({})),
        ("group", json!({ "name": "table", "ids": ["top", "leg 1", "leg_2"] })),
        ("move", json!({ "ids": ["a"], "by": [0, 0.25, -1] })),
        (
            "batch",
            json!({ "calls": [{ "name": "remove_shape", "args": { "id": "a" } }, { "name": "move", "args": { "ids": ["b"], "by": [1, 0, 0] } }] }),
        ),
        ("delegate_to_painter", json!({ "input": "Paint {\"all\": 1} red", "urgent": false })),
        ("search_memory", json!({ "query": "a scene with create_shape(id=\"x\")", "limit": 3 })),
        (
            "create_shape",
            json!({ "id": "s", "type": "sphere", "properties": { "center": [-1, 0, 2] } }),
        ),
    ]
}
