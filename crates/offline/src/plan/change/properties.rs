//! Other qualities for things that are there.

use scene::Material;
use serde_json::{Value, json};

use crate::frames::{Amount, Dimension, Frame, Head, Phrase, Quality};
use crate::looks;
use crate::resolve::{Kind, in_order};

use super::fogs::thickening;
use super::opposite::opposite;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "make the ball red and twice as big".
    pub(crate) fn change(&mut self, frame: &Frame) -> Done {
        if let Some(factor) = thickening(frame) {
            return self.thicken_fog(factor);
        }
        if self.is_of_light(frame) {
            return self.change_light(frame);
        }
        let sky = frame.theme.iter().find_map(|phrase| match phrase.head {
            Head::Scene(kind @ ("sky" | "background" | "scene" | "fog" | "light" | "shadow")) => {
                Some(kind)
            }
            _ => None,
        });
        if let Some(kind) = sky {
            return self.change_surroundings(frame, kind);
        }
        if frame.theme.iter().any(|phrase| matches!(phrase.head, Head::Scene("camera"))) {
            return self.camera(frame);
        }
        let mut qualities = frame.qualities.clone();
        if frame.glow {
            qualities.push(Quality::Material { name: "glowing".into(), tint: None });
        }
        if let Some(quality) = of_dimension(frame) {
            qualities.push(quality);
        }
        let only_light =
            qualities.iter().all(|quality| matches!(quality, Quality::Mood(_) | Quality::Tone(_)));
        if frame.too || (frame.told && only_light) {
            qualities = qualities.iter().flat_map(opposite).collect();
        }
        if let Some(made) = self.made_for_change(frame)? {
            self.change_all(&made, &qualities)?;
            return Ok(());
        }
        let ids = self.theme(frame)?;
        // "paint the blocks: one red, one blue".
        let each = frame.theme.first().map(|phrase| phrase.each.clone()).unwrap_or_default();
        if qualities.is_empty() && !each.is_empty() {
            let ids = match frame.theme.first().filter(|told| told.counted_from.is_some()) {
                Some(told) => in_order(told, &ids, self.state().world()),
                None => ids,
            };
            for (id, member) in ids.iter().zip(each.iter().cycle()) {
                self.change_all(std::slice::from_ref(id), &member.qualities)?;
            }
            self.focus = ids;
            return Ok(());
        }
        // "the ball is red": said of a red ball it asks for nothing.
        if qualities.is_empty() {
            let words = (self.words)(frame.tokens);
            return Err(Stopped(Remark::Question(format!("What shall I change about “{words}”?"))));
        }
        self.change_all(&ids, &qualities)?;
        if !frame.places.is_empty() {
            let theme = vec![Phrase { plural: ids.len() > 1, ..Phrase::of(Head::These(ids)) }];
            let places = frame.places.clone();
            return self.move_things(&Frame { theme, places, ..Frame::default() });
        }
        self.focus = ids;
        Ok(())
    }

    /// Gives things qualities.
    pub(crate) fn change_all(&mut self, ids: &[String], qualities: &[Quality]) -> Done {
        let mut qualities = qualities.to_vec();
        self.resolve_same(&mut qualities)?;
        let has_tint = qualities
            .iter()
            .any(|quality| matches!(quality, Quality::Material { .. } | Quality::Texture { .. }));
        let is_colour = |quality: &&Quality| matches!(quality, Quality::Colour(_));
        let has_parts = |id: &String| {
            self.state().world().find(id).is_some_and(|thing| thing.kind == Kind::Group)
        };
        // "black and white" is said of parts.
        let is_in_turn =
            qualities.iter().filter(is_colour).count() > 1 && ids.iter().all(has_parts);
        for quality in &qualities {
            match quality {
                Quality::Colour(_) if has_tint => {}
                Quality::Colour(_) if is_in_turn => {
                    for id in
                        ids.iter().filter(|_| Some(quality) == qualities.iter().find(is_colour))
                    {
                        self.paint_in_turn(id, &qualities)?;
                    }
                }
                Quality::Colour(_) | Quality::Material { .. } | Quality::Texture { .. } => {
                    let all = qualities.clone();
                    for id in ids {
                        self.repaint(id, &|old| crate::plan::make::shapes::surface(&all, old))?;
                    }
                }
                Quality::Distinct { dimension, more } => {
                    self.make_distinct(ids, *dimension, *more)?
                }
                Quality::Posture(_) => {
                    for id in ids {
                        self.take_posture(id, std::slice::from_ref(quality))?;
                    }
                }
                Quality::Compared { dimension, more, amount, than: None }
                    if is_look(*dimension) =>
                {
                    self.shift_looks(ids, *dimension, *more, *amount)?;
                }
                Quality::Scaled { dimension: Dimension::Brightness, factor, than: None } => {
                    self.scale_lights(ids, *factor)?;
                }
                Quality::Most(superlative) => self.outdo(ids, superlative)?,
                Quality::Tone(tone) => self.tone_lights(ids, tone)?,
                Quality::Mood(_) => {}
                Quality::Same { dimension, other: None } if ids.len() == 1 => {
                    let lists = self.context.focus.iter().flatten();
                    let Some(model) = lists.into_iter().find(|id| !ids.contains(id)).cloned()
                    else {
                        continue;
                    };
                    self.make_alike_in(&[model, ids[0].clone()], *dimension)?;
                }
                Quality::Same { dimension, other: None } => self.make_alike_in(ids, *dimension)?,
                _ => self.resize_apart(ids, quality)?,
            }
        }
        Ok(())
    }

    /// Puts a value in the place of "the same as".
    pub(crate) fn resolve_same(&self, qualities: &mut [Quality]) -> Done {
        let state = self.state();
        let world = state.world();
        for quality in qualities {
            let Quality::Same { dimension, other: Some(other) } = quality else { continue };
            let found = self.find_in(other, world);
            // "as big as a house" where there is none: as such a thing is by itself.
            if let (Err(_), Head::Object { name, .. }, false) =
                (&found, &other.head, other.is_definite())
                && let Some(object) = catalogue::catalogue().find(name)
            {
                let size = object.natural().size;
                *quality = match dimension {
                    Dimension::Height => measured(Dimension::Height, size[1]),
                    Dimension::Width => measured(Dimension::Width, size[0]),
                    _ => measured(Dimension::Size, size.into_iter().fold(0.0, f64::max)),
                };
                continue;
            }
            let ids = found?;
            let Some(thing) = ids.first().and_then(|id| world.find(id)) else { continue };
            let size = thing.extent.size();
            *quality = match dimension {
                Dimension::Colour => {
                    let Some(rgb) = world.colour(thing) else { continue };
                    let code = catalogue::colour::encoded(rgb)
                        .to_array()
                        .map(|channel| (channel * 255.0).round() as u8);
                    let name = format!("#{:02x}{:02x}{:02x}", code[0], code[1], code[2]);
                    Quality::Colour(crate::frames::ColourWord { name, shade: None })
                }
                Dimension::Material => {
                    let shares = world.shares(thing);
                    let most = shares.iter().max_by(|one, other| one.1.total_cmp(&other.1));
                    let Some((Material::Preset(preset), _)) = most else { continue };
                    Quality::Material { name: preset.name.as_str().to_owned(), tint: None }
                }
                Dimension::Height => measured(Dimension::Height, size.y),
                Dimension::Width => measured(Dimension::Width, size.x),
                Dimension::Depth => measured(Dimension::Depth, size.z),
                Dimension::Length => measured(Dimension::Length, size.x.max(size.z)),
                _ => measured(Dimension::Size, size.max_element()),
            };
        }
        Ok(())
    }

    /// Gives a thing another surface: of an object the parts that most of it is made of.
    pub(crate) fn repaint(&mut self, id: &str, paint: &dyn Fn(&Material) -> Option<Value>) -> Done {
        let state = self.state();
        let world = state.world();
        let Some(thing) = world.find(id) else { return Ok(()) };
        if thing.kind == Kind::Light {
            return self.recolour_light(id, paint);
        }
        let shares = world.shares(thing);
        let mut ranked = shares.clone();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        // Of a house the walls rather than the roof, large as it is.
        let body = world.materials(thing).into_iter().find(|(part, ..)| is_body(id, part));
        let body = body.map(|(_, material, _)| material);
        if let Some(at) =
            ranked.iter().position(|(material, share)| Some(*material) == body && *share >= 0.2)
        {
            ranked[..=at].rotate_right(1);
        }
        let mut chosen: Vec<&Material> = Vec::new();
        let mut covered = 0.0;
        for (material, share) in ranked {
            if covered >= 0.4 {
                break;
            }
            chosen.push(material);
            covered += share;
        }
        let edits: Vec<(String, Value)> = world
            .materials(thing)
            .into_iter()
            .filter(|(_, material, _)| chosen.contains(material))
            .filter_map(|(id, material, _)| Some((id.to_owned(), paint(material)?)))
            .collect();
        for (id, material) in edits {
            let updates = json!({ "properties": { "material": material } });
            self.call("update_shape", json!({ "id": id, "updates": updates }))?;
        }
        Ok(())
    }

    /// Lighter, shinier, brighter.
    fn shift_looks(
        &mut self,
        ids: &[String],
        dimension: Dimension,
        more: bool,
        amount: Option<Amount>,
    ) -> Done {
        let degree = match amount {
            Some(Amount::Degree(degree)) => degree,
            _ => 1.0,
        };
        for id in ids {
            let state = self.state();
            let world = state.world();
            let shines = world.find(id).is_some_and(|thing| world.shines(thing));
            if shines && dimension != Dimension::Shine {
                let step = 1.6_f64.powf(degree);
                match dimension {
                    Dimension::Warmth => self.warm_lights(std::slice::from_ref(id), more)?,
                    _ => self.scale_lights(
                        std::slice::from_ref(id),
                        if more { step } else { 1.0 / step },
                    )?,
                }
                continue;
            }
            self.repaint(id, &|old| match dimension {
                Dimension::Shine => Some(looks::with_shine(old, more)),
                _ => {
                    let by = 0.3 * degree.min(2.0) * if more { 1.0 } else { -1.0 };
                    looks::in_tone(old, by)
                }
            })?;
        }
        Ok(())
    }

    /// All of one colour or size: that of the first.
    fn make_alike_in(&mut self, ids: &[String], dimension: Dimension) -> Done {
        let Some(first) = ids.first() else { return Ok(()) };
        let mut quality = [Quality::Same {
            dimension,
            other: Some(Box::new(crate::plan::make::objects::named(first))),
        }];
        self.resolve_same(&mut quality)?;
        self.change_all(&ids[1..], &quality)
    }

    /// Whether a thing, or the light of the scene is meant.
    fn is_of_light(&self, frame: &Frame) -> bool {
        let brightness = frame.dimension.is_some_and(is_of_scene_light)
            || frame.qualities.iter().any(|quality| match quality {
                Quality::Compared { dimension, .. } | Quality::Scaled { dimension, .. } => {
                    is_of_scene_light(*dimension)
                }
                Quality::Tone(_) | Quality::Mood(_) => true,
                _ => false,
            });
        // Contrast is never that of a thing alone.
        let is_contrast = frame.qualities.iter().any(|quality| {
            matches!(quality, Quality::Compared { dimension: Dimension::Contrast, .. })
        });
        let nothing_else = frame.theme.iter().all(|phrase| match &phrase.head {
            Head::Light(kind) => *kind == "any" && phrase.is_bare(),
            Head::Scene(kind) => *kind != "camera",
            // "make it paler, almost white" is said of a surface.
            Head::Pronoun("it" | "this") => {
                !frame.qualities.iter().any(|quality| matches!(quality, Quality::Colour(_)))
            }
            Head::Everything { .. } => true,
            _ => false,
        });
        let is_mood = frame.qualities.iter().any(|quality| matches!(quality, Quality::Mood(_)));
        let is_lamp = || {
            !is_mood
                && frame.theme.iter().any(|phrase| matches!(phrase.head, Head::Pronoun(_)))
                && {
                    let state = self.state();
                    let world = state.world();
                    let ids = self.things(frame).unwrap_or_default();
                    !ids.is_empty()
                        && ids
                            .iter()
                            .all(|id| world.find(id).is_some_and(|thing| world.shines(thing)))
                }
        };
        frame.of_light || is_contrast || (brightness && nothing_else && !is_lamp())
    }
}

