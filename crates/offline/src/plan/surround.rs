//! What surrounds the scene: sky, background, darkness.

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::Planner;
use super::light::rounded;
use crate::colour::Colour;
use crate::language::Mood;
use crate::world::World;

/// The surroundings as the tool takes them.
fn environment(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn gradient(top: [f64; 3], bottom: [f64; 3]) -> Map<String, Value> {
    environment(json!({ "type": "gradient", "top_color": top, "bottom_color": bottom }))
}

fn uniform(emission: DVec3) -> Map<String, Value> {
    environment(json!({ "type": "uniform", "emission": emission.to_array() }))
}

fn of_mood(mood: Mood) -> Map<String, Value> {
    match mood {
        Mood::Sunset => gradient([0.16, 0.2, 0.45], [1.1, 0.42, 0.16]),
        Mood::Night => gradient([0.004, 0.007, 0.02], [0.02, 0.025, 0.05]),
        Mood::Day => gradient([0.5, 0.7, 1.0], [1.0, 1.0, 1.0]),
        Mood::Studio => uniform(DVec3::splat(0.35)),
        Mood::Overcast => gradient([0.62, 0.65, 0.7], [0.5, 0.5, 0.52]),
        Mood::Dark => uniform(DVec3::splat(0.01)),
        Mood::Space | Mood::Nothing => environment(json!({ "type": "none" })),
    }
}

impl Planner {
    pub(crate) fn surround(&mut self, mood: Option<Mood>, colour: Option<&Colour>) {
        self.world.environment = match (colour, mood) {
            (Some(colour), mood) => {
                let rgb = colour.rgb * if mood == Some(Mood::Dark) { 0.1 } else { 1.0 };
                uniform(rgb)
            }
            (None, Some(mood)) => of_mood(mood),
            (None, None) => return,
        };
    }

    /// Says so when the surroundings were made dark and nothing else gives light.
    pub(crate) fn warn_of_darkness(&mut self, before: &World) {
        let changed = self.world.environment != before.environment;
        let dark = self.sky_radiance() < 0.05;
        if changed && dark && self.world.lights().next().is_none() {
            self.remark(
                "There is hardly any light in the scene now; say “add a light” to see something.",
            );
        }
    }

    /// The mean radiance of the upper half of the surroundings.
    pub(crate) fn sky_radiance(&self) -> f64 {
        let colour = |name: &str| {
            let values = self.world.environment.get(name).and_then(Value::as_array);
            let sum = values.map(|values| values.iter().filter_map(Value::as_f64).sum::<f64>());
            sum.map_or(0.0, |sum| sum / 3.0)
        };
        match self.world.environment.get("type").and_then(Value::as_str) {
            Some("gradient") => 0.75 * colour("top_color") + 0.25 * colour("bottom_color"),
            Some("uniform") => colour("emission"),
            _ => 0.0,
        }
    }

    pub(crate) fn scale_sky(&mut self, factor: f64) {
        for name in ["top_color", "bottom_color", "emission"] {
            if let Some(value) = self.world.environment.get_mut(name) {
                let channels: Vec<f64> = value
                    .as_array()
                    .map(|channels| channels.iter().filter_map(Value::as_f64).collect())
                    .unwrap_or_default();
                if let [r, g, b] = channels[..] {
                    *value = json!(rounded(DVec3::new(r, g, b) * factor).to_array());
                }
            }
        }
    }
}
