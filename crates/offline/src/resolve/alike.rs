//! The things of a kind, or made together, that a description without a noun chooses from: "the middle one",
//! "the last three", "the other two".

use crate::frames::{Phrase, Quality};

use super::choose::Chooser;
use super::world::{Kin, Thing};

/// How many things a description chooses from at least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needed {
    things: usize,
    /// Besides those that were spoken of last.
    others: bool,
    /// Whether it tells them apart by their order, so that those that were made together are counted by themselves.
    ordered: bool,
}

impl Needed {
    /// For any of them.
    const ONE: Self = Self { things: 1, others: false, ordered: false };

    pub(super) fn by(phrase: &Phrase) -> Self {
        let count = phrase.count.filter(|count| *count >= 1.0).map_or(1, |count| count as usize);
        let is_size = |quality: &Quality| matches!(quality, Quality::Size { .. });
        let by_size = phrase.qualities.iter().all(is_size) && !phrase.qualities.is_empty();
        let things = match phrase.ordinal {
            Some(ordinal) => count.max(ordinal.unsigned_abs() as usize).max(2),
            None if phrase.superlative == Some("middle") => count + 2,
            None if phrase.superlative.is_some() || by_size => count + 1,
            None if phrase.every.is_some() || phrase.nearest.is_some() => count.max(2),
            None => count,
        };
        let ordered =
            phrase.ordinal.is_some() || phrase.superlative.is_some() || phrase.every.is_some();
        Self { things, others: phrase.other, ordered }
    }

    /// Whether one of one is meant by it.
    pub(super) fn is_several(self) -> bool {
        self.things > 1
    }

    /// Whether a description tells which of all that there are. "the left one" of one thing is none, and "the two" of
    /// more than two may be any.
    pub(super) fn can_choose(self, phrase: &Phrase, things: &[&Thing]) -> bool {
        let is_more = |count: f64| count >= 2.0 && things.len() as f64 > count;
        let is_any = phrase.is_bare() && phrase.is_definite() && phrase.count.is_some_and(is_more);
        !self.is_several() || !is_any && self.are_met(things, &[])
    }

    pub(super) fn are_met(self, things: &[&Thing], spoken: &[String]) -> bool {
        let is_other = |thing: &&&Thing| !self.others || !spoken.contains(&thing.id);
        things.iter().filter(is_other).count() >= self.things
    }
}

impl Chooser<'_, '_> {
    /// The things of the kind that was spoken of last: of the same type, or called the same.
    pub(super) fn alike_focus(&self) -> Vec<&Thing> {
        self.alike(Needed::ONE)
    }

    /// As many things as are needed to choose from: of the kind of what was spoken of, the latest first, else what
    /// was spoken of or made together.
    pub(super) fn alike(&self, needed: Needed) -> Vec<&Thing> {
        if let Some(gone) = &self.context.gone {
            let left = self.of_kin(gone);
            if needed.are_met(&left, &[]) || !needed.is_several() {
                return left;
            }
        }
        let spoken = self.singled_out();
        let made = self.context.made.iter().rev();
        let lists: Vec<Vec<&Thing>> =
            self.context.focus.iter().chain(made).map(|ids| self.things(ids)).collect();
        // "a lake with three boats. The second one": what stands on it is counted, not the lake.
        let is_ground = |thing: &&&Thing| self.world.is_ground(thing);
        // The others are of the kind that was spoken of last.
        let several = if needed.others { 1 } else { lists.len() };
        for list in lists.iter().take(several) {
            let models = list.iter().filter(|thing| !is_ground(thing));
            for model in models {
                let kind = self.together_with(model, needed);
                if needed.are_met(&kind, &spoken) {
                    return kind;
                }
            }
            let several: Vec<&Thing> =
                list.iter().filter(|thing| !is_ground(thing)).copied().collect();
            if needed.is_several() && needed.are_met(&several, &spoken) {
                let several = self.side_by_side(several);
                if !needed.are_met(&several, &spoken) {
                    continue;
                }
                return several;
            }
        }
        let ground = lists.iter().flatten().next().filter(|_| !needed.is_several());
        ground.map_or(Vec::new(), |ground| self.of_kin(&self.kin_of(ground)))
    }

    /// The things of a kind; those that were made with it, where they are as many as are needed.
    fn together_with(&self, model: &Thing, needed: Needed) -> Vec<&Thing> {
        let kind = self.of_kin(&self.kin_of(model));
        let is_group = |made: &&Vec<String>| made.contains(&model.id);
        let group = self.context.made.iter().rev().find(is_group);
        let Some(group) = group.filter(|_| needed.ordered && !self.context.added_to) else {
            return kind;
        };
        let together: Vec<&Thing> =
            kind.iter().filter(|thing| group.contains(&thing.id)).copied().collect();
        if needed.are_met(&together, &self.singled_out()) { together } else { kind }
    }

    /// Things without those that carry others of them.
    pub(super) fn side_by_side<'t>(&self, things: Vec<&'t Thing>) -> Vec<&'t Thing> {
        let below: Vec<&str> = things
            .iter()
            .filter_map(|thing| Some(self.world.support_of(thing)?.id.as_str()))
            .collect();
        things.into_iter().filter(|thing| !below.contains(&thing.id.as_str())).collect()
    }

    /// The kind of a thing; a part that is the only one of its kind stands for the whole.
    fn kin_of(&self, model: &Thing) -> Kin {
        let kin = Kin::of(model, self.world);
        let whole = model.part_of.as_ref().and_then(|id| self.world.find(id));
        match whole.filter(|_| self.of_kin(&kin).len() < 2) {
            Some(whole) => Kin::of(whole, self.world),
            None => kin,
        }
    }

    fn of_kin(&self, kin: &Kin) -> Vec<&Thing> {
        self.world.things.iter().filter(|thing| kin.has(thing, self.world)).collect()
    }

    fn things(&self, ids: &[String]) -> Vec<&Thing> {
        ids.iter().filter_map(|id| self.world.find(id)).collect()
    }
}
