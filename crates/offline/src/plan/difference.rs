//! The tool calls that lead from one scene to another.

use scene::{Change, Kind, Operation, Scene, diff};
use serde_json::{Map, Value, json};

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    pub(crate) name: String,
    pub(crate) args: Value,
}

/// Removals, updates, new things, surroundings, camera.
pub(crate) fn tool_calls(before: &Scene, after: &Scene) -> Vec<ToolCall> {
    let mut changes = diff(before, after);
    let mut calls = renamings(&mut changes);
    calls.extend(changes.iter().filter_map(tool_call));
    // What is new may bear a name that is given up by a removal, which comes first.
    calls.sort_by_key(|call| if call.name.starts_with("remove") { 0 } else { 1 });
    calls
}

/// Whether what is gone is there again under another name.
pub(crate) fn is_renaming(gone: &Change, new: &Change) -> bool {
    let (Some(before), Some(after)) = (&gone.before, &new.after) else { return false };
    gone.operation == Operation::Remove
        && new.operation == Operation::Create
        && new.kind == gone.kind
        && matches!(gone.kind, Kind::Shape | Kind::Light)
        && ["type", "group", "properties"].iter().all(|name| before.get(*name) == after.get(*name))
}

/// The calls for what is gone and is there again under another name; takes such changes out.
fn renamings(changes: &mut Vec<Change>) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(gone) = changes.get(at) {
        match changes.iter().position(|new| is_renaming(gone, new)) {
            Some(new) => {
                let (old, id) = (changes[at].id.clone(), changes[new].id.clone());
                let name = format!("update_{}", changes[at].kind.name());
                calls.push(ToolCall { name, args: json!({ "id": old, "updates": { "id": id } }) });
                changes.remove(new);
                changes.remove(at);
            }
            None => at += 1,
        }
    }
    calls
}

fn tool_call(change: &Change) -> Option<ToolCall> {
    let call = |name: &str, args: Value| Some(ToolCall { name: name.to_owned(), args });
    let kind = match change.kind {
        Kind::Shape => "shape",
        Kind::Light => "light",
        // Groups are carried by their members.
        Kind::Group => return None,
        Kind::Environment => {
            let mut args = change.after.clone()?;
            if let Some(args) = args.as_object_mut() {
                // Without a word of it, the fog that is there stays.
                args.entry("fog").or_insert(Value::Null);
            }
            return call("set_environment_lighting", args);
        }
        Kind::Animation => {
            let mut args = change.after.clone().unwrap_or_else(|| json!({}));
            if change.before.is_some() {
                args["remove"] = json!(["*"]);
            }
            return call("set_animation", args);
        }
        Kind::Camera => {
            return call(
                "set_camera",
                changed(change.before.as_ref()?, change.after.as_ref()?, &["center", "look_at"]),
            );
        }
    };
    let id = change.id.clone()?;
    match change.operation {
        Operation::Remove => call(&format!("remove_{kind}"), json!({ "id": id })),
        Operation::Create => call(&format!("create_{kind}"), change.after.clone()?),
        Operation::Update => {
            let (before, after) = (change.before.as_ref()?, change.after.as_ref()?);
            let mut updates = Map::new();
            let retyped = before["type"] != after["type"];
            if retyped {
                updates.insert("type".into(), after["type"].clone());
            }
            if before.get("group") != after.get("group") {
                updates.insert("group".into(), after.get("group").cloned().unwrap_or(Value::Null));
            }
            let properties = if retyped {
                after["properties"].clone()
            } else {
                changed(&before["properties"], &after["properties"], &[])
            };
            if properties.as_object().is_some_and(|properties| !properties.is_empty()) {
                updates.insert("properties".into(), properties);
            }
            if updates.is_empty() {
                return None;
            }
            call(&format!("update_{kind}"), json!({ "id": id, "updates": updates }))
        }
    }
}

/// The properties that differ, and those of `always`.
fn changed(before: &Value, after: &Value, always: &[&str]) -> Value {
    let mut differing = Map::new();
    for (name, value) in after.as_object().into_iter().flatten() {
        if before.get(name) != Some(value) || always.contains(&name.as_str()) {
            differing.insert(name.clone(), value.clone());
        }
    }
    for (name, _) in before.as_object().into_iter().flatten() {
        if after.get(name).is_none() {
            differing.insert(name.clone(), Value::Null);
        }
    }
    Value::Object(differing)
}
