//! Looks over what was done: when `check_scene` is worth a call, and what of its findings the person
//! should hear. Nothing is put right unasked: it may be meant so.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::answer::{Outcome, list};
use crate::world::read::as_vector;
use crate::world::{Thing, World};

/// The name of the tool that finds likely mistakes.
pub(crate) const CHECK: &str = "check_scene";

/// The most findings that are told.
const MOST_TOLD: usize = 3;

/// Of more things than this only the picture as a whole is judged: in a crowd some stand behind others.
const CROWD: usize = 6;

/// Gaps and overlaps of less than this share of a thing are not told: a plate has a rim, a star a tip.
const SLIGHT: f64 = 0.1;

/// Words by which a thing is wished off the ground, or into another.
const ALOFT: [&str; 26] = [
    "above",
    "aloft",
    "air",
    "drifting",
    "float",
    "floating",
    "floats",
    "flies",
    "fly",
    "flying",
    "hang",
    "hanging",
    "hangs",
    "higher",
    "hover",
    "hovering",
    "hovers",
    "levitate",
    "levitating",
    "lift",
    "over",
    "raise",
    "raised",
    "sky",
    "up",
    "upward",
];
const INTO: [&str; 4] = ["in", "inside", "into", "within"];

/// Whether these calls may have put something where it should not be, or into the dark.
pub(crate) fn is_worth_a_check<'a>(mut outcomes: impl Iterator<Item = &'a Outcome<'a>>) -> bool {
    outcomes.any(|outcome| outcome.result.is_ok() && moves_or_lights(outcome))
}

/// Anything but new looks, new names and marks.
fn moves_or_lights(outcome: &Outcome) -> bool {
    if outcome.name != "update_shape" {
        return true;
    }
    let updates = outcome.args.get("updates").and_then(Value::as_object);
    let properties = updates.and_then(|updates| updates.get("properties")?.as_object());
    properties.is_some_and(|properties| properties.keys().any(|name| name != "material"))
        || updates.is_some_and(|updates| updates.contains_key("type"))
}

/// What the person who said `message` should know of the findings about things that the calls were
/// about; `now` is the scene after them.
pub(crate) fn remarks<'a>(
    report: &Value,
    message: &str,
    outcomes: impl Iterator<Item = &'a Outcome<'a>>,
    now: &World,
) -> Vec<String> {
    let touched = touched(outcomes, now);
    let message = message.to_lowercase();
    let said: Vec<&str> = message.split(|letter: char| !letter.is_alphanumeric()).collect();
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let findings = report.get("findings").and_then(Value::as_array);
    let mut told: Vec<(&str, BTreeSet<String>)> = Vec::new();
    for finding in findings.into_iter().flatten() {
        let Some(kind) = finding.get("check").and_then(Value::as_str) else { continue };
        let ids = finding.get("ids").and_then(Value::as_array).into_iter().flatten();
        let ids: Vec<&str> = ids.filter_map(Value::as_str).collect();
        let names: BTreeSet<String> = ids.iter().map(|id| name_of(id, now)).collect();
        let concerns = ids.is_empty() || names.iter().any(|name| touched.contains(name));
        let matters = match kind {
            "dark" | "burnt_out" | "camera_inside" => true,
            _ if touched.len() > CROWD => false,
            "overlap" => names.len() > 1 && !says(&INTO) && !is_slight(finding, &ids, now),
            "floating" => !says(&ALOFT) && !is_slight(finding, &ids, now),
            // A part behind the other parts of its object is no loss.
            "hidden" => !ids.iter().any(|id| is_part(id, now)),
            "out_of_view" => true,
            _ => false,
        };
        if !concerns || !matters {
            continue;
        }
        // Things that float are told in one sentence, overlaps pair by pair.
        let alike = |(known, about): &&mut (&str, BTreeSet<String>)| {
            *known == kind && (kind != "overlap" || *about == names)
        };
        match told.iter_mut().find(alike) {
            Some((_, about)) => about.extend(names),
            None => told.push((kind, names)),
        }
    }
    told.iter().filter_map(|(kind, names)| sentence(kind, names)).take(MOST_TOLD).collect()
}

/// The names of all that the calls made or changed.
fn touched<'a>(outcomes: impl Iterator<Item = &'a Outcome<'a>>, now: &World) -> BTreeSet<String> {
    let done = outcomes.filter(|outcome| outcome.result.is_ok());
    let id = |outcome: &Outcome| {
        let new = outcome.new_id();
        new.or(outcome.id()).map(|id| name_of(id, now))
    };
    done.filter_map(id).collect()
}

/// Whether the way that would put it right is short, against the first of the things.
fn is_slight(finding: &Value, ids: &[&str], now: &World) -> bool {
    let way = finding.pointer("/fix/args/by").and_then(as_vector);
    let Some(name) = ids.first().map(|id| name_of(id, now)) else { return false };
    let parts = now.things.iter().filter(|thing| name_of(&thing.id, now) == name);
    let size = World::bounds_of(parts).map_or(0.0, |bounds| bounds.size().max_element());
    way.is_some_and(|way| way.length() < SLIGHT * size)
}

/// A part is called by its object.
fn name_of(id: &str, world: &World) -> String {
    world.find(id).and_then(Thing::assembly).unwrap_or(id).to_owned()
}

fn is_part(id: &str, world: &World) -> bool {
    world.find(id).is_some_and(|thing| thing.assembly().is_some())
}

fn sentence(kind: &str, names: &BTreeSet<String>) -> Option<String> {
    let names: Vec<String> = names.iter().cloned().collect();
    let they = list(&names);
    let one = names.len() == 1;
    let (stand, float, hide) =
        if one { ("stands", "hangs", "is") } else { ("stand", "hang", "are") };
    Some(match kind {
        "overlap" => format!("{they} cut into each other."),
        "floating" => format!("{they} {float} in the air."),
        "out_of_view" => {
            format!("{they} {stand} outside the picture; “show everything” brings all into it.")
        }
        "hidden" => format!("{they} {hide} hidden from the camera."),
        "camera_inside" => {
            format!("The camera is inside {they}; “show everything” takes it out.")
        }
        "dark" => "The picture is all but black; “add a light” helps.".to_owned(),
        "burnt_out" => {
            "Most of the picture is too bright to show anything; “dim the lights” helps.".to_owned()
        }
        _ => return None,
    })
}
