//! Parsing the arguments of edits, as far as possible without the scene.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::document::{Camera, Environment, Intentional, LightSource, Shape};
use crate::id::{Id, check_new};
use crate::read::{ObjectReader, PropertyPath, Read, nearest};
use crate::violations::{ReadErrors, Violations};

use super::animation::AnimationUpdate;
use super::listed::Listed;
use super::{EDIT_NAMES, Edit, Update, overlay};

impl Edit {
    /// Parses the call `name` with `args`. The error contains all mistakes that can be found
    /// without the scene.
    pub fn parse(name: &str, args: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let edit = match name {
            "create_shape" => read_new::<Shape>(args, name, &mut errors).map(Self::CreateShape),
            "update_shape" => Update::read(args, name, &mut errors).map(Self::UpdateShape),
            "remove_shape" => read_id(args, name, &mut errors).map(Self::RemoveShape),
            "create_light" => {
                read_new::<LightSource>(args, name, &mut errors).map(Self::CreateLight)
            }
            "update_light" => Update::read(args, name, &mut errors).map(Self::UpdateLight),
            "remove_light" => read_id(args, name, &mut errors).map(Self::RemoveLight),
            "set_environment_lighting" => {
                let keeps_fog = args.get("fog").is_none();
                read_environment(args, &mut errors)
                    .map(|environment| Self::SetEnvironment { environment, keeps_fog })
            }
            "set_camera" => read_camera_update(args, &mut errors).map(Self::SetCamera),
            "set_animation" => AnimationUpdate::read(args, &mut errors).map(Self::SetAnimation),
            other => {
                errors.add(format!(
                    "there is no edit '{other}'; did you mean '{}'? Known edits: {}",
                    nearest(other, EDIT_NAMES.into_iter()),
                    EDIT_NAMES.join(", ")
                ));
                None
            }
        };
        errors.finish(edit)
    }
}

impl Update {
    fn read(args: &Value, call: &str, errors: &mut ReadErrors) -> Option<Self> {
        let mut reader = ObjectReader::new(args, PropertyPath::of(call), errors)?;
        reader.reject_unknown(&["id", "updates"]);
        let id: Option<Id> = reader.required("id");
        let owner = match &id {
            Some(id) => format!("{} '{id}'", call.trim_start_matches("update_")),
            None => call.to_owned(),
        };
        let Some(updates) = reader.get("updates").filter(|value| !value.is_null()) else {
            reader.errors().add(format!(
                "{call} requires 'updates' property (an object with properties, type or id)"
            ));
            return None;
        };
        let place = PropertyPath::of(&owner).property("updates");
        let mut reader = ObjectReader::new(updates, place, reader.errors())?;
        let fields = ["properties", "type", "id", "group", "intentional"];
        reader.reject_unknown(&fields);
        let new_intentional = match reader.get("intentional") {
            Some(_) => reader.optional("intentional", Intentional::default()).map(Some),
            None => Some(None),
        };
        let new_id: Option<Option<Id>> = reader.optional("id", None);
        let new_group: Option<Option<Id>> = reader.optional("group", None);
        let place = reader.path().clone();
        for (name, new) in [("id", &new_id), ("group", &new_group)] {
            if let Some(Some(new)) = new {
                check_new(new, &place.property(name), reader.errors());
            }
        }
        let new_type = match reader.get("type") {
            None | Some(Value::Null) => Some(None),
            Some(Value::String(name)) => Some(Some(name.clone())),
            Some(other) => {
                let place = reader.path().property("type");
                place.must_be("the name of a type", other, reader.errors());
                None
            }
        };
        let properties = match reader.get("properties") {
            None | Some(Value::Null) => Some(Map::new()),
            Some(Value::Object(properties)) => Some(properties.clone()),
            Some(other) => {
                let place = reader.path().property("properties");
                place.must_be("an object", other, reader.errors());
                None
            }
        };
        let nothing = fields.iter().all(|name| reader.get(name).is_none());
        if nothing {
            reader.error("is empty: give properties, type or id");
        }
        let group_given = reader.get("group").is_some();
        Some(Self {
            id: id?,
            new_id: new_id?,
            new_type: new_type?,
            properties: properties?,
            new_group: new_group.map(|group| group_given.then_some(group))?,
            new_intentional: new_intentional?,
        })
    }
}

/// Parses an object to add; its id is new.
fn read_new<T: Listed>(args: &Value, call: &str, errors: &mut ReadErrors) -> Option<Arc<T>> {
    let spelled = spelled_out::<T>(args);
    let object = T::read(spelled.as_ref().unwrap_or(args), call, errors)?;
    check_new(object.id(), &PropertyPath::of(call).property("id"), errors);
    if let Some(group) = object.group() {
        check_new(group, &PropertyPath::of(call).property("group"), errors);
    }
    Some(object)
}

/// The arguments in the format of the document; `None` if they have it already.
fn spelled_out<T: Listed>(args: &Value) -> Option<Value> {
    let given = args.get("properties")?.as_object()?;
    let properties = T::spelled_out(given, None);
    let type_name = T::type_of(args.get("type")?.as_str()?, given);
    if type_name.is_none() && matches!(properties, Cow::Borrowed(_)) {
        return None;
    }
    let properties = properties.into_owned();
    let mut args = args.clone();
    args["properties"] = properties.into();
    if let Some(type_name) = type_name {
        args["type"] = type_name.into();
    }
    Some(args)
}

fn read_id(args: &Value, call: &str, errors: &mut ReadErrors) -> Option<Id> {
    let mut reader = ObjectReader::new(args, PropertyPath::of(call), errors)?;
    reader.reject_unknown(&["id"]);
    reader.required("id")
}

/// Parses `{type, ...}`; omitted colours are those of the default sky.
fn read_environment(args: &Value, errors: &mut ReadErrors) -> Option<Environment> {
    let place = PropertyPath::of("the environment");
    let reader = ObjectReader::new(args, place.clone(), errors)?;
    let type_name = reader.get("type").and_then(Value::as_str).unwrap_or_default();
    let mut properties = Environment::tool_defaults(type_name);
    if let Some(given) = args.as_object() {
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            properties.insert(name.clone(), value.clone());
        }
    }
    Environment::read(&Value::Object(properties), &place, errors)
}

/// Parses the call against a default camera, to find all mistakes; it is parsed again against the
/// scene's camera when the edit is applied.
fn read_camera_update(args: &Value, errors: &mut ReadErrors) -> Option<Map<String, Value>> {
    let place = PropertyPath::of("the camera");
    let Value::Object(given) = args else {
        place.must_be("an object", args, errors);
        return None;
    };
    let mut camera = match Camera::default().to_json() {
        Value::Object(camera) => camera,
        _ => Map::new(),
    };
    // A place is given whole. What says nothing of it, but something, leaves it as it is.
    let place_names = ["center", "look_at"];
    if given.is_empty() || place_names.iter().any(|name| given.contains_key(*name)) {
        for required in place_names {
            camera.shift_remove(required);
        }
    }
    overlay(&mut camera, given);
    Camera::read(&Value::Object(camera), &place, errors)?;
    Some(given.clone())
}
