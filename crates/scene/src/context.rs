//! The scene as compact text for a model: every object, with its bounding box.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::assets::{Assets, NoAssets};
use crate::bounds::Aabb;
use crate::document::{LightSource, Scene, Shape};
use crate::id::{Id, stem};

impl Scene {
    /// The scene as text, one short line per object, without the bounds of meshes.
    pub fn to_context_text(&self) -> String {
        self.to_context_text_with(&NoAssets)
    }

    /// Like [`to_context_text`](Self::to_context_text), with the bounds of the meshes in `assets`.
    pub fn to_context_text_with(&self, assets: &dyn Assets) -> String {
        let mut text = String::new();
        section(&mut text, "shapes", self.shapes.len());
        let copies = Copies::of(&self.shapes);
        for shape in &self.shapes {
            match copies.of_shape(shape) {
                None => {
                    text.push_str("- ");
                    text.push_str(&shape_line(shape, assets));
                }
                Some(members) if members[0].id == shape.id => {
                    text.push_str("- ");
                    text.push_str(&shape_line(shape, assets));
                    text.push_str(&copies_line(members, assets));
                }
                Some(_) => {}
            }
        }
        section(&mut text, "lights", self.lights.len());
        for light in &self.lights {
            text.push_str("- ");
            text.push_str(&light_line(light));
        }
        text.push_str(&groups_text(self));
        text.push_str(&shared_materials_text(self));
        for (name, value) in
            [("environment", self.environment.to_json()), ("camera", self.camera.to_json())]
        {
            let body = value.as_object().map(properties_text).unwrap_or_default();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name}:{body}");
        }
        text.push_str(&animation_text(self));
        text
    }

    /// The line of a shape or light in [`to_context_text_with`](Self::to_context_text_with),
    /// without the dash; `None` if there is no such id.
    pub fn context_line(&self, id: &str, assets: &dyn Assets) -> Option<String> {
        let shape = self.shapes.iter().find(|shape| shape.id.as_str() == id);
        let light = || self.lights.iter().find(|light| light.id.as_str() == id);
        shape
            .map(|shape| shape_line(shape, assets))
            .or_else(|| light().map(|light| light_line(light)))
    }
}

/// The animation with a line for each of its first tracks; empty without one.
fn animation_text(scene: &Scene) -> String {
    /// The most tracks that are told.
    const MAX_TRACKS: usize = 12;
    let Some(animation) = &scene.animation else { return String::new() };
    let tracks = animation.tracks.get();
    let mut text = format!("animation: {}\n", animation.told());
    for track in tracks.iter().take(MAX_TRACKS) {
        let _ = writeln!(text, "- {}", track.told());
    }
    if tracks.len() > MAX_TRACKS {
        let _ = writeln!(text, "- ... ({} tracks in all)", tracks.len());
    }
    text
}

fn shape_line(shape: &Shape, assets: &dyn Assets) -> String {
    line(&shape.to_json(), shape.geometry.bounds_with(assets))
}

fn light_line(light: &LightSource) -> String {
    line(&light.to_json(), Some(light.light.bounds()))
}

/// Shapes that differ only in position and number: copies of each other.
struct Copies<'a>(HashMap<CopyKey<'a>, Vec<&'a Arc<Shape>>>);

/// The group, type and name that copies share.
type CopyKey<'a> = (Option<&'a Id>, &'static str, &'a str);

/// The number of copies from which they share a line.
const MIN_COPIES: usize = 5;

impl<'a> Copies<'a> {
    fn of(shapes: &'a [Arc<Shape>]) -> Self {
        let mut alike: HashMap<_, Vec<&Arc<Shape>>> = HashMap::new();
        for shape in shapes {
            alike.entry(key(shape)).or_default().push(shape);
        }
        alike.retain(|_, members| {
            members.len() >= MIN_COPIES
                && members.iter().all(|shape| {
                    shape.material == members[0].material
                        && shape.intentional == members[0].intentional
                })
        });
        Self(alike)
    }

    fn of_shape(&self, shape: &'a Arc<Shape>) -> Option<&[&'a Arc<Shape>]> {
        self.0.get(&key(shape)).map(Vec::as_slice)
    }
}

fn key(shape: &Shape) -> CopyKey<'_> {
    (shape.group.as_ref(), shape.geometry.type_name(), stem(shape.id.as_str()))
}

fn copies_line(members: &[&Arc<Shape>], assets: &dyn Assets) -> String {
    let copies = &members[1..];
    let bounds = copies.iter().filter_map(|shape| shape.geometry.bounds_with(assets));
    let place = bounds
        .reduce(Aabb::union)
        .map(|bounds| format!(" | bounds {} to {}", triple(bounds.min), triple(bounds.max)));
    let (first, last) = (&copies[0].id, &copies[copies.len() - 1].id);
    format!(
        "- {first} ... {last}: {} more like {}{}\n",
        copies.len(),
        members[0].id,
        place.unwrap_or_default()
    )
}

