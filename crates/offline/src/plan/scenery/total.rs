//! How many of a kind there shall be: "just one cup", "two chairs are enough".

use crate::language::{Determiner, Phrase, Target};
use crate::plan::{Done, Planner, Problem};
use crate::world::Thing;

/// Words that say how many there are to be, not what to add.
const WISHES: [&str; 12] = [
    "want",
    "need",
    "should be",
    "i'd like",
    "i would like",
    "wish",
    "make it",
    "let there be",
    "have to be",
    "must be",
    "so ",
    "prefer",
];

impl Planner {
    /// So many of a kind: those made last go, and what is missing is made like the ones that are there.
    pub(crate) fn have_so_many(&mut self, kind: &Phrase, total: usize) -> Done {
        let all = Phrase { determiner: Determiner::All, plural: true, ..kind.clone() };
        let ids = self.resolve(&Target::of(all)).unwrap_or_default();
        if self.wholes(&ids).is_empty() {
            let wanted = Phrase {
                determiner: Determiner::Bare,
                count: Some(total),
                plural: total > 1,
                ..kind.clone()
            };
            return self.create(&[wanted]);
        }
        self.come_to(ids, total)
    }

    /// Of these things there are so many then: the first of them stay, or more like them are made.
    pub(in crate::plan) fn come_to(&mut self, ids: Vec<String>, total: usize) -> Done {
        let units = self.wholes(&ids);
        if let Some(part) = ids.iter().find(|id| self.is_part(id, &ids)) {
            let owner = self.world.find(part).and_then(Thing::assembly).unwrap_or_default();
            return Err(Problem::Cannot(format!(
                "{part} belongs to {owner}: I cannot change how many it has. Say for example “remove the {owner}” \
                 and what you want in its place."
            )));
        }
        if units.len() < total {
            let target = Target(ids.into_iter().map(Phrase::named).collect());
            return self.multiply(&target, total, None);
        }
        let gone: Vec<String> = units.into_iter().skip(total).flatten().collect();
        self.world.things.retain(|thing| !gone.contains(&thing.id));
        self.context.focus = ids.into_iter().filter(|id| !gone.contains(id)).collect();
        Ok(())
    }

    /// "two of them side by side", where there is one only: how many there are to be.
    pub(in crate::plan) fn missing_of(&self, target: &Target) -> Option<usize> {
        let [Phrase { determiner: Determiner::Them, count: Some(count), .. }] = target.0.as_slice()
        else {
            return None;
        };
        let there = self.resolve(&Target::of(Phrase::new(Determiner::Focus))).ok()?;
        (!there.is_empty() && self.wholes(&there).len() < *count).then_some(*count)
    }

    /// "I want 3 pigs" after a pig was made: three in all, like the one that is there.
    pub(in crate::plan) fn wished_total(&self, phrases: &[Phrase], said: &str) -> Option<usize> {
        let [phrase] = phrases else { return None };
        let count = phrase.count.filter(|count| *count > 1)?;
        let bare = Phrase { count: None, ..Phrase::new(Determiner::Bare) };
        let plain =
            Phrase { count: None, plural: false, head: None, words: Vec::new(), ..phrase.clone() }
                == bare;
        let deed = self.last.as_ref().filter(|deed| self.all_made_by(deed))?;
        if !plain || !WISHES.iter().any(|wish| said.to_lowercase().contains(wish)) {
            return None;
        }
        let all =
            Phrase { determiner: Determiner::All, plural: true, count: None, ..phrase.clone() };
        let there = self.resolve(&Target::of(all)).ok()?;
        let whole = |id: &String| {
            let thing = self.world.find(id);
            thing.is_some_and(|thing| !self.is_part(&thing.id, &there))
        };
        let just_made = there.iter().all(|id| deed.ids.contains(id) && whole(id));
        (just_made && self.wholes(&there).len() < count).then_some(count)
    }

    /// Whether a thing is part of an object of which `ids` are not the whole: a candle of a cake.
    fn is_part(&self, id: &str, ids: &[String]) -> bool {
        let Some(group) = self.world.find(id).and_then(Thing::assembly) else { return false };
        let own = |thing: &&Thing| thing.assembly() == Some(group);
        self.world.things.iter().filter(own).any(|thing| !ids.contains(&thing.id))
    }

    /// "another two" after some were made: so many more like them.
    pub(in crate::plan) fn have_more(&mut self, made: &Target, more: f64) -> Done {
        let ids = self.resolve(made)?;
        let total = self.wholes(&ids).len() + more.clamp(0.0, 1000.0) as usize;
        self.multiply(made, total, None)
    }
}
