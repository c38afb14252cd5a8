//! Edits: the calls that change a scene, parsed once at the border.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::document::{
    Camera, Environment, Group, Intentional, LightSource, MAX_LIGHTS, MAX_SHAPES, Object, Scene,
    Shape,
};
use crate::id::{Id, check_new};
use crate::kind::Kind;
use crate::read::{ObjectReader, PropertyPath, Read, nearest, read_type};
use crate::violations::{ReadErrors, Violations};

/// The names of the calls that change a scene.
pub const EDIT_NAMES: [&str; 8] = [
    "create_shape",
    "update_shape",
    "remove_shape",
    "create_light",
    "update_light",
    "remove_light",
    "set_environment_lighting",
    "set_camera",
];

/// One change of a scene, its arguments read as far as they can be without the scene.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Adds a shape.
    CreateShape(Arc<Shape>),
    /// Changes a shape.
    UpdateShape(Update),
    /// Takes a shape away.
    RemoveShape(Id),
    /// Adds a light.
    CreateLight(Arc<LightSource>),
    /// Changes a light.
    UpdateLight(Update),
    /// Takes a light away.
    RemoveLight(Id),
    /// Replaces the environment.
    SetEnvironment {
        /// The new one.
        environment: Environment,
        /// Whether the fog that is there stays: the call did not speak of any.
        keeps_fog: bool,
    },
    /// Changes the camera; properties left out stay as they are.
    SetCamera(Map<String, Value>),
    /// Puts computed objects in; not a call by itself.
    Put(Objects),
}

/// What an update changes; read against the object it meets.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    id: Id,
    new_id: Option<Id>,
    new_type: Option<String>,
    properties: Map<String, Value>,
    /// `Some(None)` takes the object out of its group.
    new_group: Option<Option<Id>>,
    new_intentional: Option<Intentional>,
}

/// Objects that a tool computed as a whole: each replaces the one of its id, or is added. Several
/// hundred cost about as much as one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Objects {
    /// The shapes.
    pub shapes: Vec<Arc<Shape>>,
    /// The lights.
    pub lights: Vec<Arc<LightSource>>,
    /// The listed groups.
    pub groups: Vec<Group>,
    /// Listed groups to take away.
    pub removed_groups: Vec<Id>,
}

impl Edit {
    /// Reads the call `name` with `args`. All errors that show without the scene are reported.
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

    /// What the edit changes that may be there already; the id is empty for environment and camera.
    pub fn targets(&self) -> Vec<(Kind, &str)> {
        match self {
            Self::CreateShape(_) | Self::CreateLight(_) => Vec::new(),
            Self::UpdateShape(update) => vec![(Kind::Shape, update.id.as_str())],
            Self::UpdateLight(update) => vec![(Kind::Light, update.id.as_str())],
            Self::RemoveShape(id) => vec![(Kind::Shape, id.as_str())],
            Self::RemoveLight(id) => vec![(Kind::Light, id.as_str())],
            Self::SetEnvironment { .. } => vec![(Kind::Environment, "")],
            Self::SetCamera(_) => vec![(Kind::Camera, "")],
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

    /// Makes the change on `scene` and returns the whole object it touched. After an error `scene`
    /// is as before.
    pub(crate) fn apply(&self, scene: &mut Scene) -> Result<Value, Violations> {
        match self {
            Self::CreateShape(shape) => create(scene, shape),
            Self::UpdateShape(update) => update_object::<Shape>(scene, update),
            Self::RemoveShape(id) => remove::<Shape>(scene, id),
            Self::CreateLight(light) => create(scene, light),
            Self::UpdateLight(update) => update_object::<LightSource>(scene, update),
            Self::RemoveLight(id) => remove::<LightSource>(scene, id),
            Self::SetEnvironment { environment, keeps_fog } => {
                let fog = if *keeps_fog { &scene.environment } else { environment }.fog().cloned();
                scene.environment = environment.clone().with_fog(fog);
                Ok(scene.environment.to_json())
            }
            Self::SetCamera(properties) => set_camera(scene, properties),
            Self::Put(objects) => put_all(scene, objects).map(|()| Value::Null),
        }
    }
}

fn put_all(scene: &mut Scene, objects: &Objects) -> Result<(), Violations> {
    let mut errors = ReadErrors::default();
    let (before, groups) = (Names::of(scene), &objects.groups);
    let shapes = objects.shapes.iter().map(|shape| &shape.id);
    let lights = objects.lights.iter().map(|light| &light.id);
    for id in shapes.chain(lights).chain(groups.iter().map(|group| &group.id)) {
        if !before.0.contains(id.as_str()) {
            check_new(id, &PropertyPath::of("the new id"), &mut errors);
        }
    }
    errors.finish(Some(()))?;
    let mut draft = scene.clone();
    put(&mut draft.shapes, &objects.shapes, |shape| shape.id.as_str());
    put(&mut draft.lights, &objects.lights, |light| light.id.as_str());
    put(&mut draft.groups, &objects.groups, |group| group.id.as_str());
    draft.groups.retain(|group| !objects.removed_groups.contains(&group.id));
    draft.check()?;
    *scene = draft;
    Ok(())
}

/// What has a name in a scene.
struct Names<'a>(HashSet<&'a str>);

impl<'a> Names<'a> {
    fn of(scene: &'a Scene) -> Self {
        let shapes = scene.shapes.iter().map(|shape| shape.id.as_str());
        let lights = scene.lights.iter().map(|light| light.id.as_str());
        Self(shapes.chain(lights).chain(scene.group_ids()).collect())
    }
}

fn put<T: Clone>(list: &mut Vec<T>, new: &[T], id: impl Fn(&T) -> &str) {
    let mut new_by_id: HashMap<&str, &T> = new.iter().map(|item| (id(item), item)).collect();
    for item in list.iter_mut() {
        if let Some(replacement) = new_by_id.remove(id(item)) {
            *item = replacement.clone();
        }
    }
    list.extend(new.iter().filter(|item| new_by_id.contains_key(id(item))).cloned());
}

/// The list of the document that holds objects of one kind.
trait Listed: Object + Clone {
    const MAX_COUNT: usize;
    fn list(scene: &Scene) -> &Vec<Arc<Self>>;
    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>>;
    fn type_name(&self) -> &'static str;
    fn group(&self) -> Option<&Id>;
}

impl Listed for Shape {
    const MAX_COUNT: usize = MAX_SHAPES;