/// Whether it is a matter of looks rather than of size.
fn is_look(dimension: Dimension) -> bool {
    matches!(
        dimension,
        Dimension::Brightness
            | Dimension::Lightness
            | Dimension::Warmth
            | Dimension::Shine
            | Dimension::Softness
            | Dimension::Saturation
            | Dimension::Contrast
    )
}

fn is_of_scene_light(dimension: Dimension) -> bool {
    matches!(
        dimension,
        Dimension::Brightness | Dimension::Warmth | Dimension::Softness | Dimension::Lightness
    )
}

pub(crate) fn measured(dimension: Dimension, metres: f64) -> Quality {
    Quality::Measured { dimension, amount: Amount::Metres(metres) }
}

/// What a verb of size or "the radius to 2" comes to.
fn of_dimension(frame: &Frame) -> Option<Quality> {
    let dimension = frame.dimension.or(frame.to.map(|_| Dimension::Size))?;
    if let Some(to) = frame.to {
        return Some(match to {
            Amount::Times(factor) => Quality::Scaled { dimension, factor, than: None },
            Amount::Percent(percent) => {
                let factor = percent / 100.0;
                Quality::Scaled { dimension, factor, than: None }
            }
            amount => Quality::Measured { dimension, amount },
        });
    }
    let more = frame.more.or(match frame.way {
        Some(crate::frames::Way::Down) => Some(false),
        Some(_) => Some(true),
        None => frame.amount.map(|_| true),
    })?;
    // "scale by 2" is a factor, "reduce by half" what is taken off.
    Some(Quality::Compared { dimension, more, amount: frame.amount, than: None })
}

/// Whether a shape is of the body of the object that its group is called by.
fn is_body(group: &str, shape: &str) -> bool {
    let words = crate::tokens::words_of(group);
    let is_number = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
    let named: Vec<String> = words.iter().filter(|word| !is_number(word)).cloned().collect();
    // "blue house" is a house.
    let mut tails = (0..named.len()).map(|from| named[from..].join(" "));
    let object = tails.find_map(|name| catalogue::catalogue().find(&name));
    let part = shape.strip_prefix(group).map(|part| part.trim_start_matches('_'));
    object.zip(part).is_some_and(|(object, part)| object.is_body(part))
}
