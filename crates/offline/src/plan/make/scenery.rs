//! Floors and walls.

use scene::Material;
use serde_json::json;

use crate::frames::{Determiner, Dimension, Head, Phrase, Place, Quality, Region, Relation};

use super::shapes;
use crate::plan::planner::{Done, Planner};

impl Planner<'_> {
    /// A floor under what there is, or a wall behind it.
    pub(in crate::plan) fn make_scenery(
        &mut self,
        phrase: &Phrase,
        kind: &str,
    ) -> Done<Vec<String>> {
        let state = self.state();
        let world = state.world();
        let contents = world.contents().map(|thing| thing.extent).reduce(spatial::Extent::union);
        let center = contents.map_or(glam::DVec3::ZERO, |all| all.center());
        let wide = contents.map_or(0.0, |all| all.size().max_element());
        let size = shapes::size_of("quad", false, &phrase.qualities, None);
        let asked = phrase
            .qualities
            .iter()
            .any(|quality| matches!(quality, Quality::Measured { .. } | Quality::Measures(_)));
        let id = self.new_id(&Phrase { qualities: Vec::new(), ..phrase.clone() }, kind);
        let floor = contents.map_or(0.0, |all| all.min.y.min(0.0));
        let properties = if kind == "floor" {
            let side =
                if asked { size.edges[0].max(size.edges[2]) } else { (4.0 * wide).max(20.0) };
            let (x, z) = (center.x - side / 2.0, center.z + side / 2.0);
            json!({ "corner": [x, floor, z], "u": [side, 0, 0], "v": [0, 0, -side] })
        } else {
            // "a knee high wall" is as long as walls are.
            let told = |wanted: &[Dimension]| {
                phrase.qualities.iter().any(|quality| match quality {
                    Quality::Measured { dimension, .. } => wanted.contains(dimension),
                    Quality::Measures(_) => true,
                    _ => false,
                })
            };
            let only_high = told(&[Dimension::Height])
                && !told(&[Dimension::Width, Dimension::Length, Dimension::Size]);
            let only_long = !told(&[Dimension::Height, Dimension::Size]) && asked;
            let width = if asked && !only_high { size.edges[0] } else { (2.0 * wide).max(8.0) };
            let height = if asked && !only_long { size.edges[1] } else { (1.2 * wide).max(3.0) };
            let back = contents.map_or(-2.0, |all| all.min.z - 0.3 * wide.max(1.0));
            json!({ "corner": [center.x - width / 2.0, floor, back], "u": [width, 0, 0], "v": [0, height, 0] })
        };
        let grey = Material::default();
        let mut properties = properties;
        if let Some(surface) = shapes::surface(&phrase.qualities, &grey) {
            properties["material"] = surface;
        } else {
            properties["material"] = json!({ "type": "lambertian", "albedo": [0.6, 0.6, 0.6] });
        }
        self.call("create_shape", json!({ "id": id, "type": "quad", "properties": properties }))?;
        self.made.push(id.clone());
        self.context.focus.insert(0, vec![id]);
        Ok(Vec::new())
    }

    /// "grass on the ground": where there is a floor, all of it becomes so.
    pub(super) fn grown_over(&mut self, phrase: &Phrase, places: &[Place]) -> Done<bool> {
        let is_floor = |target: &Phrase| matches!(target.head, Head::Scenery("floor"));
        let [place] = places else { return Ok(false) };
        let on_ground = place.region == Some(Region::Ground)
            || (place.relation == Some(Relation::On)
                && place.target.as_deref().is_some_and(is_floor));
        let preset = scene::presets().iter().find(|preset| preset.name == phrase.word);
        let (true, true, Some(preset)) = (on_ground, phrase.count.is_none(), preset) else {
            return Ok(false);
        };
        let floor =
            Phrase { determiner: Some(Determiner::Definite), ..Phrase::of(Head::Scenery("floor")) };
        let Ok(ids) = self.find(&floor) else { return Ok(false) };
        for id in &ids {
            self.repaint(id, &|_| Some(json!(preset.name)))?;
        }
        self.context.focus.insert(0, ids.clone());
        self.made.extend(ids);
        Ok(true)
    }
}
