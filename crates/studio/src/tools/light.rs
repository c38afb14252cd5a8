//! Lighting findings of `check_scene`, from a tiny picture.

use std::collections::BTreeMap;

use scene::{Environment, FindingKind, Scene, Shape};
use serde_json::{Value, json};
use spatial::{Colour, Finding, Space, View, is_surroundings};
use tracer::{Draft, LinearImage, RenderSettings, World, render_draft};

use crate::look::luminance;
use crate::picture::exposed;

/// Size of the picture in pixels.
const GLANCE: [u32; 2] = [24, 18];
/// Luminance below which a pixel looks black, and above which it looks white.
const DARK: f32 = 0.01;
const BURNT: f32 = 4.0;
/// The largest acceptable shares of black and white pixels.
const MAX_DARK_SHARE: f64 = 0.97;
const MAX_BURNT_SHARE: f64 = 0.5;
/// The most calls of one fix; the rest shows at the next check.
const MAX_DIMMED_LIGHTS: usize = 20;
/// The target of the median luminance.
const MIDDLE: f32 = 0.5;

/// Checks for an almost black or white picture with one sample per pixel. The finding is about the
/// shape with most of these pixels, so that it can be marked as intentional.
pub(super) fn light(space: &Space<'_>, world: &World) -> Option<(FindingKind, Finding)> {
    let scene = space.scene;
    if scene.shapes.is_empty() {
        return None;
    }
    let fine = Draft { block: 1, ..Draft::default() };
    let traced = render_draft(world, &RenderSettings::default(), fine, GLANCE, &|| false)?;
    let picture = exposed(&traced, scene.camera.exposure.get() as f32);
    let mut levels: Vec<f32> = picture.pixels.iter().map(|pixel| luminance(*pixel)).collect();
    levels.sort_unstable_by(f32::total_cmp);
    let share = |count: usize| count as f64 / levels.len() as f64;
    let dark = share(levels.partition_point(|level| *level < DARK));
    let burnt = share(levels.len() - levels.partition_point(|level| *level < BURNT));
    let finding = |kind: FindingKind, message: String, fix: Value| {
        let is_it = |level: f32| match kind {
            FindingKind::Dark => level < DARK,
            _ => level >= BURNT,
        };
        let ids = vec![most_seen(scene, world, &picture, is_it)];
        (kind, Finding { check: kind.name(), ids, message, fix: Some(fix) })
    };
    if dark > MAX_DARK_SHARE {
        let has_light =
            !scene.lights.is_empty() || !matches!(scene.environment, Environment::Darkness(_));
        let message = if has_light {
            "the picture is all but black: the lights are too weak, shine away, or are blocked"
        } else {
            "the picture is black: there is no light"
        };
        let fix = json!({ "name": "set_environment_lighting", "args": { "type": "gradient" } });
        return Some(finding(FindingKind::Dark, message.into(), fix));
    }
    if burnt > MAX_BURNT_SHARE {
        let factor = f64::from((levels[levels.len() / 2] / MIDDLE).max(2.0));
        let message = format!(
            "{:.0} % of the picture is burnt out: everything that shines is about {factor:.0} times too strong",
            100.0 * burnt,
        );
        return Some(finding(FindingKind::BurntOut, message, dimmed(scene, factor)));
    }
    subject(space, world, &picture)
}

/// The minimum share of the picture for a subject.
const MIN_SUBJECT: f64 = 0.04;
/// The minimum share of black or white pixels of the subject for a finding.
const MIN_SUBJECT_SHARE: f64 = 0.85;

/// Checks the subject, i.e. the largest visible object except floors, walls and land, for being almost
/// black or white. Dark and emissive materials are ignored.
fn subject(
    space: &Space<'_>,
    world: &World,
    picture: &LinearImage,
) -> Option<(FindingKind, Finding)> {
    let (scene, view) = (space.scene, View::of(&space.scene.camera));
    let seen = seen_shapes(scene, world, picture);
    let mut around: BTreeMap<&str, bool> = BTreeMap::new();
    let mut things: BTreeMap<&str, Thing<'_>> = BTreeMap::new();
    for (shape, level, at) in seen {
        let is_around = *around.entry(shape.id.as_str()).or_insert_with(|| {
            let body = space.place_of(shape.id.as_str()).map(|at| &space.bodies()[at]);
            body.is_some_and(|body| is_surroundings(body, &view))
        });
        if !is_around {
            let whole = shape.group.as_ref().unwrap_or(&shape.id).as_str();
            things.entry(whole).or_insert_with(|| Thing::of(shape.id.as_str())).add(level, at);
        }
    }
    let central = things.into_iter().filter(|(_, thing)| !thing.is_aside());
    let (name, Thing { id, levels, .. }) = central.max_by_key(|(_, thing)| thing.levels.len())?;
    if (levels.len() as f64) < MIN_SUBJECT * picture.pixels.len() as f64 {
        return None;
    }
    let material = &scene.shape(id)?.material;
    let share = |is_it: fn(f32) -> bool| {
        levels.iter().filter(|level| is_it(**level)).count() as f64 / levels.len() as f64
    };
    let of = |what: &str| {
        let kind = FindingKind::SubjectLight;
        let message = format!("'{name}', the largest thing in the picture, is {what}");
        (kind, Finding { check: kind.name(), ids: vec![id.to_owned()], message, fix: None })
    };
    if share(|level| level < DARK) > MIN_SUBJECT_SHARE && Colour::of(material) != Colour::Black {
        return Some(of("all but black: no light reaches the side that is seen"));
    }
    if share(|level| level >= BURNT) > MIN_SUBJECT_SHARE && !material.glows() {
        return Some(of("burnt out: weaken the light that falls on it"));
    }
    None
}