/// The tree of groups with their members, e.g. `- wheel: hub, 24 x spoke`; empty without groups.
fn groups_text(scene: &Scene) -> String {
    let mut seen = HashSet::new();
    let names: Vec<&str> = scene.group_ids().filter(|id| seen.insert(*id)).collect();
    if names.is_empty() {
        return String::new();
    }
    let parents: HashMap<&str, &str> = scene
        .groups
        .iter()
        .filter_map(|group| Some((group.id.as_str(), group.parent.as_ref()?.as_str())))
        .collect();
    let mut members: HashMap<&str, Vec<&str>> = HashMap::new();
    let shapes = scene.shapes.iter().map(|shape| (&shape.id, &shape.group));
    let lights = scene.lights.iter().map(|light| (&light.id, &light.group));
    for (id, group) in shapes.chain(lights) {
        if let Some(group) = group {
            members.entry(group.as_str()).or_default().push(stem(id.as_str()));
        }
    }
    let mut text = format!("groups ({}):\n", names.len());
    let tree = Tree { names: &names, parents: &parents, members: &members };
    for top in names.iter().filter(|name| !parents.contains_key(*name)) {
        tree.tell(top, 0, &mut text);
    }
    text
}

/// The shared materials with their shapes, e.g. `- oak: table_top, 4 x table_leg`; empty if there
/// are none.
fn shared_materials_text(scene: &Scene) -> String {
    let mut sharers: Vec<(&str, Vec<&str>)> = Vec::new();
    for shape in &scene.shapes {
        let Some(name) = &shape.material_name else { continue };
        let member = stem(shape.id.as_str());
        match sharers.iter_mut().find(|(known, _)| *known == name.as_str()) {
            Some((_, members)) => members.push(member),
            None => sharers.push((name.as_str(), vec![member])),
        }
    }
    if sharers.is_empty() {
        return String::new();
    }
    let mut text = format!("shared materials ({}):\n", sharers.len());
    for (name, members) in sharers {
        let _ = writeln!(text, "- {name}: {}", counted(&members));
    }
    text
}

/// Groups by name, with their direct members.
struct Tree<'a> {
    names: &'a [&'a str],
    parents: &'a HashMap<&'a str, &'a str>,
    members: &'a HashMap<&'a str, Vec<&'a str>>,
}

/// The most distinct names of a group's members to list.
const MAX_MEMBERS: usize = 12;

impl Tree<'_> {
    fn tell(&self, group: &str, depth: usize, text: &mut String) {
        let members = self.members.get(group).map(Vec::as_slice).unwrap_or_default();
        let _ = writeln!(text, "{}- {group}: {}", "  ".repeat(depth), counted(members));
        // The groups of a document have no cycles.
        for inner in self.names.iter().filter(|inner| self.parents.get(*inner) == Some(&group)) {
            self.tell(inner, depth + 1, text);
        }
    }
}

/// Members by name with their counts, e.g. `hub, 24 x spoke`.
fn counted(members: &[&str]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for member in members {
        match counts.iter_mut().find(|(name, _)| name == member) {
            Some((_, count)) => *count += 1,
            None => counts.push((member, 1)),
        }
    }
    let told = counts.iter().take(MAX_MEMBERS).map(|(name, count)| match count {
        1 => (*name).to_owned(),
        count => format!("{count} x {name}"),
    });
    let mut told = told.collect::<Vec<_>>().join(", ");
    if counts.len() > MAX_MEMBERS {
        let _ = write!(told, ", ... ({} in all)", members.len());
    }
    told
}

fn section(text: &mut String, name: &str, count: usize) {
    let _ = match count {
        0 => writeln!(text, "{name}: none"),
        _ => writeln!(text, "{name} ({count}):"),
    };
}

fn line(object: &Value, bounds: Option<Aabb>) -> String {
    let field = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
    let mut text = format!("{}: {}", field("id"), field("type"));
    if object.get("group").is_some() {
        let _ = write!(text, " group={}", field("group"));
    }
    if let Some(marks) = object.get("intentional").and_then(Value::as_array) {
        let marks: Vec<&str> = marks.iter().filter_map(Value::as_str).collect();
        let _ = write!(text, " intentional={}", marks.join(","));
    }
    if object.get("material_name").is_some() {
        let _ = write!(text, " material_name={}", field("material_name"));
    }
    if let Some(properties) = object["properties"].as_object() {
        text.push_str(&properties_text(properties));
    }
    if let Some(bounds) = bounds {
        let _ = write!(text, " | bounds {} to {}", triple(bounds.min), triple(bounds.max));
    }
    text.push('\n');
    text
}

fn properties_text(properties: &Map<String, Value>) -> String {
    properties.iter().fold(String::new(), |mut text, (name, value)| {
        let _ = match name.as_str() {
            "type" => write!(text, " {}", value.as_str().unwrap_or_default()),
            _ => write!(text, " {name}={}", value_text(value)),
        };
        text
    })
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().map(short).unwrap_or_default(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(value_text).collect::<Vec<_>>().join(","))
        }
        Value::Object(object) => format!("({})", properties_text(object).trim_start()),
        other => other.to_string(),
    }
}

fn triple(values: [f64; 3]) -> String {
    format!("[{}]", values.map(short).join(","))
}

/// Rounds to three decimals; smaller numbers keep four significant digits.
fn short(number: f64) -> String {
    if number == 0.0 || number.abs() >= 1.0 {
        // Adding 0 makes -0 positive.
        return ((number * 1000.0).round() / 1000.0 + 0.0).to_string();
    }
    if number.abs() < 1e-5 {
        return format!("{number:.2e}");
    }
    let scale = 10f64.powi(3 - number.abs().log10().floor() as i32);
    ((number * scale).round() / scale).to_string()
}
