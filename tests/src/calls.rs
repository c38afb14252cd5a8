//! Calls of the scene's tools, as a client sends them.

use serde_json::{Value, json};

/// Creates a sphere at the origin.
pub fn sphere(id: &str, radius: f64) -> Value {
    json!({ "name": "create_shape", "args": { "id": id, "type": "sphere",
        "properties": { "center": [0, 0, 0], "radius": radius } } })
}

/// Gives a sphere another radius.
pub fn resize(id: &str, radius: f64) -> Value {
    json!({ "name": "update_shape", "args": { "id": id,
        "updates": { "properties": { "radius": radius } } } })
}
