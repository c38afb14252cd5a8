//! The scene file: `{"version": 1, "shapes": [...], ...}`.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::read::{ObjectReader, PropertyPath, Read};
use crate::violations::{ReadErrors, Violations};

use super::{
    Animation, Camera, Environment, Group, LightSource, MAX_LIGHTS, MAX_SHAPES, Object, Scene,
    Shape,
};

/// The version of the scene file this code reads and writes.
const FILE_VERSION: u64 = 1;

const FIELDS: [&str; 8] =
    ["version", "description", "shapes", "lights", "groups", "environment", "camera", "animation"];

impl Scene {
    /// Parses a scene file, e.g. the content of `scenes/snowman.json`. The error contains all
    /// mistakes; for invalid JSON, one with line and column.
    pub fn from_json_text(text: &str) -> Result<Self, Violations> {
        let invalid = |error: serde_json::Error| {
            Violations::one(format!("the scene file is not valid JSON: {error}"))
        };
        // Files that are far too large are rejected before they are parsed.
        super::outline::check(text).map_err(invalid)??;
        let value: Value = serde_json::from_str(text).map_err(invalid)?;
        Self::from_json(&value)
    }

    /// Parses a scene file. The error contains all mistakes.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let scene = read_scene(value, &mut errors);
        errors.finish(scene)
    }

    /// The scene file, with all default values.
    pub fn to_json(&self) -> Value {
        let mut file = Map::new();
        file.insert("version".into(), FILE_VERSION.into());
        if let Some(description) = &self.description {
            file.insert("description".into(), description.as_str().into());
        }
        file.insert("shapes".into(), self.shapes.iter().map(|shape| shape.to_json()).collect());
        file.insert("lights".into(), self.lights.iter().map(|light| light.to_json()).collect());
        if !self.groups.is_empty() {
            file.insert("groups".into(), self.groups.iter().map(Group::to_json).collect());
        }
        file.insert("environment".into(), self.environment.to_json());
        file.insert("camera".into(), self.camera.to_json());
        if let Some(animation) = &self.animation {
            file.insert("animation".into(), animation.to_json());
        }
        Value::Object(file)
    }
}

impl Scene {
    /// Checks rules between objects: unique ids, no cycles of groups, limits. Parsed and edited
    /// scenes are valid; this is for scenes that are assembled from stored parts.
    pub fn check(&self) -> Result<(), Violations> {
        let mut errors = ReadErrors::default();
        let most = [
            ("shapes", self.shapes.len(), MAX_SHAPES),
            ("lights", self.lights.len(), MAX_LIGHTS),
            ("groups", self.groups.len(), MAX_SHAPES),
        ];
        for (name, count, most) in most {
            if count > most {
                errors.add(format!("'{name}' may hold at most {most} entries, got {count}"));
            }
        }
        let shapes = self.shapes.iter().map(|shape| (&shape.id, "shape"));
        let lights = self.lights.iter().map(|light| (&light.id, "light"));
        let groups = self.groups.iter().map(|group| (&group.id, "group"));
        let ids = shapes.chain(lights).chain(groups).map(|(id, kind)| (id.as_str(), kind));
        check_unique(ids, self.group_ids(), &mut errors);
        check_groups(self, &mut errors);
        check_shared_materials(self, &mut errors);
        check_animation(self, &mut errors);
        errors.finish(Some(()))
    }
}

fn read_scene(value: &Value, errors: &mut ReadErrors) -> Option<Scene> {
    let mut reader = ObjectReader::new(value, PropertyPath::of("the scene file"), errors)?;
    reader.reject_unknown(&FIELDS);
    match reader.get("version") {
        Some(version) if version.as_u64() == Some(FILE_VERSION) => {}
        Some(other) => reader.error(&format!("'version' must be {FILE_VERSION}, got {other}")),
        None => reader.error(&format!("requires 'version' property ({FILE_VERSION})")),
    }
    check_ids(&mut reader);
    let description: Option<Option<Text>> = reader.optional("description", None);
    let shapes = read_objects::<Shape>(&mut reader, "shapes", true, MAX_SHAPES);
    let lights = read_objects::<LightSource>(&mut reader, "lights", false, MAX_LIGHTS);
    let groups = read_groups(&mut reader);
    let environment = reader
        .get("environment")
        .filter(|value| !value.is_null())
        .map_or(Some(Environment::default()), |value| {
            Environment::read(value, &PropertyPath::of("the environment"), reader.errors())
        });
    let camera = reader
        .get("camera")
        .filter(|value| !value.is_null())
        .map_or(Some(Camera::default()), |value| {
            Camera::read(value, &PropertyPath::of("the camera"), reader.errors())
        });
    let animation = reader
        .get("animation")
        .filter(|value| !value.is_null())
        .map(|value| Animation::read(value, &PropertyPath::of("the animation"), reader.errors()));
    let animation = animation.map_or(Some(None), |read| read.map(|read| Some(Arc::new(read))));
    let scene = Scene {
        description: description?.map(|text| text.0),
        shapes: shapes?,
        lights: lights?,
        groups: groups?,
        environment: environment?,
        camera: camera?,
        animation: animation?,
    };
    check_groups(&scene, errors);
    check_shared_materials(&scene, errors);
    check_animation(&scene, errors);
    Some(scene)
}

/// A text of one line.
struct Text(String);

