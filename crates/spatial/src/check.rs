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
/// Share of its outline inside of the picture, below which an object counts as out of view: nothing of it is
/// seen.
const MIN_INSIDE: f64 = 0.005;
/// Share of the ground under all things that makes a low thing a ground itself: land, a table top.
const WIDE: f64 = 0.25;
/// The same in metres.
const LEVEL: f64 = 0.15;
/// The height over its size at which a thing seems to stand all the same.
const HAIR: f64 = 0.005;
/// Shapes that hang together, beyond which they may be all that there is.
const MAX_LOOSE: usize = 8;
/// The most names of a fix; one with more helps nobody.
const MAX_FIX_IDS: usize = 8;
/// Height over width up to which a thing is low.
const LOW: f64 = 0.4;
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

/// Everything that geometry tells. `sight` says whether a body can be seen from the camera; asked only
/// of those that lie in the picture.
pub fn check(space: &Space<'_>, sight: &mut dyn FnMut(&Body<'_>) -> Sight) -> Findings {
    check_unseen(space, &HashSet::new(), sight)
}

/// As [`check`], where `seen` are ids that a picture shows: `sight` is not asked of these.
pub fn check_unseen(
    space: &Space<'_>,
    seen: &HashSet<&str>,
    sight: &mut dyn FnMut(&Body<'_>) -> Sight,
) -> Findings {
    let mut findings = Findings::default();
    let contacts = space.all_contacts();
    overlaps(space, &contacts, &mut findings);
    floating(space, &contacts, &mut findings);
    sizes(space, &contacts, &mut findings);
    camera(space, seen, sight, &mut findings);
    findings
}

/// Two shapes that reach into each other.
#[derive(Clone, Copy)]
struct Overlapping<'s, 'a> {
    small: &'s Body<'a>,
    large: &'s Body<'a>,
    depth: f64,
    /// The way on which the small one leaves the large one.
    away: DVec3,
}

fn overlaps(space: &Space<'_>, contacts: &[(usize, usize, Relation)], findings: &mut Findings) {
    // Of two groups, or shapes without one, and of copies of these only the parts that reach deepest into each
    // other are told.
    let mut deepest: BTreeMap<[&str; 2], (Overlapping<'_, '_>, usize)> = BTreeMap::new();
    for (one, other, relation) in contacts {
        let Some(depth) = space.overlap(*one, *other, relation) else { continue };
        let (a, b) = (&space.bodies()[*one], &space.bodies()[*other]);
        // The smaller one gives way; what is flat is floor or wall and stays.
        let rank = |body: &Body<'_>| (body.solid.is_flat(), body.solid.size());
        let is_first = rank(a).partial_cmp(&rank(b)).is_some_and(|order| order.is_lt());
        let (small, large, away) =
            if is_first { (a, b, relation.away) } else { (b, a, -relation.away) };
        let found = Overlapping { small, large, depth, away };
        let mut wholes = [whole(space, a), whole(space, b)].map(scene::stem);
        wholes.sort_unstable();
        deepest
            .entry(wholes)
            .and_modify(|(known, count)| {
                *count += 1;
                if known.depth < found.depth {
                    *known = found;
                }
            })
            .or_insert((found, 1));
    }
    for (found, count) in deepest.into_values() {
        let Overlapping { small, large, depth, away } = found;
        let more = match count {
            1 => String::new(),
            count => format!(", and {} more of their parts or copies overlap", count - 1),
        };
        let message =
            format!("'{}' reaches {} m into '{}'{more}", small.id, short(depth), large.id);
        // A hair further, so that rounding leaves no overlap.
        let by = away * (depth * 1.001 + 1e-6);
        let fix = moved(whole(space, small), by);
        findings.add(FindingKind::Overlap, &[small, large], message, Some(fix));
    }
}

/// What a shape is a part of: its outermost group, or itself.
fn whole<'a>(space: &Space<'a>, body: &Body<'a>) -> &'a str {
    space.whole_of(body).unwrap_or(body.id)
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

/// Low things that cover much of the ground under all things: land, a floor that has a height, a table top in
/// a scene without a floor. Things stand on them, whatever else lies lower.
fn wide_grounds(space: &Space<'_>) -> HashSet<usize> {
    let area = |size: DVec3| size.x * size.z;
    let solids = || space.shapes().filter(|(_, body)| !body.solid.is_flat());
    let all = Solid::union(solids().map(|(_, body)| &body.solid));
    let least = all.map_or(0.0, |all| WIDE * area(all.extent().size()));
    let is_wide = |body: &Body<'_>| {
        let size = body.solid.extent().size();
        area(size) >= least && size.y <= LOW * size.x.max(size.z)
    };
    solids().filter(|(_, body)| is_wide(body)).map(|(at, _)| at).collect()
}

/// What neither stands on the ground nor hangs on anything that does. The ground is floors, walls and wide low
/// things, and, where there are no floors, the lowest shapes of the scene.
fn floating(space: &Space<'_>, contacts: &[(usize, usize, Relation)], findings: &mut Findings) {
    let bodies = space.bodies();
    let roots = components(bodies.len(), contacts);
    let grounds = grounds(space);
    let has_flat = !grounds.is_empty();
    let bottom = |body: &Body<'_>| body.solid.extent().min.y;
    let lowest = space.shapes().map(|(_, body)| bottom(body)).fold(f64::INFINITY, f64::min);
    let wide = wide_grounds(space);
    let is_ground = |at: usize, body: &Body<'_>| {
        let is_lowest = || bottom(body) <= lowest + body.solid.contact_tolerance();
        wide.contains(&at) || if has_flat { grounds.contains(&at) } else { is_lowest() }
    };
    let grounded: HashSet<usize> =
        space.shapes().filter(|(at, body)| is_ground(*at, body)).map(|(at, _)| roots[at]).collect();
    let mut loose: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, root) in roots.iter().enumerate().filter(|(_, root)| !grounded.contains(*root)) {
        loose.entry(*root).or_default().push(at);
    }
    let all = space.shapes().count();
    // Things of one name are told together: blades of grass, not one after another.
    let mut folded: Vec<(Loose<'_, '_>, usize)> = Vec::new();
    for members in loose.into_values() {
        let shapes: Vec<&Body<'_>> =
            members.iter().map(|at| &bodies[*at]).filter(|body| body.shape().is_some()).collect();
        // What most things hang together with is what they stand on, whatever lies below it.
        if shapes.len() > MAX_LOOSE && 2 * shapes.len() > all {
            continue;
        }
        // Panes, signs and lamps that shine are fixed to what is not modelled.
        let glows = |body: &&Body<'_>| body.shape().is_some_and(|shape| shape.material.glows());
        if shapes.len() == 1 && shapes.iter().all(glows) {
            continue;
        }
        let Some(whole) = Solid::union(shapes.iter().map(|body| &body.solid)) else { continue };
        let below = space.fall(&whole, &members.iter().copied().collect());
        if below.is_some_and(|(way, _)| way <= HAIR * whole.size()) {
            continue;
        }
        let loose = Loose { shapes, below };
        let stem = loose.stem(space).to_owned();
        match folded.iter_mut().find(|(known, _)| known.stem(space) == stem) {
            Some((_, count)) => *count += 1,
            None => folded.push((loose, 1)),
        }
    }
    for (loose, count) in folded {
        loose.tell(space, &grounds, count, findings);
    }
}

