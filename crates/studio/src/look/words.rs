//! A description of a picture in words, for models without vision: position, size and brightness of each
//! object, what is cut off and what occludes what. About fifteen tokens per object, most important first.

use std::collections::HashMap;

use glam::DVec3;
use serde_json::{Map, Value, json};
use spatial::{Body, Space, points_to_see};

use super::{Look, Patch, luminance};

/// The most invisible objects listed for each reason.
const MAX_UNSEEN: usize = 4;
/// An object that shows less of its outline than this share is described as cut off.
const WHOLE: f64 = 0.98;
/// For an object with a larger occluded share than this, the occluder is named.
const COVERED: f64 = 0.25;
/// How much nearer an occluder must be, as a share of the distance.
const NEARER: f64 = 0.01;
/// The luminance above which a screen shows only white.
const BURNT: f32 = 4.0;

/// `{"visible": [...], "more"?, "hidden"?: [...], "out_of_view"?: [...], "whole": "..."}` of a look at the
/// scene of `space`; at most `most` visible things are told, floors and walls last.
pub(crate) fn describe(look: &Look, space: &Space<'_>, most: usize) -> Value {
    let patches = most_important_first(look, space);
    let lines: Vec<String> =
        patches.iter().take(most).map(|patch| line(look, space, patch)).collect();
    let mut description = Map::new();
    description.insert("visible".into(), json!(lines));
    if patches.len() > most {
        description.insert("more".into(), (patches.len() - most).into());
    }
    let seen: Vec<&str> = patches.iter().map(|patch| look.id(patch.object)).collect();
    let (hidden, outside) = unseen(look, space, &seen);
    for (name, list) in [("hidden", hidden), ("out_of_view", outside)] {
        if !list.is_empty() {
            description.insert(name.into(), json!(list));
        }
    }
    description.insert("whole".into(), whole(look).into());
    Value::Object(description)
}

/// Visible objects, largest first; floors, walls and lights come last.
pub(crate) fn most_important_first(look: &Look, space: &Space<'_>) -> Vec<Patch> {
    let mut patches = look.patches();
    patches.sort_by_key(|patch| {
        let body = space.place_of(look.id(patch.object)).map(|at| &space.bodies()[at]);
        !body.is_some_and(|body| body.shape().is_some() && !body.solid.is_flat())
    });
    patches
}

fn line(look: &Look, space: &Space<'_>, patch: &Patch) -> String {
    let id = look.id(patch.object);
    let share = share(patch.pixels as usize, look.image.pixels.len());
    let (place, light) = (place(look, patch), brightness(patch.luminance));
    let mut line = format!("{id}: {place}, {share}, {light}");
    let Some(at) = space.place_of(id) else { return line };
    let body = &space.bodies()[at];
    if look.view().coverage(&body.solid).inside < WHOLE {
        line.push_str(", cut off");
    }
    if let Some(cover) = cover(look, body).filter(|cover| cover.share > COVERED) {
        line.push_str(&format!(", partly {}", behind(space, look.id(cover.by))));
    }
    line
}

fn behind(space: &Space<'_>, id: &str) -> String {
    let body = space.place_of(id).and_then(|at| space.bodies()[at].shape());
    let is_clear = body.is_some_and(|shape| shape.material.is_clear());
    format!("{} {id}", if is_clear { "seen through" } else { "behind" })
}

/// "top left", "centre", ...: the position of its centroid, by thirds of the picture.
fn place(look: &Look, patch: &Patch) -> String {
    let third = |at: f32, size: u32, names: [&'static str; 3]| {
        names[((3.0 * at / size as f32) as usize).min(2)]
    };
    let row = third(patch.middle[1], look.image.height, ["top", "", "bottom"]);
    let column = third(patch.middle[0], look.image.width, ["left", "", "right"]);
    match (row, column) {
        ("", "") => "centre".to_owned(),
        (row, column) => format!("{row} {column}").trim().to_owned(),
    }
}

