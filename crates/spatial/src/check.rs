//! Findings: likely mistakes in a scene, by geometry and visibility. Findings about light need a render and
//! are made elsewhere.

use std::collections::{BTreeMap, HashSet};

use glam::DVec3;
use scene::FindingKind;
use serde_json::{Value, json};

use crate::measure::{short, triple};
use crate::solid::{Relation, Solid};
use crate::space::{Body, Space};
use crate::view::View;

/// A likely mistake.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The kind of mistake: a name of [`FindingKind`], or of the picture as a whole.
    pub check: &'static str,
    /// The ids of the objects.
    pub ids: Vec<String>,
    /// One sentence.
    pub message: String,
    /// The call `{name, args}` that fixes it.
    pub fix: Option<Value>,
}

impl Finding {
    /// The finding in the result of a tool.
    pub fn to_json(&self) -> Value {
        let mut finding = json!({ "check": self.check, "ids": self.ids, "message": self.message });
        if let Some(fix) = &self.fix {
            finding["fix"] = fix.clone();
        }
        finding
    }
}

/// Findings, and the number of those that intentional marks silence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Likely mistakes.
    pub found: Vec<Finding>,
    /// The number of findings that marks silence.
    pub silenced: usize,
}

impl Findings {
    fn add(
        &mut self,
        kind: FindingKind,
        bodies: &[&Body<'_>],
        message: String,
        fix: Option<Value>,
    ) {
        let is_meant =
            |body: &&Body<'_>| body.shape().is_some_and(|shape| shape.intentional.contains(kind));
        if bodies.iter().any(is_meant) {
            self.silenced += 1;
            return;
        }
        /// Ids of a finding.
        const MAX_IDS: usize = 8;
        let ids = bodies.iter().take(MAX_IDS).map(|body| body.id.to_owned()).collect();
        self.found.push(Finding { check: kind.name(), ids, message, fix });
    }
}

/// Ratio to the median size beyond which the size of an object is a finding.
const ABSURD_RATIO: f64 = 100.0;
/// Share of its outline inside of the picture, below which an object counts as out of view.
const MIN_INSIDE: f64 = 0.05;

/// The visibility of a body from the camera.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// At least one point is visible.
    Seen,
    /// Other objects hide it.
    Hidden {
        /// The object that hides most of it, if rays hit one.
        by: Option<String>,
    },
}

/// Everything that geometry tells. `sight` says whether a body can be seen from the camera; asked only
/// of those that lie in the picture.
pub fn check(space: &Space<'_>, sight: &mut dyn FnMut(&Body<'_>) -> Sight) -> Findings {
    let mut findings = Findings::default();
    let contacts = space.all_contacts();
    overlaps(space, &contacts, &mut findings);
    floating(space, &contacts, &mut findings);
    sizes(space, &contacts, &mut findings);
    camera(space, sight, &mut findings);
    findings
}

fn overlaps(space: &Space<'_>, contacts: &[(usize, usize, Relation)], findings: &mut Findings) {
    for (one, other, relation) in contacts {
        let Some(depth) = space.overlap(*one, *other, relation) else { continue };
        let (a, b) = (&space.bodies()[*one], &space.bodies()[*other]);
        // The smaller one gives way; what is flat is floor or wall and stays.
        let rank = |body: &Body<'_>| (body.solid.is_flat(), body.solid.size());
        let is_first = rank(a).partial_cmp(&rank(b)).is_some_and(|order| order.is_lt());
        let (small, large, away) =
            if is_first { (a, b, relation.away) } else { (b, a, -relation.away) };
        let message = format!("'{}' reaches {} m into '{}'", small.id, short(depth), large.id);
        // A hair further, so that rounding leaves no overlap.
        let by = away * (depth * 1.001 + 1e-6);
        findings.add(FindingKind::Overlap, &[small, large], message, Some(moved(small.id, by)));
    }
}

fn moved(id: &str, by: DVec3) -> Value {
    let by = by.to_array().map(|way| (way * 1e6).round() / 1e6 + 0.0);
    json!({ "name": "move", "args": { "ids": [id], "by": by } })
}

/// Bodies that hang together, by the lowest place among them.
fn components(count: usize, contacts: &[(usize, usize, Relation)]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..count).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for (one, other, _) in contacts {
        let (one, other) = (root(&mut parent, *one), root(&mut parent, *other));
        parent[one.max(other)] = one.min(other);
    }
    (0..count).map(|at| root(&mut parent, at)).collect()
}

