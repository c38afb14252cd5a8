//! What was done, told from the calls that succeeded.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::describe::{noun, noun_phrase, plural_phrase, size};
use super::object::object_news;
use super::{joined, list, metres, point};
use crate::plan::Call;
use crate::world::{Body, Form, Lamp, Thing, World};

/// A call and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome<'a> {
    /// The name of the tool.
    pub(crate) name: &'a str,
    pub(crate) args: &'a Value,
    /// The object the tool gave back, or why it failed.
    pub(crate) result: Result<&'a Value, Cow<'a, str>>,
}

impl<'a> Outcome<'a> {
    /// The id the call is about.
    pub(crate) fn id(&self) -> Option<&'a str> {
        self.args.get("id")?.as_str()
    }

    /// The name that it gives to what had another.
    pub(crate) fn new_id(&self) -> Option<&'a str> {
        self.args.pointer("/updates/id")?.as_str()
    }

    /// The call, to be made again.
    pub(crate) fn call(&self) -> Call {
        Call::new(self.name, self.args.clone())
    }

    /// Whether it is what became of this call.
    pub(crate) fn is_of(&self, call: &Call) -> bool {
        self.name == call.name && *self.args == call.args
    }
}

/// What the calls that succeeded changed, in sentences; `before` is the scene they started from.
pub(crate) fn summary(before: &World, outcomes: &[&Outcome]) -> Vec<String> {
    let done = |prefix: &'static str| {
        outcomes
            .iter()
            .copied()
            .filter(move |outcome| outcome.name.starts_with(prefix) && outcome.result.is_ok())
    };
    let mut sentences = Vec::new();
    let removed: Vec<String> =
        done("remove_").filter_map(|outcome| outcome.id().map(str::to_owned)).collect();
    if !removed.is_empty() {
        sentences.push(format!("I removed {}.", list(&called(before, &removed))));
    }
    sentences.extend(changed(before, done("update_")));
    sentences.extend(made(done("create_")));
    if let Some(last) = done("set_environment_lighting").next_back() {
        let map = last.args.as_object().cloned().unwrap_or_default();
        sentences.push(format!("I set the surroundings. {}", super::describe_sky(&map)));
    }
    if let Some(last) = done("set_camera").next_back() {
        sentences.push(camera_news(before, last.args));
    }
    sentences
}

fn camera_news(before: &World, args: &Value) -> String {
    let vector = |name: &str| args.get(name).and_then(crate::world::read::as_vector);
    let moved = |center: &glam::DVec3| !center.abs_diff_eq(before.camera.center, 1e-3);
    let vfov = args.get("vfov").and_then(Value::as_f64);
    let aperture = args.get("aperture").and_then(Value::as_f64);
    match (vector("center").filter(moved), vector("look_at"), vfov) {
        (Some(center), _, _) => format!("I placed the camera at {}.", point(center)),
        (None, _, Some(vfov)) if vfov != before.camera.vfov => {
            format!("I set the camera's vertical view to {vfov}°.")
        }
        _ if aperture.is_some_and(|aperture| aperture != before.camera.aperture) => {
            if aperture == Some(0.0) {
                "Everything is sharp again.".to_owned()
            } else {
                "What is nearer or farther than the subject is blurred now.".to_owned()
            }
        }
        (None, Some(look_at), _) => format!("The camera now looks at {}.", point(look_at)),
        _ => "I set the camera.".to_owned(),
    }
}

fn thing_of(outcome: &Outcome) -> Option<Thing> {
    let light = outcome.name.ends_with("_light");
    Thing::read(outcome.result.as_ref().ok()?, light)
}

