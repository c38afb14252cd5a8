//! What became of a thing: how it looks now, how large it is, where it went.

use scene::{Change, Material, Operation};
use serde_json::Value;
use spatial::Extent;

use crate::looks::{colour_of, family_names, ground_of, kind_name};
use crate::resolve::{Sides, Thing, World};
use crate::wording::{metres, the};

/// Lengths below this are no change.
const SLIGHT: f64 = 0.004;
/// More parts than these are told as the whole.
const MAX_PARTS: usize = 3;
/// More looks than these are told as "of other colors".
const MAX_LOOKS: usize = 2;

/// What is told of a thing, or of several at once.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct News {
    /// What it is now: "blue", "taller (2 m high)".
    pub(super) looks: Vec<String>,
    /// What was done to it: "moved", "1 m to the left".
    pub(super) deeds: Vec<(&'static str, String)>,
}

/// The news of a whole, or of its parts where only few of them changed.
pub(super) fn news_of(
    whole: &str,
    changes: &[&Change],
    old: &World<'_>,
    now: &World<'_>,
) -> Vec<(String, News)> {
    let updates: Vec<&Change> =
        changes.iter().copied().filter(|change| change.operation == Operation::Update).collect();
    let parts = old.find(whole).map_or(0, |thing| thing.bodies.len());
    let is_part = updates.len() == changes.len() && updates.len() < parts;
    if is_part && updates.len() <= MAX_PARTS {
        let ids = updates.iter().filter_map(|change| Some((change.id.clone()?, *change)));
        return ids.map(|(id, change)| (id.clone(), news(&id, &[change], old, now))).collect();
    }
    let mut told = news(whole, &updates, old, now);
    if updates.len() < changes.len() && told == News::default() {
        told.deeds.push(("changed", String::new()));
    }
    vec![(whole.to_owned(), told)]
}

fn news(id: &str, updates: &[&Change], old: &World<'_>, now: &World<'_>) -> News {
    let mut news = News { looks: looks(updates, old, now), deeds: Vec::new() };
    if let (Some(was), Some(is)) = (old.find(id), now.find(id)) {
        let resized = if is_turned(updates) {
            news.deeds.push(("turned", String::new()));
            true
        } else if let Some(size) = size_news(was.extent, is.extent, Sides::of(old.scene)) {
            news.looks.push(size);
            true
        } else {
            false
        };
        news.deeds.extend(way_news(was, is, old, now, resized));
        if was.part_of != is.part_of
            && let Some(group) = &is.part_of
        {
            news.deeds
                .push(("put", format!("into the group {}", the(group).trim_start_matches("the "))));
        }
    } else if let Some(group) =
        updates.first().and_then(|change| change.after.as_ref()?["group"].as_str())
    {
        news.deeds
            .push(("put", format!("into the group {}", the(group).trim_start_matches("the "))));
    }
    if news == News::default() {
        news.deeds.push(("changed", String::new()));
    }
    news
}

/// Whether the parts were turned; those of what is stretched are turned, too, and become of other types.
fn is_turned(updates: &[&Change]) -> bool {
    let of = |value: &Option<Value>| {
        value.as_ref().map(|value| (value["type"].clone(), value["properties"]["rotation"].clone()))
    };
    let both = || updates.iter().filter_map(|change| of(&change.before).zip(of(&change.after)));
    let is_retyped = both().any(|(was, is)| was.0 != is.0) && updates.len() > 1;
    !is_retyped && both().any(|(was, is)| was.1 != is.1)
}

