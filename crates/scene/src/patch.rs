//! Exact patches between scenes: compact for storage and order-preserving, while a
//! [`diff`](crate::diff()) is for people and clients.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::asset_name::AssetName;
use crate::document::{
    Animation, Camera, Environment, Geometry, Group, LightSource, Object, Scene, Shape,
};
use crate::read::{ObjectReader, PropertyPath, Read};
use crate::violations::{ReadErrors, Violations};

/// The difference between two scenes, list by list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Patch {
    shapes: Vec<Splice<Arc<Shape>>>,
    lights: Vec<Splice<Arc<LightSource>>>,
    groups: Vec<Splice<Group>>,
    environment: Option<Environment>,
    camera: Option<Camera>,
    /// `Some(None)` removes the description.
    description: Option<Option<String>>,
    /// `Some(None)` removes the animation.
    animation: Option<Option<Arc<Animation>>>,
}

/// Removes `removed` items at `at` and inserts `inserted`. The splices of a list are applied in
/// order, each to the result of the one before.
#[derive(Debug, Clone, PartialEq)]
struct Splice<T> {
    at: usize,
    removed: usize,
    inserted: Vec<T>,
}

/// A patch was applied to another scene than it was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the patch does not fit the scene: it reaches item {at} of a list of {length}")]
pub struct PatchMismatch {
    /// The end of the range of a splice.
    pub at: usize,
    /// The length of the list.
    pub length: usize,
}

impl Patch {
    /// The patch from `before` to `after`.
    pub fn between(before: &Scene, after: &Scene) -> Self {
        let changed = |differs: bool| differs.then_some(());
        Self {
            shapes: splices(&before.shapes, &after.shapes),
            lights: splices(&before.lights, &after.lights),
            groups: splices(&before.groups, &after.groups),
            environment: changed(before.environment != after.environment)
                .map(|()| after.environment.clone()),
            camera: changed(before.camera != after.camera).map(|()| after.camera.clone()),
            description: changed(before.description != after.description)
                .map(|()| after.description.clone()),
            animation: changed(before.animation != after.animation)
                .map(|()| after.animation.clone()),
        }
    }

    /// The assets of the inserted objects, without duplicates.
    pub fn asset_names(&self) -> BTreeSet<&AssetName> {
        let brought = self.shapes.iter().flat_map(|splice| &splice.inserted);
        let named = brought.flat_map(|shape| {
            let mesh = match &shape.geometry {
                Geometry::Mesh(mesh) => Some(&mesh.asset),
                _ => None,
            };
            shape.material.asset_names().into_iter().chain(mesh)
        });
        named.chain(self.environment.as_ref().and_then(Environment::asset_name)).collect()
    }

    /// Applies the patch to `before`.
    pub fn apply(&self, before: &Scene) -> Result<Scene, PatchMismatch> {
        let mut scene = before.clone();
        splice(&mut scene.shapes, &self.shapes)?;
        splice(&mut scene.lights, &self.lights)?;
        splice(&mut scene.groups, &self.groups)?;
        if let Some(environment) = &self.environment {
            scene.environment = environment.clone();
        }
        if let Some(camera) = &self.camera {
            scene.camera = camera.clone();
        }
        if let Some(description) = &self.description {
            scene.description.clone_from(description);
        }
        if let Some(animation) = &self.animation {
            scene.animation.clone_from(animation);
        }
        Ok(scene)
    }

    /// The stored form of the patch: `{"shapes": [[at, removed, [objects]]], ...}`.
    pub fn to_json(&self) -> Value {
        let mut patch = Map::new();
        let mut put = |name: &str, value: Value| patch.insert(name.to_owned(), value);
        if !self.shapes.is_empty() {
            put("shapes", splices_json(&self.shapes, |shape| shape.to_json()));
        }
        if !self.lights.is_empty() {
            put("lights", splices_json(&self.lights, |light| light.to_json()));
        }
        if !self.groups.is_empty() {
            put("groups", splices_json(&self.groups, Group::to_json));
        }
        if let Some(environment) = &self.environment {
            put("environment", environment.to_json());
        }
        if let Some(camera) = &self.camera {
            put("camera", camera.to_json());
        }
        if let Some(description) = &self.description {
            put("description", json!(description));
        }
        if let Some(animation) = &self.animation {
            put(
                "animation",
                animation.as_ref().map_or(Value::Null, |animation| animation.to_json()),
            );
        }
        Value::Object(patch)
    }