impl Read for Text {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let text = value.as_str();
        if text.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        text.map(|text| Self(text.to_owned()))
    }

    fn expected() -> String {
        "a text".into()
    }
}

/// The array `name`; an error if it is required and missing, not an array, or too long.
fn read_array<'a>(
    reader: &mut ObjectReader<'a>,
    name: &str,
    required: bool,
    most: usize,
) -> Option<&'a [Value]> {
    match reader.get(name) {
        None | Some(Value::Null) if required => {
            reader.error(&format!("requires '{name}' property (an array)"));
            None
        }
        None | Some(Value::Null) => Some(&[]),
        Some(Value::Array(items)) if items.len() > most => {
            reader.error(&format!("'{name}' may hold at most {most} entries, got {}", items.len()));
            None
        }
        Some(Value::Array(items)) => Some(items),
        Some(other) => {
            let place = reader.path().property(name);
            place.must_be("an array", other, reader.errors());
            None
        }
    }
}

fn read_objects<T: Object>(
    reader: &mut ObjectReader<'_>,
    name: &str,
    required: bool,
    most: usize,
) -> Option<Vec<Arc<T>>> {
    let items = read_array(reader, name, required, most)?;
    // Parse all items before returning, to report all errors.
    let read: Vec<_> = items
        .iter()
        .enumerate()
        .map(|(index, item)| T::read(item, &format!("{name}[{index}]"), reader.errors()))
        .collect();
    read.into_iter().collect()
}

fn read_groups(reader: &mut ObjectReader<'_>) -> Option<Vec<Group>> {
    let items = read_array(reader, "groups", false, MAX_SHAPES)?;
    let read: Vec<_> = items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            Group::read(item, &PropertyPath::of(&format!("groups[{index}]")), reader.errors())
        })
        .collect();
    read.into_iter().collect()
}

/// Checks for duplicate ids in the raw file, so that other errors do not hide them.
fn check_ids(reader: &mut ObjectReader<'_>) {
    let lists = [("shapes", "shape"), ("lights", "light"), ("groups", "group")];
    let items = lists.map(|(list, kind)| {
        let items =
            reader.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().map(move |item| (item, kind))
    });
    let items: Vec<(&Value, &str)> = items.into_iter().flatten().collect();
    let ids = items.iter().filter_map(|(item, kind)| Some((item.get("id")?.as_str()?, *kind)));
    let carried = items.iter().filter_map(|(item, _)| item.get("group")?.as_str());
    check_unique(ids, carried, reader.errors());
}

/// Checks that ids are unique among shapes, lights and groups; `groups` includes those that objects
/// refer to.
fn check_unique<'a>(
    ids: impl Iterator<Item = (&'a str, &'static str)>,
    groups: impl Iterator<Item = &'a str>,
    errors: &mut ReadErrors,
) {
    let mut kinds = HashMap::new();
    for (id, kind) in ids {
        if let Some(first) = kinds.insert(id, kind) {
            errors.add(format!(
                "id '{id}' is used by a {first} and again by a {kind}; ids must be unique"
            ));
        }
    }
    let groups: BTreeSet<&str> = groups.collect();
    for id in groups.into_iter().filter(|id| kinds.get(id).is_some_and(|kind| *kind != "group")) {
        errors.add(format!(
            "id '{id}' is used by an object and again by a group; ids must be unique"
        ));
    }
}

/// Checks that shapes with the same material name have the same material.
fn check_shared_materials(scene: &Scene, errors: &mut ReadErrors) {
    let mut known: HashMap<&str, &Shape> = HashMap::new();
    for shape in &scene.shapes {
        let Some(name) = &shape.material_name else { continue };
        let first = known.entry(name.as_str()).or_insert(shape);
        if first.material != shape.material {
            errors.add(format!(
                "shapes '{}' and '{}' share the material '{name}' and have different ones; give them the same, or \
                 another 'material_name'",
                first.id, shape.id
            ));
        }
    }
}

/// Checks that the tracks of the animation fit the scene.
fn check_animation(scene: &Scene, errors: &mut ReadErrors) {
    if let Some(animation) = &scene.animation
        && let Err(violations) = scene.check_animation(animation)
    {
        errors.add_all(violations);
    }
}

/// Checks that the parents of groups exist and have no cycles.
fn check_groups(scene: &Scene, errors: &mut ReadErrors) {
    let known: HashSet<&str> = scene.group_ids().collect();
    let parents: HashMap<&str, Option<&str>> = scene
        .groups
        .iter()
        .map(|group| (group.id.as_str(), group.parent.as_ref().map(|id| id.as_str())))
        .collect();
    // Groups without a cycle among their ancestors; each is visited once.
    let mut good: HashSet<&str> = HashSet::new();
    for group in &scene.groups {
        let mut path = HashSet::new();
        let mut child = group.id.as_str();
        let mut at = Some(child);
        while let Some(id) = at.filter(|id| !good.contains(id)) {
            if !path.insert(id) {
                errors.add(format!("group '{id}' is inside itself; give it another parent"));
                break;
            }
            if !known.contains(id) {
                errors.add(format!(
                    "group '{child}' has the unknown parent '{id}'; list it under groups"
                ));
                break;
            }
            child = id;
            at = parents.get(id).copied().flatten();
        }
        // Even after an error, which is reported once.
        good.extend(path);
    }
}