/// Flat shapes that carry things: floors and walls, not the flat faces of an object.
pub(crate) fn grounds(space: &Space<'_>) -> HashSet<usize> {
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, body) in space.shapes().filter(|(_, body)| !body.solid.is_flat()) {
        if let Some(group) = body.group() {
            let size = sizes.entry(group.as_str()).or_default();
            *size = size.max(body.solid.size());
        }
    }
    let is_face = |body: &Body<'_>| {
        let parts = body.group().and_then(|group| sizes.get(group.as_str()));
        parts.is_some_and(|size| body.solid.size() <= *size)
    };
    let flat = space.shapes().filter(|(_, body)| body.solid.is_flat() && !is_face(body));
    flat.map(|(at, _)| at).collect()
}

/// What neither stands on the ground nor hangs on anything that does. Floors and walls are the
/// ground, or, where there are none, the lowest shapes of the scene.
fn floating(space: &Space<'_>, contacts: &[(usize, usize, Relation)], findings: &mut Findings) {
    let bodies = space.bodies();
    let roots = components(bodies.len(), contacts);
    let grounds = grounds(space);
    let has_flat = !grounds.is_empty();
    let bottom = |body: &Body<'_>| body.solid.extent().min.y;
    let lowest = space.shapes().map(|(_, body)| bottom(body)).fold(f64::INFINITY, f64::min);
    let is_ground = |at: usize, body: &Body<'_>| match has_flat {
        true => grounds.contains(&at),
        false => bottom(body) <= lowest + body.solid.contact_tolerance(),
    };
    let grounded: HashSet<usize> =
        space.shapes().filter(|(at, body)| is_ground(*at, body)).map(|(at, _)| roots[at]).collect();
    let mut loose: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, root) in roots.iter().enumerate().filter(|(_, root)| !grounded.contains(*root)) {
        loose.entry(*root).or_default().push(at);
    }
    for members in loose.into_values() {
        let shapes: Vec<&Body<'_>> =
            members.iter().map(|at| &bodies[*at]).filter(|body| body.shape().is_some()).collect();
        let Some(whole) = Solid::union(shapes.iter().map(|body| &body.solid)) else { continue };
        let below = space.fall(&whole, &members.iter().copied().collect());
        let names: Vec<&str> = shapes.iter().map(|body| body.id).collect();
        let subject = match names[..] {
            [one] => format!("'{one}' floats"),
            _ => format!(
                "{} things that touch each other float, '{}' among them",
                names.len(),
                names[0]
            ),
        };
        let (message, fix) = match below {
            Some((way, at)) => {
                let by = [0.0, -way, 0.0].map(|way: f64| (way * 1e6).round() / 1e6 + 0.0);
                let fix =
                    json!({ "name": "move", "args": { "ids": movable(space, &shapes), "by": by } });
                (format!("{subject} {} m above '{}'", short(way), bodies[at].id), Some(fix))
            }
            None if has_flat => {
                let fix = widest_floor(space, &grounds).map(|floor| {
                    json!({ "name": "place",
                        "args": { "ids": movable(space, &shapes), "relation": "on", "to": [floor] } })
                });
                (format!("{subject}: nothing is below"), fix)
            }
            // Without a ground nothing is known to carry anything.
            None => continue,
        };
        findings.add(FindingKind::Floating, &shapes, message, fix);
    }
}

/// The floor that covers the most.
fn widest_floor<'a>(space: &'a Space<'_>, grounds: &HashSet<usize>) -> Option<&'a str> {
    let ground = |body: &Body<'_>| {
        let size = body.solid.extent().size();
        size.x * size.z
    };
    let flat = space.shapes().filter(|(at, _)| grounds.contains(at)).map(|(_, body)| body);
    let widest = flat.max_by(|one, other| ground(one).total_cmp(&ground(other)))?;
    (ground(widest) > 0.0).then_some(widest.id)
}

/// Names that together move just these shapes: the group, when they are all of it.
fn movable(space: &Space<'_>, shapes: &[&Body<'_>]) -> Vec<String> {
    if let Some(group) = shapes[0].group()
        && shapes.len() > 1
        && let Ok(unit) = space.unit(group.as_str())
        && unit.members.len() == shapes.len()
        && unit.members.iter().all(|at| shapes.iter().any(|body| body.id == space.bodies()[*at].id))
    {
        return vec![group.as_str().to_owned()];
    }
    shapes.iter().map(|body| body.id.to_owned()).collect()
}