fn made<'a>(outcomes: impl Iterator<Item = &'a Outcome<'a>>) -> Vec<String> {
    // Things of one group, or numbered under one name, are told together.
    let mut kinds: Vec<(&str, Vec<Made>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for made in outcomes.filter_map(Made::of) {
        let key = made.group.unwrap_or_else(|| crate::resolve::stem(made.id));
        let place = *places.entry(key).or_insert(kinds.len());
        match kinds.get_mut(place) {
            Some((_, things)) => things.push(made),
            None => kinds.push((key, vec![made])),
        }
    }
    if kinds.len() > MOST_KINDS {
        return vec![in_short(&kinds)];
    }
    let things = |made: &[Made]| -> Vec<Thing> {
        made.iter().filter_map(|made| thing_of(made.outcome)).collect()
    };
    let kinds = kinds.iter().map(|(key, made)| ((*key).to_owned(), things(made)));
    let (objects, others): (Vec<Object>, Vec<Object>) = kinds
        .filter(|(_, things)| !things.is_empty())
        .partition(|(_, things)| things.len() > 1 && things.iter().all(|t| t.assembly().is_some()));
    let mut sentences: Vec<String> = others.iter().map(|(key, things)| told(key, things)).collect();
    sentences.extend(built(&objects));
    sentences
}

/// What tells the kind of a thing that was made, for scenes of hundreds.
struct Made<'a> {
    id: &'a str,
    group: Option<&'a str>,
    outcome: &'a Outcome<'a>,
}

impl<'a> Made<'a> {
    fn of(outcome: &'a Outcome<'a>) -> Option<Self> {
        let file = outcome.result.as_ref().ok()?;
        let group = file.get("group").and_then(Value::as_str);
        Some(Self { id: file.get("id")?.as_str()?, group, outcome })
    }

    fn is_light(&self) -> bool {
        self.outcome.name.ends_with("_light")
    }
}

/// More kinds of things than this are told in one sentence.
const MOST_KINDS: usize = 10;

/// How many kinds that sentence names.
const MOST_NAMED: usize = 14;

/// "I made a whole scene: 9 × pine, 6 × bush, path, fox and 4 lights."
fn in_short(kinds: &[(&str, Vec<Made>)]) -> String {
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut lights = 0;
    for (key, things) in kinds {
        if things.iter().all(Made::is_light) {
            lights += things.len();
            continue;
        }
        let name = crate::resolve::stem(key).replace('_', " ");
        let alone = things.iter().all(|made| made.group.is_none());
        let count = if alone { things.len() } else { 1 };
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known += count,
            None => counts.push((name, count)),
        }
    }
    let more = counts.len().saturating_sub(MOST_NAMED);
    let mut named: Vec<String> = counts
        .iter()
        .take(MOST_NAMED)
        .map(|(name, count)| if *count == 1 { name.clone() } else { format!("{count} × {name}") })
        .collect();
    if more > 0 {
        named.push(format!("{more} more kinds of things"));
    }
    if lights > 0 {
        named.push(format!("{lights} light{}", if lights == 1 { "" } else { "s" }));
    }
    format!("I made a whole scene: {}.", joined(&named, "and"))
}

/// The name of an object and its parts.
type Object = (String, Vec<Thing>);

/// Objects of several parts; several of a kind in one sentence.
fn built(objects: &[Object]) -> Vec<String> {
    let mut kinds: Vec<(&str, Vec<&Object>)> = Vec::new();
    for object in objects {
        let kind = crate::resolve::stem(&object.0);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, same)) => same.push(object),
            None => kinds.push((kind, vec![object])),
        }
    }
    let sentence = |(kind, same): &(&str, Vec<&Object>)| match same.as_slice() {
        [(group, things)] => {
            let bounds = World::bounds_of(things.iter());
            let high = bounds.map_or(String::new(), |bounds| {
                format!(", {} high, at {}", metres(bounds.size().y), point(bounds.foot()))
            });
            format!("I built {group} ({} parts{high}).", things.len())
        }
        several => {
            let names: Vec<String> = several.iter().map(|(group, _)| group.clone()).collect();
            format!("I built {} × {} ({}).", several.len(), kind.replace('_', " "), list(&names))
        }
    };
    kinds.iter().map(sentence).collect()
}

