//! The things that a description means, out of those that fit.

use crate::frames::{Determiner, Head, Phrase};

use super::fit::{has_quality, is_named_so};
use super::sides::Sides;
use super::world::{Thing, World};
use super::{Context, Unresolved};

/// The ids of the things that a description means.
pub(crate) fn resolve(
    phrase: &Phrase,
    world: &World<'_>,
    context: &Context,
) -> Result<Vec<String>, Unresolved> {
    let chooser = Chooser { world, context, sides: Sides::of(world.scene) };
    let mut found = chooser.choose(phrase)?;
    for except in &phrase.except {
        let spared = match except.head {
            // "all trees but the first": one of them.
            Head::Thing => {
                let mut things: Vec<&Thing> =
                    found.iter().filter_map(|id| world.find(id)).collect();
                things.retain(|thing| {
                    except
                        .qualities
                        .iter()
                        .all(|quality| has_quality(quality, thing, world) != Some(false))
                });
                chooser.out_of(except, things, true)?
            }
            _ => chooser.choose(&Phrase { determiner: Some(Determiner::All), ..except.clone() })?,
        };
        found.retain(|id| !spared.contains(id));
    }
    if found.is_empty() { Err(Unresolved::Missing) } else { Ok(found) }
}

pub(super) struct Chooser<'a, 'w> {
    pub(super) world: &'a World<'w>,
    pub(super) context: &'a Context,
    pub(super) sides: Sides,
}

impl Chooser<'_, '_> {
    pub(super) fn choose(&self, phrase: &Phrase) -> Result<Vec<String>, Unresolved> {
        if let Head::Pronoun(pronoun) = &phrase.head {
            return self.pronoun(pronoun);
        }
        if let Head::These(ids) = &phrase.head {
            return Ok(self.there(ids));
        }
        // "each one", "every one": what was spoken of together.
        if phrase.is_one && phrase.singly && phrase.is_bare() && phrase.of_them.is_none() {
            return self.pronoun("them");
        }
        // "all that are taller than the house": than it is.
        let measured = self.measured(phrase)?;
        let phrase = measured.as_ref().unwrap_or(phrase);
        let (pool, is_given) = self.pool(phrase)?;
        let mut fitting = pool;
        for quality in &phrase.qualities {
            let has = |thing: &&Thing| has_quality(quality, thing, self.world).unwrap_or(true);
            if fitting.iter().any(has) {
                fitting.retain(has);
            } else {
                fitting.retain(|thing| is_named_so(quality, thing));
            }
        }
        for quality in &phrase.lacking {
            fitting.retain(|thing| has_quality(quality, thing, self.world) != Some(true));
        }
        for place in &phrase.places {
            // "the two on the right".
            let count = phrase.count.map_or(1, |count| count as usize);
            fitting = self.at_place(fitting, place, count)?;
        }
        if fitting.is_empty() {
            return Err(Unresolved::Missing);
        }
        self.retain_recent(phrase, &mut fitting);
        if let Some((near, other)) = &phrase.nearest {
            return self.by_distance(phrase, fitting, *near, other);
        }
        self.out_of(phrase, fitting, is_given)
    }

