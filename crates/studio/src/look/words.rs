//! A description of a picture in words, for models without vision: position, size and brightness of each
//! object, what is cut off and what occludes what. About fifteen tokens per object, most important first.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use scene::stem;
use serde_json::{Map, Value, json};
use spatial::{Body, Space, points_to_see};

use super::{Look, Patch, luminance};

/// The most invisible objects listed for each reason.
const MAX_UNSEEN: usize = 4;
/// An object whose visible share in the picture is smaller is described as cut off.
const WHOLE: f64 = 0.98;
/// The share of occlusion from which the occluder is named.
const COVERED: f64 = 0.25;
/// How much nearer an occluder must be, relative to the distance.
const NEARER: f64 = 0.01;
/// The luminance above which a screen shows only white.
const BURNT: f32 = 4.0;

/// Describes a look at the scene of `space`: `{"visible": [...], "more"?, "hidden"?: [...],
/// "out_of_view"?: [...], "whole": "..."}`. Lists at most `most` visible objects, floors and walls
/// last; up to a third of the lines are theirs.
pub(crate) fn describe(look: &Look, space: &Space<'_>, most: usize) -> Value {
    let patches = most_important_first(look, space);
    let mut description = Map::new();
    if patches.len() > most {
        let [things, grounds] = patch_groups(look, space, &patches);
        // Ground, water and walls have their place beside any crowd.
        let room = most - grounds.len().min(most / 3);
        let things_told = things.len().min(room);
        let told = things.iter().take(things_told).chain(grounds.iter().take(most - things_told));
        let lines: Vec<String> = told.map(|group| group.line(look, space)).collect();
        let more = things.len() + grounds.len() - lines.len();
        description.insert("visible".into(), lines.into());
        if more > 0 {
            description.insert("more".into(), more.into());
        }
    } else {
        let lines = patches.iter().map(|patch| line(look, space, patch));
        description.insert("visible".into(), lines.collect::<Vec<_>>().into());
    }
    let seen: Vec<&str> = patches.iter().map(|patch| look.id(patch.object)).collect();
    let unseen = Unseen::of(look, space, &seen);
    for (name, list) in [
        ("seen_through_glass", unseen.through_glass),
        ("hidden", unseen.hidden),
        ("out_of_view", unseen.outside),
    ] {
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

/// Patches that share a line: those of a group, or of objects numbered like `pine_7`.
struct PatchGroup {
    name: String,
    patches: Vec<Patch>,
}

/// Groups the patches: things, and floors and walls; of each the largest first.
fn patch_groups(look: &Look, space: &Space<'_>, patches: &[Patch]) -> [Vec<PatchGroup>; 2] {
    let mut groups: Vec<PatchGroup> = Vec::new();
    let mut places: HashMap<(String, bool), usize> = HashMap::new();
    for patch in patches {
        let id = look.id(patch.object);
        let body = space.place_of(id).map(|at| &space.bodies()[at]);
        let group = body.and_then(|body| space.whole_of(body));
        // Copies are grouped, whether they are shapes or groups.
        let name = stem(group.unwrap_or(id)).to_owned();
        let is_flat = body.is_some_and(|body| body.solid.is_flat());
        let place = *places.entry((name.clone(), is_flat)).or_insert_with(|| {
            groups.push(PatchGroup { name, patches: Vec::new() });
            groups.len() - 1
        });
        groups[place].patches.push(*patch);
    }
    let (things, grounds): (Vec<PatchGroup>, Vec<PatchGroup>) =
        groups.into_iter().partition(|group| {
            let at = space.place_of(look.id(group.patches[0].object));
            at.is_some_and(|at| !space.bodies()[at].solid.is_flat())
        });
    let pixels = |group: &PatchGroup| std::cmp::Reverse(group.pixels());
    [things, grounds].map(|mut groups| {
        groups.sort_by_key(pixels);
        groups
    })
}

impl PatchGroup {
    fn pixels(&self) -> u32 {
        self.patches.iter().map(|patch| patch.pixels).sum()
    }

    fn line(&self, look: &Look, space: &Space<'_>) -> String {
        if let [patch] = &self.patches[..] {
            return line(look, space, patch);
        }
        let pixels = self.pixels();
        let mean = |of: fn(&Patch) -> f32| {
            let sum = self.patches.iter().map(|patch| of(patch) * patch.pixels as f32);
            sum.sum::<f32>() / pixels.max(1) as f32
        };
        let middle = [mean(|patch| patch.middle[0]), mean(|patch| patch.middle[1])];
        let whole = Patch { pixels, middle, luminance: mean(|it| it.luminance), ..self.patches[0] };
        let wholes: HashSet<&str> = self
            .patches
            .iter()
            .filter_map(|patch| {
                let id = look.id(patch.object);
                let body = &space.bodies()[space.place_of(id)?];
                Some(space.whole_of(body).unwrap_or(body.id))
            })
            .collect();
        let name = match wholes.len() {
            1 => format!("{} ({} parts)", self.name, self.patches.len()),
            count => format!("{count} x {}", self.name),
        };
        told(&name, look, &whole)
    }
}

/// The position of a patch, its share of the picture, and its brightness.
fn told(name: &str, look: &Look, patch: &Patch) -> String {
    let share = share(patch.pixels as usize, look.image.pixels.len());
    let (place, light) = (place(look, patch), brightness(patch.luminance));
    format!("{name}: {place}, {share}, {light}")
}

fn line(look: &Look, space: &Space<'_>, patch: &Patch) -> String {
    let id = look.id(patch.object);
    let mut line = told(id, look, patch);
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
    format!("{} {id}", if is_clear(space, id) { "seen through" } else { "behind" })
}

fn is_clear(space: &Space<'_>, id: &str) -> bool {
    let body = space.place_of(id).and_then(|at| space.bodies()[at].shape());
    body.is_some_and(|shape| shape.material.is_clear())
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

/// Objects without a visible pixel: covered by transparent ones, occluded, or outside the picture,
/// with the occluder or the side.
#[derive(Default)]
struct Unseen {
    through_glass: Vec<String>,
    hidden: Vec<String>,
    outside: Vec<String>,
}

impl Unseen {
    fn of(look: &Look, space: &Space<'_>, seen: &[&str]) -> Self {
        let view = look.view();
        let mut unseen = Self::default();
        // The back legs of a chair that is seen are no news, nor is each tree of a forest: what is told is each
        // whole thing of which, and of whose copies, nothing is seen, by the largest of its parts.
        let seen = seen.iter().filter_map(|id| Some(&space.bodies()[space.place_of(id)?]));
        let mut told: HashSet<&str> = seen.map(|body| stem(name_of_whole(space, body))).collect();
        let mut bodies: Vec<&Body<'_>> = space.shapes().map(|(_, body)| body).collect();
        bodies.sort_by(|one, other| other.solid.size().total_cmp(&one.solid.size()));
        for body in bodies {
            let name = name_of_whole(space, body);
            if !told.insert(stem(name)) {
                continue;
            }
            if view.coverage(&body.solid).inside <= 0.0 {
                unseen.outside.push(format!("{name}: {}", side(look, body)));
                continue;
            }
            match cover(look, body).map(|cover| look.id(cover.by)) {
                Some(by) if is_clear(space, by) => unseen.through_glass.push(name.to_owned()),
                Some(by) => unseen.hidden.push(format!("{name}: {}", behind(space, by))),
                None => unseen.hidden.push(format!("{name}: out of sight")),
            }
        }
        let Self { through_glass, hidden, outside } = unseen;
        Self {
            through_glass: shortened(through_glass),
            hidden: shortened(hidden),
            outside: shortened(outside),
        }
    }
}

/// The group of a shape, or the shape itself.
fn name_of_whole<'a>(space: &Space<'a>, body: &Body<'a>) -> &'a str {
    space.whole_of(body).unwrap_or(body.id)
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
