//! Things that neither stand nor hang.

use std::collections::{BTreeMap, HashSet};

use scene::{FindingKind, Material};
use serde_json::json;

use super::finding::{Findings, whole};
use super::ground::{grounds, lowest, wide_grounds};
use super::held::HAIR;
use crate::measure::short;
use crate::solid::{Extent, Relation, Solid};
use crate::space::{Body, Space};
use crate::view::View;

/// The height in metres up to which nobody sees that a thing does not touch the ground.
const HAIR_METRES: f64 = 0.03;
/// The same height over the size of large things: a castle.
const LARGE_HAIR: f64 = 0.003;
/// Shapes that hang together, beyond which they may be all that there is.
const MAX_LOOSE: usize = 8;
/// The most names of a fix; one with more helps nobody.
const MAX_FIX_IDS: usize = 8;

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

/// What neither stands on the ground nor hangs on anything that does. The ground is floors, walls and wide low
/// things, and, where there are no floors, the lowest shapes of the scene.
pub(super) fn floating(
    space: &Space<'_>,
    contacts: &[(usize, usize, Relation)],
    findings: &mut Findings,
) {
    let bodies = space.bodies();
    let roots = components(bodies.len(), contacts);
    let grounds = grounds(space);
    let mut standing = wide_grounds(space);
    standing.extend(if grounds.is_empty() { lowest(space) } else { grounds.clone() });
    let grounded: HashSet<usize> = standing.iter().map(|at| roots[*at]).collect();
    let mut loose: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, root) in roots.iter().enumerate().filter(|(_, root)| !grounded.contains(*root)) {
        loose.entry(*root).or_default().push(at);
    }
    let all = space.shapes().count();
    let view = View::of(&space.scene.camera);
    let floor = standing.iter().map(|at| bodies[*at].solid.extent().max.y);
    let floor = floor.fold(f64::INFINITY, f64::min);
    // Things of one name are told together: blades of grass, not one after another.
    let mut folded: Vec<(Loose<'_, '_>, usize)> = Vec::new();
    for members in loose.into_values() {
        let shapes: Vec<&Body<'_>> =
            members.iter().map(|at| &bodies[*at]).filter(|body| body.shape().is_some()).collect();
        // What most things hang together with is what they stand on, whatever lies below it.
        if shapes.len() > MAX_LOOSE && 2 * shapes.len() > all {
            continue;
        }
        // Panes, signs and lamps that shine are fixed to what is not modelled; bubbles fly.
        let glows = |body: &&Body<'_>| body.shape().is_some_and(|shape| shape.material.glows());
        if shapes.len() == 1 && shapes.iter().all(|body| glows(body) || is_bubble(body)) {
            continue;
        }
        let Some(whole) = Solid::union(shapes.iter().map(|body| &body.solid)) else { continue };
        // What reaches out of the picture may be held where nobody sees it.
        if is_cut_off(&view, &whole) {
            continue;
        }
        let below = space.fall(&whole, &members.iter().copied().collect());
        let seems_to_stand = |way: f64| {
            let size = whole.size();
            way <= (HAIR * size).min(HAIR_METRES) || way <= LARGE_HAIR * size
        };
        if below.is_some_and(|(way, _)| seems_to_stand(way)) {
            continue;
        }
        // A hand on its dial, a picture on its wall: nobody sees the gap.
        let way = below.map(|(way, _)| way);
        if space.seem_held(&members) || space.are_leaves_among_leaves(&members, way) {
            continue;
        }
        // At the level of the ground, or below it, and beyond its edge: a tower at the end of a street.
        let is_beyond = || {
            let flat = |extent: Extent| Extent {
                min: extent.min.with_y(0.0),
                max: extent.max.with_y(0.0),
            };
            let own = flat(whole.extent());
            !standing.iter().any(|at| flat(bodies[*at].solid.extent()).is_near(own, 0.0))
        };
        if whole.extent().min.y <= floor && (below.is_none() || is_beyond()) {
            continue;
        }
        // Beside all that there is: the moon, birds.
        let is_apart =
            || space.near(whole.extent(), whole.size()).iter().all(|at| members.contains(at));
        if below.is_none() && is_apart() {
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

/// Whether it is of a clear film.
fn is_bubble(body: &Body<'_>) -> bool {
    body.shape().is_some_and(|shape| match shape.material.main_part() {
        Material::Principled(material) => {
            material.geometry_thin_walled && shape.material.is_clear()
        }
        _ => false,
    })
}

/// Whether the edge of the picture cuts through it.
fn is_cut_off(view: &View, solid: &Solid) -> bool {
    /// Of its outline; less may be a matter of rounding.
    const CUT: f64 = 0.002;
    let inside = view.coverage(solid).inside;
    inside > CUT && inside < 1.0 - CUT
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