/// What the changed parts look like now.
fn looks(updates: &[&Change], old: &World<'_>, now: &World<'_>) -> Vec<String> {
    let mut looks: Vec<String> = Vec::new();
    for change in updates {
        let Some(id) = change.id.as_deref() else { continue };
        let types = |value: &Option<Value>| {
            value.as_ref().and_then(|value| value["type"].as_str().map(str::to_owned))
        };
        let (was, is) = (types(&change.before), types(&change.after));
        let mut told = Vec::new();
        // Of what parts become nobody speaks: a stretched ball of a tree.
        let is_part = change.after.as_ref().is_some_and(|after| after["group"].is_string());
        if let Some(is) = is.filter(|is| was.as_ref() != Some(is) && !is_part) {
            told.push(crate::wording::indefinite(&is.replace('_', " ")));
        }
        let shape = |world: &World<'_>| world.scene.shape(id).map(|shape| shape.material.clone());
        if let (Some(was), Some(is)) = (shape(old), shape(now)) {
            told.extend(surface_news(&was, &is));
        }
        let light = |world: &World<'_>| world.scene.light(id).map(|light| light.light.emission());
        if let (Some(was), Some(is)) = (light(old), light(now)) {
            told.extend(light_news(was, is));
        }
        for look in told {
            if !looks.contains(&look) {
                looks.push(look);
            }
        }
    }
    if looks.len() > MAX_LOOKS {
        looks = vec!["of other colors".to_owned()];
    }
    looks
}

fn surface_news(was: &Material, is: &Material) -> Option<String> {
    if was == is {
        return None;
    }
    let emission = |material: &Material| {
        let value = material.resolved().to_json();
        let sum = |at: usize| value["emission"][at].as_f64();
        Some([sum(0)?, sum(1)?, sum(2)?])
    };
    if let (Some(was), Some(is)) = (emission(was), emission(is))
        && let Some(news) = light_news(was, is)
    {
        return Some(news);
    }
    let pattern = |material: &Material| {
        let value = material.resolved().to_json();
        let mut names = ["albedo", "base_color"].iter();
        names.find_map(|name| value[*name]["type"].as_str().map(|name| name.replace('_', " ")))
    };
    let kind = kind_name(is);
    // What has a name of its own, such as marble, is told by that.
    if let Some(new) = pattern(is)
        && kind.starts_with("a ")
        && pattern(was).as_ref() != Some(&new)
    {
        return Some(format!("covered with a pattern ({new})"));
    }
    let colour = |material: &Material| {
        ground_of(material).and_then(|rgb| family_names(rgb).into_iter().next())
    };
    let now = colour(is);
    let recoloured = now.filter(|now| colour(was).as_ref() != Some(now));
    let is_remade = kind != kind_name(was);
    let is_named =
        is_remade && scene::presets().iter().any(|preset| preset.material == *is.resolved());
    Some(match recoloured {
        Some(colour) if is_remade && !is_named => {
            match kind.strip_prefix("a ").and_then(|kind| kind.strip_suffix(" material")) {
                Some(finish) => format!("{finish} {colour}"),
                None => format!("{colour} {kind}"),
            }
        }
        Some(colour) if !is_remade => colour,
        _ if is_remade => format!("made of {kind}"),
        _ => match (colour_of(was), colour_of(is)) {
            (Some(was), Some(is)) if is.element_sum() > was.element_sum() => "lighter".to_owned(),
            (Some(was), Some(is)) if is != was => "darker".to_owned(),
            _ => "of another finish".to_owned(),
        },
    })
}

fn light_news(was: [f64; 3], is: [f64; 3]) -> Option<String> {
    let sum = |emission: [f64; 3]| emission.iter().sum::<f64>();
    let (old, now) = (sum(was), sum(is));
    if now <= 1e-9 && old > 1e-9 {
        return Some("off".to_owned());
    }
    if old <= 1e-9 && now > 1e-9 {
        return Some("on".to_owned());
    }
    // What is much redder is warmer, whatever its sum.
    let warmth = |emission: [f64; 3]| (emission[0] + 1e-9) / (emission[2] + 1e-9);
    let tone = warmth(is) / warmth(was);
    if !(0.9..=1.1).contains(&tone) && (now - old).abs() < 0.3 * old {
        return Some(if tone > 1.0 { "warmer" } else { "cooler" }.to_owned());
    }
    if (now - old).abs() > 0.02 * old {
        return Some(if now > old { "brighter" } else { "dimmer" }.to_owned());
    }
    let tint = |emission: [f64; 3]| {
        let rgb = glam::DVec3::from(emission);
        family_names(rgb / rgb.max_element().max(1e-9)).into_iter().next()
    };
    tint(is).filter(|now| tint(was).as_ref() != Some(now))
}

