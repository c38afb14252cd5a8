//! Things taken away.

use serde_json::json;

use crate::frames::{Frame, Head, Phrase, Quality};
use crate::resolve::{Kin, Kind};

use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "remove the ball"; never what was not named.
    pub(crate) fn remove(&mut self, frame: &Frame) -> Done {
        if let Some(kind) = frame.theme.iter().find_map(|phrase| match phrase.head {
            Head::Scene(kind) => Some(kind),
            _ => None,
        }) {
            return match kind {
                "fog" => self.set_fog(None),
                // Where there is light, there are shadows: as soft as can be.
                "shadow" => {
                    let qualities = vec![Quality::Tone("soft")];
                    self.change_light(&Frame { qualities, of_light: true, ..Frame::default() })?;
                    let note = "Light throws shadows; I made them as soft as I can.";
                    self.remarks.push(Remark::Note(note.into()));
                    Ok(())
                }
                "sky" | "background" => self.set_mood("none"),
                "scene" if !frame.except.is_empty() => {
                    let (theme, except) = (frame.except.clone(), Vec::new());
                    self.keep_only(&Frame { theme, except, ..frame.clone() })
                }
                "scene" => self.clear(),
                _ => Err(Stopped(Remark::Refused(format!("The {kind} cannot be removed.")))),
            };
        }
        let mut frame = frame.clone();
        for phrase in &mut frame.theme {
            if phrase.is_one
                && phrase.word.is_empty()
                && let Some(count) = phrase.count
            {
                let ids = self.some_of_a_kind(phrase, count.max(1.0) as usize)?;
                *phrase = Phrase { tokens: phrase.tokens, ..Phrase::of(Head::These(ids)) };
                phrase.plural = true;
            }
        }
        let frame = &frame;
        let ids = self.theme(frame)?;
        // "a frame on a wall, no picture in it": not what the message asks for itself.
        let is_own = |id: &String| frame.unwanted && self.made.contains(id);
        let ids: Vec<String> = ids.into_iter().filter(|id| !is_own(id)).collect();
        self.take_away(&ids)?;
        // What it stood next to is spoken of no more.
        Ok(())
    }

    /// "take one away" is said of several of a kind that were spoken of, or made with what was.
    fn some_of_a_kind(&self, phrase: &Phrase, count: usize) -> Done<Vec<String>> {
        let several = Some(count.max(2) as f64);
        let mut found = self.find(&Phrase { count: several, plural: true, ..phrase.clone() })?;
        let state = self.state();
        let world = state.world();
        let things: Vec<_> = found.iter().filter_map(|id| world.find(id)).collect();
        let is_kind = things.first().is_some_and(|first| {
            let kin = Kin::of(first, world);
            things.iter().all(|thing| kin.has(thing, world))
        });
        if found.len() < 2 || !is_kind {
            return Err(Stopped(Remark::Missing(self.words_of(phrase), Box::new(phrase.clone()))));
        }
        found.truncate(count);
        Ok(found)
    }

    /// Everything but what is named.
    pub(crate) fn keep_only(&mut self, frame: &Frame) -> Done {
        let kept = self.theme(frame)?;
        let state = self.state();
        let world = state.world();
        let gone: Vec<String> = world
            .contents()
            .map(|thing| thing.id.clone())
            .filter(|id| !kept.contains(id))
            .collect();
        self.take_away(&gone)?;
        self.focus = kept;
        Ok(())
    }

    pub(crate) fn take_away(&mut self, ids: &[String]) -> Done {
        let state = self.state();
        let world = state.world();
        let mut calls: Vec<(&str, String)> = Vec::new();
        // What goes with the whole is gone already.
        let goes = |id: &String| ids.contains(id);
        let things = ids.iter().filter_map(|id| world.find(id));
        for thing in things.filter(|thing| !thing.part_of.as_ref().is_some_and(goes)) {
            match thing.kind {
                Kind::Light => calls.push(("remove_light", thing.id.clone())),
                Kind::Shape => calls.push(("remove_shape", thing.id.clone())),
                Kind::Group => calls.push(("remove_shape", thing.id.clone())),
            }
        }
        self.context.gone =
            ids.first().and_then(|id| world.find(id)).map(|thing| Kin::of(thing, world));
        for (name, id) in calls {
            self.call(name, json!({ "id": id }))?;
        }
        Ok(())
    }

    /// An empty scene.
    pub(crate) fn clear(&mut self) -> Done {
        let scene = self.scene();
        let shapes: Vec<String> =
            scene.shapes.iter().map(|shape| shape.id.as_str().to_owned()).collect();
        let lights: Vec<String> =
            scene.lights.iter().map(|light| light.id.as_str().to_owned()).collect();
        for id in shapes {
            self.call("remove_shape", json!({ "id": id }))?;
        }
        for id in lights {
            self.call("remove_light", json!({ "id": id }))?;
        }
        Ok(())
    }
}
