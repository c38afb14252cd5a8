//! What moves now.

use scene::Change;
use serde_json::Value;

use crate::wording::{capital, joined, the};

/// The most things that are named.
const MAX_NAMES: usize = 4;

/// What became of the animation.
pub(super) fn animation_news(change: &Change) -> String {
    let tracks = |animation: &Option<Value>| -> Vec<Value> {
        let tracks = animation.as_ref().and_then(|animation| animation["tracks"].as_array());
        tracks.cloned().unwrap_or_default()
    };
    let (old, new) = (tracks(&change.before), tracks(&change.after));
    let Some(after) = &change.after else { return "Nothing moves any more.".to_owned() };
    let seconds = after["duration"].as_f64().unwrap_or_default();
    let seconds = (seconds * 100.0).round() / 100.0;
    let targets = |tracks: &[Value], others: &[Value]| -> Vec<String> {
        let changed = tracks.iter().filter(|track| !others.contains(track));
        let mut targets: Vec<String> = Vec::new();
        for target in changed.filter_map(|track| track["target"].as_str()) {
            if !targets.iter().any(|known| known == target) {
                targets.push(target.to_owned());
            }
        }
        targets
    };
    let (moved, stopped) = (targets(&new, &old), targets(&old, &new));
    let names = |targets: &[String]| {
        let named = targets.iter().take(MAX_NAMES).map(|target| the(target));
        joined(&named.collect::<Vec<_>>(), "and")
    };
    let verb = |targets: &[String], one: &str, many: &str| {
        if targets.len() == 1 { one.to_owned() } else { many.to_owned() }
    };
    if moved.is_empty() && !stopped.is_empty() {
        let verb = verb(&stopped, "stands", "stand");
        return format!("{} {verb} still now.", capital(&names(&stopped)));
    }
    let orbits =
        new.iter().any(|track| track["target"] == "camera" && track["property"] == "orbit");
    if orbits && moved.iter().all(|target| target == "camera") && !moved.is_empty() {
        return format!("The camera goes around in {seconds} seconds now.");
    }
    if moved.is_empty() {
        return format!("The animation takes {seconds} seconds now.");
    }
    let verb = verb(&moved, "moves", "move");
    format!("{} {verb} now; the animation takes {seconds} seconds.", capital(&names(&moved)))
}