    fn list(scene: &Scene) -> &Vec<Arc<Self>> {
        &scene.shapes
    }

    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>> {
        &mut scene.shapes
    }

    fn type_name(&self) -> &'static str {
        self.geometry.type_name()
    }

    fn group(&self) -> Option<&Id> {
        self.group.as_ref()
    }
}

impl Listed for LightSource {
    const MAX_COUNT: usize = MAX_LIGHTS;

    fn list(scene: &Scene) -> &Vec<Arc<Self>> {
        &scene.lights
    }

    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>> {
        &mut scene.lights
    }

    fn type_name(&self) -> &'static str {
        self.light.type_name()
    }

    fn group(&self) -> Option<&Id> {
        self.group.as_ref()
    }
}

fn create<T: Listed>(scene: &mut Scene, object: &Arc<T>) -> Result<Value, Violations> {
    if T::list(scene).len() >= T::MAX_COUNT {
        return Err(Violations::one(format!(
            "{} '{}' cannot be added: a scene holds at most {} {}s; remove some first",
            T::KIND,
            object.id(),
            T::MAX_COUNT,
            T::KIND
        )));
    }
    check_free(scene, T::KIND, object.id(), object.group())?;
    T::list_mut(scene).push(Arc::clone(object));
    Ok(object.to_json())
}

/// The id of a new or renamed object is not in use, and its group's id is no object's.
fn check_free(scene: &Scene, kind: &str, id: &Id, group: Option<&Id>) -> Result<(), Violations> {
    if let Some(holder) = scene.kind_of(id.as_str()) {
        let hint = if holder == kind {
            format!("use update_{kind} to change it, or choose another id")
        } else {
            "choose another id".to_owned()
        };
        return Err(Violations::one(format!(
            "{kind} '{id}' cannot be made: a {holder} with this id already exists; {hint}"
        )));
    }
    check_group_id(scene, kind, id, group)
}

fn check_group_id(
    scene: &Scene,
    kind: &str,
    id: &Id,
    group: Option<&Id>,
) -> Result<(), Violations> {
    let Some(group) = group else { return Ok(()) };
    let holder = scene.kind_of(group.as_str()).filter(|holder| *holder != "group");
    if holder.is_some() || group == id {
        return Err(Violations::one(format!(
            "{kind} '{id}' property 'group' must be a group, but '{group}' is a {}",
            holder.unwrap_or(kind)
        )));
    }
    Ok(())
}

fn find<T: Listed>(scene: &Scene, id: &Id) -> Result<usize, Violations> {
    let list = T::list(scene);
    if let Some(index) = list.iter().position(|object| object.id() == id) {
        return Ok(index);
    }
    let kind = T::KIND;
    if let Some(other) = scene.kind_of(id.as_str()) {
        return Err(Violations::one(format!(
            "'{id}' is a {other}, not a {kind}; use the tools for a {other}"
        )));
    }
    if list.is_empty() {
        return Err(Violations::one(format!(
            "there is no {kind} '{id}': the scene has no {kind}s"
        )));
    }
    /// Enough names to choose from without flooding the model.
    const MAX_NAMES: usize = 20;
    let names = list.iter().take(MAX_NAMES).map(|object| object.id().as_str());
    let names: Vec<&str> = names.collect();
    let rest = if list.len() > MAX_NAMES { ", ..." } else { "" };
    Err(Violations::one(format!(
        "there is no {kind} '{id}'; did you mean '{}'? The scene has: {}{rest}",
        nearest(id.as_str(), list.iter().map(|object| object.id().as_str())),
        names.join(", ")
    )))
}