fn told(key: &str, things: &[Thing]) -> String {
    let ids: Vec<String> = things.iter().map(|thing| thing.id.clone()).collect();
    let Some(first) = things.first() else { return String::new() };
    let same = things.iter().all(|thing| noun(thing) == noun(first));
    let alike = |first: &String| {
        things.iter().all(|thing| thing.form().and_then(size).as_ref() == Some(first))
    };
    let each = first.form().and_then(size).filter(alike);
    let each = each.map_or(String::new(), |size| format!(", each {size}"));
    match (things, &first.group) {
        ([only], _) if only.is_floor() => {
            format!("I made {}, {}.", only.id, noun_phrase(only))
        }
        ([only], _) => {
            let center = point(only.bounds().center());
            format!("I made {}, {}, centred at {center}.", only.id, noun_phrase(only))
        }
        (_, Some(group)) if !same => {
            let bounds = World::bounds_of(things.iter());
            let high = bounds.map_or(String::new(), |bounds| {
                format!(", {} high, at {}", metres(bounds.size().y), point(bounds.foot()))
            });
            format!("I built {group} ({} parts{high}).", things.len())
        }
        (_, Some(_)) => {
            format!("I built {key} of {} ({}){each}.", plural_phrase(things), list(&ids))
        }
        _ => format!("I made {} ({}){each}.", plural_phrase(things), list(&ids)),
    }
}