    /// Parses the output of [`Patch::to_json`]. The error contains all mistakes.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let patch = Self::read(value, &mut errors);
        errors.finish(patch)
    }

    fn read(value: &Value, errors: &mut ReadErrors) -> Option<Self> {
        let mut reader = ObjectReader::new(value, PropertyPath::of("the patch"), errors)?;
        let shapes = read_splices(&mut reader, "shapes", |item, position, errors| {
            Shape::read(item, position, errors)
        });
        let lights = read_splices(&mut reader, "lights", |item, position, errors| {
            LightSource::read(item, position, errors)
        });
        let groups = read_splices(&mut reader, "groups", |item, position, errors| {
            Group::read(item, &PropertyPath::of(position), errors)
        });
        let environment = reader.get("environment").map(|value| {
            Environment::read(value, &PropertyPath::of("the environment"), reader.errors())
        });
        let camera = reader
            .get("camera")
            .map(|value| Camera::read(value, &PropertyPath::of("the camera"), reader.errors()));
        let description = reader.get("description").map(|text| text.as_str().map(str::to_owned));
        let animation = reader.get("animation").map(|value| match value {
            Value::Null => Some(None),
            value => Animation::read(value, &PropertyPath::of("the animation"), reader.errors())
                .map(|animation| Some(Arc::new(animation))),
        });
        Some(Self {
            shapes: shapes?,
            lights: lights?,
            groups: groups?,
            environment: flip(environment)?,
            camera: flip(camera)?,
            description,
            animation: flip(animation)?,
        })
    }
}

/// An invalid value makes the whole patch invalid.
fn flip<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(read) => read.map(Some),
    }
}

/// The splices from one list to another. Runs of objects that changed in place are one splice each;
/// otherwise one splice replaces everything between the common prefix and suffix.
fn splices<T: PartialEq + Clone>(before: &[T], after: &[T]) -> Vec<Splice<T>> {
    let prefix = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let (old, new) = (&before[prefix..], &after[prefix..]);
    let suffix = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
    if old.len() != new.len() {
        return vec![Splice { at: prefix, removed: old.len(), inserted: new.to_vec() }];
    }
    let mut splices: Vec<Splice<T>> = Vec::new();
    for (index, (old, new)) in old.iter().zip(new).enumerate() {
        if old == new {
            continue;
        }
        let at = prefix + index;
        match splices.last_mut().filter(|last| last.at + last.removed == at) {
            Some(run) => {
                run.removed += 1;
                run.inserted.push(new.clone());
            }
            None => splices.push(Splice { at, removed: 1, inserted: vec![new.clone()] }),
        }
    }
    splices
}

fn splice<T: Clone>(list: &mut Vec<T>, splices: &[Splice<T>]) -> Result<(), PatchMismatch> {
    for Splice { at, removed, inserted } in splices {
        let end = at.saturating_add(*removed);
        if end > list.len() {
            return Err(PatchMismatch { at: end, length: list.len() });
        }
        list.splice(*at..end, inserted.iter().cloned());
    }
    Ok(())
}

fn splices_json<T>(splices: &[Splice<T>], to_json: impl Fn(&T) -> Value) -> Value {
    splices
        .iter()
        .map(|splice| {
            let inserted: Vec<Value> = splice.inserted.iter().map(&to_json).collect();
            json!([splice.at, splice.removed, inserted])
        })
        .collect()
}

fn read_splices<T>(
    reader: &mut ObjectReader<'_>,
    name: &str,
    read: impl Fn(&Value, &str, &mut ReadErrors) -> Option<T>,
) -> Option<Vec<Splice<T>>> {
    let Some(value) = reader.get(name) else { return Some(Vec::new()) };
    let Some(entries) = value.as_array() else {
        reader.error(&format!("'{name}' must be a list of splices"));
        return None;
    };
    let mut splices = Vec::with_capacity(entries.len());
    for entry in entries {
        let parts = entry.as_array().map(Vec::as_slice).and_then(|parts| match parts {
            [at, removed, Value::Array(inserted)] => {
                Some((at.as_u64()?, removed.as_u64()?, inserted))
            }
            _ => None,
        });
        let Some((at, removed, inserted)) = parts else {
            reader.error(&format!("'{name}' must hold splices [at, removed, [objects]]"));
            return None;
        };
        let inserted: Vec<Option<T>> = inserted
            .iter()
            .enumerate()
            .map(|(index, item)| read(item, &format!("{name}[{index}]"), reader.errors()))
            .collect();
        splices.push(Splice {
            at: usize::try_from(at).ok()?,
            removed: usize::try_from(removed).ok()?,
            inserted: inserted.into_iter().collect::<Option<_>>()?,
        });
    }
    Some(splices)
}
