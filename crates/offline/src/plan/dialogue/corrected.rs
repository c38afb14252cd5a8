//! What was wished for last, with another number, look or place: "no, 3", "i meant green apples", "no, next to it".

use crate::history::Deed;
use crate::language::{
    Change, Clause, Correction, Determiner, Intent, Noun, Phrase, Place, Size, Target, with_length,
    with_number,
};
use crate::plan::acts::again::{acts, intents};
use crate::plan::{Done, Planner, Problem, understand};
use crate::resolve::Resolver;
use crate::world::Thing;

impl Planner {
    /// "20" after "make it 15 cm high": the last wish with this number. None where it had no number.
    pub(in crate::plan) fn say_number_anew(&mut self, number: f64) -> Option<Done> {
        let deed = self.last.clone()?;
        self.wish_anew(&deed, &with_number(&deed.message, number)?)
    }

    /// "no, 2 m" after "1 m to the left": the last wish with this length. None where it had no length or
    /// more than a length is said.
    pub(in crate::plan) fn say_length_anew(&mut self, changes: &[Change]) -> Option<Done> {
        let [Change::Size(size)] = changes else { return None };
        let metres = size.extent?;
        let bare = Size { extent: size.extent, words: size.words.clone(), ..Size::default() };
        let deed = self.last.clone().filter(|_| **size == bare)?;
        self.wish_anew(&deed, &with_length(&deed.message, metres)?)
    }

    fn wish_anew(&mut self, deed: &Deed, wish: &str) -> Option<Done> {
        let clauses = understand(wish, &self.world);
        let last = clauses.into_iter().rfind(acts)?;
        self.restore_from_the_start(deed);
        Some(intents(&last).iter().try_for_each(|intent| self.carry_out(intent, &last)))
    }

    /// "i meant green apples" after some were made: they become so. None where there are none of that kind, or
    /// more is said than how they look.
    pub(in crate::plan) fn look_anew(&mut self, phrases: &[Phrase]) -> Option<Done> {
        let [phrase] = phrases else { return None };
        let mut changes: Vec<Change> = phrase.colours.iter().cloned().map(Change::Colour).collect();
        changes.extend(phrase.finish.map(Change::Finish));
        let plain = phrase.plural && phrase.count.is_none() && phrase.places.is_empty();
        let kind = phrase.head.clone().filter(|noun| *noun != Noun::Thing)?;
        if !plain || changes.is_empty() || phrase.pattern.is_some() {
            return None;
        }
        let mut all = Phrase::new(Determiner::All);
        (all.head, all.plural, all.words) = (Some(kind), true, phrase.words.clone());
        let ids = self.resolve(&Target::of(all)).ok()?;
        let target = Target(ids.into_iter().map(Phrase::named).collect());
        Some(self.change(&target, &changes))
    }

    /// Whether something else was made with what is to be made otherwise, so that it would go as well.
    pub(in crate::plan) fn made_more_than_one_kind(
        &self,
        clause: &Clause,
        deed: &Deed,
    ) -> Option<Problem> {
        let several = intents(clause).iter().any(|intent| match intent {
            Intent::Create(phrases) => phrases.len() > 1,
            _ => false,
        });
        let ids: Vec<String> =
            deed.ids.iter().filter(|id| self.world.find(id).is_some()).cloned().collect();
        let names = self.names_of(&ids);
        (several && self.all_made_by(deed)).then(|| {
            Problem::Cannot(format!(
                "Which shall I replace, {}? Say for example “replace the {} with ...”.",
                crate::answer::joined(&names, "or"),
                names.last().cloned().unwrap_or_default().replace('_', " ")
            ))
        })
    }