/// Shapes that hang together and on nothing else.
struct Loose<'s, 'a> {
    shapes: Vec<&'s Body<'a>>,
    /// How far they would fall, and onto what.
    below: Option<(f64, usize)>,
}

impl<'a> Loose<'_, 'a> {
    fn stem(&self, space: &Space<'a>) -> &'a str {
        scene::stem(whole(space, self.shapes[0]))
    }

    fn tell(
        &self,
        space: &Space<'a>,
        grounds: &HashSet<usize>,
        count: usize,
        findings: &mut Findings,
    ) {
        let shapes = &self.shapes;
        let names: Vec<&str> = shapes.iter().map(|body| body.id).collect();
        let subject = match names[..] {
            [one] => format!("'{one}' floats"),
            _ => format!(
                "{} things that touch each other float, '{}' among them",
                names.len(),
                names[0]
            ),
        };
        let more = match count {
            1 => String::new(),
            count => format!("; {} more of '{}' float, too", count - 1, self.stem(space)),
        };
        let (message, fix) = match self.below {
            Some((way, at)) => {
                let by = [0.0, -way, 0.0].map(|way: f64| (way * 1e6).round() / 1e6 + 0.0);
                let fix = movable(space, shapes)
                    .map(|ids| json!({ "name": "move", "args": { "ids": ids, "by": by } }));
                (format!("{subject} {} m above '{}'", short(way), space.bodies()[at].id), fix)
            }
            None if !grounds.is_empty() => {
                let fix = widest_floor(space, grounds).and_then(|floor| {
                    let ids = movable(space, shapes)?;
                    Some(json!({ "name": "place",
                        "args": { "ids": ids, "relation": "on", "to": [floor] } }))
                });
                (format!("{subject}: nothing is below"), fix)
            }
            // Without a ground nothing is known to carry anything.
            None => return,
        };
        findings.add(FindingKind::Floating, shapes, format!("{message}{more}"), fix);
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

/// Names that together move just these shapes: groups of which they are all, and shapes; `None` if that takes
/// too many.
fn movable(space: &Space<'_>, shapes: &[&Body<'_>]) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for body in shapes {
        let is_all_of = |group: &str| {
            space.unit(group).is_ok_and(|unit| {
                let ids = unit.members.iter().map(|at| space.bodies()[*at].id);
                ids.into_iter().all(|id| shapes.iter().any(|body| body.id == id))
            })
        };
        let known = names.iter().any(|name| space.groups_of(body).contains(&name.as_str()));
        if known {
            continue;
        }
        let group = space.groups_of(body).into_iter().rev().find(|group| is_all_of(group));
        names.push(group.unwrap_or(body.id).to_owned());
        if names.len() > MAX_FIX_IDS {
            return None;
        }
    }
    Some(names)
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

fn camera(
    space: &Space<'_>,
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
    // Where some copies are seen, the others are no loss; where none is, the first is told.
    let (mut found, mut seen_stems) = (Vec::new(), HashSet::new());
    for name in order {
        let members = &wholes[name];
        let is_seen = members.iter().any(|body| seen.contains(body.id));
        let unseen = if is_seen { None } else { unseen(&view, members, sight) };
        match unseen {
            Some(unseen) => found.push((name, unseen)),
            None => drop(seen_stems.insert(scene::stem(name))),
        }
    }
    for (name, unseen) in found {
        if seen_stems.insert(scene::stem(name)) {
            unseen.tell(space, name, &wholes[name], findings);
        }
    }
    edge_on(space, &view, findings);
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
        return Some(Unseen::OutOfView);
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
