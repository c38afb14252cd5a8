//! The light of the scene as a whole, lights switched on and off, lights aimed.

use glam::DVec3;
use scene::{Light, Material};
use serde_json::json;

use crate::frames::{Amount, Frame, Head, Phrase, Quality};
use crate::looks::rgb_of;
use crate::resolve::Kind;
use crate::wording::{capital, the};

use crate::plan::make::lights::warmth;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// What is left of a light that is off: so that it can be switched on again as it was.
const OFF: f64 = 1e-4;

impl Planner<'_> {
    /// All lights and the sky, brighter, dimmer, warmer, softer.
    pub(crate) fn change_light(&mut self, frame: &Frame) -> Done {
        let lights: Vec<String> =
            self.draft.scene().lights.iter().map(|light| light.id.as_str().to_owned()).collect();
        let mut changes: Vec<Quality> = frame.qualities.clone();
        // "it looks gloomy" is a complaint.
        let complains = frame.told
            && changes.iter().all(|change| matches!(change, Quality::Mood(_) | Quality::Tone(_)));
        if frame.too || complains {
            changes = changes.iter().filter_map(super::opposite::opposite).collect();
        }
        if let Some(dimension) = frame.dimension {
            let scaled = match frame.to {
                Some(Amount::Times(factor)) => Some(factor),
                Some(Amount::Percent(percent)) => Some(percent / 100.0),
                _ => None,
            };
            changes.push(match scaled {
                Some(factor) => Quality::Scaled { dimension, factor, than: None },
                None => Quality::Compared {
                    dimension,
                    more: frame.more != Some(false),
                    amount: frame.amount,
                    than: None,
                },
            });
        }
        for change in &changes {
            match change {
                Quality::Colour(word) => {
                    let Some(rgb) = rgb_of(word) else { continue };
                    let tint = rgb.max(DVec3::splat(0.02)) / rgb.max_element().max(1e-6);
                    self.map_lights(&lights, &|old| tint * old.max_element())?;
                    self.map_sky(&|old| old.lerp(tint * old.max_element(), 0.5))?;
                }
                Quality::Tone(tone @ ("warm" | "cool")) => {
                    let tint = warmth(*tone == "warm");
                    self.map_lights(&lights, &|old| old * tint)?;
                    self.map_sky(&|old| old * tint)?;
                }
                Quality::Tone(tone @ ("soft" | "hard")) => {
                    self.tone_shadows(&lights, tone, frame)?
                }
                Quality::Tone(tone) => {
                    let factor = if *tone == "bright" { 1.8 } else { 0.5 };
                    self.expose(&lights, factor)?;
                }
                Quality::Compared { dimension, more, amount, .. } => {
                    let degree = match amount {
                        Some(Amount::Degree(degree)) => *degree,
                        _ => 1.0,
                    };
                    let times = match amount {
                        Some(Amount::Times(times)) if *times < 1.0 && *more => 1.0 + times,
                        Some(Amount::Times(times)) if *times < 1.0 => 1.0 / (1.0 - times).max(0.05),
                        Some(Amount::Times(times)) => *times,
                        Some(Amount::Percent(percent)) if *more => 1.0 + percent / 100.0,
                        Some(Amount::Percent(percent)) => 1.0 / (1.0 - percent / 100.0).max(0.05),
                        _ => 1.6_f64.powf(degree),
                    };
                    match dimension {
                        crate::frames::Dimension::Warmth => {
                            let tint = warmth(*more);
                            self.map_lights(&lights, &|old| old * tint)?;
                            self.map_sky(&|old| old * tint)?;
                        }
                        crate::frames::Dimension::Softness => {
                            self.tone_shadows(&lights, if *more { "soft" } else { "hard" }, frame)?;
                        }
                        crate::frames::Dimension::Contrast => self.contrast(*more, times)?,
                        _ => self.expose(&lights, if *more { times } else { 1.0 / times })?,
                    }
                }
                Quality::Scaled { factor, .. } => self.expose(&lights, *factor)?,
                Quality::Mood(name) => {
                    let warm = |warmer: bool| Quality::Tone(if warmer { "warm" } else { "cool" });
                    let change = match name.as_str() {
                        "cosy" | "rustic" | "elegant" => warm(true),
                        "cool" | "futuristic" => warm(false),
                        "dark" | "spooky" => Quality::Tone("dim"),
                        "bright" | "colourful" => Quality::Tone("bright"),
                        "night" => return self.set_mood("night"),
                        "sunset" => return self.set_mood("sunset"),
                        _ => continue,
                    };
                    let again = Frame { qualities: vec![change], dimension: None, ..frame.clone() };
                    self.change_light(&again)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Light from all around throws no shadow that could be soft or hard: a light that does is made then.
    fn tone_shadows(&mut self, lights: &[String], tone: &'static str, frame: &Frame) -> Done {
        let of_shadow = |phrase: &Phrase| matches!(phrase.head, Head::Scene(_));
        let is_told = frame.of_light || frame.theme.iter().any(of_shadow);
        if !lights.is_empty() || !is_told {
            return self.tone_lights(lights, tone);
        }
        let qualities = vec![Quality::Tone(tone)];
        self.make_light(&Phrase { qualities, ..Phrase::of(Head::Light("key")) }, "key").map(drop)
    }

    pub(in crate::plan) fn expose(&mut self, lights: &[String], factor: f64) -> Done {
        let is_dark = lights.is_empty()
            && matches!(self.draft.scene().environment, scene::Environment::Darkness(_));
        if is_dark && factor > 1.0 {
            return self.make_light(&Phrase::of(Head::Light("any")), "any").map(drop);
        }
        self.map_lights(lights, &|old| old * factor)?;
        self.map_sky(&|old| old * factor)
    }

    /// "turn off the lamp".
    pub(crate) fn switch(&mut self, frame: &Frame) -> Done {
        let on = frame.on == Some(true);
        let general = frame
            .theme
            .iter()
            .all(|phrase| matches!(phrase.head, Head::Light("any")) && phrase.is_bare());
        let all: Vec<String> = {
            let state = self.state();
            let world = state.world();
            world
                .wholes()
                .filter(|thing| world.shines(thing))
                .map(|thing| thing.id.clone())
                .collect()
        };
        // "turn it on" is said of what can be switched.
        let of_it = |phrase: &Phrase| matches!(phrase.head, Head::Pronoun("it" | "this"));
        let spoken = frame.theme.iter().all(of_it).then(|| self.spoken_light(&all)).flatten();
        let ids = match spoken.map_or_else(|| self.theme(frame), Ok) {
            Ok(ids) if !frame.theme.is_empty() => ids,
            Ok(ids) if !ids.is_empty() => ids,
            _ if general => all.clone(),
            Ok(_) => all.clone(),
            Err(stopped) => return Err(stopped),
        };
        // "turn on only the middle lamp": the others go out.
        if frame.exact && on {
            let others = all.iter().filter(|id| !ids.contains(id)).cloned().collect();
            let head = Head::These(others);
            let theme = vec![Phrase { plural: true, ..Phrase::of(head) }];
            self.switch(&Frame { theme, on: Some(false), exact: false, ..frame.clone() })?;
        }
        let state = self.state();
        let world = state.world();
        let brightest = |id: &String| -> f64 {
            let Some(thing) = world.find(id) else { return 0.0 };
            thing
                .bodies
                .iter()
                .map(|at| match world.space.bodies()[*at].object {
                    spatial::Object::Light(light) => {
                        light.light.emission().into_iter().fold(0.0, f64::max)
                    }
                    spatial::Object::Shape(shape) => match shape.material.main_part() {
                        Material::Emissive(glow) => {
                            glow.emission.typical().get().into_iter().fold(0.0, f64::max)
                        }
                        _ => 0.0,
                    },
                })
                .fold(0.0, f64::max)
        };
        let before = self.calls.len();
        let states: Vec<(String, f64)> = ids.iter().map(|id| (id.clone(), brightest(id))).collect();
        for (id, brightness) in states {
            let one = std::slice::from_ref(&id);
            match (on, brightness) {
                (false, brightness) if brightness > 0.0 => self.scale_lights(one, OFF)?,
                (true, brightness) if brightness > 0.0 && brightness < 0.1 => {
                    self.scale_lights(one, 1.0 / OFF)?
                }
                (true, 0.0) => self.light_up(&id)?,
                _ => {}
            }
        }
        if self.calls.len() == before && !ids.is_empty() {
            let state = if on { "on" } else { "off" };
            self.remarks.push(Remark::Courtesy(format!("That is {state} already.")));
        }
        self.focus = ids;
        Ok(())
    }

    /// The last of the lights that was spoken of or made, where what was spoken of last is none.
    fn spoken_light(&self, lights: &[String]) -> Option<Vec<String>> {
        let shines = |id: &&String| lights.contains(id);
        let is_last = self.context.focus.first()?.iter().any(|id| shines(&id));
        let lists = self.context.focus.iter().chain(self.context.made.iter().rev());
        let found = lists.flatten().find(shines).filter(|_| !is_last)?;
        Some(vec![found.clone()])
    }

    /// A light in a lamp that has none of its own.
    pub(in crate::plan) fn light_up(&mut self, id: &str) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(thing) = world.find(id).filter(|thing| thing.kind != Kind::Light) else {
            return Ok(());
        };
        let extent = thing.extent;
        let size = extent.size();
        let radius = (0.12 * size.x.max(size.z)).clamp(0.02, 0.3);
        let at = extent.center().with_y(extent.max.y + 1.1 * radius);
        let emission =
            DVec3::new(1.0, 0.8, 0.55) * (9.0 / (std::f64::consts::PI * radius * radius));
        let name = self.free_id(&format!("{id} light"));
        let args = json!({ "id": name, "type": "area_sphere_light", "properties": {
            "center": at.to_array(), "radius": radius, "emission": emission.to_array() } });
        self.call("create_light", args).map(drop)
    }

    pub(crate) fn aim_light(&mut self, id: &str, goal: DVec3) -> Done {
        let scene = self.scene();
        let Some(light) = scene.light(id) else { return Ok(()) };
        let from = DVec3::from(light.light.bounds().center());
        let way = (goal - from).normalize_or(DVec3::NEG_Y).to_array();
        let properties = match light.light {
            Light::PointSpotLight(_) => json!({ "direction": way, "cutoff_angle": 30 }),
            Light::DirectionalLight(_) => json!({ "direction": way }),
            Light::DiscSpotLight(_) | Light::AreaDiscSpotLight(_) => json!({ "normal": way }),
            _ => {
                return Err(Stopped(Remark::Refused(format!(
                    "{} shines all around.",
                    capital(&the(id))
                ))));
            }
        };
        self.call("update_light", json!({ "id": id, "updates": { "properties": properties } }))
            .map(drop)
    }
}
