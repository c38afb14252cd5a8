//! The things that fit the noun of a description, before it is told which of them are meant.

use crate::frames::{Determiner, Head, Phrase};

use super::Unresolved;
use super::alike::Needed;
use super::choose::Chooser;
use super::fit::{has_quality, head_fit, is_named_so};
use super::world::{Kind, Thing};

/// Fewer things made by one message are no scene.
const MIN_SCENE: usize = 4;

/// Things, and whether they were given by other words than the noun.
type Pool<'a> = Result<(Vec<&'a Thing>, bool), Unresolved>;

impl Chooser<'_, '_> {
    /// The things that fit the noun, the best class of them.
    pub(super) fn pool(&self, phrase: &Phrase) -> Pool<'_> {
        if let Some(of_them) = &phrase.of_them {
            return self.out_of_them(phrase, of_them);
        }
        if let Some(whole) = &phrase.part_of {
            return self.parts_of(phrase, whole);
        }
        match &phrase.head {
            Head::Scene("scene") => Ok((self.world.contents().collect(), false)),
            Head::Theme(_) if phrase.is_definite() => self.scene_called(phrase),
            Head::Everything { rest } => Ok(self.everything(phrase, *rest)),
            Head::Thing => match self.spoken_of(phrase) {
                Some(pool) => Ok(pool),
                None => self.called(phrase),
            },
            _ => self.called(phrase),
        }
    }

    fn by_id(&self, ids: &[String]) -> Vec<&Thing> {
        ids.iter().filter_map(|id| self.world.find(id)).collect()
    }

    /// "two of them", "the wine bottle" after a question.
    fn out_of_them(&self, phrase: &Phrase, of_them: &Phrase) -> Pool<'_> {
        let all = Phrase { determiner: Some(Determiner::All), plural: true, ..of_them.clone() };
        let mut them = self.by_id(&self.choose(&all)?);
        if !matches!(phrase.head, Head::Thing) {
            them.retain(|thing| head_fit(phrase, thing, self.world).is_some());
            // The whole name of one of them is an answer: "the wine bottle", not the second one.
            let is_called = |thing: &&&Thing| thing.words().join(" ") == phrase.word;
            if let Some(called) = them.iter().find(is_called).copied() {
                them = vec![called];
            }
        }
        Ok((them, true))
    }

    /// "the roof of the tall one": of the house, though a roof was spoken of.
    fn parts_of(&self, phrase: &Phrase, whole: &Phrase) -> Pool<'_> {
        let whole_of = |id: String| {
            let owner = self.world.find(&id).and_then(|thing| thing.part_of.clone());
            owner.unwrap_or(id)
        };
        let wholes: Vec<String> = self.choose(whole)?.into_iter().map(whole_of).collect();
        let is_part =
            |thing: &&Thing| thing.part_of.as_ref().is_some_and(|group| wholes.contains(group));
        let parts = self.world.things.iter().filter(is_part);
        let fitting: Vec<&Thing> =
            parts.filter(|thing| head_fit(phrase, thing, self.world).is_some()).collect();
        if fitting.is_empty() { Err(Unresolved::Missing) } else { Ok((fitting, true)) }
    }

    /// "the village" is all that was made as one, where nothing is called so.
    fn scene_called(&self, phrase: &Phrase) -> Pool<'_> {
        let called = |thing: &&Thing| head_fit(phrase, thing, self.world).is_some();
        let named: Vec<&Thing> = self.world.contents().filter(called).collect();
        let whole = || self.context.made.iter().rev().find(|ids| ids.len() >= MIN_SCENE);
        match (named.is_empty(), whole()) {
            (true, Some(whole)) => Ok((self.by_id(whole), true)),
            (true, None) => Err(Unresolved::Missing),
            (false, _) => Ok((named, false)),
        }
    }

    /// "everything", "all three", "the rest".
    fn everything(&self, phrase: &Phrase, rest: bool) -> (Vec<&Thing>, bool) {
        let mut all: Vec<&Thing> = self.world.contents().collect();
        if let Some(some) = phrase.count.filter(|_| !rest).and_then(|count| self.so_many(count)) {
            return (some, true);
        }
        if rest {
            let spoken = self.singled_out();
            all.retain(|thing| !spoken.contains(&thing.id) && !self.world.is_ground(thing));
            let mut alike = self.alike_focus();
            alike.retain(|thing| !spoken.contains(&thing.id));
            if !alike.is_empty() {
                all = alike;
            }
        }
        (all, false)
    }

    /// What "one" and descriptions without a noun mean of what was spoken of, selected, or asked about.
    fn spoken_of(&self, phrase: &Phrase) -> Option<(Vec<&Thing>, bool)> {
        let is_this = phrase.determiner == Some(Determiner::This);
        // "those two": the last that were spoken of, whatever they are.
        if phrase.headless
            && phrase.is_bare()
            && let Some(count) = phrase.count.filter(|count| *count >= 2.0)
            && let Some(recent) = self.recent(count as usize)
        {
            return Some((self.by_id(&recent), true));
        }
        if is_vague(phrase) && !is_this {
            let alike = self.alike_to_choose(phrase);
            if !alike.is_empty() {
                return Some((alike, false));
            }
        }
        if let Some(selected) = self.selected().filter(|_| is_this) {
            return Some((self.by_id(&selected), true));
        }
        let last = || self.context.focus.first().cloned().unwrap_or_default();
        (phrase.is_bare() && is_this).then(|| (self.by_id(&self.there(&last())), true))
    }

    /// The things of a kind that a description without a noun chooses from.
    fn alike_to_choose(&self, phrase: &Phrase) -> Vec<&Thing> {
        let has_all = |thing: &&Thing| {
            let mut qualities = phrase.qualities.iter();
            qualities.all(|quality| has_quality(quality, thing, self.world).unwrap_or(true))
        };
        let mut alike: Vec<&Thing> =
            self.alike(Needed::by(phrase)).into_iter().filter(has_all).collect();
        if phrase.other {
            alike = self.other_wholes(phrase).unwrap_or_else(|| self.others_of(phrase, alike));
        }
        // One of those that were asked about, or spoken of together.
        let spoken = self.singled_out();
        let groups = [&self.context.among, &spoken];
        for group in groups.into_iter().filter(|group| group.len() > 1) {
            let within: Vec<&Thing> =
                alike.iter().filter(|thing| group.contains(&thing.id)).copied().collect();
            let told_apart = self.by_size(phrase, within.clone()).len() < within.len()
                || within.len() == 1
                || phrase.qualities.is_empty();
            let reaches =
                phrase.ordinal.is_none_or(|at| at.unsigned_abs() as usize <= within.len());
            if !within.is_empty() && !phrase.plural && told_apart && reaches {
                return within;
            }
        }
        alike
    }

    /// The things that are called so, or are so.
    fn called(&self, phrase: &Phrase) -> Pool<'_> {
        let fits = self.fits(phrase);
        let best = fits.iter().map(|(fit, _)| *fit).min().ok_or(Unresolved::Missing)?;
        let all = phrase.plural || phrase.is_all();
        // "all the balls" are also those that are only of the shape.
        let slack = if all && best < 2 { 1 } else { 0 };
        let mut chosen: Vec<&Thing> =
            fits.iter().filter(|(fit, _)| *fit <= best + slack).map(|(_, thing)| *thing).collect();
        if is_vague(phrase) {
            if matches!(phrase.superlative, Some("left" | "right" | "front" | "back" | "middle")) {
                chosen = self.side_by_side(chosen);
            }
            if !Needed::by(phrase).can_choose(phrase, &chosen) {
                return Err(Unresolved::Missing);
            }
        }
        let groups: Vec<&str> = chosen
            .iter()
            .filter(|thing| thing.kind == Kind::Group)
            .map(|thing| thing.id.as_str())
            .collect();
        chosen.retain(|thing| {
            thing.part_of.as_ref().is_none_or(|group| !groups.contains(&group.as_str()))
        });
        if phrase.other {
            chosen = self.others_of(phrase, chosen);
        }
        Ok((chosen, false))
    }

    /// How well things fit, of those that do.
    fn fits(&self, phrase: &Phrase) -> Vec<(u32, &Thing)> {
        let things = || self.world.things.iter();
        let fits: Vec<(u32, &Thing)> = things()
            .filter_map(|thing| {
                let qualities = phrase.qualities.iter();
                let mut known =
                    qualities.filter_map(|quality| has_quality(quality, thing, self.world));
                let fit = head_fit(phrase, thing, self.world)?;
                // A thing that has all the qualities is meant before one of a better name that has not.
                known.all(|has| has).then_some((fit, thing))
            })
            .collect();
        if !fits.is_empty() {
            return fits;
        }
        // What is called red may be of another colour by now.
        let is_so = |thing: &&Thing| {
            phrase.qualities.iter().all(|quality| {
                has_quality(quality, thing, self.world).unwrap_or(true)
                    || is_named_so(quality, thing)
            })
        };
        let fitting = things().filter(is_so);
        fitting.filter_map(|thing| Some((head_fit(phrase, thing, self.world)?, thing))).collect()
    }
}

/// Whether it has no noun that tells what it is.
fn is_vague(phrase: &Phrase) -> bool {
    matches!(phrase.head, Head::Thing)
        && (phrase.headless || phrase.word.is_empty() || phrase.is_one)
}
