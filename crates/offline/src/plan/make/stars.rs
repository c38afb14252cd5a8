//! Stars of a sky: small lights on a dome far behind everything.

use glam::DVec3;
use scene::Edit;
use serde_json::json;

use crate::plan::planner::{Done, Planner};
use crate::resolve::STARS;

/// How many there are, and the least distance.
const COUNT: usize = 120;
const DISTANCE: f64 = 60.0;
/// The golden angle spreads them without a pattern that shows.
const GOLDEN: f64 = 2.399_963;

impl Planner<'_> {
    /// Stars all around, unless there are some.
    pub(in crate::plan) fn add_stars(&mut self) -> Done {
        let scene = self.scene();
        if scene.kind_of(STARS).is_some() {
            return Ok(());
        }
        let state = self.state();
        let contents = state.world().contents().map(|thing| thing.extent);
        let all = contents.reduce(spatial::Extent::union);
        let (center, size) =
            all.map_or((DVec3::ZERO, 1.0), |all| (all.center(), all.size().max_element()));
        let camera = DVec3::from(scene.camera.center.get());
        let distance = DISTANCE.max(4.0 * size).max(2.0 * camera.distance(center));
        for at in 0..COUNT {
            let height = 0.04 + 0.9 * (at as f64 + 0.5) / COUNT as f64;
            let (across, turn) = ((1.0 - height * height).sqrt(), GOLDEN * at as f64);
            let way = DVec3::new(across * turn.cos(), height, across * turn.sin());
            let radius = distance * [0.002, 0.0028, 0.0024][at % 3];
            let properties = json!({ "center": (center + way * distance).to_array(), "radius": radius,
                "material": { "type": "emissive", "emission": [3.0, 3.0, 2.8] } });
            let star = json!({ "id": format!("star_{}", at + 1), "type": "sphere", "group": STARS, "properties": properties });
            self.edit(&Edit::parse("create_shape", &star)?)?;
        }
        Ok(())
    }
}
