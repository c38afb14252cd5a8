//! What is new is to be seen.

use serde_json::json;

use crate::resolve::World;

use super::planner::Planner;

impl Planner<'_> {
    /// Frames what is new when it cannot be seen.
    pub(super) fn keep_in_view(&mut self) {
        let scene = self.scene();
        let world = World::of(&scene);
        let view = spatial::View::of(&scene.camera);
        let made = self
            .made
            .iter()
            .filter_map(|id| world.find(id))
            .filter(|thing| !thing.scenery && thing.kind != crate::resolve::Kind::Light);
        let mut made = made.peekable();
        if made.peek().is_none() {
            return;
        }
        let is_out = |thing: &crate::resolve::Thing| {
            thing.bodies.iter().any(|at| !view.shows(&world.space.bodies()[*at].solid, 0.9))
        };
        let small = |thing: &crate::resolve::Thing| {
            let unit = world.space.unit(&thing.id).ok();
            unit.is_some_and(|unit| view.coverage(&unit.solid).screen < 0.004)
        };
        let (mut out, mut tiny) = (false, true);
        for thing in made {
            out |= is_out(thing);
            tiny &= small(thing);
        }
        let alone = world.contents().all(|thing| self.made.contains(&thing.id));
        if out || (tiny && alone) {
            let ids: Vec<String> =
                world.contents().map(|thing| thing.id.clone()).take(400).collect();
            // What cannot be framed stays as it is.
            let _ = self.call("frame", json!({ "ids": ids, "margin": 0.2 }));
        }
    }
}
