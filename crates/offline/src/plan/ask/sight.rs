//! What can be seen, which way things face, and what room there is.

use glam::DVec3;
use spatial::{Cast, Extent, Solid, View, points_to_see};

use crate::frames::{Frame, Head, Phrase, Place, Relation};
use crate::resolve::{Sides, Thing, World};

use super::described::each;
use crate::plan::front::front;
use crate::plan::planner::{Done, Planner};
use crate::wording::{capital, metres, the};

/// Less of a thing than this is no sight of it.
const SEEN: f64 = 0.15;
/// What lies so far aside is not looked at, in degrees.
const ASIDE: f64 = 25.0;

impl Planner<'_> {
    /// "can you see the cup from here?"
    pub(super) fn visible(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let ids = self.theme_in(frame, world)?;
        self.focus.clone_from(&ids);
        let told = ids.iter().filter_map(|id| world.find(id)).take(6).map(|thing| {
            let name = the(&thing.id);
            match sight(thing, world) {
                Sight::Seen => format!("Yes, {name} can be seen."),
                Sight::Outside => format!("No, {name} is outside the picture."),
                Sight::Behind(Some(cover)) => {
                    format!("No, {name} is hidden behind {}.", the(cover))
                }
                Sight::Behind(None) => format!("No, {name} is hidden."),
            }
        });
        Ok(told.collect::<Vec<_>>().join(" "))
    }

    /// "what is off-screen?"
    pub(super) fn outside(&mut self, world: &World<'_>) -> String {
        let unseen = world.contents().filter(|thing| !matches!(sight(thing, world), Sight::Seen));
        let ids: Vec<String> = unseen.map(|thing| thing.id.clone()).collect();
        let told = match ids.len() {
            0 => "Everything can be seen.".to_owned(),
            1 => format!("Only {} cannot be seen.", the(&ids[0])),
            _ => format!("These cannot be seen: {}.", each(&ids)),
        };
        self.focus = ids;
        told
    }

    /// "which way is the chair facing?", "does the chair face the table?"
    pub(super) fn facing(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let ids = self.theme_in(frame, world)?;
        self.focus.clone_from(&ids);
        let mut told = Vec::new();
        for thing in ids.iter().filter_map(|id| world.find(id)).take(6) {
            let front = front(thing, world);
            let name = capital(&the(&thing.id));
            let Some(other) = frame.other.first() else {
                told.push(format!("{name} faces {}.", faced(thing, front, world)));
                continue;
            };
            let goal = match other.head {
                Head::Scene("viewer" | "camera") => {
                    Some(DVec3::from(world.scene.camera.center.get()))
                }
                _ => world.extent_of(&self.find_in(other, world)?).map(Extent::center),
            };
            let is_so = goal.is_some_and(|goal| off(thing, front, goal) < ASIDE);
            told.push(match is_so {
                true => format!("Yes: {} does.", the(&thing.id)),
                false => format!("No: {} faces {}.", the(&thing.id), faced(thing, front, world)),
            });
        }
        Ok(told.join(" "))
    }

    /// "is there room for a laptop on the table?", "how much room is behind the sofa?"
    pub(super) fn room(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let place = frame.places.first();
        let target = place.and_then(|place| place.target.clone());
        let targets = match &target {
            Some(target) => self.find_in(target, world)?,
            None if place.is_some() => self.find_in(&Phrase::it(), world)?,
            None => Vec::new(),
        };
        self.focus.clone_from(&targets);
        if let Some(wanted) = frame.theme.first().filter(|phrase| !phrase.is_definite()) {
            return self.has_room_for(wanted, frame);
        }
        let relation = place.and_then(relation_of);
        let way = relation.and_then(|relation| way_of(relation, Sides::of(world.scene)));
        let (Some(way), Some(id)) = (way, targets.first()) else {
            return Ok("Tell me where, and I measure it.".to_owned());
        };
        Ok(match free_way(id, way, world) {
            Some((free, other)) if free < 0.05 => format!("No: {} is right there.", the(other)),
            Some((free, other)) => format!("There are {} up to {}.", metres(free), the(other)),
            None => format!("Yes, nothing stands there beside {}.", the(id)),
        })
    }

    /// Whether what is wished finds a place that nothing else takes: it is made and taken back.
    fn has_room_for(&mut self, wanted: &Phrase, frame: &Frame) -> Done<String> {
        let kept = (self.draft.clone(), self.calls.len(), self.remarks.len());
        let phrase = Phrase { at: Vec::new(), ..wanted.clone() };
        let tried = self.make(&phrase).and_then(|made| {
            let places = self.places_to_go(&frame.places, None, &mut Vec::new())?;
            let made = self.settle_new(&phrase, made, &places, &[])?;
            let state = self.state();
            let after = state.world();
            let things: Vec<&Thing> = made.iter().filter_map(|id| after.find(id)).collect();
            let is_on = frame.places.first().and_then(relation_of) == Some(Relation::On);
            let fits = things.iter().all(|thing| {
                let below = after.support_of(thing);
                let carried =
                    !is_on || below.is_some_and(|below| rests(thing.extent, below.extent));
                carried && !meets(thing, below.map(|below| below.id.as_str()), after, &made)
            });
            let size = after.extent_of(&made).map(Extent::size);
            Ok((fits, size))
        });
        let (draft, calls, remarks) = kept;
        self.draft = draft;
        self.calls.truncate(calls);
        self.remarks.truncate(remarks);
        let (fits, size) = tried?;
        let words = match wanted.word.as_str() {
            "" => "that".to_owned(),
            word => format!("“{word}”"),
        };
        let size = size.map(|size| format!(" ({} wide, {} deep)", metres(size.x), metres(size.z)));
        let size = size.unwrap_or_default();
        Ok(match fits {
            true => format!("Yes, there is room for {words}{size}."),
            false => format!("No, there is no room for {words}{size}."),
        })
    }
}

