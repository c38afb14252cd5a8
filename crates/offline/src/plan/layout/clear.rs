//! Things that hide others or reach into them, got out of their way.

use glam::DVec3;
use spatial::Extent;

use crate::frames::{Frame, Phrase, Relation, Way};
use crate::plan::planner::{Done, Planner, Remark, Stopped};
use crate::resolve::{Kin, Sides, Thing, World, is_at};

impl Planner<'_> {
    /// What a complaint is about: "one is in the path" is of those that were spoken of the one that is.
    pub(super) fn in_the_way(&mut self, frame: &Frame) -> Done<Vec<String>> {
        let [phrase] = frame.theme.as_slice() else { return self.theme(frame) };
        if !phrase.is_one || phrase.count.is_none() {
            return self.theme(frame);
        }
        let all = Phrase { count: None, plural: true, ..phrase.clone() };
        let targets = self.find_all(&frame.clear)?;
        let state = self.state();
        let world = state.world();
        let sides = Sides::of(world.scene);
        let target = world.extent_of(&targets);
        let mut found = self.find(&all)?;
        found.retain(|id| {
            let own = world.find(id).map(|thing| thing.extent);
            own.zip(target).is_some_and(|(own, target)| is_at(Relation::Inside, own, target, sides))
        });
        match found.is_empty() {
            true => Err(Stopped(Remark::Missing(self.words_of(phrase), Box::new(phrase.clone())))),
            false => Ok(found),
        }
    }

    /// "the tree is blocking the door", "the chair is inside the table": the shortest way, or the one that was told.
    pub(super) fn get_clear(&mut self, ids: &[String], frame: &Frame) -> Done {
        let targets = self.find_all(&frame.clear)?;
        let state = self.state();
        let world = state.world();
        let sides = Sides::of(world.scene);
        let Some(own) = world.extent_of(ids) else { return Ok(()) };
        let goal = match world.extent_of(&targets) {
            Some(goal) => goal,
            None => match hidden_by(ids, own, world) {
                Some(hidden) => hidden.extent,
                None => return Err(Stopped(Remark::Question("Where shall it go?".into()))),
            },
        };
        let told = frame.shift.as_ref().and_then(|shift| shift.way);
        let ways: Vec<DVec3> = match told {
            Some(Way::Left) => vec![-sides.right],
            Some(Way::Right) => vec![sides.right],
            Some(Way::Front | Way::Near) => vec![sides.front],
            Some(Way::Back | Way::Far) => vec![-sides.front],
            _ if frame.hides => vec![-sides.right, sides.right],
            _ => vec![-sides.right, sides.right, sides.front, -sides.front],
        };
        let way = |way: DVec3| {
            let far = match frame.hides {
                true => out_of_sight(own, goal, way, world),
                false => out_of(own, goal, way),
            };
            (far, way)
        };
        let shortest = ways.into_iter().map(way).min_by(|one, other| one.0.total_cmp(&other.0));
        let Some((far, way)) = shortest else { return Ok(()) };
        self.shift_by(ids, far * way)
    }
}

/// How far something goes along a level way until it does not meet another thing.
fn out_of(own: Extent, goal: Extent, way: DVec3) -> f64 {
    let half = 0.5 * (own.size() + goal.size());
    let apart = (own.center() - goal.center()).dot(way);
    half.dot(way.abs()) - apart + gap(own)
}

/// How far something goes to a side until it does not hide another thing from the camera.
fn out_of_sight(own: Extent, goal: Extent, way: DVec3, world: &World<'_>) -> f64 {
    let eye: DVec3 = world.scene.camera.center.get().into();
    let ahead = way.cross(DVec3::Y);
    let depth = |extent: Extent| (extent.center() - eye).dot(ahead).abs().max(0.1);
    // What is farther off looks smaller by so much.
    let scale = (depth(own) / depth(goal)).min(1.0);
    let half = 0.5 * (own.size().dot(way.abs()) + scale * goal.size().dot(way.abs()));
    let apart = (own.center() - eye).dot(way) - scale * (goal.center() - eye).dot(way);
    let far = half - apart + gap(own);
    // What hides nothing as it is goes aside all the same.
    if far > 0.0 { far } else { own.size().dot(way.abs()).max(0.2) }
}

/// What is left between two things.
fn gap(own: Extent) -> f64 {
    (0.1 * own.size().max_element()).clamp(0.02, 0.5)
}

/// The nearest thing that something hides from the camera, in whole or in part.
fn hidden_by<'w>(ids: &[String], own: Extent, world: &'w World<'_>) -> Option<&'w Thing> {
    let eye: DVec3 = world.scene.camera.center.get().into();
    let line = (own.center() - eye).with_y(0.0);
    let (ahead, far) = (line.try_normalize()?, line.length());
    let aside = ahead.cross(DVec3::Y);
    let kin = world.find(ids.first()?).map(|thing| Kin::of(thing, world));
    let is_behind = |thing: &&Thing| {
        let way = thing.extent.center() - eye;
        let reach = 0.5
            * (own.size().x.max(own.size().z) + thing.extent.size().x.max(thing.extent.size().z));
        !ids.contains(&thing.id)
            && !world.is_ground(thing)
            && !kin.as_ref().is_some_and(|kin| kin.has(thing, world))
            && way.dot(ahead) > far
            && way.dot(aside).abs() < reach
    };
    let depth = |thing: &&Thing| (thing.extent.center() - eye).dot(ahead);
    world.contents().filter(is_behind).min_by(|one, other| depth(one).total_cmp(&depth(other)))
}
