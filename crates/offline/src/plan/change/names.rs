//! Names and groups.

use serde_json::json;

use crate::frames::{Frame, Phrase};
use crate::resolve::Kind;

use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "call it Bob".
    pub(crate) fn name(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let Some(name) = &frame.name else {
            return Err(Stopped(Remark::Question("What shall it be called?".into())));
        };
        let [id] = ids.as_slice() else {
            let open = frame.theme.first().cloned().unwrap_or_else(Phrase::it);
            return Err(Stopped(Remark::Which(self.words_of(&open), ids, Box::new(open))));
        };
        let new = self.free_id(name);
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let kind = world.find(id).map(|thing| thing.kind);
        let members: Vec<String> = world
            .find(id)
            .map(|thing| {
                thing.bodies.iter().map(|at| world.space.bodies()[*at].id.to_owned()).collect()
            })
            .unwrap_or_default();
        match kind {
            Some(Kind::Light) => {
                self.call("update_light", json!({ "id": id, "updates": { "id": new } }))?;
            }
            Some(Kind::Group) => {
                for member in members {
                    let tool = if scene.light(&member).is_some() {
                        "update_light"
                    } else {
                        "update_shape"
                    };
                    self.call(tool, json!({ "id": member, "updates": { "group": new } }))?;
                }
            }
            _ => {
                self.call("update_shape", json!({ "id": id, "updates": { "id": new } }))?;
            }
        }
        self.focus = vec![new];
        Ok(())
    }

    /// Things that belong together from now on.
    pub(crate) fn group(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        let name = self.free_id(frame.name.as_deref().unwrap_or("group"));
        let scene = self.scene();
        for id in &ids {
            let tool = if scene.light(id).is_some() { "update_light" } else { "update_shape" };
            self.call(tool, json!({ "id": id, "updates": { "group": name } }))?;
        }
        self.focus = vec![name];
        Ok(())
    }

    /// Things that belong together no longer.
    pub(crate) fn ungroup(&mut self, frame: &Frame) -> Done {
        let ids = self.theme(frame)?;
        for id in &ids {
            self.call("ungroup", json!({ "id": id }))?;
        }
        Ok(())
    }
}
