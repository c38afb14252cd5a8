//! Whole scenes of the catalogue.

use std::sync::Arc;

use catalogue::{Mood, catalogue};
use scene::{Edit, Objects};
use serde_json::json;

use crate::frames::{Frame, Head, Phrase, Quality};

use super::outline::{Outline, is_outlined, outlined};
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "a cosy living room with a piano".
    pub(crate) fn stage(&mut self, frame: &Frame) -> Done {
        let Some((phrase, name)) = frame.theme.iter().find_map(|phrase| match &phrase.head {
            Head::Theme(name) => Some((phrase, name)),
            _ => None,
        }) else {
            return Ok(());
        };
        let Some(theme) = catalogue().theme(name) else {
            return Err(Stopped(Remark::Unknown(name.clone())));
        };
        let mut adjectives: Vec<String> = phrase
            .qualities
            .iter()
            .filter_map(|quality| match quality {
                Quality::Mood(name) => Some(name.clone()),
                Quality::Tone("warm") => Some("cosy".to_owned()),
                Quality::Tone(tone) => catalogue().adjective(tone).map(str::to_owned),
                _ => None,
            })
            .collect();
        adjectives
            .extend(frame.mood.and_then(|mood| catalogue().adjective(mood)).map(str::to_owned));
        adjectives.extend(
            phrase.extra.as_deref().and_then(|word| catalogue().adjective(word)).map(str::to_owned),
        );
        let mood = Mood { seed: 0, adjectives };
        let mut built =
            theme.build(&mood).map_err(|error| Stopped(Remark::Refused(error.to_string())))?;
        let outline =
            is_outlined(frame, phrase, theme.name()).then(|| outlined(&mut built, phrase));
        let state = self.state();
        let world = state.world();
        let is_empty = world.contents().next().is_none();
        let taken: Vec<String> = world.things.iter().map(|thing| thing.id.clone()).collect();
        let shift = if is_empty {
            0.0
        } else {
            let reach = world.contents().map(|thing| thing.extent.max.x).fold(0.0, f64::max);
            let low = built
                .shapes
                .iter()
                .filter_map(|shape| shape.geometry.bounds())
                .map(|bounds| bounds.min[0]);
            reach + 1.0 - low.fold(0.0, f64::min)
        };
        if shift != 0.0 {
            // A scene beside what is there would stand in its floor and walls.
            let args = json!({ "object": theme.name() });
            self.call("add_object", args)?;
        } else {
            let clash = |id: &str| taken.iter().any(|known| known == id);
            let shapes = built.shapes.iter().map(|shape| {
                let mut shape = (**shape).clone();
                if clash(shape.id.as_str()) {
                    shape.id = scene::Id::new(&self.free_id(shape.id.as_str())).unwrap_or(shape.id);
                }
                Arc::new(shape)
            });
            let objects = Objects {
                shapes: shapes.collect(),
                lights: built.lights.clone(),
                ..Objects::default()
            };
            self.edit(&Edit::Put(objects))?;
            self.calls.push(("add_object".to_owned(), json!({ "object": theme.name() })));
            self.edit(&Edit::SetEnvironment {
                environment: built.environment.clone(),
                keeps_fog: false,
            })?;
            if let serde_json::Value::Object(camera) = built.camera.to_json() {
                self.edit(&Edit::SetCamera(camera))?;
            }
            self.camera_told = true;
            if outline == Some(Outline::Day) {
                self.set_mood("day")?;
            }
        }
        let has_subject = self.name_subject(phrase, &taken);
        let last = match outline {
            Some(_) => self.add_what_was_told(frame, phrase)?,
            None => self.add_to_stage(frame, phrase)?,
        };
        // What stands in the open may stand anywhere.
        self.camera_told = !matches!(outline, Some(Outline::Open | Outline::Day));
        // "a living room with a tree in the corner": the tree.
        if !has_subject && !last.is_empty() {
            self.context.focus.insert(0, last);
        }
        // "a street at night": the time of day is told of the scene as a whole.
        phrase.mood.map_or(Ok(()), |mood| self.set_mood(mood))?;
        if frame.sun.is_told() { self.take_sun(&frame.sun, frame.mood) } else { Ok(()) }
    }

    /// "a castle on a hill with a dragon above it": what the scene is named for is spoken of from now on, and all of
    /// it was made.
    fn name_subject(&mut self, phrase: &Phrase, known: &[String]) -> bool {
        let state = self.state();
        let world = state.world();
        let is_new = |thing: &&crate::resolve::Thing| !known.contains(&thing.id);
        let subject = phrase.word.split(' ').find_map(|word| {
            let called = |thing: &&crate::resolve::Thing| crate::resolve::called_as(thing, word);
            world.contents().filter(is_new).find(called)
        });
        let spoken = subject.map(|subject| vec![subject.id.clone()]);
        self.made.extend(world.contents().filter(is_new).map(|thing| thing.id.clone()));
        let is_found = spoken.is_some();
        self.context.focus.splice(0..0, spoken);
        is_found
    }

    /// What is to be in it besides, and what is not to be; the ids of what was named last.
    pub(super) fn add_to_stage(&mut self, frame: &Frame, phrase: &Phrase) -> Done<Vec<String>> {
        for without in &phrase.without {
            let all =
                Phrase { determiner: Some(crate::frames::Determiner::All), ..without.clone() };
            if let Ok(ids) = self.find(&all) {
                self.take_away(&ids)?;
            }
        }
        let others: Vec<Phrase> = phrase
            .with
            .iter()
            .chain(frame.theme.iter().filter(|other| !matches!(other.head, Head::Theme(_))))
            .filter(|wanted| !matches!(wanted.head, Head::Theme(_)))
            .cloned()
            .collect();
        let mut last: Vec<String> = Vec::new();
        for wanted in others {
            // "a room with a wooden floor": its own.
            if let Head::Scenery(kind) = wanted.head {
                let own = Phrase {
                    determiner: Some(crate::frames::Determiner::All),
                    word: wanted.word.clone(),
                    plural: true,
                    ..Phrase::of(Head::Scenery(kind))
                };
                if let Ok(ids) = self.find(&own) {
                    self.change_all(&ids, &wanted.qualities)?;
                    continue;
                }
            }
            // What the scene has already need not be made again.
            let known = Phrase {
                determiner: Some(crate::frames::Determiner::All),
                at: Vec::new(),
                with: Vec::new(),
                count: None,
                ..wanted.clone()
            };
            let count = match wanted.count {
                Some(_) => wanted.number(),
                None => 1 + usize::from(wanted.plural),
            };
            let known = self.find(&known).unwrap_or_default();
            let there = known.len();
            if there > 0 {
                last = known.iter().take(count).cloned().collect();
            }
            if there >= count {
                // "a zoo with a lion": one, not as many as such a scene has by itself.
                let surplus: Vec<String> = known
                    .into_iter()
                    .skip(count)
                    .filter(|id| self.is_new(std::slice::from_ref(id)))
                    .collect();
                let is_told = wanted.determiner == Some(crate::frames::Determiner::Indefinite)
                    || wanted.count.is_some();
                if is_told && wanted.at.is_empty() && matches!(wanted.head, Head::Object { .. }) {
                    self.take_away(&surplus)?;
                    self.made.retain(|id| !surplus.contains(id));
                    self.context.gone = None;
                }
                continue;
            }
            let wanted = Phrase { count: Some((count - there) as f64), ..wanted };
            match self.make(&wanted) {
                Ok(ids) if !ids.is_empty() => {
                    let mut problems = Vec::new();
                    let ids = self.settle_or_stand(&wanted, ids, &wanted.at, &[], &mut problems)?;
                    self.remarks.extend(problems.into_iter().map(|Stopped(remark)| remark));
                    self.add_company(&wanted, &ids)?;
                    last.clone_from(&ids);
                    self.made.extend(ids);
                }
                Ok(_) => {}
                Err(Stopped(remark)) => self.remarks.push(remark),
            }
        }
        Ok(last)
    }
}
