//! What surrounds the scene: sky, background, darkness.

use glam::DVec3;
use serde_json::{Map, Value, json};

use crate::colour::Colour;
use crate::language::{Change, Comparison, Finish, Mood, Target};
use crate::plan::scenery::light::{COOL, WARM, rounded};
use crate::plan::{Done, Planner};
use crate::world::{Body, Material, Thing, World};

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

/// What the sun gives under the sky of a mood, against the day.
fn sunlight_of(environment: &Map<String, Value>) -> DVec3 {
    let mut clear = environment.clone();
    clear.remove("fog");
    let is = |mood: Mood| clear == of_mood(mood);
    if is(Mood::Night) || is(Mood::Space) {
        DVec3::new(0.6, 0.8, 1.3) * 0.1
    } else if is(Mood::Sunset) {
        DVec3::new(1.25, 0.75, 0.42) * 0.8
    } else if is(Mood::Overcast) {
        DVec3::splat(0.35)
    } else {
        DVec3::ONE
    }
}

impl Planner {
    pub(crate) fn surround(&mut self, mood: Option<Mood>, colour: Option<&Colour>) {
        let old = sunlight_of(&self.world.environment);
        let sky = match (colour, mood) {
            (Some(colour), mood) => {
                let rgb = colour.rgb * if mood == Some(Mood::Dark) { 0.1 } else { 1.0 };
                uniform(rgb)
            }
            (None, Some(mood)) => of_mood(mood),
            (None, None) => return,
        };
        self.set_sky(sky);
        if colour.is_none() && mood != Some(Mood::Nothing) {
            self.tint_suns(sunlight_of(&self.world.environment) / old);
        }
    }

    /// Below another colour than above.
    pub(crate) fn set_horizon(&mut self, colour: &Colour) {
        let value = |name: &str| self.world.environment.get(name).cloned();
        if let Some(top) = value("top_color").or_else(|| value("emission")) {
            let now = &mut self.world.environment;
            now.retain(|name, _| name == "fog");
            now.insert("type".to_owned(), json!("gradient"));
            now.insert("top_color".to_owned(), top);
            now.insert("bottom_color".to_owned(), json!(colour.rgb.to_array()));
        }
    }

    /// What stands for the sun goes with the time of day.
    fn tint_suns(&mut self, factor: DVec3) {
        // Lamps stay as they are.
        let is_sun = |thing: &Thing| {
            let words = crate::language::id_words(&thing.id);
            words.iter().any(|word| ["sun", "sky", "daylight"].contains(&word.as_str()))
        };
        for thing in self.world.things.iter_mut().filter(|thing| thing.is_light() && is_sun(thing))
        {
            if let Body::Light(lamp) = &mut thing.body {
                lamp.emission = rounded(lamp.emission * factor);
            }
        }
    }

    /// Snow on the ground, on roofs and on leaves, under a white sky.
    pub(crate) fn let_it_snow(&mut self) {
        const COVERED: [&str; 14] = [
            "ground", "grass", "floor", "roof", "sand", "path", "hill", "lawn", "meadow", "crown",
            "needles", "bush", "snow", "leaf",
        ];
        let snow = Material::made_of(Finish::Preset("snow"), None);
        let indoors = self.world.things.iter().any(Thing::is_wall);
        for thing in &mut self.world.things {
            let words = crate::language::id_words(&thing.id);
            let covered = words.iter().any(|word| COVERED.contains(&word.as_str()));
            let inside = indoors && thing.is_floor();
            if covered
                && !inside
                && let Body::Shape { material, .. } = &mut thing.body
            {
                *material = snow.clone();
            }
        }
        self.set_sky(gradient([0.62, 0.7, 0.82], [0.85, 0.88, 0.92]));
    }

    /// Autumn: leaves in yellow, orange and red.
    pub(crate) fn turn_leaves(&mut self) {
        const LEAVES: [&str; 6] = ["crown", "leaf", "leaves", "foliage", "bush", "hedge"];
        let tints =
            [[0.75, 0.25, 0.03], [0.7, 0.42, 0.05], [0.55, 0.1, 0.03]].map(DVec3::from_array);
        let mut turned = 0;
        for thing in &mut self.world.things {
            let words = crate::language::id_words(&thing.id);
            if words.iter().any(|word| LEAVES.contains(&word.as_str()))
                && let Body::Shape { material, .. } = &mut thing.body
            {
                *material = material.coloured(tints[turned % tints.len()]);
                turned += 1;
            }
        }
        if turned == 0 {
            self.tint_environment(WARM);
        }
    }

    /// Lets only these give light: all else is put out, and the sky is dark.
    pub(crate) fn leave_alight(&mut self, target: &Target) -> Done {
        let ids = self.resolve(target)?;
        let shining = self.kindle(&ids)?;
        for thing in &mut self.world.things {
            if !shining.contains(&thing.id)
                && let Body::Light(lamp) = &mut thing.body
            {
                lamp.emission = DVec3::ZERO;
            }
        }
        self.set_sky(gradient([0.002, 0.002, 0.004], [0.002, 0.002, 0.003]));
        self.context.focus = ids;
        Ok(())
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

    /// Makes the light of the sky as the changes say, where there is no other.
    pub(crate) fn tint_sky(&mut self, changes: &[Change]) -> Done {
        for change in changes {
            match change {
                Change::Compare { comparison: Comparison::Warmer, .. } => {
                    self.tint_environment(WARM)
                }
                Change::Compare { comparison: Comparison::Cooler, .. } => {
                    self.tint_environment(COOL)
                }
                Change::Compare { comparison: Comparison::Softer, .. } => {}
                other => self.expose(crate::language::exposure(other)),
            }
        }
        Ok(())
    }

    /// Multiplies the channels of what the sky sends.
    pub(crate) fn tint_environment(&mut self, tint: DVec3) {
        self.colour_sky(|rgb| rgb * tint);
    }

    pub(crate) fn scale_sky(&mut self, factor: f64) {
        self.colour_sky(|rgb| rgb * factor);
    }

    fn colour_sky(&mut self, change: impl Fn(DVec3) -> DVec3) {
        for name in ["top_color", "bottom_color", "emission"] {
            if let Some(value) = self.world.environment.get_mut(name) {
                let channels: Vec<f64> = value
                    .as_array()
                    .map(|channels| channels.iter().filter_map(Value::as_f64).collect())
                    .unwrap_or_default();
                if let [r, g, b] = channels[..] {
                    *value = json!(rounded(change(DVec3::new(r, g, b))).to_array());
                }
            }
        }
    }
}
