//! What is new is to be seen.

use glam::DVec3;
use serde_json::json;

use crate::resolve::{Kind, Thing, World};

use super::planner::Planner;

impl Planner<'_> {
    /// Frames what is new when it cannot be seen: the first thing from three quarters, as stages do, and then from
    /// where one looks.
    pub(super) fn keep_in_view(&mut self) {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let view = spatial::View::of(&scene.camera);
        let made = self
            .made
            .iter()
            .filter_map(|id| world.find(id))
            .filter(|thing| !thing.scenery && thing.kind != Kind::Light);
        let mut made = made.peekable();
        if made.peek().is_none() {
            if self.is_lost_from_view(world) {
                self.show_all(world, side(view.forward()));
            }
            return;
        }
        let is_out = |thing: &Thing| {
            thing.bodies.iter().any(|at| !view.shows(&world.space.bodies()[*at].solid, 0.9))
        };
        let small = |thing: &Thing| {
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
            let from = if alone { "corner" } else { side(view.forward()) };
            self.show_all(world, from);
        }
    }

    pub(super) fn show_all(&mut self, world: &World<'_>, from: &str) {
        let ids: Vec<String> = world.contents().map(|thing| thing.id.clone()).take(400).collect();
        // What cannot be framed stays as it is.
        let _ = self.call("frame", json!({ "ids": ids, "from": from, "margin": 0.2 }));
        self.focus_again();
    }

    /// A camera that was focused on something nearer or farther would see all that it frames now blurred.
    fn focus_again(&mut self) {
        let scene = self.scene();
        let camera = &scene.camera;
        if camera.focus_distance.is_none() {
            return;
        }
        let [center, look_at] = [camera.center.get(), camera.look_at.get()];
        let distance = DVec3::from(center).distance(look_at.into());
        let args = json!({ "center": center, "look_at": look_at, "focus_distance": distance });
        let _ = self.call("set_camera", args);
    }

    /// Whether something that was seen whole has outgrown the picture or left it.
    fn is_lost_from_view(&self, world: &World<'_>) -> bool {
        let known = self.known.world();
        let view = spatial::View::of(&world.scene.camera);
        let is_whole = |thing: &Thing, world: &World<'_>| {
            thing.bodies.iter().all(|at| view.shows(&world.space.bodies()[*at].solid, 0.9))
        };
        let focus = self.context.focus.first().into_iter().flatten();
        focus.filter_map(|id| Some((known.find(id)?, world.find(id)?))).any(|(before, now)| {
            !now.scenery
                && now.kind != Kind::Light
                && before.extent != now.extent
                && is_whole(before, known)
                && !is_whole(now, world)
        })
    }
}

/// Where the camera goes to when it has to show more: it stays on a side somebody chose, unless it looks from the
/// height of the ground or from the top.
fn side(forward: DVec3) -> &'static str {
    let is_from_the_front = forward.x.abs() < 0.15 && forward.z < 0.0;
    let is_level = !(-0.87..-0.08).contains(&forward.y);
    if is_from_the_front || is_level { "above_front" } else { "current" }
}
