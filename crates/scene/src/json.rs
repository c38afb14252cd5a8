//! Helpers for the JSON format of objects.

use serde_json::{Map, Value};

/// An object that starts with its `type`.
pub(crate) fn with_type(type_name: &str, properties: Map<String, Value>) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".into(), type_name.into());
    object.extend(properties);
    object
}
