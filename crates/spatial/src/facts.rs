//! What a change has come to, in a few words beside its result.

use std::cell::LazyCell;
use std::collections::HashSet;

use scene::{Environment, Kind};
use serde_json::{Map, Value, json};

use crate::animated::of_animation;
use crate::check::Natural;
use crate::measure::{short, triple};
use crate::shine::shine;
use crate::solid::{Extent, Relation, Solid};
use crate::space::{Object, Space};
use crate::view::View;

/// The most names in one list of facts.
const MAX_NAMES: usize = 5;
/// The most overlaps told.
const MAX_OVERLAPS: usize = 3;
/// Things whose contacts are looked at; for more, only where they are is told.
const MAX_OBJECTS: usize = 100;

/// Facts about the things a call was about: bounds, what they touch, what is new and odd, how much
/// of the picture they take. `None` where there is nothing to tell.
pub fn facts(before: &Space<'_>, after: &Space<'_>, about: &[(Kind, String)]) -> Option<Value> {
    let places: Vec<usize> = about.iter().filter_map(|(_, id)| after.place_of(id)).collect();
    let mut facts = match places[..] {
        [] if about.iter().any(|(kind, _)| *kind == Kind::Camera) => Some(of_camera(after)),
        [] if about.iter().any(|(kind, _)| *kind == Kind::Environment) => of_environment(after),
        [] if about.iter().any(|(kind, _)| *kind == Kind::Animation) => of_animation(after),
        [] => None,
        [at] => Some(of_one(before, after, at)),
        _ => Some(of_many(before, after, &places)),
    };
    // A batch that sets the sky along with other things.
    if !places.is_empty() && about.iter().any(|(kind, _)| *kind == Kind::Environment) {
        let sky = of_environment(after);
        if let (Some(Value::Object(facts)), Some(Value::Object(sky))) = (&mut facts, sky) {
            facts.extend(sky);
        }
    }
    facts
}

/// Where the sun of a sky stands; `None` without one.
fn of_environment(after: &Space<'_>) -> Option<Value> {
    let Environment::Sky(sky) = &after.scene.environment else { return None };
    let towards = sky.sun_direction();
    let height = towards[1].clamp(-1.0, 1.0).asin().to_degrees();
    let height = (height * 10.0).round() / 10.0;
    // The longer its way through the air, the more blue it loses.
    let colour = match height {
        ..0.0 => "below the horizon",
        0.0..4.0 => "red",
        4.0..10.0 => "orange",
        10.0..25.0 => "warm white",
        _ => "white",
    };
    let towards = towards.map(short);
    Some(
        json!({ "sun": { "towards": towards, "degrees_above_horizon": height, "colour": colour } }),
    )
}

fn bounds(extent: Extent) -> Value {
    json!([triple(extent.min), triple(extent.max)])
}

fn of_one(before: &Space<'_>, after: &Space<'_>, at: usize) -> Value {
    let body = &after.bodies()[at];
    let mut facts = Map::new();
    facts.insert("bounds".into(), bounds(body.solid.extent()));
    if let Object::Light(light) = body.object {
        facts.extend(shine(after, &light.light));
    }
    if body.shape().is_some() {
        let contacts = after.contacts(at);
        let natural = LazyCell::new(|| Natural::new(after));
        let touched = contacts.iter().take(MAX_NAMES);
        let names: Vec<&str> = touched.map(|(other, _)| after.bodies()[*other].id).collect();
        if !names.is_empty() {
            facts.insert("touches".into(), json!(names));
        }
        let overlaps: Vec<Value> = new_overlaps(before, after, (at, &contacts), &natural)
            .into_iter()
            .take(MAX_OVERLAPS)
            .map(|(other, depth)| json!({ "with": after.bodies()[other].id, "by": short(depth) }))
            .collect();
        if !overlaps.is_empty() {
            facts.insert("new_overlaps".into(), json!(overlaps));
        }
        if let Some(floating) = floating(after, at, &contacts) {
            facts.insert("floating".into(), floating);
        }
    }
    let coverage = View::of(&after.scene.camera).coverage(&body.solid);
    facts.insert("screen".into(), share(coverage.screen));
    if coverage.inside < 0.995 {
        facts.insert("in_view".into(), share(coverage.inside));
    }
    Value::Object(facts)
}

