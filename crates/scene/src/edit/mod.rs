//! Edits: calls that change a scene, parsed at the boundary.

mod animation;
mod apply;
mod listed;
mod parse;

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::document::{Environment, Group, Intentional, LightSource, Shape};
use crate::id::Id;
use crate::kind::Kind;

pub use animation::{AnimationUpdate, Removed, Turntable};

/// The names of the calls that change a scene.
pub const EDIT_NAMES: [&str; 9] = [
    "create_shape",
    "update_shape",
    "remove_shape",
    "create_light",
    "update_light",
    "remove_light",
    "set_environment_lighting",
    "set_camera",
    "set_animation",
];

/// An edit, parsed as far as possible without the scene.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Adds a shape.
    CreateShape(Arc<Shape>),
    /// Changes a shape.
    UpdateShape(Update),
    /// Removes a shape.
    RemoveShape(Id),
    /// Adds a light.
    CreateLight(Arc<LightSource>),
    /// Changes a light.
    UpdateLight(Update),
    /// Removes a light.
    RemoveLight(Id),
    /// Replaces the environment.
    SetEnvironment {
        /// The new environment.
        environment: Environment,
        /// Whether the current fog is kept, since the call does not mention fog.
        keeps_fog: bool,
    },
    /// Changes the camera; omitted properties are kept.
    SetCamera(Map<String, Value>),
    /// Changes the animation; omitted tracks are kept.
    SetAnimation(AnimationUpdate),
    /// Inserts computed objects; not a call of its own.
    Put(Objects),
    /// Changes the order of a list; not a call of its own.
    Reorder(Order),
}

/// An update of an object; parsed against the current object.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    id: Id,
    new_id: Option<Id>,
    new_type: Option<String>,
    properties: Map<String, Value>,
    /// `Some(None)` removes the object from its group.
    new_group: Option<Option<Id>>,
    new_intentional: Option<Intentional>,
}

/// Objects that a tool computed: each replaces the one with its id, or is added. Several hundred
/// cost about as much as one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Objects {
    /// The shapes.
    pub shapes: Vec<Arc<Shape>>,
    /// The lights.
    pub lights: Vec<Arc<LightSource>>,
    /// The listed groups.
    pub groups: Vec<Group>,
    /// Listed groups to remove.
    pub removed_groups: Vec<Id>,
}

/// Moves objects of one kind within their list; among each other they stay in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Shape, light or group; the others have no list.
    pub kind: Kind,
    /// What moves.
    pub ids: Vec<Id>,
    /// What comes right after them then; without it they go to the end.
    pub before: Option<Id>,
}

impl Edit {
    /// The possibly existing objects that the edit changes; the id is empty for environment,
    /// camera and animation.
    pub fn targets(&self) -> Vec<(Kind, &str)> {
        match self {
            // Another order changes no object.
            Self::CreateShape(_) | Self::CreateLight(_) | Self::Reorder(_) => Vec::new(),
            Self::UpdateShape(update) => vec![(Kind::Shape, update.id.as_str())],
            Self::UpdateLight(update) => vec![(Kind::Light, update.id.as_str())],
            Self::RemoveShape(id) => vec![(Kind::Shape, id.as_str())],
            Self::RemoveLight(id) => vec![(Kind::Light, id.as_str())],
            Self::SetEnvironment { .. } => vec![(Kind::Environment, "")],
            Self::SetCamera(_) => vec![(Kind::Camera, "")],
            Self::SetAnimation(_) => vec![(Kind::Animation, "")],
            Self::Put(objects) => {
                let shapes = objects.shapes.iter().map(|shape| (Kind::Shape, shape.id.as_str()));
                let lights = objects.lights.iter().map(|light| (Kind::Light, light.id.as_str()));
                let groups = objects.groups.iter().map(|group| &group.id);
                let groups = groups.chain(&objects.removed_groups);
                let groups = groups.map(|id| (Kind::Group, id.as_str()));
                shapes.chain(lights).chain(groups).collect()
            }
        }
    }
}

impl Update {
    /// The id of the object.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The id after the update.
    pub fn id_after(&self) -> &Id {
        self.new_id.as_ref().unwrap_or(&self.id)
    }

    /// The same update for another object, which keeps its id.
    #[must_use]
    pub fn of(&self, id: Id) -> Self {
        Self { id, new_id: None, ..self.clone() }
    }

    /// Whether the object gets another id.
    pub fn renames(&self) -> bool {
        self.new_id.is_some()
    }
}

/// Overlays properties with updates; null resets a property to its default.
fn overlay(properties: &mut Map<String, Value>, updates: &Map<String, Value>) {
    for (name, value) in updates {
        if value.is_null() {
            properties.shift_remove(name);
        } else {
            properties.insert(name.clone(), value.clone());
        }
    }
}
