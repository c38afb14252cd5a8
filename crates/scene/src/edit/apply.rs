//! Applying edits to a scene.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::document::{Camera, LightSource, PresetName, Scene, Shape};
use crate::id::{Id, check_new};
use crate::kind::Kind;
use crate::read::{ObjectReader, PropertyPath, Read, nearest, read_type};
use crate::violations::{ReadErrors, Violations};

use super::listed::Listed;
use super::{Edit, Objects, Order, Update, overlay};

impl Edit {
    /// Applies the edit to `scene` and returns the changed object. After an error `scene` is
    /// unchanged.
    pub(crate) fn apply(&self, scene: &mut Scene) -> Result<Value, Violations> {
        if scene.animation.is_none() {
            return self.apply_alone(scene);
        }
        let before = scene.clone();
        let result = self.apply_alone(scene)?;
        if let Self::UpdateShape(update) | Self::UpdateLight(update) = self
            && let Some(new) = &update.new_id
        {
            scene.rename_in_animation(&update.id, new);
        }
        scene.settle_animation(&before);
        Ok(result)
    }

    /// Applies the edit; tracks of the animation may not fit any more.
    fn apply_alone(&self, scene: &mut Scene) -> Result<Value, Violations> {
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
            Self::SetAnimation(update) => update.apply(scene),
            Self::Put(objects) => put_all(scene, objects).map(|()| Value::Null),
            Self::Reorder(order) => {
                reorder_all(scene, order);
                Ok(Value::Null)
            }
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
    // Tracks that do not fit any more are dropped afterwards.
    let animation = draft.animation.take();
    draft.check()?;
    draft.animation = animation;
    *scene = draft;
    Ok(())
}

/// The names in a scene.
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

fn reorder_all(scene: &mut Scene, order: &Order) {
    match order.kind {
        Kind::Shape => reorder(&mut scene.shapes, order, |shape| &shape.id),
        Kind::Light => reorder(&mut scene.lights, order, |light| &light.id),
        Kind::Group => reorder(&mut scene.groups, order, |group| &group.id),
        Kind::Environment | Kind::Camera | Kind::Animation => {}
    }
}

fn reorder<T: Clone>(list: &mut Vec<T>, order: &Order, id: impl Fn(&T) -> &Id) {
    let moves: HashSet<&Id> = order.ids.iter().collect();
    let (moved, mut rest): (Vec<T>, Vec<T>) =
        std::mem::take(list).into_iter().partition(|item| moves.contains(id(item)));
    let before = order.before.as_ref();
    let at = before.and_then(|before| rest.iter().position(|item| id(item) == before));
    let at = at.unwrap_or(rest.len());
    rest.splice(at..at, moved);
    *list = rest;
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

/// Checks that the id of a new or renamed object is unused, and that its group's id is not that of
/// an object.
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
    /// The most names to list, so that the model is not flooded.
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
    let shared = shared_material(scene, &update.properties);
    let mut given = Cow::Borrowed(&update.properties);
    if let Some(sharer) = &shared {
        given.to_mut().insert("material".into(), sharer.material.to_json());
    }
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
        let properties = Value::Object(merged(&*current, type_name, &given));
        let mut reader = ObjectReader::new(&properties, PropertyPath::of(&owner), &mut errors)?;
        let id = update.new_id.clone().unwrap_or_else(|| update.id.clone());
        let group = match &update.new_group {
            Some(group) => group.clone(),
            None => current.group().cloned(),
        };
        let marks = update.new_intentional.clone().unwrap_or_else(|| current.intentional().clone());
        let object = T::from_parts(id, group, type_name, &mut reader)?.with_intentional(marks);
        let object = object.updated_from(&current);
        Some(match &shared {
            Some(sharer) => object.with_material_name(sharer.material_name.clone()),
            None => object,
        })
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

/// A shape that has the shared material which `properties` name as their material. The name of a preset means the
/// preset.
fn shared_material(scene: &Scene, properties: &Map<String, Value>) -> Option<Arc<Shape>> {
    let name = properties.get("material")?.as_str()?;
    scene.sharer_of(name).filter(|_| PresetName::new(name).is_none()).cloned()
}

/// The properties after an update: those that the (new) type shares with the old one, overlaid with
/// the given ones; null resets a property to its default.
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
    overlay(&mut properties, &T::spelled_out(updates, Some(current)));
    properties
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
