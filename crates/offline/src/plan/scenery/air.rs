//! Fog in the air: how far one sees, how high it reaches.

use serde_json::{Value, json};

use crate::language::Air;
use crate::plan::Planner;

/// How high fog at the ground reaches, in metres.
const LOW: f64 = 0.6;
/// The least and the greatest visibility that is set, in metres.
const VISIBILITY: std::ops::RangeInclusive<f64> = 0.5..=100_000.0;

impl Planner {
    /// Fills the air as told; where there is no fog to change, it is made.
    pub(crate) fn fill_air(&mut self, air: &Air) {
        let camera = &self.world.camera;
        let distance = camera.center.distance(camera.look_at).max(1.0);
        let clamped = |visibility: f64| {
            let visibility = visibility.clamp(*VISIBILITY.start(), *VISIBILITY.end());
            (visibility * 10.0).round() / 10.0
        };
        let there = self.world.environment.get("fog").filter(|fog| !fog.is_null()).cloned();
        let fog = match (air, there) {
            (Air::Clear, None) => {
                self.remark("There is no fog in the scene.");
                return;
            }
            (Air::Clear, _) => {
                self.world.environment.remove("fog");
                return;
            }
            (Air::Scaled(factor), Some(mut fog)) => {
                let now = fog.get("visibility").and_then(Value::as_f64).unwrap_or(3.0 * distance);
                fog["visibility"] = clamped(now * factor).into();
                fog
            }
            (Air::Scaled(factor), None) => {
                json!({ "visibility": clamped(3.0 * distance * factor.max(1.0)) })
            }
            (Air::Foggy { distances, low, colour }, _) => {
                let mut fog = json!({ "visibility": clamped(distances * distance) });
                if *low {
                    fog["height"] = LOW.into();
                    // So thin a layer is seen only where it is dense.
                    fog["visibility"] = clamped(0.5 * distances * distance).into();
                }
                if let Some(colour) = colour {
                    fog["color"] = json!(colour.rgb.to_array());
                }
                fog
            }
        };
        self.world.environment.insert("fog".to_owned(), fog);
    }

    /// Other surroundings with the same air.
    pub(crate) fn set_sky(&mut self, mut sky: serde_json::Map<String, Value>) {
        if let Some(fog) = self.world.environment.remove("fog") {
            sky.insert("fog".to_owned(), fog);
        }
        self.world.environment = sky;
    }
}