/// A share of the pixels as "12 %".
fn share(pixels: usize, all: usize) -> String {
    match 100.0 * pixels as f64 / all.max(1) as f64 {
        percent if percent < 0.1 => "under 0.1 %".to_owned(),
        percent if percent < 1.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// A word for a mean luminance.
fn brightness(luminance: f32) -> &'static str {
    match luminance {
        level if level < 0.01 => "black",
        level if level < 0.08 => "dark",
        level if level < 0.6 => "medium",
        level if level < BURNT => "bright",
        _ => "burnt out",
    }
}

/// The share of the sky, the overall brightness, and the shares that are too dark or too bright.
fn whole(look: &Look) -> String {
    let levels: Vec<f32> = look.image.pixels.iter().map(|pixel| luminance(*pixel)).collect();
    let all = levels.len();
    let mut text = brightness(levels.iter().sum::<f32>() / all.max(1) as f32).to_owned();
    for (count, what) in [
        (look.aovs.object.iter().filter(|object| object.is_none()).count(), "sky"),
        (levels.iter().filter(|level| **level < 0.01).count(), "black"),
        (levels.iter().filter(|level| **level >= BURNT).count(), "burnt out"),
    ] {
        if count * 100 >= all {
            text.push_str(&format!(", {} {what}", share(count, all)));
        }
    }
    text
}

/// The main occluder of an object.
struct Cover {
    by: u32,
    /// The share of sample points that it occludes.
    share: f64,
}

/// The main occluder of the sample points of a body. Points outside the picture are ignored; `None`
/// if nothing occludes any.
fn cover(look: &Look, body: &Body<'_>) -> Option<Cover> {
    let view = look.view();
    let mut covers: HashMap<u32, usize> = HashMap::new();
    let mut asked = 0;
    // The centre is inside the body.
    let points: Vec<DVec3> = points_to_see(&body.solid, view.center()).collect();
    for point in &points[..points.len().saturating_sub(1)] {
        let Some(pixel) = view.project(*point).and_then(|at| look.pixel_at(at)) else { continue };
        asked += 1;
        let Some(object) = look.aovs.object[pixel] else { continue };
        let distance = point.distance(view.center());
        let is_nearer = f64::from(look.aovs.depth[pixel]) < (1.0 - NEARER) * distance;
        if is_nearer && look.id(object) != body.id {
            *covers.entry(object).or_default() += 1;
        }
    }
    let most = |(one, other): (&(u32, usize), &(u32, usize))| {
        // Of equal occluders the first, so that the result is deterministic.
        one.1.cmp(&other.1).then(other.0.cmp(&one.0))
    };
    let (by, count) = covers.into_iter().max_by(|one, other| most((one, other)))?;
    Some(Cover { by, share: count as f64 / f64::from(asked) })
}

/// Invisible objects: the occluder of those in view, and the side on which the others are.
fn unseen(look: &Look, space: &Space<'_>, seen: &[&str]) -> (Vec<String>, Vec<String>) {
    let view = look.view();
    let (mut hidden, mut outside) = (Vec::new(), Vec::new());
    let bodies = space.shapes().map(|(_, body)| body);
    for body in bodies.filter(|body| !seen.contains(&body.id)) {
        if view.coverage(&body.solid).inside > 0.0 {
            let by = cover(look, body).map(|cover| behind(space, look.id(cover.by)));
            hidden.push(format!("{}: {}", body.id, by.as_deref().unwrap_or("out of sight")));
        } else {
            outside.push(format!("{}: {}", body.id, side(look, body)));
        }
    }
    (shortened(hidden), shortened(outside))
}

fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MAX_UNSEEN);
    lines.truncate(MAX_UNSEEN);
    if more > 0 {
        lines.push(format!("{more} more"));
    }
    lines
}

/// The side of an object outside the picture.
fn side(look: &Look, body: &Body<'_>) -> &'static str {
    let view = look.view();
    let Some(at) = view.project(body.solid.extent().center()) else { return "behind the camera" };
    let off = at - 0.5;
    match (off.x.abs() > off.y.abs(), off.x < 0.0, off.y < 0.0) {
        (true, true, _) => "left",
        (true, false, _) => "right",
        (false, _, true) => "above",
        (false, _, false) => "below",
    }
}