/// What a picture shows of a thing.
struct Thing<'a> {
    /// The first of its shapes.
    id: &'a str,
    /// The luminance of its pixels.
    levels: Vec<f32>,
    /// The sum of their places.
    sum: [f32; 2],
    /// Whether it reaches the left, right or upper edge of the picture.
    is_cut: bool,
}

impl<'a> Thing<'a> {
    fn of(id: &'a str) -> Self {
        Self { id, levels: Vec::new(), sum: [0.0; 2], is_cut: false }
    }

    fn add(&mut self, level: f32, [x, y]: [f32; 2]) {
        let [width, height] = GLANCE.map(|side| side as f32);
        self.levels.push(level);
        self.sum = [self.sum[0] + x, self.sum[1] + y];
        self.is_cut |= x * width < 1.0 || (1.0 - x) * width < 1.0 || y * height < 1.0;
    }

    /// Whether it runs out of the picture and lies beside its middle half: the picture is about something else.
    fn is_aside(&self) -> bool {
        let middle = self.sum.map(|sum| sum / self.levels.len().max(1) as f32);
        self.is_cut && middle.iter().any(|at| !(0.25..=0.75).contains(at))
    }
}

/// The shape at each pixel, with the luminance and the place in the picture, from 0 to 1.
fn seen_shapes<'a>(
    scene: &'a Scene,
    world: &World,
    picture: &LinearImage,
) -> Vec<(&'a Shape, f32, [f32; 2])> {
    let aspect = picture.width as f32 / picture.height as f32;
    let shapes: BTreeMap<&str, &Shape> =
        scene.shapes.iter().map(|shape| (shape.id.as_str(), &**shape)).collect();
    let shown = |(at, pixel): (u32, &[f32; 3])| {
        let (x, y) = (at % picture.width, at / picture.width);
        let middle = |at: u32, size: u32| (at as f32 + 0.5) / size as f32;
        let at = [middle(x, picture.width), middle(y, picture.height)];
        let seen = world.pick(at[0], at[1], aspect)?;
        Some((*shapes.get(seen.id.as_str())?, luminance(*pixel), at))
    };
    (0..).zip(&picture.pixels).filter_map(shown).collect()
}

/// The shape with the most pixels for which `is_it` is true; any shape if only the sky has such pixels.
fn most_seen(
    scene: &Scene,
    world: &World,
    picture: &LinearImage,
    is_it: impl Fn(f32) -> bool,
) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (shape, level, _) in seen_shapes(scene, world, picture) {
        if is_it(level) {
            *counts.entry(shape.id.as_str()).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count).map(|(id, _)| id);
    most.unwrap_or_else(|| scene.shapes[0].id.as_str()).to_owned()
}

/// The calls that divide all emission by `factor`. Light is linear, so the picture gets darker by that
/// factor.
fn dimmed(scene: &Scene, factor: f64) -> Value {
    let mut calls = Vec::new();
    let environment = scene.environment.to_json();
    if let Some(args) = divided(&environment, factor) {
        calls.push(json!({ "name": "set_environment_lighting", "args": args }));
    }
    for light in &scene.lights {
        let emission = &light.to_json()["properties"]["emission"];
        let updates = json!({ "properties": { "emission": quotient(emission, factor) } });
        let args = json!({ "id": light.id.as_str(), "updates": updates });
        calls.push(json!({ "name": "update_light", "args": args }));
    }
    for shape in &scene.shapes {
        if let Some(material) = divided(&shape.material.to_json(), factor) {
            let updates = json!({ "properties": { "material": material } });
            let args = json!({ "id": shape.id.as_str(), "updates": updates });
            calls.push(json!({ "name": "update_shape", "args": args }));
        }
    }
    calls.truncate(MAX_DIMMED_LIGHTS);
    match calls.len() {
        1 => calls.remove(0),
        _ => json!({ "name": "edit_scene", "args": { "calls": calls } }),
    }
}

/// An environment or a material with its emission divided; `None` if it does not emit.
fn divided(thing: &Value, factor: f64) -> Option<Value> {
    /// The document properties that scale emission.
    const SHINING: [&str; 4] = ["emission", "top_color", "bottom_color", "emission_luminance"];
    let mut divided = thing.clone();
    let mut shines = false;
    for (name, value) in divided.as_object_mut()? {
        if SHINING.contains(&name.as_str()) {
            let dimmer = quotient(value, factor);
            shines |= dimmer != *value;
            *value = dimmer;
        }
    }
    shines.then_some(divided)
}

/// A number, or each of a list, divided and rounded to four digits; a texture stays as it is.
fn quotient(value: &Value, factor: f64) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| quotient(item, factor)).collect(),
        Value::Number(number) => {
            let exact = number.as_f64().unwrap_or(0.0) / factor;
            let scale = 10f64.powi(3 - exact.abs().max(1e-12).log10().floor() as i32);
            json!((exact * scale).round() / scale)
        }
        other => other.clone(),
    }
}
