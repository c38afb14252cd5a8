//! What speaks against making something new.

use crate::frames::{Determiner, Head, Phrase, Quality};
use crate::plan::planner::{Planner, Remark, Stopped};
use crate::resolve::{Thing, called_as};

impl Planner<'_> {
    /// Of some those that are called so and are no parts.
    fn called(&self, ids: &[String], word: &str) -> Vec<String> {
        let state = self.state();
        let things = ids.iter().filter_map(|id| state.world().find(id));
        let is_so = |thing: &&Thing| thing.part_of.is_none() && called_as(thing, word);
        things.filter(is_so).map(|thing| thing.id.clone()).collect()
    }

    /// "blue block behind the red one" means the blue block that is there, not another one: said without
    /// an article of one thing that is there, it is unlikely to ask for a new one.
    pub(super) fn weigh_against_known(&mut self, phrase: &Phrase) {
        const KNOWN: f32 = 1.8;
        // "middle tree": one of those that are there.
        let is_picked = phrase.superlative.is_some() || phrase.ordinal.is_some() || phrase.other;
        if is_picked && matches!(phrase.determiner, None | Some(Determiner::Definite)) {
            self.doubt += KNOWN;
        }
        let is_named = matches!(phrase.determiner, None | Some(Determiner::Definite));
        let is_bare = is_named && !phrase.plural && phrase.count.is_none();
        // "red one": the one that is red.
        let is_one = matches!(phrase.head, Head::Thing) && phrase.is_one;
        let is_told_apart = is_one && !phrase.qualities.is_empty();
        let is_thing = matches!(
            phrase.head,
            Head::Shape { .. }
                | Head::Object { .. }
                | Head::Named(_)
                | Head::Light(_)
                | Head::Scenery(_)
        );
        if !is_bare || !(is_thing || is_told_apart) {
            return;
        }
        let mut definite = Phrase { determiner: Some(Determiner::Definite), ..phrase.clone() };
        // "sphere smaller than the cone": it may be to become so.
        let compares = |quality: &Quality| {
            matches!(
                quality,
                Quality::Compared { .. } | Quality::Scaled { .. } | Quality::Same { .. }
            )
        };
        definite.qualities.retain(|quality| !compares(quality));
        // "floor in dark wood": there is hardly ever a second one.
        if matches!(phrase.head, Head::Scenery(_)) {
            definite.qualities.clear();
        }
        // Where several are there, it is one of them all the same.
        let known = match self.find(&definite) {
            Err(Stopped(Remark::Which(_, several, _))) => self.called(&several, &phrase.word),
            found => found.unwrap_or_default(),
        };
        if !known.is_empty() && known.iter().all(|id| self.known.scene().kind_of(id).is_some()) {
            self.doubt += KNOWN;
        }
    }
}