fn of_many(before: &Space<'_>, after: &Space<'_>, places: &[usize]) -> Value {
    let solids = || places.iter().map(|at| &after.bodies()[*at].solid);
    let whole = solids().map(Solid::extent).reduce(Extent::union);
    let mut facts = Map::new();
    if let Some(whole) = whole {
        facts.insert("bounds".into(), bounds(whole));
    }
    if places.len() <= MAX_OBJECTS {
        let mut told = HashSet::new();
        let natural = LazyCell::new(|| Natural::new(after));
        let (mut overlaps, mut loose) = (Vec::new(), Vec::new());
        for at in places {
            let contacts = after.contacts(*at);
            if floating(after, *at, &contacts).is_some() {
                loose.push(after.bodies()[*at].id);
            }
            for (other, depth) in new_overlaps(before, after, (*at, &contacts), &natural) {
                if told.insert((other.min(*at), other.max(*at))) {
                    let ids = [after.bodies()[*at].id, after.bodies()[other].id];
                    overlaps.push(json!({ "ids": ids, "by": short(depth) }));
                }
            }
        }
        if !overlaps.is_empty() {
            facts.insert("new_overlaps".into(), overlaps.len().into());
            overlaps.truncate(MAX_OVERLAPS);
            facts.insert("for_example".into(), overlaps.into());
        }
        if !loose.is_empty() {
            facts.insert("floating".into(), loose.len().into());
            facts.insert("floating_ids".into(), json!(loose[..loose.len().min(MAX_NAMES)]));
        }
    }
    let lights = places.iter().filter_map(|at| match after.bodies()[*at].object {
        Object::Light(light) => Some((light.id.as_str(), shine(after, &light.light))),
        Object::Shape(_) => None,
    });
    let lights: Vec<(&str, Map<String, Value>)> = lights.collect();
    if !lights.is_empty() && lights.len() <= MAX_NAMES {
        let told = lights.into_iter().map(|(id, shine)| (id.to_owned(), Value::Object(shine)));
        facts.insert("lights".into(), Value::Object(told.collect()));
    }
    let view = View::of(&after.scene.camera);
    // Lights need not be seen.
    let shapes = places.iter().map(|at| &after.bodies()[*at]).filter(|body| body.shape().is_some());
    let outside: Vec<_> = shapes.filter(|body| !view.shows(&body.solid, 0.5)).collect();
    if !outside.is_empty() {
        facts.insert("out_of_view".into(), outside.len().into());
        // Parts by the name of the whole.
        let mut names: Vec<&str> =
            outside.iter().map(|body| after.whole_of(body).unwrap_or(body.id)).collect();
        names.dedup();
        facts.insert("out_of_view_ids".into(), json!(names[..names.len().min(MAX_NAMES)]));
    }
    Value::Object(facts)
}

fn of_camera(after: &Space<'_>) -> Value {
    let view = View::of(&after.scene.camera);
    let seen = |solid: &Solid| view.shows(solid, 0.5);
    let solid = || after.shapes().map(|(_, body)| body).filter(|body| !body.solid.is_flat());
    let outside: Vec<&str> =
        solid().filter(|body| !seen(&body.solid)).map(|body| body.id).collect();
    let mut facts = Map::new();
    facts.insert("in_view".into(), (solid().count() - outside.len()).into());
    if !outside.is_empty() {
        facts.insert("out_of_view".into(), outside.len().into());
        facts.insert("for_example".into(), json!(outside[..outside.len().min(MAX_NAMES)]));
    }
    Value::Object(facts)
}

/// What a body touches or overlaps, and how it lies to it.
type Contacts = [(usize, Relation)];

/// Overlaps of a body that were not there before, or are deeper now.
fn new_overlaps<'s, 'a, F: FnOnce() -> Natural<'s, 'a>>(
    before: &Space<'_>,
    after: &Space<'_>,
    (at, contacts): (usize, &Contacts),
    natural: &LazyCell<Natural<'s, 'a>, F>,
) -> Vec<(usize, f64)> {
    let id = after.bodies()[at].id;
    let old_place = before.place_of(id);
    let was = |other: usize| {
        let (at, other) = (old_place?, before.place_of(after.bodies()[other].id)?);
        before.overlap(at, other, &before.contact(at, other)?)
    };
    let overlaps = contacts
        .iter()
        .filter_map(|(other, relation)| Some((*other, after.overlap(at, *other, relation)?)));
    let is_new = |(other, depth): &(usize, f64)| was(*other).is_none_or(|was| *depth > was * 1.01);
    let mut overlaps: Vec<(usize, f64)> = overlaps.filter(is_new).collect();
    // Those that the check of the scene tells, too.
    overlaps.retain(|(other, _)| {
        let relation = contacts.iter().find(|(one, _)| one == other).map(|(_, relation)| relation);
        relation.is_some_and(|relation| natural.is_mistake(at, *other, relation))
    });
    overlaps
}

/// How high above what a shape hangs in the air, when it touches nothing at all.
fn floating(space: &Space<'_>, at: usize, contacts: &Contacts) -> Option<Value> {
    let body = &space.bodies()[at];
    let is_solid = body.shape().is_some() && !body.solid.is_flat();
    if !is_solid || !contacts.is_empty() {
        return None;
    }
    if space.seem_held(&[at]) {
        return None;
    }
    let (way, below) = space.fall(&body.solid, &HashSet::from([at]))?;
    Some(json!({ "above": space.bodies()[below].id, "by": short(way) }))
}

fn share(share: f64) -> Value {
    json!((share * 1e3).round() / 1e3)
}