/// "bigger (2 m high)", "wider (3 m wide)".
fn size_news(was: Extent, is: Extent, sides: Sides) -> Option<String> {
    let (old, new) = (was.size(), is.size());
    let differs: Vec<usize> = (0..3)
        .filter(|axis| (new[*axis] - old[*axis]).abs() > SLIGHT.max(0.01 * old[*axis]))
        .collect();
    let bigger = |axis: usize| new[axis] > old[axis];
    let across = usize::from(sides.right.x.abs() < sides.right.z.abs()) * 2;
    match differs.as_slice() {
        [] => None,
        [1] => {
            Some(format!("{} ({} high)", if bigger(1) { "taller" } else { "lower" }, metres(new.y)))
        }
        [axis] if *axis == across => Some(format!(
            "{} ({} wide)",
            if bigger(*axis) { "wider" } else { "narrower" },
            metres(new[*axis])
        )),
        [axis] => Some(format!(
            "{} ({} deep)",
            if bigger(*axis) { "deeper" } else { "less deep" },
            metres(new[*axis])
        )),
        axes if axes.iter().all(|axis| bigger(*axis)) || axes.iter().all(|axis| !bigger(*axis)) => {
            let word = if bigger(axes[0]) { "bigger" } else { "smaller" };
            let told = if new.y > SLIGHT {
                format!("{} high", metres(new.y))
            } else {
                format!("{} wide", metres(new.x))
            };
            Some(format!("{word} ({told})"))
        }
        _ => Some(format!(
            "{} wide, {} high and {} deep",
            metres(new[across]),
            metres(new.y),
            metres(new[2 - across])
        )),
    }
}

/// Where it went: onto something, or so far along the sides of the picture.
fn way_news(
    was: &Thing,
    is: &Thing,
    old: &World<'_>,
    now: &World<'_>,
    resized: bool,
) -> Option<(&'static str, String)> {
    let foot = |extent: Extent| extent.center().with_y(extent.min.y);
    let way = foot(is.extent) - foot(was.extent);
    // What grows about its middle or turns moves its foot a little.
    let least = if resized { 0.1 * was.extent.size().max_element().max(0.1) } else { SLIGHT };
    if way.abs().max_element() < least {
        return None;
    }
    let carrier = |world: &World<'_>, thing: &Thing| {
        world.support_of(thing).filter(|below| !below.scenery).map(|below| below.id.clone())
    };
    if is.kind != crate::resolve::Kind::Light
        && let Some(below) =
            carrier(now, is).filter(|below| carrier(old, was).as_ref() != Some(below))
    {
        return Some(("put", format!("on {}", the(&below))));
    }
    let sides = Sides::of(old.scene);
    let ways = [
        (way.dot(sides.right), "to the right", "to the left"),
        (way.y, "up", "down"),
        (way.dot(sides.front), "to the front", "to the back"),
    ];
    let mut told: Vec<(f64, String)> = ways
        .into_iter()
        .filter(|(length, ..)| length.abs() >= least)
        .map(|(length, along, against)| {
            let to = if length > 0.0 { along } else { against };
            (length.abs(), format!("{} {to}", metres(length.abs())))
        })
        .collect();
    told.sort_by(|one, other| other.0.total_cmp(&one.0));
    let told: Vec<String> = told.into_iter().map(|(_, text)| text).collect();
    Some(("moved", crate::wording::joined(&told, "and")))
}