    /// "no, next to it" after "a ball on a box": of what was made with its place, only what was placed moves.
    pub(in crate::plan) fn placed_of(
        &self,
        clause: &Clause,
        deed: &Deed,
        changes: &[Change],
    ) -> Option<Vec<Intent>> {
        let [Change::Place(place)] = changes else { return None };
        let [Intent::Create(phrases)] = intents(clause) else { return None };
        let placed = phrases.iter().find(|phrase| !phrase.places.is_empty())?;
        let there: Vec<String> =
            deed.ids.iter().filter(|id| self.world.find(id).is_some()).cloned().collect();
        let units = self.wholes(&there);
        let kind = placed.head.clone()?;
        let is_kind = |unit: &Vec<String>| {
            unit.iter()
                .filter_map(|id| self.world.find(id))
                .any(|thing| self.is_of_kind(thing, &kind))
        };
        let (own, others): (Vec<_>, Vec<_>) = units.into_iter().partition(is_kind);
        if own.is_empty() || others.is_empty() {
            return None;
        }
        let named = |units: Vec<Vec<String>>| {
            Target(units.into_iter().flatten().map(Phrase::named).collect())
        };
        let place = match place {
            Place::Relative { relation, target, metres } => {
                let it = target.0.iter().all(|phrase| phrase.determiner == Determiner::It);
                let target = if it { named(others) } else { target.clone() };
                Place::Relative { relation: *relation, target, metres: *metres }
            }
            place => place.clone(),
        };
        Some(vec![Intent::Change { target: named(own), changes: vec![Change::Place(place)] }])
    }

    /// "not the ball!" after it was removed: what it was before.
    pub(in crate::plan) fn meant_before(
        &self,
        target: &Target,
        deed: &Deed,
    ) -> Option<Vec<String>> {
        let resolver = Resolver { world: &deed.before, context: &self.context };
        resolver.resolve(target).ok()
    }

    /// "take the top one off", "put it next to the others": what was taken away last comes back for that.
    pub(in crate::plan) fn bring_back_to_place(&mut self, intents: &[Intent]) {
        let [Intent::Change { target, changes }] = intents else { return };
        let it = |phrase: &Phrase| phrase.determiner == Determiner::It;
        let placed = changes.iter().all(|change| matches!(change, Change::Place(_)));
        let removed = matches!(self.last_intents().as_slice(), [Intent::Remove(_)]);
        let said =
            self.last.as_ref().is_some_and(|deed| self.previous.as_ref() == Some(&deed.said));
        if placed && removed && said && self.acted.is_none() && target.0.iter().all(it) {
            let gone = self.gone.last().cloned().unwrap_or_default();
            let ids: Vec<String> = gone.iter().map(|thing| thing.id.clone()).collect();
            if ids.iter().all(|id| self.world.find(id).is_none()) && !ids.is_empty() {
                let back = gone.into_iter().map(|thing| Thing { origin: None, ..thing });
                self.world.things.extend(back);
                self.context.focus = ids;
            }
        }
    }

    /// "and twice as big" after several were changed: all of them.
    pub(in crate::plan) fn for_all_changed(&self, intents: &[Intent]) -> Vec<Intent> {
        let mut intents = intents.to_vec();
        let several = |phrase: &Phrase| {
            phrase.plural || matches!(phrase.determiner, Determiner::Them | Determiner::All)
        };
        let last = self.last_intents();
        let [Intent::Change { target: before, .. }] = last.as_slice() else { return intents };
        let all = before.0.len() > 1 || before.0.iter().any(several);
        let unsaid =
            |phrase: &Phrase| phrase.determiner == Determiner::It && phrase.words.is_empty();
        if let ([Intent::Change { target, .. }], true, None) =
            (intents.as_mut_slice(), all, &self.acted)
            && target.0.iter().all(unsaid)
        {
            *target = Target::of(Phrase::new(Determiner::Focus));
        }
        intents
    }

    /// The correction of what the last step did, where it is one of another length, look or place.
    pub(in crate::plan) fn corrected_anew(
        &mut self,
        correction: &Correction,
        clause: &Clause,
        deed: &Deed,
    ) -> Option<Done> {
        if let Some(again) = self.other_way(correction, clause, deed) {
            self.restore_from_the_start(deed);
            return Some(again.iter().try_for_each(|intent| self.carry_out(intent, clause)));
        }
        match correction {
            Correction::Rather(changes) => {
                if let Some(done) = self.say_length_anew(changes) {
                    return Some(done);
                }
                let placed = self.placed_of(clause, deed, changes)?;
                Some(placed.iter().try_for_each(|intent| self.carry_out(intent, clause)))
            }
            Correction::Remade(phrases) => self
                .look_anew(phrases)
                .or_else(|| self.made_more_than_one_kind(clause, deed).map(Err)),
            _ => None,
        }
    }
}
