//! What surrounds the scene: sky, time of day, fog, set-ups of light.

use glam::DVec3;
use scene::Environment;
use serde_json::{Value, json};

use crate::frames::{Frame, Head, Phrase, Quality};
use crate::looks::{colour_of, recoloured, rgb_of};

use crate::plan::layout::spot::is_floor;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// Radiance of a backdrop that the picture shows as white.
const PAPER: f64 = 1.9;
/// How much brighter the lights of the stage are before a coloured backdrop.
const BEFORE_BACKDROP: f64 = 1.2;
/// Nothing reflects more than this.
const WHITEST: f64 = 0.9;
/// What a night leaves of the lights of the day: as much as shows what is there.
const NIGHT: DVec3 = DVec3::new(0.3, 0.4, 0.6);
/// The light of a night where no other shines.
const MOON: &str = "moonlight";

impl Planner<'_> {
    /// "make it night", "studio lighting".
    pub(crate) fn mood(&mut self, frame: &Frame) -> Done {
        if let Some(setup) = frame.setup {
            return self.set_up(setup);
        }
        match frame.mood {
            Some(mood) => {
                self.set_mood(mood)?;
                let sun = &frame.sun;
                // An evening that no light shines on has a low sun.
                let is_dull = mood == "sunset" && self.draft.scene().lights.is_empty();
                if sun.is_told() || is_dull { self.take_sun(sun, Some(mood)) } else { Ok(()) }
            }
            None if frame.sun.is_told() => self.take_sun(&frame.sun, None),
            None => Err(Stopped(Remark::Question("What shall the light be like?".into()))),
        }
    }

    pub(crate) fn set_mood(&mut self, mood: &str) -> Done {
        let environment = match mood {
            "night" => {
                json!({ "type": "gradient", "top_color": [0.015, 0.022, 0.06], "bottom_color": [0.05, 0.065, 0.12] })
            }
            "stars" => {
                json!({ "type": "gradient", "top_color": [0.004, 0.006, 0.015], "bottom_color": [0.02, 0.025, 0.05] })
            }
            "sunset" => {
                json!({ "type": "gradient", "top_color": [0.22, 0.25, 0.48], "bottom_color": [1.0, 0.5, 0.24] })
            }
            "overcast" => {
                json!({ "type": "gradient", "top_color": [0.42, 0.44, 0.47], "bottom_color": [0.5, 0.5, 0.5] })
            }
            "snow" => {
                json!({ "type": "gradient", "top_color": [0.55, 0.62, 0.72], "bottom_color": [0.85, 0.88, 0.92] })
            }
            "dark" | "space" | "none" => json!({ "type": "none" }),
            "studio" => return self.set_up("three_point"),
            "fog" => return self.fog(&Frame::default()),
            _ => {
                json!({ "type": "gradient", "top_color": [0.5, 0.7, 1.0], "bottom_color": [1.0, 1.0, 1.0] })
            }
        };
        self.set_environment(&environment)?;
        if self.scene().light(MOON).is_some() {
            self.call("remove_light", json!({ "id": MOON }))?;
        }
        let scene = self.scene();
        let suns: Vec<String> = scene
            .lights
            .iter()
            .filter(|light| !light.id.as_str().contains("lamp"))
            .map(|light| light.id.as_str().to_owned())
            .collect();
        let is_moonlit = |id: &&String| {
            let light = scene.light(id).map(|light| light.light.emission());
            light.is_some_and(|[red, _, blue]| blue > 1.5 * red)
        };
        let moonlit: Vec<String> = suns.iter().filter(is_moonlit).cloned().collect();
        let strongest =
            scene.lights.iter().flat_map(|light| light.light.emission()).fold(0.0, f64::max);
        if mood == "snow" {
            self.cover_ground("snow")?;
        }
        match mood {
            "night" if suns.is_empty() => self.add_moon(),
            "night" => self.tint_lights(&suns, NIGHT),
            "stars" => {
                self.add_stars()?;
                if suns.is_empty() { self.add_moon() } else { self.tint_lights(&suns, NIGHT) }
            }
            "sunset" => self.tint_lights(&suns, DVec3::new(1.0, 0.62, 0.32)),
            "overcast" => self.tint_lights(&suns, DVec3::splat(0.35)),
            "dark" => self.tint_lights(&suns, DVec3::splat(0.1)),
            // After a night the lights come back.
            "day" if !moonlit.is_empty() => self.tint_lights(&moonlit, NIGHT.recip()),
            "day" if strongest > 0.0 && strongest < 15.0 => {
                self.tint_lights(&suns, DVec3::splat(3.0))
            }
            _ => Ok(()),
        }
    }

    fn add_moon(&mut self) -> Done {
        let moon = Phrase { name: Some(MOON.to_owned()), ..Phrase::of(Head::Light("sun")) };
        let id = self.make_one_light(&moon, "sun", 0, 1)?;
        self.tint_lights(&[id], NIGHT)
    }

    /// Gives the ground another surface, where there is one under the open sky.
    fn cover_ground(&mut self, preset: &str) -> Done {
        let state = self.state();
        let world = state.world();
        let is_room = world.wholes().any(|thing| thing.scenery && !is_floor(thing));
        let grounds = world.wholes().filter(|thing| !is_room && is_floor(thing));
        let ids: Vec<String> = grounds.map(|thing| thing.id.clone()).collect();
        for id in ids {
            self.repaint(&id, &|_| Some(json!(preset)))?;
        }
        Ok(())
    }

    /// Another color for the ground of the stage, which lies behind things as much as the sky does.
    fn map_stage_ground(&mut self, map: &dyn Fn(DVec3) -> DVec3) -> Done {
        let scene = self.scene();
        let is_stage = |group: &scene::Id| group.as_str() == spatial::STAGE;
        let grounds =
            scene.shapes.iter().filter(|shape| shape.group.as_ref().is_some_and(is_stage));
        let ids: Vec<String> = grounds.map(|shape| shape.id.as_str().to_owned()).collect();
        for id in ids {
            self.repaint(&id, &|old| Some(recoloured(old, map(colour_of(old)?))))?;
        }
        Ok(())
    }

    /// The lights of the stage give way to a sky that lights by itself. A backdrop is to be seen, not to light by: they
    /// stay, a little brighter before it, and what stands there keeps its shadows and colours.
    fn keep_stage_lights(&mut self) -> Done {
        let scene = self.scene();
        let is_staged = |light: &&std::sync::Arc<scene::LightSource>| {
            light.group.as_ref().is_some_and(|group| group.as_str() == spatial::STAGE)
        };
        let lights = scene.lights.iter().filter(is_staged);
        let ids: Vec<String> = lights.map(|light| light.id.as_str().to_owned()).collect();
        self.tint_lights(&ids, DVec3::splat(BEFORE_BACKDROP))
    }

    pub(super) fn tint_lights(&mut self, ids: &[String], tint: DVec3) -> Done {
        for id in ids {
            let scene = self.scene();
            let Some(light) = scene.light(id) else { continue };
            let emission = DVec3::from(light.light.emission()) * tint;
            let updates = json!({ "properties": { "emission": emission.to_array() } });
            self.call("update_light", json!({ "id": id, "updates": updates }))?;
        }
        Ok(())
    }

    pub(crate) fn set_environment(&mut self, environment: &Value) -> Done {
        self.call("set_environment_lighting", environment.clone()).map(drop)
    }

    /// The radiance of the sky changed channel by channel.
    pub(crate) fn map_sky(&mut self, map: &dyn Fn(DVec3) -> DVec3) -> Done {
        let environment = self.draft.scene().environment.clone();
        let mut file = environment.to_json();
        let changed = |value: &Value| {
            let channels: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
            let rgb: [f64; 3] = channels?.try_into().ok()?;
            Some(json!(map(rgb.into()).to_array()))
        };
        match environment {
            Environment::Darkness(_) => return Ok(()),
            Environment::Sky(_) | Environment::ImageEnvironment(_) => {
                let strength = file["strength"].as_f64().unwrap_or(1.0);
                file["strength"] =
                    json!((strength * map(DVec3::ONE).max_element()).clamp(0.0, 100.0));
            }
            Environment::Gradient(_) | Environment::Uniform(_) => {
                for name in ["top_color", "bottom_color", "emission"] {
                    if let Some(value) = file.get(name).and_then(&changed) {
                        file[name] = value;
                    }
                }
            }
        }
        self.set_environment(&file)
    }

    /// "make the sky blue", "the scene should be brighter".
    pub(crate) fn change_surroundings(&mut self, frame: &Frame, kind: &str) -> Done {
        for quality in &frame.qualities {
            match quality {
                Quality::Colour(word) => {
                    let Some(rgb) = rgb_of(word) else { continue };
                    let pale = rgb.lerp(DVec3::ONE, 0.25)
                        * if rgb.max_element() < 0.05 { 0.02 } else { 1.0 };
                    // The picture shows as white only what is brighter than white paper in daylight.
                    let bright = 1.0 + (PAPER - 1.0) * rgb.min_element().powi(4);
                    let [top, bottom] = [rgb * bright, pale * bright];
                    let environment = if rgb.max_element() < 0.01 {
                        json!({ "type": "none" })
                    } else {
                        json!({ "type": "gradient", "top_color": top.to_array(), "bottom_color": bottom.to_array() })
                    };
                    self.set_environment(&environment)?;
                    if kind == "background" {
                        self.map_stage_ground(&|_| rgb.min(DVec3::splat(WHITEST)))?;
                        if rgb.max_element() >= 0.01 {
                            self.keep_stage_lights()?;
                        }
                    }
                }
                Quality::Tone("bright" | "dim")
                | Quality::Compared { .. }
                | Quality::Scaled { .. }
                    if kind == "background" =>
                {
                    let factor = match quality {
                        Quality::Tone(tone) => [0.4, 2.0][usize::from(*tone == "bright")],
                        Quality::Scaled { factor, .. } => *factor,
                        Quality::Compared { more: true, .. } => 1.8,
                        _ => 0.45,
                    };
                    self.map_sky(&|old| old * factor)?;
                    self.map_stage_ground(&|old| (old * factor).min(DVec3::splat(WHITEST)))?;
                }
                Quality::Mood(name) => {
                    let mood = if name == "dark" { "dark" } else { "day" };
                    self.set_mood(mood)?;
                }
                Quality::Tone(_) | Quality::Compared { .. } | Quality::Scaled { .. } => {
                    let light = Frame {
                        qualities: vec![quality.clone()],
                        theme: Vec::new(),
                        ..frame.clone()
                    };
                    return self.change_light(&light);
                }
                Quality::Size { .. } | Quality::Measured { .. } if kind == "scene" => {
                    let all = Frame {
                        theme: vec![Phrase::of(Head::Everything { rest: false })],
                        ..frame.clone()
                    };
                    return self.change(&all);
                }
                _ => {}
            }
        }
        if frame.qualities.is_empty() {
            return self.change_light(frame);
        }
        Ok(())
    }

    /// Light as photographers set it up.
    fn set_up(&mut self, setup: &str) -> Done {
        if setup == "silhouette" {
            return self.light_from_behind();
        }
        let scene = self.scene();
        let old: Vec<String> =
            scene.lights.iter().map(|light| light.id.as_str().to_owned()).collect();
        for id in &old {
            self.call("remove_light", json!({ "id": id }))?;
        }
        let light = |name: &str, kind: &'static str| Phrase {
            name: Some(name.to_owned()),
            ..Phrase::of(Head::Light(kind))
        };
        match setup {
            "three_point" => {
                self.set_environment(
                    &json!({ "type": "uniform", "emission": [0.18, 0.18, 0.19] }),
                )?;
                for (name, kind) in
                    [("key_light", "key"), ("fill_light", "fill"), ("rim_light", "rim")]
                {
                    self.make_light(&light(name, kind), kind)?;
                }
                Ok(())
            }
            "dramatic" => {
                self.set_environment(
                    &json!({ "type": "uniform", "emission": [0.015, 0.015, 0.02] }),
                )?;
                self.make_light(&light("key_light", "spot"), "spot").map(drop)
            }
            _ => {
                self.set_environment(
                    &json!({ "type": "uniform", "emission": [0.05, 0.03, 0.015] }),
                )?;
                let warm = Phrase {
                    qualities: vec![Quality::Tone("warm")],
                    ..light("candle_light", "point")
                };
                self.make_light(&warm, "point").map(drop)
            }
        }
    }
}