enum Sight<'w> {
    Seen,
    Outside,
    Behind(Option<&'w str>),
}

/// Whether the camera sees a thing, or what hides it.
fn sight<'w>(thing: &Thing, world: &'w World<'_>) -> Sight<'w> {
    let view = View::of(&world.scene.camera);
    let eye = view.center();
    let bodies: Vec<&Solid> =
        thing.bodies.iter().map(|at| &world.space.bodies()[*at].solid).collect();
    if !bodies.iter().any(|solid| view.coverage(solid).inside > SEEN) {
        return Sight::Outside;
    }
    let mut covers: Vec<&str> = Vec::new();
    let (mut all, mut free) = (0_usize, 0_usize);
    for point in bodies.iter().flat_map(|solid| points_to_see(solid, eye)) {
        all += 1;
        match hit_before(point, eye, thing, world) {
            Some(cover) => covers.push(cover),
            None => free += 1,
        }
    }
    if free as f64 > SEEN * all as f64 {
        return Sight::Seen;
    }
    let most =
        covers.iter().max_by_key(|cover| covers.iter().filter(|other| other == cover).count());
    Sight::Behind(most.copied())
}

/// What a ray from the eye to a point meets before it.
fn hit_before<'w>(
    point: DVec3,
    eye: DVec3,
    thing: &Thing,
    world: &'w World<'_>,
) -> Option<&'w str> {
    let (ray, far) = (Solid::point(eye), point.distance(eye));
    let way = (point - eye).try_normalize()?;
    let bodies = world.space.bodies().iter().enumerate();
    let others = bodies.filter(|(at, body)| body.shape().is_some() && !thing.bodies.contains(at));
    let met = others.filter_map(|(_, body)| match ray.cast(DVec3::ZERO, way, &body.solid, 0.0) {
        Cast::After(after) if after < far - 1e-3 => Some((after, body)),
        _ => None,
    });
    let (_, nearest) = met.min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(nearest.group().map_or(nearest.id, |group| group.as_str()))
}

/// By how many degrees a front looks past a point.
fn off(thing: &Thing, front: DVec3, goal: DVec3) -> f64 {
    let way = (goal - thing.extent.center()).with_y(0.0);
    way.try_normalize().map_or(0.0, |way| way.dot(front).clamp(-1.0, 1.0).acos().to_degrees())
}

/// What lies before a front: the nearest thing that it looks at, or the side.
fn faced(thing: &Thing, front: DVec3, world: &World<'_>) -> String {
    let others = world.contents().filter(|other| other.id != thing.id);
    let seen = others.filter(|other| off(thing, front, other.extent.center()) < ASIDE);
    let far = |other: &&Thing| other.extent.distance(thing.extent);
    if let Some(other) = seen.min_by(|one, other| far(one).total_cmp(&far(other))) {
        return the(&other.id);
    }
    let sides = Sides::of(world.scene);
    let (across, along) = (front.dot(sides.right), front.dot(sides.front));
    let side = match (across.abs() > along.abs(), across > 0.0, along > 0.0) {
        (true, true, _) => "to the right",
        (true, false, _) => "to the left",
        (false, _, true) => "the viewer",
        (false, _, false) => "away from the viewer",
    };
    side.to_owned()
}

/// The relation of a place to what it is told by.
fn relation_of(place: &Place) -> Option<Relation> {
    place.relation.or_else(|| place.region.and_then(Relation::of_region))
}

/// The level way to a side.
fn way_of(relation: Relation, sides: Sides) -> Option<DVec3> {
    Some(match relation {
        Relation::LeftOf => -sides.right,
        Relation::RightOf | Relation::NextTo => sides.right,
        Relation::InFrontOf | Relation::Opposite => sides.front,
        Relation::Behind => -sides.front,
        Relation::Above => DVec3::Y,
        _ => return None,
    })
}

/// How far a thing could go along a way, and what it would meet then.
fn free_way<'w>(id: &str, way: DVec3, world: &'w World<'_>) -> Option<(f64, &'w str)> {
    let unit = world.space.unit(id).ok()?;
    let bodies = world.space.bodies().iter().enumerate();
    let others = bodies.filter(|(at, body)| body.shape().is_some() && !unit.members.contains(at));
    let met =
        others.filter_map(|(_, body)| match unit.solid.cast(DVec3::ZERO, way, &body.solid, 0.0) {
            Cast::After(after) => Some((after, body)),
            _ => None,
        });
    let (free, nearest) = met.min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some((free, nearest.group().map_or(nearest.id, |group| group.as_str())))
}

/// Whether what stands on something lies within its outline.
fn rests(own: Extent, below: Extent) -> bool {
    const OVER: f64 = 0.02;
    own.min.x > below.min.x - OVER
        && own.max.x < below.max.x + OVER
        && own.min.z > below.min.z - OVER
        && own.max.z < below.max.z + OVER
}

/// Whether a thing reaches into another one than what carries it.
fn meets(thing: &Thing, below: Option<&str>, world: &World<'_>, made: &[String]) -> bool {
    const TOUCH: f64 = 0.005;
    let Ok(own) = world.space.unit(&thing.id) else { return true };
    world.contents().any(|other| {
        let is_own = made.contains(&other.id) || below == Some(other.id.as_str());
        let near = other.extent.distance(thing.extent) <= 0.0;
        !is_own
            && near
            && world
                .space
                .unit(&other.id)
                .is_ok_and(|unit| own.solid.relation(&unit.solid).gap < -TOUCH)
    })
}
