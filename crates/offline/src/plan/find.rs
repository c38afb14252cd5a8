//! The things that descriptions mean while frames are carried out.

use crate::frames::{Frame, Head, Phrase};
use crate::resolve::{Unresolved, World, resolve};

use super::planner::{Done, Planner, Remark, Stopped};

/// How much of the cost of a thing that is not there is forgiven in a list of which some are.
const FORGIVEN: f32 = 2.0;

const UNWANTED: f32 = 2.6;

/// Whether a place among several is all that tells which thing is meant.
fn is_picked(phrase: &Phrase) -> bool {
    let is_picked = phrase.superlative.is_some() || phrase.ordinal.is_some();
    (phrase.is_one || phrase.headless) && is_picked && phrase.qualities.is_empty()
}

impl Planner<'_> {
    /// The ids that a description means in the scene as it stands.
    pub(crate) fn find(&self, phrase: &Phrase) -> Done<Vec<String>> {
        let state = self.state();
        let world = state.world();
        self.find_in(phrase, world)
    }

    pub(crate) fn find_in(&self, phrase: &Phrase, world: &World<'_>) -> Done<Vec<String>> {
        resolve(phrase, world, &self.context).map_err(|problem| {
            let words = self.words_of(phrase);
            Stopped(match problem {
                Unresolved::Several(ids) => Remark::Which(words, ids, Box::new(phrase.clone())),
                Unresolved::Missing => match &phrase.head {
                    Head::Pronoun(_) => Remark::Whom(words, Box::new(phrase.clone())),
                    // "the left one", where there is only one.
                    Head::Thing if is_picked(phrase) => {
                        Remark::Whom(words, Box::new(phrase.clone()))
                    }
                    Head::Unknown(word) => Remark::Unknown(word.clone()),
                    _ => Remark::Missing(words, Box::new(phrase.clone())),
                },
            })
        })
    }

    /// What a place is told by: "it" is something else than what goes there.
    pub(crate) fn find_besides(
        &self,
        phrase: &Phrase,
        world: &World<'_>,
        ids: &[String],
    ) -> Done<Vec<String>> {
        let found = self.find_in(phrase, world)?;
        let is_self = |ids: &[String], list: &[String]| list.iter().all(|id| ids.contains(id));
        if !matches!(phrase.head, Head::Pronoun(_)) || !is_self(ids, &found) {
            return Ok(found);
        }
        // "a hand above it": above what it stands on.
        let under = ids.first().and_then(|id| world.support_of(world.find(id)?));
        if let Some(under) = under.filter(|under| !under.scenery && !ids.contains(&under.id)) {
            return Ok(vec![under.id.clone()]);
        }
        let mut context = self.context.clone();
        context.selection.clear();
        context.focus.retain(|list| !is_self(ids, list));
        Ok(resolve(phrase, world, &context).unwrap_or(found))
    }

    pub(crate) fn words_of(&self, phrase: &Phrase) -> String {
        let words = (self.words)(phrase.tokens);
        if words.is_empty() { "it".to_owned() } else { words }
    }

    /// The ids that several descriptions mean.
    pub(crate) fn find_all(&self, phrases: &[Phrase]) -> Done<Vec<String>> {
        let state = self.state();
        let world = state.world();
        let mut ids = Vec::new();
        for phrase in phrases {
            for id in self.find_in(phrase, world)? {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        Ok(ids)
    }

    /// The two that "they" are where two are needed.
    pub(crate) fn as_pair(&self, ids: Vec<String>, theme: &[Phrase]) -> Vec<String> {
        let of_them =
            theme.is_empty() || theme.iter().all(|phrase| matches!(phrase.head, Head::Pronoun(_)));
        match ids.len() {
            2 => ids,
            _ if of_them => self.find(&Phrase::of(Head::Pronoun("both"))).unwrap_or(ids),
            _ => ids,
        }
    }

    /// What a frame is about. Of several things those that are there; the others are told.
    pub(crate) fn theme(&mut self, frame: &Frame) -> Done<Vec<String>> {
        let mut missing = Vec::new();
        let mut there = Vec::new();
        for phrase in &frame.theme {
            match self.find(phrase) {
                Err(Stopped(remark @ (Remark::Missing(..) | Remark::Unknown(_)))) => {
                    missing.push(remark);
                }
                _ => there.push(phrase.clone()),
            }
        }
        // What is not to be there and is not is as it should be.
        if frame.unwanted && there.is_empty() {
            self.forgiven += UNWANTED * missing.len() as f32;
            self.remarks.extend(missing);
            return Ok(Vec::new());
        }
        if missing.is_empty() || there.is_empty() {
            return self.things(frame);
        }
        let found = self.things(&Frame { theme: there, ..frame.clone() })?;
        let known = frame.theme.iter().all(Phrase::is_definite);
        self.forgiven += if known { FORGIVEN * missing.len() as f32 } else { 0.0 };
        self.remarks.extend(missing);
        Ok(found)
    }

    /// All that a frame is about: its theme, or what was spoken of.
    pub(crate) fn things(&self, frame: &Frame) -> Done<Vec<String>> {
        if frame.theme.is_empty() {
            return self.find(&Phrase::it());
        }
        let mut found = self.find_all(&frame.theme)?;
        if !frame.except.is_empty() {
            let spared = self.find_all(&frame.except)?;
            let state = self.state();
            let world = state.world();
            let holds = |id: &String| {
                let mut parts = spared.iter().filter_map(|id| world.find(id));
                parts.any(|part| part.part_of.as_ref() == Some(id))
            };
            // "paint the house, but not the roof": the other parts.
            let parts_of = |id: &String| -> Vec<String> {
                let of_it = |thing: &&crate::resolve::Thing| thing.part_of.as_ref() == Some(id);
                world.things.iter().filter(of_it).map(|thing| thing.id.clone()).collect()
            };
            found = found
                .iter()
                .flat_map(|id| if holds(id) { parts_of(id) } else { vec![id.clone()] })
                .filter(|id| !spared.contains(id))
                .collect();
        }
        Ok(found)
    }

    /// An id that nothing bears: the name, or the name with a number.
    pub(crate) fn free_id(&self, name: &str) -> String {
        let plain: String = name
            .trim()
            .to_lowercase()
            .chars()
            .map(|letter| if letter.is_alphanumeric() { letter } else { '_' })
            .take(50)
            .collect();
        let plain = plain.trim_matches('_');
        let plain = if plain.is_empty() { "thing" } else { plain };
        let scene = self.draft.scene();
        let is_free = |id: &str| scene.kind_of(id).is_none();
        if is_free(plain) {
            return plain.to_owned();
        }
        (2..).map(|number| format!("{plain}_{number}")).find(|id| is_free(id)).unwrap_or_default()
    }
}
