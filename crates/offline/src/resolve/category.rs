//! "the furniture", "all the fruit", "the round things": things of several kinds.

use catalogue::{Category, catalogue};

use super::Resolver;
use super::unit::Unit;
use crate::language::{Phrase, id_words};
use crate::world::Thing;

impl Resolver<'_> {
    /// What is there of the category that a phrase names, and whether many are meant; None where it names
    /// none or nothing of it is there.
    pub(super) fn of_category(&self, phrase: &Phrase) -> Option<(Vec<Unit<'_>>, bool)> {
        let word = phrase.words.last()?;
        let (category, many) = catalogue().category(word)?;
        let member = |thing: &&Thing| is_member(thing, category);
        let units =
            Unit::gathered(self.world.things.iter().filter(member), |thing| thing.group.as_deref());
        let described: Vec<Unit<'_>> =
            units.into_iter().filter(|unit| self.is_described(unit, phrase)).collect();
        (!described.is_empty()).then_some((described, many))
    }
}

fn is_member(thing: &Thing, category: &Category) -> bool {
    if thing.is_floor() || thing.is_wall() || thing.is_light() {
        return false;
    }
    let loose = thing.assembly().is_none();
    if loose && thing.form().is_some_and(|form| category.has_shape(form.type_name())) {
        return true;
    }
    // "coffee_table_2" is a table, "table_lamp" is none.
    let own = id_words(thing.group.as_deref().unwrap_or(&thing.id));
    let own: Vec<&String> =
        own.iter().filter(|word| !word.chars().all(|letter| letter.is_ascii_digit())).collect();
    category.objects().iter().any(|name| {
        let words = id_words(name);
        own.len() >= words.len()
            && own[own.len() - words.len()..].iter().zip(&words).all(|(a, b)| *a == b)
    })
}
