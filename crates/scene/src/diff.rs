//! The differences between two scenes.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{Group, Object, Scene};
use crate::kind::Kind;

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The object was created.
    Create,
    /// The object was changed.
    Update,
    /// The object was removed.
    Remove,
}

/// A difference between two scenes. Objects are in the format of the scene file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The kind of the change.
    #[serde(rename = "op")]
    pub operation: Operation,
    /// The kind of the object.
    pub kind: Kind,
    /// The object's id; `None` for environment, camera and animation.
    pub id: Option<String>,
    /// The old object; `None` if it was created.
    pub before: Option<Value>,
    /// The new object; `None` if it was removed.
    pub after: Option<Value>,
    /// The index in the new scene's list, for a new object and for one whose order changed. A
    /// client removes these objects and inserts them at their index, in the order of the changes,
    /// to get the exact new list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

impl Change {
    /// Whether the object is as it was, and only its list has another order.
    pub fn is_of_order_only(&self) -> bool {
        self.before == self.after
    }
}

/// The changes from `before` to `after`: first removals, then new and changed objects, each in
/// document order. A renamed object is a removal and a creation. If the order of objects changed,
/// the whole list is given.
pub fn diff(before: &Scene, after: &Scene) -> Vec<Change> {
    let mut changes = Vec::new();
    diff_objects(Kind::Shape, &before.shapes, &after.shapes, &mut changes);
    diff_objects(Kind::Light, &before.lights, &after.lights, &mut changes);
    let groups = |scene: &Scene| scene.groups.iter().cloned().map(Arc::new).collect::<Vec<_>>();
    diff_objects(Kind::Group, &groups(before), &groups(after), &mut changes);
    let mut whole = |kind, equal: bool, before: Value, after: Value| {
        if !equal {
            changes.push(Change {
                operation: Operation::Update,
                kind,
                id: None,
                before: Some(before),
                after: Some(after),
                index: None,
            });
        }
    };
    whole(
        Kind::Environment,
        before.environment == after.environment,
        before.environment.to_json(),
        after.environment.to_json(),
    );
    whole(
        Kind::Camera,
        before.camera == after.camera,
        before.camera.to_json(),
        after.camera.to_json(),
    );
    changes.extend(animation_change(before, after));
    changes
}

/// The change of the animation, which a scene need not have.
fn animation_change(before: &Scene, after: &Scene) -> Option<Change> {
    if before.animation == after.animation {
        return None;
    }
    let [old, new] = [before, after].map(|scene| scene.thing(Kind::Animation, ""));
    let operation = match (&old, &new) {
        (None, _) => Operation::Create,
        (_, None) => Operation::Remove,
        _ => Operation::Update,
    };
    let kind = Kind::Animation;
    Some(Change { operation, kind, id: None, before: old, after: new, index: None })
}

/// An entry of a list, for comparisons.
trait Entry: PartialEq {
    fn key(&self) -> &str;
    fn json(&self) -> Value;
}

impl<T: Object + PartialEq> Entry for T {
    fn key(&self) -> &str {
        self.id().as_str()
    }

    fn json(&self) -> Value {
        self.to_json()
    }
}

impl Entry for Group {
    fn key(&self) -> &str {
        self.id.as_str()
    }

    fn json(&self) -> Value {
        self.to_json()
    }
}

fn diff_objects<T: Entry>(
    kind: Kind,
    before: &[Arc<T>],
    after: &[Arc<T>],
    changes: &mut Vec<Change>,
) {
    let old: HashMap<&str, &Arc<T>> = before.iter().map(|entry| (entry.key(), entry)).collect();
    let new: HashMap<&str, &Arc<T>> = after.iter().map(|entry| (entry.key(), entry)).collect();
    changes.extend(before.iter().filter(|entry| !new.contains_key(entry.key())).map(|entry| {
        Change {
            operation: Operation::Remove,
            kind,
            id: Some(entry.key().to_owned()),
            before: Some(entry.json()),
            after: None,
            index: None,
        }
    }));
    let stayed = before.iter().map(|entry| entry.key()).filter(|key| new.contains_key(key));
    let still = after.iter().map(|entry| entry.key()).filter(|key| old.contains_key(key));
    let is_reordered = !stayed.eq(still);
    for (index, entry) in after.iter().enumerate() {
        let previous = old.get(entry.key());
        let is_same =
            previous.is_some_and(|previous| Arc::ptr_eq(previous, entry) || *previous == entry);
        if is_same && !is_reordered {
            continue;
        }
        let is_placed = previous.is_none() || is_reordered;
        changes.push(Change {
            operation: if previous.is_some() { Operation::Update } else { Operation::Create },
            kind,
            id: Some(entry.key().to_owned()),
            before: previous.map(|previous| previous.json()),
            after: Some(entry.json()),
            index: is_placed.then_some(index),
        });
    }
}
