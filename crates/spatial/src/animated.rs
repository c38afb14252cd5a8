//! What an animation comes to: how far things go, and when they are out of the picture.

use std::collections::BTreeMap;

use glam::DVec3;
use scene::{Animation, Scene};
use serde_json::{Map, Value, json};

use crate::measure::short;
use crate::space::Space;
use crate::view::View;

/// The most times that are looked at.
const MAX_TIMES: usize = 12;
/// The most things that are told.
const MAX_THINGS: usize = 8;

/// Facts about the animation of a scene; `None` without one.
pub(crate) fn of_animation(after: &Space<'_>) -> Option<Value> {
    let animation = after.scene.animation.as_ref()?;
    let things: Vec<&str> = things(after.scene, animation);
    let mut places: BTreeMap<&str, Vec<DVec3>> = BTreeMap::new();
    let mut unseen: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut camera: Vec<DVec3> = Vec::new();
    let mut nothing_seen = Vec::new();
    for time in times(animation) {
        let scene = after.scene.at_time(time, after.assets());
        let space = Space::of(&scene, after.assets());
        let view = View::of(&scene.camera);
        camera.push(view.center());
        for thing in &things {
            // What is hidden at this time is nowhere.
            let Ok(unit) = space.unit(thing) else { continue };
            places.entry(thing).or_default().push(unit.solid.extent().center());
            if !view.shows(&unit.solid, 0.5) {
                unseen.entry(thing).or_default().push(short(time));
            }
        }
        if things.is_empty() && !space.contents().is_none_or(|all| view.shows(&all, 0.5)) {
            nothing_seen.push(short(time));
        }
    }
    let way =
        |places: &[DVec3]| -> f64 { places.windows(2).map(|pair| pair[0].distance(pair[1])).sum() };
    let mut moves: Map<String, Value> = places
        .iter()
        .map(|(thing, places)| ((*thing).to_owned(), way(places)))
        .filter(|(_, way)| *way > 1e-6)
        .map(|(thing, way)| (thing, short(way)))
        .collect();
    if way(&camera) > 1e-6 {
        moves.insert("camera".into(), short(way(&camera)));
    }
    let mut facts = Map::new();
    if !moves.is_empty() {
        facts.insert("metres".into(), moves.into());
    }
    if !unseen.is_empty() {
        facts.insert("out_of_view_at".into(), json!(unseen));
    }
    if !nothing_seen.is_empty() {
        facts.insert("scene_out_of_view_at".into(), nothing_seen.into());
    }
    (!facts.is_empty()).then(|| facts.into())
}

/// The shapes, lights and groups that have tracks.
fn things<'a>(scene: &Scene, animation: &'a Animation) -> Vec<&'a str> {
    let mut things: Vec<&str> = Vec::new();
    for track in animation.tracks.get() {
        let target = track.target.as_str();
        let is_known = things.contains(&target);
        if !is_known && things.len() < MAX_THINGS && scene.kind_of(target).is_some() {
            things.push(target);
        }
    }
    things
}

/// Times at which something turns: those of the keys and between them, no more than a few.
fn times(animation: &Animation) -> Vec<f64> {
    let keys = animation.tracks.get().iter().flat_map(|track| track.keys.get());
    let mut times: Vec<f64> = keys.map(|key| key.time.get()).collect();
    times.extend([0.0, animation.duration.get()]);
    times.sort_by(f64::total_cmp);
    times.dedup();
    let between: Vec<f64> = times
        .windows(2)
        .flat_map(|pair| [0.25, 0.5, 0.75].map(|share| pair[0] + share * (pair[1] - pair[0])))
        .collect();
    if times.len() + between.len() <= MAX_TIMES {
        times.extend(between);
        times.sort_by(f64::total_cmp);
    }
    let step = times.len().div_ceil(MAX_TIMES).max(1);
    times.into_iter().step_by(step).collect()
}
