//! Things by when they were made in this conversation: "the new ones", "the house from before".

use super::unit::{Unit, all_ids};
use super::{Lost, Resolver};
use crate::language::{Age, Noun, Phrase};
use crate::world::Thing;

impl Resolver<'_> {
    /// What a phrase means that tells when it was made; none where it does not, or where nothing was made
    /// that it could be told from.
    pub(super) fn of_age(&self, phrase: &Phrase) -> Option<Result<Vec<String>, Lost>> {
        let age = phrase.age?;
        let plain = Phrase { age: None, plural: true, rank: None, ..phrase.clone() };
        let one = matches!(phrase.head, None | Some(Noun::Thing));
        let ids = if one && !plain.has_adjective() {
            let solid = |thing: &&Thing| !thing.is_floor() && !thing.is_wall() && !thing.is_light();
            Ok(self.world.things.iter().filter(solid).map(|thing| thing.id.clone()).collect())
        } else {
            self.described(&plain)
        };
        let fitting: Vec<String> = match ids {
            Ok(ids) => ids,
            Err(lost) => return Some(Err(lost)),
        };
        let of_message = |made: &&Vec<String>| made.iter().any(|id| fitting.contains(id));
        let batch = match age {
            Age::New | Age::Old => self.context.made.iter().rev().find(of_message),
            Age::First => self.context.made.iter().find(of_message),
        };
        let within = |id: &&String| batch.is_some_and(|batch| batch.contains(id));
        let mut meant: Vec<String> = match age {
            Age::New | Age::First => fitting.iter().filter(within).cloned().collect(),
            Age::Old => fitting.iter().filter(|id| !within(id)).cloned().collect(),
        };
        if meant.is_empty() && age != Age::New {
            // There is nothing newer than it.
            meant.clone_from(&fitting);
        }
        let things = self.world.things.iter().filter(|thing| meant.contains(&thing.id));
        let mut units = Unit::gathered(things, Thing::assembly);
        if !phrase.plural && age == Age::New && units.len() > 1 {
            units.drain(..units.len() - 1);
        }
        Some(match units.len() {
            0 => Err(Lost::NotFound(phrase.text())),
            1 => Ok(all_ids(units)),
            _ if phrase.plural => Ok(all_ids(units)),
            _ => self.one_of(units, phrase, ""),
        })
    }
}
