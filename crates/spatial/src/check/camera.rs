//! What the camera does not show.

use std::collections::{BTreeMap, HashSet};

use glam::DVec3;
use scene::{FindingKind, Geometry};
use serde_json::{Value, json};

use super::finding::{Findings, whole};
use crate::measure::{short, triple};
use crate::solid::{Build, Relation, Solid};
use crate::space::{Body, Space};
use crate::view::View;

/// Share of its outline inside of the picture, below which an object counts as out of view: nothing of it is
/// seen.
const MIN_INSIDE: f64 = 0.005;
/// The same in metres.
const LEVEL: f64 = 0.15;
/// Height of the eye over a wide ground, relative to its width, below which the ground is seen edge-on.
const EDGE_ON: f64 = 0.003;

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

pub(super) fn camera(
    space: &Space<'_>,
    contacts: &[(usize, usize, Relation)],
    seen: &HashSet<&str>,
    sight: &mut dyn FnMut(&Body<'_>) -> Sight,
    findings: &mut Findings,
) {
    let view = View::of(&space.scene.camera);
    // The parts of a group by themselves may well be hidden in one another.
    let mut wholes: BTreeMap<&str, Vec<&Body<'_>>> = BTreeMap::new();
    let mut order = Vec::new();
    for (_, body) in space.shapes().filter(|(_, body)| !body.solid.is_flat()) {
        let solid = &body.solid;
        let is_inside =
            !solid.is_rough() && !solid.has_room_in_it() && solid.covers(view.center(), 0.0);
        if is_inside {
            let message = format!("the camera stands inside '{}'", body.id);
            let fix = framed(Some(body.id));
            findings.add(FindingKind::CameraInside, &[body], message, Some(fix));
            continue;
        }
        let name = whole(space, body);
        let members = wholes.entry(name).or_default();
        if members.is_empty() {
            order.push(name);
        }
        members.push(body);
    }
    // Where some copies are seen, the others are no loss, whatever groups they are in; where none is, the first is
    // told.
    let mut seen_stems: HashSet<&str> = HashSet::new();
    for (_, body) in space.shapes().filter(|(_, body)| seen.contains(body.id)) {
        seen_stems.extend(space.groups_of(body).into_iter().map(scene::stem));
    }
    let mut found = Vec::new();
    for name in order {
        let members = &wholes[name];
        let is_seen = members.iter().any(|body| seen.contains(body.id))
            || members.iter().all(|body| is_copy_of_one_seen(space, body, &seen_stems));
        let unseen = if is_seen { None } else { unseen(&view, members, sight) };
        // The inner parts of things: an axle in its hub.
        let is_inner = |by: &str| {
            let cover = space.place_of(by).map(|at| &space.bodies()[at].solid);
            cover.is_some_and(|cover| {
                members.iter().any(|body| {
                    let tolerance = body.solid.contact_tolerance().min(cover.contact_tolerance());
                    body.solid.relation(cover).gap <= tolerance && !cover.holds(&body.solid)
                })
            })
        };
        let unseen = unseen
            .filter(|unseen| !matches!(unseen, Unseen::Hidden { by: Some(by) } if is_inner(by)));
        match unseen {
            Some(unseen) => found.push((name, unseen)),
            None => drop(seen_stems.insert(scene::stem(name))),
        }
    }
    let mut told: HashSet<&str> = HashSet::new();
    for (name, unseen) in found {
        let is_told = |body: &Body<'_>| told.contains(whole(space, body));
        // A lid is told with its bin, and walls around the viewer are there for the light.
        let is_part = matches!(unseen, Unseen::OutOfView)
            && (touched(space, contacts, name).any(is_told)
                || wholes[name].iter().all(|body| is_around(&body.solid, &view)));
        if !is_part && seen_stems.insert(scene::stem(name)) {
            unseen.tell(space, name, &wholes[name], findings);
            told.insert(name);
        }
    }
    edge_on(space, &view, findings);
}

/// Whether a copy of a group that a body is in is seen somewhere else.
fn is_copy_of_one_seen(space: &Space<'_>, body: &Body<'_>, seen_stems: &HashSet<&str>) -> bool {
    space.groups_of(body).into_iter().any(|group| seen_stems.contains(scene::stem(group)))
}

/// What touches a thing.
fn touched<'s, 'a>(
    space: &'s Space<'a>,
    contacts: &'s [(usize, usize, Relation)],
    name: &'s str,
) -> impl Iterator<Item = &'s Body<'a>> {
    contacts.iter().filter_map(move |(one, other, _)| {
        let [one, other] = [one, other].map(|at| &space.bodies()[*at]);
        match [one, other].map(|body| whole(space, body) == name) {
            [true, false] => Some(other),
            [false, true] => Some(one),
            _ => None,
        }
    })
}

/// Whether it is a wall beside or behind the eye, a floor below it or a ceiling above it, and wide enough to close a
/// room.
fn is_around(solid: &Solid, view: &View) -> bool {
    /// In eye heights.
    const WIDE: f64 = 1.0;
    let (extent, eye) = (solid.extent(), view.center());
    let spans = extent.min.cmple(eye) & extent.max.cmpge(eye);
    let is_wide = solid.size() >= WIDE * (eye.y - extent.min.y);
    let spanned = [spans.x, spans.y, spans.z].into_iter().filter(|spans| *spans).count();
    matches!(solid.build(), Build::Plate(_)) && spanned >= 2 && is_wide
}

/// Whether a body is the surroundings of what a picture is about: a floor, land, the walls of a room that reach out of
/// the picture, or what is all around the camera.
pub fn is_surroundings(body: &Body<'_>, view: &View) -> bool {
    /// Of its outline; less may be a matter of rounding.
    const WHOLE: f64 = 0.98;
    let solid = &body.solid;
    let is_land =
        body.shape().is_some_and(|shape| matches!(shape.geometry, Geometry::HeightField(_)));
    let is_wall = || is_around(solid, view) && view.coverage(solid).inside < WHOLE;
    solid.is_flat() || is_land || is_wall() || solid.covers(view.center(), 0.0)
}

/// Why nothing of a thing is seen.
enum Unseen {
    OutOfView,
    Hidden { by: Option<String> },
}

/// Why no part of a thing is seen; `None` if one is.
fn unseen(
    view: &View,
    members: &[&Body<'_>],
    sight: &mut dyn FnMut(&Body<'_>) -> Sight,
) -> Option<Unseen> {
    let (mut covers, mut in_picture) = (BTreeMap::<String, usize>::new(), false);
    // What glows is there for its light.
    let glows = members.iter().any(|body| body.shape().is_some_and(|it| it.material.glows()));
    for body in members.iter().filter(|body| view.shows(&body.solid, MIN_INSIDE)) {
        in_picture = true;
        match sight(body) {
            Sight::Seen => return None,
            Sight::Hidden { by } => {
                if let Some(by) = by.filter(|by| members.iter().all(|body| body.id != by)) {
                    *covers.entry(by).or_default() += 1;
                }
            }
        }
    }
    if !in_picture {
        return (!glows).then_some(Unseen::OutOfView);
    }
    let by = covers.into_iter().max_by_key(|(_, count)| *count).map(|(by, _)| by);
    Some(Unseen::Hidden { by })
}

impl Unseen {
    fn tell(self, space: &Space<'_>, name: &str, members: &[&Body<'_>], findings: &mut Findings) {
        let (kind, message, fix) = match self {
            Self::OutOfView => {
                let extent = members.iter().map(|body| &body.solid);
                let center = Solid::union(extent).map(|whole| triple(whole.extent().center()));
                let at = center.map(|center| format!(" at {center}")).unwrap_or_default();
                let message = format!("'{name}'{at} stands outside the picture");
                (FindingKind::OutOfView, message, framed(None))
            }
            Self::Hidden { by } => {
                let cover = by.and_then(|by| space.place_of(&by)).map(|at| &space.bodies()[at]);
                let what =
                    cover.map_or("other things".to_owned(), |cover| format!("'{}'", cover.id));
                let message = format!("'{name}' is hidden behind or inside {what}");
                let fix = cover.map_or_else(|| framed(Some(name)), |cover| shown(name, cover));
                (FindingKind::Hidden, message, fix)
            }
        };
        findings.add(kind, members, message, Some(fix));
    }
}

/// The call that brings something, or everything, into the picture.
fn framed(id: Option<&str>) -> Value {
    let args = id.map_or_else(|| json!({}), |id| json!({ "ids": [id] }));
    json!({ "name": "frame", "args": args })
}

/// A camera that lies in the plane of a wide floor sees nothing of it, and everything from below its middle.
fn edge_on(space: &Space<'_>, view: &View, findings: &mut Findings) {
    let eye = view.center();
    for (_, body) in space.shapes().filter(|(_, body)| body.solid.is_flat()) {
        let extent = body.solid.extent();
        let (size, below) = (extent.size(), eye.y - extent.max.y);
        let width = size.x.min(size.z);
        let is_over = eye.cmpge(extent.min).x
            && eye.cmple(extent.max).x
            && eye.cmpge(extent.min).z
            && eye.cmple(extent.max).z;
        let is_level = size.y <= 1e-6 + 0.01 * width && view.forward().y.abs() < 0.2;
        if width > 0.0 && is_level && is_over && below.abs() < (EDGE_ON * width).min(LEVEL) {
            let message = format!(
                "the camera stands level with '{}', {} m above it, and sees it edge-on",
                body.id,
                short(below)
            );
            let fix = framed(None);
            findings.add(FindingKind::CameraLow, &[body], message, Some(fix));
            return;
        }
    }
}

/// The call that takes a body out from behind or inside what hides it: onto a floor, before anything
/// else.
fn shown(name: &str, cover: &Body<'_>) -> Value {
    let size = cover.solid.extent().size();
    let is_floor = cover.solid.is_flat() && size.y < 0.5 * size.x.min(size.z);
    let relation = if is_floor { "on" } else { "in_front_of" };
    json!({ "name": "place",
        "args": { "ids": [name], "relation": relation, "to": [cover.id] } })
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