/// What is a hundred times larger or smaller than the things of middling size. The parts of a group
/// are looked at as one; floors, walls and what carries something may be as large as they like.
fn sizes(space: &Space<'_>, contacts: &[(usize, usize, Relation)], findings: &mut Findings) {
    let carries = |at: usize| {
        contacts.iter().any(|(one, other, relation)| {
            (*other == at && relation.away.y > 0.7) || (*one == at && relation.away.y < -0.7)
        })
    };
    let mut groups: HashSet<&str> = HashSet::new();
    let mut things: Vec<(f64, usize, &str)> = Vec::new();
    for (at, body) in space.shapes().filter(|(_, body)| !body.solid.is_flat()) {
        match body.group() {
            None => things.push((body.solid.size(), at, body.id)),
            Some(group) if groups.insert(group.as_str()) => {
                let members = space.shapes().filter(|(_, body)| body.group() == Some(group));
                let whole = Solid::union(members.map(|(_, body)| &body.solid));
                things.push((whole.map_or(0.0, |whole| whole.size()), at, group.as_str()));
            }
            Some(_) => {}
        }
    }
    things.sort_by(|one, other| one.0.total_cmp(&other.0));
    let Some((median, ..)) = things.get(things.len() / 2).copied() else { return };
    for (size, at, name) in things {
        let ratio = (size / median).max(median / size);
        if ratio <= ABSURD_RATIO || (size > median && carries(at)) {
            continue;
        }
        let word = if size > median { "larger" } else { "smaller" };
        let message = format!(
            "'{name}' ({} m) is {ratio:.0} times {word} than the middling size here ({} m)",
            short(size),
            short(median)
        );
        let fix = json!({ "name": "scale", "args": { "ids": [name], "to": short(median) } });
        findings.add(FindingKind::Scale, &[&space.bodies()[at]], message, Some(fix));
    }
}

fn camera(space: &Space<'_>, sight: &mut dyn FnMut(&Body<'_>) -> Sight, findings: &mut Findings) {
    let view = View::of(&space.scene.camera);
    let frame = |ids: Option<&str>| {
        let args = ids.map_or_else(|| json!({}), |id| json!({ "ids": [id] }));
        json!({ "name": "frame", "args": args })
    };
    for (_, body) in space.shapes().filter(|(_, body)| !body.solid.is_flat()) {
        let solid = &body.solid;
        let is_inside =
            !solid.is_rough() && !solid.has_room_in_it() && solid.covers(view.center(), 0.0);
        if is_inside {
            let message = format!("the camera stands inside '{}'", body.id);
            findings.add(FindingKind::CameraInside, &[body], message, Some(frame(Some(body.id))));
        } else if !view.shows(solid, MIN_INSIDE) {
            let message = format!(
                "'{}' at {} stands outside the picture",
                body.id,
                triple(solid.extent().center())
            );
            findings.add(FindingKind::OutOfView, &[body], message, Some(frame(None)));
        } else if let Sight::Hidden { by } = sight(body) {
            let cover = by.and_then(|by| space.place_of(&by)).map(|at| &space.bodies()[at]);
            let what = cover.map_or("other things".to_owned(), |cover| format!("'{}'", cover.id));
            let message = format!("'{}' is hidden behind or inside {what}", body.id);
            let fix = cover.map_or_else(|| frame(Some(body.id)), |cover| shown(body, cover));
            findings.add(FindingKind::Hidden, &[body], message, Some(fix));
        }
    }
}

/// The call that takes a body out from behind or inside what hides it: onto a floor, before anything
/// else.
fn shown(body: &Body<'_>, cover: &Body<'_>) -> Value {
    let size = cover.solid.extent().size();
    let is_floor = cover.solid.is_flat() && size.y < 0.5 * size.x.min(size.z);
    let relation = if is_floor { "on" } else { "in_front_of" };
    json!({ "name": "place",
        "args": { "ids": [body.id], "relation": relation, "to": [cover.id] } })
}

/// Points of a body to look at: its middle, and points just inside its outline, most of them on the
/// side of `eye`.
pub fn points_to_see(solid: &Solid, eye: DVec3) -> impl Iterator<Item = DVec3> + '_ {
    let center = solid.extent().center();
    let toward = (eye - center).try_normalize().unwrap_or(DVec3::Y);
    let (right, up) = toward.any_orthonormal_pair();
    let ways = (0..12).map(move |at| {
        let angle = f64::from(at) * std::f64::consts::TAU / 6.0;
        let aside = right * angle.cos() + up * angle.sin();
        let lean = if at < 6 { 1.0 } else { 0.1 };
        (aside + toward * lean).normalize()
    });
    let inset = move |way: DVec3| center + (solid.farthest(way) - center) * 0.97;
    [toward].into_iter().chain(ways).map(inset).chain([center])
}
