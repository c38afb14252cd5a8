//! Patterns in another colour: veins, rings, bricks and checks stay what they are.

use catalogue::colour::encoded;
use glam::DVec3;
use serde_json::{Value, json};

use super::colour::lightened;

/// How far a pattern goes from the colour that is asked for, down and up: the veins of white marble are seen, and
/// those of black marble, and both are still called white and black.
const REACH: [f64; 2] = [-0.4, 0.3];
/// What is darker than this, as it looks, has no room for anything darker.
const DARKEST: f64 = 0.35;
/// Channels that differ by less than this, as they look, are grey.
const GREY: f64 = 0.12;

/// A colour as the document has it.
pub(super) fn triple(rgb: DVec3) -> Value {
    json!(rgb.to_array().map(|channel| (channel * 1e3).round() / 1e3))
}

/// A colour of a surface, or the pattern it has, in another colour.
pub(super) fn tinted(old: &Value, rgb: DVec3) -> Value {
    match old["type"].as_str() {
        // A picture is painted over.
        None | Some("image") => triple(rgb),
        Some(pattern) => {
            let [first, second] = ["first", "second"].map(|name| typical(&old[name]));
            // What people lay or print has a ground of its own: the mortar stays, and so does white beside red.
            let is_laid = matches!(pattern, "brick" | "checker" | "stripes") && !is_grey(rgb);
            let kept = match (is_laid, is_grey(first), is_grey(second)) {
                (true, _, true) => Some("second"),
                (true, true, false) => Some("first"),
                _ => None,
            };
            let ground = tone(if kept == Some("first") { second } else { first });
            let mut texture = old.clone();
            for name in ["first", "second"] {
                if kept != Some(name) {
                    texture[name] = shifted(&old[name], ground, rgb);
                }
            }
            texture
        }
    }
}

/// A pattern lighter (above 0) or darker as a whole.
pub(super) fn toned(value: &Value, by: f64) -> Value {
    mapped(value, &|rgb| lightened(rgb, by))
}

/// The pattern alone, the same for every colour of it.
pub(super) fn uncoloured(value: &Value) -> Value {
    mapped(value, &|_| DVec3::splat(0.5))
}

/// `rgb` as much lighter or darker as each value of a pattern is than its ground.
fn shifted(value: &Value, ground: f64, rgb: DVec3) -> Value {
    let colour = encoded(rgb);
    mapped(value, &|old| {
        let by = tone(old) - ground;
        // What is dark or white already has no room for anything beyond.
        let by = if by < 0.0 && colour.max_element() < DARKEST { -by } else { by };
        let by = if by > 0.0 && colour.min_element() > 1.0 - DARKEST { -by } else { by };
        lightened(rgb, by.clamp(REACH[0], REACH[1]))
    })
}

/// Every colour of a pattern mapped.
fn mapped(value: &Value, map: &dyn Fn(DVec3) -> DVec3) -> Value {
    if value["type"].is_null() {
        return triple(map(typical(value)));
    }
    let mut texture = value.clone();
    for name in ["first", "second"] {
        texture[name] = mapped(&value[name], map);
    }
    texture
}

/// The mean colour of a value.
pub(super) fn typical(value: &Value) -> DVec3 {
    if value["type"].is_string() {
        return 0.5 * (typical(&value["first"]) + typical(&value["second"]));
    }
    let channel = |at: usize| value[at].as_f64().unwrap_or_default();
    DVec3::new(channel(0), channel(1), channel(2))
}

/// How light it looks, from 0 to 1.
fn tone(rgb: DVec3) -> f64 {
    encoded(rgb).element_sum() / 3.0
}

fn is_grey(rgb: DVec3) -> bool {
    let colour = encoded(rgb);
    colour.max_element() - colour.min_element() < GREY
}
