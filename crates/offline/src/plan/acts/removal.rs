//! Taking things away.

use crate::language::{Determiner, Phrase, Rank, Target};
use crate::plan::dialogue::problem::{later, mentions_later};
use crate::plan::{Done, Planner, Problem};

impl Planner {
    pub(in crate::plan) fn remove(&mut self, target: &Target) -> Done {
        if mentions_later(target) && self.resolve(target).is_err() {
            return Err(later(target));
        }
        let unsaid = |phrase: &Phrase| phrase.determiner == Determiner::Them;
        if target.0.iter().any(unsaid) && self.context.focus.is_empty() {
            // All that is there goes only where that was said.
            let it = Target::of(Phrase::new(Determiner::It));
            self.resolve(&it)?;
        }
        let mut ids = self.resolve(target)?;
        let but = |phrase: &Phrase| {
            phrase.determiner == Determiner::Everything && !phrase.except.is_empty()
        };
        if target.0.iter().all(but) {
            // "everything but the ball": the ball stays where it stands, and is seen.
            ids.retain(|id| self.is_plain_object(id));
        }
        if ids.is_empty() {
            return Err(Problem::Cannot("There is nothing to remove.".to_owned()));
        }
        let rest = |phrase: &Phrase| {
            phrase.determiner == Determiner::Rest
                || matches!(phrase.rank, Some(Rank::Other | Rank::Others))
        };
        // All of them are no others: nothing of what is there was set apart before.
        if target.0.iter().all(rest) && self.wholes(&ids).len() > 1 && ids == self.context.focus {
            return Err(Problem::Cannot(
                "I don't know which are to stay: name them, please.".to_owned(),
            ));
        }
        self.vacated = self.bounds_of(&ids).map(crate::world::Bounds::foot);
        self.world.things.retain(|thing| !ids.contains(&thing.id));
        self.context.focus.retain(|id| !ids.contains(id));
        Ok(())
    }
}
