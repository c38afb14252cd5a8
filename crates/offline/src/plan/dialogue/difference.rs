//! The tool calls that lead from one scene to another.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::world::read::{number, vector};
use crate::world::{Thing, World};

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) args: Value,
}

impl Call {
    pub(crate) fn new(name: &str, args: Value) -> Self {
        Self { name: name.to_owned(), args }
    }

    /// The id the call is about.
    pub(crate) fn id(&self) -> Option<&str> {
        self.args.get("id").and_then(Value::as_str)
    }
}

/// The calls from `before` to `after`: removals, updates, new things, surroundings, camera. Of the
/// updates those of `focus` come last: what "it" means is read from the last calls.
pub(crate) fn calls(before: &World, after: &World, focus: &[String]) -> Vec<Call> {
    let kind = |thing: &Thing| if thing.is_light() { "light" } else { "shape" };
    let there: HashMap<&str, &Thing> =
        before.things.iter().map(|old| (old.id.as_str(), old)).collect();
    let kept: HashSet<&str> = after.things.iter().filter_map(|new| new.origin.as_deref()).collect();
    let mut calls = Vec::new();
    for old in &before.things {
        if !kept.contains(old.id.as_str()) {
            calls.push(Call::new(&format!("remove_{}", kind(old)), json!({ "id": old.id })));
        }
    }
    let focus: HashSet<&str> = focus.iter().map(String::as_str).collect();
    let (meant, along): (Vec<&Thing>, Vec<&Thing>) =
        after.things.iter().partition(|thing| focus.contains(&thing.id.as_str()));
    for new in along.into_iter().chain(meant) {
        let old = new.origin.as_deref().and_then(|origin| there.get(origin));
        if let Some(updates) = old.and_then(|old| updates(old, new)) {
            let id = new.origin.clone().unwrap_or_default();
            let args = json!({ "id": id, "updates": updates });
            calls.push(Call::new(&format!("update_{}", kind(new)), args));
        }
    }
    for new in after.things.iter().filter(|thing| thing.origin.is_none()) {
        let mut args = Map::new();
        args.insert("id".into(), new.id.as_str().into());
        args.insert("type".into(), new.type_name().into());
        args.insert("properties".into(), Value::Object(new.properties()));
        if let Some(group) = &new.group {
            args.insert("group".into(), group.as_str().into());
        }
        if let Some(marks) = after.marks.get(&new.id) {
            args.insert("intentional".into(), marks.clone());
        }
        calls.push(Call::new(&format!("create_{}", kind(new)), Value::Object(args)));
    }
    if before.environment != after.environment {
        let mut args = after.environment.clone();
        if before.environment.contains_key("fog") {
            // Without a word of it, the fog that is there stays.
            args.entry("fog").or_insert(Value::Null);
        }
        let args = Value::Object(args);
        calls.push(Call::new("set_environment_lighting", args));
    }
    if before.camera != after.camera {
        let camera = &after.camera;
        let mut args = json!({
            "center": vector(camera.center), "look_at": vector(camera.look_at),
            "vfov": camera.vfov,
        });
        if before.camera.up != camera.up {
            args["up"] = vector(camera.up);
        }
        if before.camera.aperture != camera.aperture {
            args["aperture"] = number(camera.aperture);
        }
        if before.camera.focus_distance != camera.focus_distance {
            args["focus_distance"] = camera.focus_distance.map_or(Value::Null, number);
        }
        calls.push(Call::new("set_camera", args));
    }
    calls
}

/// What an update has to say; none when nothing differs.
fn updates(old: &Thing, new: &Thing) -> Option<Value> {
    if old == new {
        return None;
    }
    let mut updates = Map::new();
    if old.id != new.id {
        updates.insert("id".into(), new.id.as_str().into());
    }
    if old.group != new.group {
        updates.insert("group".into(), json!(new.group));
    }
    let retyped = old.type_name() != new.type_name();
    if retyped {
        updates.insert("type".into(), new.type_name().into());
    }
    let known = old.properties();
    let changed: Map<String, Value> = new
        .properties()
        .into_iter()
        .filter(|(name, value)| {
            let same = known.get(name) == Some(value);
            !same || (retyped && name != "material")
        })
        .collect();
    if !changed.is_empty() {
        updates.insert("properties".into(), Value::Object(changed));
    }
    (!updates.is_empty()).then_some(Value::Object(updates))
}
