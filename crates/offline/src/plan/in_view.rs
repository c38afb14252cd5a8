//! What is new is to be seen.

use glam::DVec3;
use serde_json::json;

use crate::resolve::World;

use super::planner::Planner;

impl Planner<'_> {
    /// Frames what is new when it cannot be seen: the first thing from three quarters, as stages do, and then from
    /// where one looks.
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
            let from = if alone { "corner" } else { side(view.forward()) };
            // What cannot be framed stays as it is.
            let _ = self.call("frame", json!({ "ids": ids, "from": from, "margin": 0.2 }));
        }
    }
}

/// Where the camera goes to when it has to show more: it stays on a side somebody chose, unless it looks from the
/// height of the ground or from the top.
fn side(forward: DVec3) -> &'static str {
    let is_from_the_front = forward.x.abs() < 0.15 && forward.z < 0.0;
    let is_level = !(-0.87..-0.08).contains(&forward.y);
    if is_from_the_front || is_level { "above_front" } else { "current" }
}
