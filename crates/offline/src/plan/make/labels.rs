//! The names of things, written before them.

use glam::DVec3;
use scene::{Camera, Edit, NoAssets, Scene};
use serde_json::{Value, json};
use spatial::{Extent, Space, StageRule, View, stage_edits};

use crate::frames::Frame;
use crate::plan::planner::{Done, Planner, Remark, Stopped};
use crate::tokens::{without_shape, words_of};
use crate::wording::capital;

/// The height of letters as a share of the picture's height, where names have room beside each other.
const SHARE: f64 = 0.035;
/// The least height, as a share of that: narrower things get names that reach over them.
const LEAST: f64 = 0.4;
/// How far a letter reaches along the line, in heights.
const ADVANCE: f64 = 0.75;
/// From one line to the next, in heights.
const LINE: f64 = 1.4;
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
        self.create(&Frame { labelled: false, other: Vec::new(), ..frame.clone() })?;
        let made = self.made[made..].to_vec();
        let focus = self.focus.clone();
        let named = if frame.other.is_empty() { made } else { self.find_all(&frame.other)? };
        self.write_names(&named)?;
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
        let things: Vec<_> = ids.iter().filter_map(|id| world.find(id)).collect();
        let names = things.iter().map(|thing| named(&thing.id, thing.part_of.as_deref()));
        let labels: Vec<(String, Extent)> =
            names.zip(things.iter().map(|thing| thing.extent)).collect();
        let view = View::of(&camera_of(world.scene));
        let height = letter_height(&labels, &view);
        let front = (-view.forward()).with_y(0.0).try_normalize().unwrap_or(DVec3::Z);
        let rotation = [0.0, front.x.atan2(front.z).to_degrees().round(), 0.0];
        for (name, extent) in labels {
            let size = extent.size();
            let foot = extent.center().with_y(extent.min.y);
            let before = foot + front * (0.5 * front.abs().dot(size) + 0.6 * height);
            // What is in the air has room below it.
            let is_high = foot.y > LINE * height;
            let at = if is_high { foot - DVec3::Y * LINE * height } else { before };
            let id = self.free_id(&format!("{name} label"));
            let text = json!({ "text": name, "base_center": DVec3::to_array(&at), "size": height,
                "depth": 0.15 * height, "rotation": rotation,
                "material": { "type": "lambertian", "albedo": [0.02, 0.02, 0.02] } });
            self.call("create_shape", json!({ "id": id, "type": "text", "properties": text }))?;
        }
        Ok(())
    }
}

/// The camera that the picture will have: that of the stage, which comes with the first things, where nobody set one.
fn camera_of(scene: &Scene) -> Camera {
    if scene.camera != Camera::default() {
        return scene.camera.clone();
    }
    let nothing = Scene::default();
    let [before, after] = [&nothing, scene].map(|all| Space::of(all, &NoAssets));
    let staged = stage_edits(&before, &after, StageRule { begins: true, by_hand: false });
    let set = staged.into_iter().find_map(|edit| match edit {
        Edit::SetCamera(properties) => Camera::from_json(&Value::Object(properties)).ok(),
        _ => None,
    });
    set.unwrap_or_else(|| scene.camera.clone())
}

/// The height of letters, the same for all names: as high as can be read well, and less where names would meet, down to
/// what can still be read.
fn letter_height(labels: &[(String, Extent)], view: &View) -> f64 {
    let up = view.right().cross(view.forward());
    // How far a metre there reaches in the picture; what is behind the camera takes no part.
    let share = |(_, extent): &(String, Extent)| {
        let [low, high] = [extent.center(), extent.center() + up].map(|point| view.project(point));
        Some((low?.y - high?.y).abs())
    };
    let nearest = labels.iter().filter_map(share).fold(0.0, f64::max);
    let tallest = labels.iter().map(|(_, extent)| extent.size().max_element()).fold(0.0, f64::max);
    let whole = if nearest > 0.0 { SHARE / nearest } else { SHARE * tallest };
    let room = |(one, here): &(String, Extent), (other, there): &(String, Extent)| {
        let way = here.center() - there.center();
        let letters = ADVANCE * 0.5 * (one.chars().count() + other.chars().count() + 1) as f64;
        (way.dot(view.right()).abs() / letters).max(way.dot(up).abs() / LINE)
    };
    let pairs = labels
        .iter()
        .enumerate()
        .flat_map(|(at, one)| labels[..at].iter().map(move |other| room(one, other)));
    pairs.fold(whole, f64::min).max(LEAST * whole)
}

/// What is written beside a thing: of a part of something its own name.
fn named(id: &str, whole: Option<&str>) -> String {
    let words = words_of(id);
    let own = &words[whole.map_or(0, |whole| words_of(whole).len()).min(words.len() - 1)..];
    let own = if without_shape(own).is_empty() { own } else { without_shape(own) };
    capital(&own.join(" "))
}
