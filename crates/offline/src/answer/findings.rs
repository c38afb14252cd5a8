//! What the user should hear of the findings of `check_scene` after a change. Nothing is put right
//! unasked: it may be meant so.

use std::collections::BTreeSet;

use scene::{Scene, diff};
use serde_json::Value;

use crate::frames::{Frame, Region, Relation};
use crate::resolve::World;
use crate::wording::Names;

/// The most findings that are told.
const MAX_TOLD: usize = 3;
/// Of more things than this only the picture as a whole is judged: in a crowd some stand behind others.
const CROWD: usize = 6;
/// Gaps and overlaps of less than this share of a thing are not told: a plate has a rim, a star a tip.
const SLIGHT: f64 = 0.1;

/// One sentence for each kind of finding about what these frames changed. `aloft` was wished off the ground.
pub(crate) fn findings(
    report: &Value,
    frames: &[Frame],
    aloft: &[String],
    before: &Scene,
    after: &Scene,
) -> Vec<String> {
    let world = World::of(after);
    let whole = |id: &str| {
        let group = world.find(id).and_then(|thing| thing.part_of.clone());
        group.unwrap_or_else(|| id.to_owned())
    };
    let changed = diff(before, after).into_iter().filter_map(|change| change.id);
    let touched: BTreeSet<String> = changed.map(|id| whole(&id)).collect();
    let wished_into = frames.iter().flat_map(places).any(|place| {
        matches!(place.relation, Some(Relation::Inside))
            || matches!(place.region, Some(Region::Inside))
    });
    let list = report["findings"].as_array();
    let mut told: Vec<(&str, Vec<String>)> = Vec::new();
    for finding in list.into_iter().flatten() {
        let Some(kind) = finding["check"].as_str() else { continue };
        let ids: Vec<&str> =
            finding["ids"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut names: Vec<String> = ids.iter().map(|id| whole(id)).collect();
        names.dedup();
        let is_slight = || {
            let by = finding.pointer("/fix/args/by").and_then(Value::as_array);
            let way: f64 =
                by.into_iter().flatten().filter_map(Value::as_f64).map(|by| by * by).sum();
            let size =
                names.first().and_then(|name| world.find(name)).map(|thing| thing.extent.size());
            by.is_some() && way.sqrt() < SLIGHT * size.map_or(0.0, |size| size.max_element())
        };
        let concerns = ids.is_empty() || names.iter().any(|name| touched.contains(name));
        let matters = match kind {
            "dark" | "burnt_out" | "camera_inside" => true,
            _ if touched.len() > CROWD => false,
            "overlap" => names.len() > 1 && !wished_into && !is_slight(),
            "floating" => !names.iter().any(|name| aloft.contains(name)) && !is_slight(),
            // A part behind the other parts of its object is no loss.
            "hidden" => {
                ids.iter().all(|id| world.find(id).is_some_and(|thing| thing.part_of.is_none()))
            }
            "out_of_view" => true,
            _ => false,
        };
        if !concerns || !matters {
            continue;
        }
        // Things that float are told in one sentence, overlaps pair by pair.
        let alike = |(known, about): &&mut (&str, Vec<String>)| {
            *known == kind && (kind != "overlap" || *about == names)
        };
        match told.iter_mut().find(alike) {
            Some((_, about)) => {
                names.retain(|name| !about.contains(name));
                about.extend(names);
            }
            None => told.push((kind, names)),
        }
    }
    let names = Names::of(after);
    told.iter().filter_map(|(kind, about)| sentence(kind, about, &names)).take(MAX_TOLD).collect()
}

fn places(frame: &Frame) -> impl Iterator<Item = &crate::frames::Place> {
    frame
        .places
        .iter()
        .chain(frame.theme.iter().flat_map(|phrase| phrase.places.iter().chain(&phrase.at)))
}

fn sentence(kind: &str, about: &[String], names: &Names) -> Option<String> {
    let they = names.all(about, "and");
    let (stand, hang, are) = match about.len() {
        1 => ("stands", "hangs", "is"),
        _ => ("stand", "hang", "are"),
    };
    let text = match kind {
        "overlap" => format!("{they} cut into each other."),
        "floating" => format!("{they} {hang} in the air."),
        "out_of_view" => {
            format!("{they} {stand} outside the picture; “show everything” brings all into it.")
        }
        "hidden" => format!("{they} {are} hidden from the camera."),
        "camera_inside" => format!("the camera is inside {they}; “show everything” takes it out."),
        "dark" => "the picture is all but black; “add a light” helps.".to_owned(),
        "burnt_out" => {
            "most of the picture is too bright to show anything; “dim the lights” helps.".to_owned()
        }
        _ => return None,
    };
    Some(crate::wording::capital(&text))
}