/// The names of things; the parts of an object that are all among them go by its name.
fn called(before: &World, ids: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for id in ids {
        let assembly = before.find(id).and_then(Thing::assembly).filter(|group| {
            let parts = before.things.iter().filter(|part| part.assembly() == Some(group));
            parts.into_iter().all(|part| ids.contains(&part.id))
        });
        let name = assembly.map_or(id.clone(), str::to_owned);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn changed<'a>(before: &World, outcomes: impl Iterator<Item = &'a Outcome<'a>>) -> Vec<String> {
    // The same news about several things is told once.
    let mut news: Vec<(String, Vec<String>)> = Vec::new();
    let mut objects: Vec<(&str, Vec<(&Thing, Thing)>)> = Vec::new();
    for outcome in outcomes {
        let (Some(now), Some(id)) = (thing_of(outcome), outcome.id()) else { continue };
        let Some(old) = before.find(id) else { continue };
        if let Some(group) = old.assembly() {
            match objects.iter_mut().find(|(known, _)| *known == group) {
                Some((_, parts)) => parts.push((old, now)),
                None => objects.push((group, vec![(old, now)])),
            }
            continue;
        }
        let what = difference(old, &now);
        match news.iter_mut().find(|(known, _)| *known == what) {
            Some((_, ids)) => ids.push(id.to_owned()),
            None => news.push((what, vec![id.to_owned()])),
        }
    }
    let mut told = Vec::new();
    for (group, parts) in objects {
        match parts.as_slice() {
            [(old, now)] => told.push(format!("{} is now {}.", old.id, difference(old, now))),
            parts => told.push(object_news(group, before, parts)),
        }
    }
    if news.len() > 8 {
        let ids: Vec<String> = news.into_iter().flat_map(|(_, ids)| ids).collect();
        let group = ids.first().and_then(|id| before.find(id)?.group.as_ref());
        let whole = group.is_some()
            && ids.iter().all(|id| before.find(id).is_some_and(|t| t.group.as_ref() == group));
        told.push(match group.filter(|_| whole) {
            Some(group) => format!("I changed {group} ({} parts).", ids.len()),
            None => format!("I changed {}.", list(&ids)),
        });
        return told;
    }
    let singly = news.into_iter().map(|(what, ids)| {
        let verb = if ids.len() == 1 { "is" } else { "are" };
        format!("{} {verb} now {what}.", list(&ids))
    });
    singly.chain(told).collect()
}

/// What differs, to follow "is now".
fn difference(old: &Thing, now: &Thing) -> String {
    let mut parts = Vec::new();
    if old.id != now.id {
        parts.push(format!("called {}", now.id));
    }
    match (&old.group, &now.group) {
        (was, Some(group)) if was.as_ref() != Some(group) => {
            parts.push(format!("in the group {group}"));
        }
        (Some(_), None) => parts.push("in no group".to_owned()),
        _ => {}
    }
    match (&old.body, &now.body) {
        (
            Body::Shape { form: old_form, material: old_material },
            Body::Shape { form, material },
        ) => {
            if old_form.type_name() != form.type_name() {
                parts.push(noun_phrase(now));
            } else {
                if old_material != material {
                    parts.push(material.name());
                }
                let text = |form: &Form| form.properties().get("text").cloned();
                if let Some(Value::String(text)) =
                    text(form).filter(|_| text(old_form) != text(form))
                {
                    parts.push(format!("“{text}”"));
                }
                let (was, is) = (size(old_form), size(form));
                if was != is {
                    let volume = |thing: &Thing| {
                        let edges = thing.bounds().size().to_array();
                        edges.into_iter().map(|edge| edge.max(1e-3)).product::<f64>()
                    };
                    let more = if volume(now) > volume(old) { "bigger" } else { "smaller" };
                    parts.push(is.map_or(more.to_owned(), |is| format!("{more} ({is})")));
                } else if rotation(old_form) != rotation(form) {
                    parts.push("turned".to_owned());
                }
            }
        }
        (Body::Light(old_lamp), Body::Light(lamp)) => parts.extend(lamp_news(old_lamp, lamp)),
        _ => parts.push(noun_phrase(now)),
    }
    let (was, is) = (old.bounds().center(), now.bounds().center());
    if !was.abs_diff_eq(is, 1e-3) {
        parts.push(format!("centred at {}", point(is)));
    }
    if parts.is_empty() { "up to date".to_owned() } else { joined(&parts, "and") }
}

pub(super) fn rotation(form: &Form) -> Vec<Value> {
    let properties = form.properties();
    let turning = ["rotation", "normal", "u", "v"];
    let mut values: Vec<Value> =
        turning.iter().filter_map(|name| properties.get(*name).cloned()).collect();
    if let Form::Cylinder { base, top, .. } | Form::Cone { base, top, .. } = form {
        values.push(crate::world::read::vector((top - base).normalize_or_zero()));
    }
    values
}

fn lamp_news(old: &Lamp, now: &Lamp) -> Vec<String> {
    let mut parts = Vec::new();
    let (was, is) = (old.emission.max_element(), now.emission.max_element());
    let hue = |lamp: &Lamp, most: f64| lamp.emission / most.max(1e-9);
    if is <= 0.0 && was > 0.0 {
        return vec!["switched off".to_owned()];
    }
    let (small, large) = (old.facing_area(), now.facing_area());
    let resized = (small - large).abs() > 1e-6;
    if resized {
        parts.push(if small < large { "larger" } else { "smaller" }.to_owned());
    }
    let (old_hue, new_hue) = (hue(old, was), hue(now, is));
    if !old_hue.abs_diff_eq(new_hue, 1e-2) {
        let warmth = |hue: glam::DVec3| hue.x - hue.z;
        let grey = old_hue.max_element() - old_hue.min_element() < 0.6;
        parts.push(match warmth(new_hue) - warmth(old_hue) {
            more if more > 0.1 && grey && new_hue.y > 0.5 => "warmer".to_owned(),
            more if more < -0.1 && grey && new_hue.y > 0.5 => "cooler".to_owned(),
            _ => super::describe::light_word(now),
        });
    } else if !resized && is > was {
        parts.push("brighter".to_owned());
    } else if !resized && is < was {
        parts.push("dimmer".to_owned());
    }
    parts
}