fn remove<T: Listed>(scene: &mut Scene, id: &Id) -> Result<Value, Violations> {
    let index = find::<T>(scene, id)?;
    Ok(T::list_mut(scene).remove(index).to_json())
}

fn update_object<T: Listed>(scene: &mut Scene, update: &Update) -> Result<Value, Violations> {
    let index = find::<T>(scene, &update.id)?;
    let current = Arc::clone(&T::list(scene)[index]);
    let mut errors = ReadErrors::default();
    let owner = format!("{} '{}'", T::KIND, update.id);
    let type_name = match &update.new_type {
        None => Some(current.type_name()),
        Some(name) => read_type(
            Some(&Value::String(name.clone())),
            T::TYPES,
            &PropertyPath::of(&owner),
            &mut errors,
        ),
    };
    let object = type_name.and_then(|type_name| {
        let properties = Value::Object(merged(&*current, type_name, &update.properties));
        let mut reader = ObjectReader::new(&properties, PropertyPath::of(&owner), &mut errors)?;
        let id = update.new_id.clone().unwrap_or_else(|| update.id.clone());
        let group = match &update.new_group {
            Some(group) => group.clone(),
            None => current.group().cloned(),
        };
        let marks = update.new_intentional.clone().unwrap_or_else(|| current.intentional());
        Some(T::from_parts(id, group, type_name, &mut reader)?.with_intentional(marks))
    });
    let object = errors.finish(object)?;
    if object.id() == &update.id {
        check_group_id(scene, T::KIND, object.id(), object.group())?;
    } else {
        check_free(scene, T::KIND, object.id(), object.group())?;
    }
    let json = object.to_json();
    T::list_mut(scene)[index] = Arc::new(object);
    Ok(json)
}

/// The properties after an update: those the (new) type shares with the old one, overlaid with the
/// given ones; null takes a property back to its default.
fn merged<T: Listed>(
    current: &T,
    type_name: &str,
    updates: &Map<String, Value>,
) -> Map<String, Value> {
    let mut properties = match current.to_json().get_mut("properties").map(Value::take) {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    };
    let known = T::property_names(type_name);
    properties.retain(|name, _| known.contains(&name.as_str()));
    overlay(&mut properties, updates);
    properties
}

fn overlay(properties: &mut Map<String, Value>, updates: &Map<String, Value>) {
    for (name, value) in updates {
        if value.is_null() {
            properties.shift_remove(name);
        } else {
            properties.insert(name.clone(), value.clone());
        }
    }
}

fn set_camera(scene: &mut Scene, properties: &Map<String, Value>) -> Result<Value, Violations> {
    let Value::Object(mut camera) = scene.camera.to_json() else {
        return Err(Violations::one("the camera could not be read"));
    };
    overlay(&mut camera, properties);
    let mut errors = ReadErrors::default();
    let camera = Camera::read(&Value::Object(camera), &PropertyPath::of("the camera"), &mut errors);
    scene.camera = errors.finish(camera)?;
    Ok(scene.camera.to_json())
}

impl Update {
    /// What is to be changed.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// What it is called afterwards.
    pub fn id_after(&self) -> &Id {
        self.new_id.as_ref().unwrap_or(&self.id)
    }

    /// The same change of another thing; that one keeps its id.
    #[must_use]
    pub fn of(&self, id: Id) -> Self {
        Self { id, new_id: None, ..self.clone() }
    }

    /// Whether the thing gets another id.
    pub fn renames(&self) -> bool {
        self.new_id.is_some()
    }

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
        let is_shape = call == "update_shape";
        let fields: &[&str] = match is_shape {
            true => &["properties", "type", "id", "group", "intentional"],
            false => &["properties", "type", "id", "group"],
        };
        reader.reject_unknown(fields);
        let new_intentional = match reader.get("intentional") {
            Some(_) if is_shape => reader.optional("intentional", Intentional::default()).map(Some),
            _ => Some(None),
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

/// Reads an object that is to be added: what it is called is new.
fn read_new<T: Listed>(args: &Value, call: &str, errors: &mut ReadErrors) -> Option<Arc<T>> {
    let object = T::read(args, call, errors)?;
    check_new(object.id(), &PropertyPath::of(call).property("id"), errors);
    if let Some(group) = object.group() {
        check_new(group, &PropertyPath::of(call).property("group"), errors);
    }
    Some(object)
}

fn read_id(args: &Value, call: &str, errors: &mut ReadErrors) -> Option<Id> {
    let mut reader = ObjectReader::new(args, PropertyPath::of(call), errors)?;
    reader.reject_unknown(&["id"]);
    reader.required("id")
}

/// Reads `{type, ...}`; a colour that is left out is the default sky's.
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

/// Reads the call over a default camera, so that every error shows at once; it is read again over
/// the camera of the scene when the edit is applied.
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
    for required in ["center", "look_at"] {
        camera.shift_remove(required);
    }
    overlay(&mut camera, given);
    Camera::read(&Value::Object(camera), &place, errors)?;
    Some(given.clone())
}