    /// Which of the fitting things are meant: by rank, number, what was spoken of.
    pub(super) fn out_of(
        &self,
        phrase: &Phrase,
        fitting: Vec<&Thing>,
        is_given: bool,
    ) -> Result<Vec<String>, Unresolved> {
        let ids =
            |things: &[&Thing]| things.iter().map(|thing| thing.id.clone()).collect::<Vec<_>>();
        if let Some(superlative) = phrase.superlative {
            let is_several = phrase.plural && !phrase.is_all() && phrase.count.is_none();
            if is_several && phrase.ordinal.is_none() {
                let most = self.most(fitting, superlative);
                return if most.is_empty() { Err(Unresolved::Missing) } else { Ok(ids(&most)) };
            }
            let ranked = self.ranked(fitting, superlative);
            let skip =
                phrase.ordinal.map_or(0, |ordinal| usize::try_from(ordinal - 1).unwrap_or(0));
            let count = match phrase.count {
                Some(count) => count as usize,
                None => 1,
            };
            let meant: Vec<&Thing> = ranked.into_iter().skip(skip).take(count.max(1)).collect();
            return if meant.is_empty() { Err(Unresolved::Missing) } else { Ok(ids(&meant)) };
        }
        if let Some(ordinal) = phrase.ordinal {
            let ordered = self.ordered(phrase, fitting);
            let at = match ordinal {
                ordinal if ordinal < 0 => {
                    ordered.len().checked_sub(ordinal.unsigned_abs() as usize)
                }
                ordinal => usize::try_from(ordinal - 1).ok(),
            };
            let count = phrase.count.map_or(1, |count| count.max(1.0) as usize);
            if count > 1 {
                let from =
                    if ordinal < 0 { ordered.len().saturating_sub(count) } else { at.unwrap_or(0) };
                let meant: Vec<&Thing> = ordered.into_iter().skip(from).take(count).collect();
                return if meant.is_empty() { Err(Unresolved::Missing) } else { Ok(ids(&meant)) };
            }
            let meant = at.and_then(|at| ordered.get(at).copied());
            return meant.map(|thing| vec![thing.id.clone()]).ok_or(Unresolved::Missing);
        }
        if let Some(age) = phrase.age {
            // "the last ones" are those that were made together last.
            let newest = self.context.made.last().map(|made| self.there(made));
            let newest = newest.filter(|made| {
                age < 0
                    && phrase.plural
                    && phrase.count.is_none()
                    && made.len() > 1
                    && made.iter().all(|id| fitting.iter().any(|thing| thing.id == *id))
            });
            if let Some(newest) = newest {
                return Ok(newest);
            }
            // Things stand in the document in the order they were made.
            let count = phrase.count.map_or(1, |count| count.max(1.0) as usize).min(fitting.len());
            let from = if age < 0 { fitting.len() - count } else { 0 };
            let meant = &fitting[from..from + count];
            return if meant.is_empty() { Err(Unresolved::Missing) } else { Ok(ids(meant)) };
        }
        if let Some(every) = phrase.every {
            let ordered = self.ordered(phrase, fitting);
            let meant: Vec<&Thing> =
                ordered.into_iter().skip(every.max(1) - 1).step_by(every.max(1)).collect();
            return Ok(ids(&meant));
        }
        let fitting = self.by_size(phrase, fitting);
        if let Some(count) = phrase.count.filter(|_| !phrase.is_all()) {
            let count = if count < 1.0 { (count * fitting.len() as f64).round() } else { count };
            let count = (count as usize).max(1);
            if fitting.len() < count && phrase.of_them.is_none() && count > 1 {
                return if fitting.is_empty() {
                    Err(Unresolved::Missing)
                } else {
                    Ok(ids(&fitting))
                };
            }
            if fitting.len() > count && phrase.is_definite() && phrase.of_them.is_none() {
                let spoken = self.spoken(&fitting);
                if spoken.len() == count {
                    return Ok(spoken);
                }
            }
            return Ok(ids(&fitting[..count.min(fitting.len())]));
        }
        if phrase.determiner == Some(Determiner::Both) && fitting.len() > 2 {
            return self.pair_of(&fitting).ok_or_else(|| Unresolved::Several(ids(&fitting)));
        }
        if phrase.plural
            || phrase.is_all()
            || fitting.len() == 1
            || (is_given && fitting.len() > 1 && phrase.part_of.is_some())
        {
            // "the balls" are those that were spoken of, if not all.
            return Ok(ids(&fitting));
        }
        if matches!(phrase.head, Head::Everything { .. } | Head::Scene("scene") | Head::Theme(_)) {
            return if fitting.is_empty() { Err(Unresolved::Missing) } else { Ok(ids(&fitting)) };
        }
        if fitting.is_empty() {
            return Err(Unresolved::Missing);
        }
        let spoken = self.spoken(&fitting);
        if spoken.len() == 1 {
            return Ok(spoken);
        }
        if let Some(nearest) = self.nearest(phrase, &fitting) {
            return Ok(vec![nearest]);
        }
        // "the chair" is the one that is called just so, not the deck chair.
        let is_number = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
        let mut called = fitting.iter().filter(|thing| {
            let mut own = thing.words().iter().filter(|word| !is_number(word));
            phrase.qualities.is_empty()
                && phrase.word.split(' ').all(|word| own.next().is_some_and(|own| own == word))
                && own.next().is_none()
        });
        if let (Some(called), None) = (called.next(), called.next()) {
            return Ok(vec![called.id.clone()]);
        }
        if !phrase.is_definite() && phrase.determiner.is_some() {
            return Ok(ids(&fitting[..1]));
        }
        // Several alike that came as one are meant together: the parts of a row.
        let same = fitting
            .iter()
            .all(|thing| thing.part_of.is_some() && thing.part_of == fitting[0].part_of);
        if same {
            return Ok(ids(&fitting));
        }
        if let Some(likely) = self.likeliest(&fitting) {
            return Ok(vec![likely.id.clone()]);
        }
        Err(Unresolved::Several(ids(&fitting)))
    }
}
