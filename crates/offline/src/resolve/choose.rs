//! The things that a description means, out of those that fit.

use crate::frames::{Determiner, Head, Phrase};

use super::fit::{has_quality, head_fit, is_named_so};
use super::sides::Sides;
use super::world::{Kind, Thing, World};
use super::{Context, Unresolved};

/// Fewer things made by one message are no scene.
const MIN_SCENE: usize = 4;

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

    /// The things that fit the noun, the best class of them; whether they were given by other words.
    pub(super) fn pool(&self, phrase: &Phrase) -> Result<(Vec<&Thing>, bool), Unresolved> {
        let by_id = |ids: &[String]| -> Vec<&Thing> {
            ids.iter().filter_map(|id| self.world.find(id)).collect()
        };
        if let Some(of_them) = &phrase.of_them {
            let all =
                Phrase { determiner: Some(Determiner::All), plural: true, ..(**of_them).clone() };
            let mut them = by_id(&self.choose(&all)?);
            if !matches!(phrase.head, Head::Thing) {
                them.retain(|thing| head_fit(phrase, thing, self.world).is_some());
                // The whole name of one of them is an answer: "the wine bottle", not the second one.
                let is_called = |thing: &&&Thing| thing.words().join(" ") == phrase.word;
                if let Some(called) = them.iter().find(is_called).copied() {
                    them = vec![called];
                }
            }
            return Ok((them, true));
        }
        if let Some(whole) = &phrase.part_of {
            // "the roof of the tall one": of the house, though a roof was spoken of.
            let whole_of = |id: String| {
                let owner = self.world.find(&id).and_then(|thing| thing.part_of.clone());
                owner.unwrap_or(id)
            };
            let wholes: Vec<String> = self.choose(whole)?.into_iter().map(whole_of).collect();
            let parts =
                self.world.things.iter().filter(|thing| {
                    thing.part_of.as_ref().is_some_and(|group| wholes.contains(group))
                });
            let fitting: Vec<&Thing> =
                parts.filter(|thing| head_fit(phrase, thing, self.world).is_some()).collect();
            return if fitting.is_empty() { Err(Unresolved::Missing) } else { Ok((fitting, true)) };
        }
        let is_theme = |head: &Head| matches!(head, Head::Scene("scene"));
        if is_theme(&phrase.head) {
            return Ok((self.world.contents().collect(), false));
        }
        if matches!(phrase.head, Head::Theme(_)) && phrase.is_definite() {
            let called = |thing: &&Thing| head_fit(phrase, thing, self.world).is_some();
            let named: Vec<&Thing> = self.world.contents().filter(called).collect();
            // "the village" is all that was made as one.
            let whole = || self.context.made.iter().rev().find(|ids| ids.len() >= MIN_SCENE);
            return match (named.is_empty(), whole()) {
                (true, Some(whole)) => Ok((by_id(whole), true)),
                (true, None) => Err(Unresolved::Missing),
                (false, _) => Ok((named, false)),
            };
        }
        if let Head::Everything { rest } = &phrase.head {
            let mut all: Vec<&Thing> = self.world.contents().collect();
            if let Some(some) = phrase.count.filter(|_| !rest).and_then(|count| self.so_many(count))
            {
                return Ok((some, true));
            }
            if *rest {
                let spoken = self.singled_out();
                all.retain(|thing| !spoken.contains(&thing.id) && !self.world.is_ground(thing));
                let mut alike = self.alike_focus();
                alike.retain(|thing| !spoken.contains(&thing.id));
                if !alike.is_empty() {
                    all = alike;
                }
            }
            return Ok((all, false));
        }
        let is_one = matches!(phrase.head, Head::Thing);
        // "those two": the last that were spoken of, whatever they are.
        if is_one
            && phrase.headless
            && phrase.is_bare()
            && let Some(count) = phrase.count.filter(|count| *count >= 2.0)
            && let Some(recent) = self.recent(count as usize)
        {
            return Ok((by_id(&recent), true));
        }
        let is_vague = is_one && (phrase.headless || phrase.word.is_empty() || phrase.is_one);
        if is_vague && phrase.determiner != Some(Determiner::This) {
            let alike = self.alike_focus();
            let spoken = self.singled_out();
            let mut alike: Vec<&Thing> = alike
                .into_iter()
                .filter(|thing| {
                    phrase
                        .qualities
                        .iter()
                        .all(|quality| has_quality(quality, thing, self.world).unwrap_or(true))
                })
                .collect();
            if phrase.other {
                alike = self.other_wholes(phrase).unwrap_or_else(|| self.others_of(phrase, alike));
            }
            // One of those that were asked about, or spoken of together.
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
                    alike = within;
                    break;
                }
            }
            if !alike.is_empty() {
                return Ok((alike, false));
            }
        }
        if is_one
            && phrase.determiner == Some(Determiner::This)
            && let Some(selected) = self.selected()
        {
            return Ok((by_id(&selected), true));
        }
        if is_one && phrase.is_bare() && phrase.determiner == Some(Determiner::This) {
            let last = self.context.focus.first().cloned().unwrap_or_default();
            return Ok((by_id(&self.there(&last)), true));
        }
        let fits = self.world.things.iter().filter_map(|thing| {
            let qualities = phrase.qualities.iter();
            let mut known = qualities.filter_map(|quality| has_quality(quality, thing, self.world));
            let fit = head_fit(phrase, thing, self.world)?;
            // A thing that has all the qualities is meant before one of a better name that has not.
            known.all(|has| has).then_some((fit, thing))
        });
        let mut fits: Vec<(u32, &Thing)> = fits.collect();
        // What is called red may be of another colour by now.
        if fits.is_empty() {
            let is_so = |thing: &&Thing| {
                phrase.qualities.iter().all(|quality| {
                    has_quality(quality, thing, self.world).unwrap_or(true)
                        || is_named_so(quality, thing)
                })
            };
            let fitting = self.world.things.iter().filter(is_so);
            fits = fitting
                .filter_map(|thing| Some((head_fit(phrase, thing, self.world)?, thing)))
                .collect();
        }
        let best = fits.iter().map(|(fit, _)| *fit).min().ok_or(Unresolved::Missing)?;
        let all = phrase.plural || phrase.is_all();
        // "all the balls" are also those that are only of the shape.
        let slack = if all && best < 2 { 1 } else { 0 };
        let mut chosen: Vec<&Thing> =
            fits.iter().filter(|(fit, _)| *fit <= best + slack).map(|(_, thing)| *thing).collect();
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
