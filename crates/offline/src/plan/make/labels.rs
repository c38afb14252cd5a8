//! The names of things, written before them.

use glam::DVec3;
use serde_json::json;

use crate::frames::Frame;
use crate::plan::planner::{Done, Planner, Remark, Stopped};
use crate::resolve::Sides;
use crate::tokens::{without_shape, words_of};
use crate::wording::capital;

/// The height of letters as a share of their width with some room beside them, of the largest side of a thing, and the
/// least of all.
const ASPECT: f64 = 0.85;
const SHARE: f64 = 0.3;
const MIN_HEIGHT: f64 = 0.02;
/// More things than these get no labels.
const MAX_LABELS: usize = 40;

impl Planner<'_> {
    /// "write the names under the solids", "label the planets".
    pub(crate) fn label(&mut self, frame: &Frame) -> Done {
        let ids = match frame.theme.is_empty() {
            true => {
                let state = self.state();
                let world = state.world();
                world.contents().map(|thing| thing.id.clone()).collect()
            }
            false => self.theme(frame)?,
        };
        self.write_names(&ids)?;
        self.focus = ids;
        Ok(())
    }

    /// What is asked for "with labels".
    pub(crate) fn create_labelled(&mut self, frame: &Frame) -> Done {
        let made = self.made.len();
        self.create(&Frame { labelled: false, ..frame.clone() })?;
        let made = self.made[made..].to_vec();
        let focus = self.focus.clone();
        self.write_names(&made)?;
        self.focus = focus;
        Ok(())
    }

    fn write_names(&mut self, ids: &[String]) -> Done {
        if ids.is_empty() || ids.len() > MAX_LABELS {
            let why = "I write names beside one to forty things: name those that you mean.";
            return Err(Stopped(Remark::Refused(why.into())));
        }
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let front = Sides::of(scene).front;
        let things: Vec<_> = ids.iter().filter_map(|id| world.find(id)).collect();
        let labels: Vec<_> = things
            .iter()
            .map(|thing| (named(&thing.id, thing.part_of.as_deref()), thing.extent))
            .collect();
        for (name, extent) in labels {
            let size = extent.size();
            // As wide as the thing, so that those of neighbours do not meet.
            let width = size.x.max(size.z) * ASPECT / name.chars().count().max(3) as f64;
            let height = width.min(SHARE * size.max_element()).max(MIN_HEIGHT);
            let foot = extent.center().with_y(extent.min.y);
            let at = foot + front * (0.5 * front.abs().dot(size) + 0.6 * height);
            let id = self.free_id(&format!("{name} label"));
            let text = json!({ "text": name, "base_center": DVec3::to_array(&at), "size": height,
                "depth": 0.15 * height,
                "material": { "type": "lambertian", "albedo": [0.02, 0.02, 0.02] } });
            self.call("create_shape", json!({ "id": id, "type": "text", "properties": text }))?;
        }
        Ok(())
    }
}

/// What is written beside a thing: of a part of something its own name.
fn named(id: &str, whole: Option<&str>) -> String {
    let words = words_of(id);
    let own = &words[whole.map_or(0, |whole| words_of(whole).len()).min(words.len() - 1)..];
    let own = if without_shape(own).is_empty() { own } else { without_shape(own) };
    capital(&own.join(" "))
}
