//! A colour for each of several: ": red, green and blue", "two red ones and a green one", "red at the
//! bottom, then white".

use super::noun_phrase::MOST_DISTINCT;
use super::phrase::{Determiner, Phrase};
use super::reader::{Reader, as_noun};
use super::vocabulary::{Glue, Noun, Rank, Relation, Sense, Way};
use crate::colour::{Colour, palette};

/// ": red, green and blue", ", one red and one blue", "in different colours": a colour for each of
/// several.
pub(super) fn handed_out(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let many = phrase.plural || phrase.pattern.is_some();
    if !phrase.is_new() || !many {
        return false;
    }
    let start = reader.at;
    if reader.peek().is_some_and(|token| token.text == ":") {
        reader.skip();
    } else if !reader.take_joint() {
        let _ = reader.any_glue(&[Glue::MadeOf, Glue::With, Glue::Of, Glue::In]);
        // "in four different colours".
        let number = reader.at;
        if reader.number().is_none() || !reader.sees_glue(Glue::Distinct) {
            reader.at = number;
        }
    }
    let colours = match reader.glue(Glue::Distinct) {
        true => palette(phrase.count.unwrap_or(MOST_DISTINCT)).collect(),
        false => colour_list(reader),
    };
    if colours.len() < 2 || reader.look(0, as_noun).is_some() {
        reader.at = start;
        return false;
    }
    phrase.colours = colours;
    true
}

pub(super) fn colour_list(reader: &mut Reader<'_>) -> Vec<Colour> {
    let mut colours = Vec::new();
    let mut from_above = false;
    loop {
        let start = reader.at;
        let _ = reader.take_joint();
        // "two red ones and a green one".
        let number = if reader.glue(Glue::A) { None } else { reader.number() };
        let several = number.filter(|number| number.fract() == 0.0 && *number <= 100.0);
        let _ = reader.glue(Glue::The);
        let Some(colour) = reader.colour() else {
            reader.at = start;
            break;
        };
        for _ in 0..several.unwrap_or(1.0) as usize {
            colours.push(colour.clone());
        }
        let _ = reader.take(|sense| (*sense == Sense::Noun(Noun::Thing)).then_some(()));
        // "red at the bottom, then white": stacked from there.
        match at_level(reader) {
            Some(Way::Up) if colours.len() == 1 => from_above = true,
            _ => {}
        }
    }
    if from_above {
        colours.reverse();
    }
    colours
}

/// "at the bottom", "on top", "in the middle": where one of several is.
pub(super) fn at_level(reader: &mut Reader<'_>) -> Option<Way> {
    let start = reader.at;
    if reader.glue(Glue::Origin) || reader.take(super::place::as_way).is_some() {
        return Some(Way::Front);
    }
    let on = |sense: &Sense| {
        matches!(sense, Sense::Relation(Relation::On) | Sense::Side(Relation::On)).then_some(())
    };
    let told = reader.glue(Glue::At) || reader.take(on).is_some();
    let _ = reader.glue(Glue::The);
    let level = reader.take(|sense| match sense {
        Sense::Rank(Rank::Lowest) => Some(Way::Down),
        Sense::Rank(Rank::Highest) => Some(Way::Up),
        Sense::Rank(_) => Some(Way::Front),
        _ => None,
    });
    if level.is_none() {
        let top = reader.since(start).iter().any(|token| token.text == "on top");
        if told && top {
            return Some(Way::Up);
        }
        reader.at = start;
    }
    level
}

/// "two seashells", "a rose": an object that a colour is called after, where no other noun follows.
pub(super) fn names_object_here(reader: &Reader<'_>, phrase: &Phrase) -> bool {
    let object = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Assembly(_))).then_some(());
    let plural = reader.peek().is_some_and(|token| token.plural);
    let told = phrase.determiner == Determiner::A || phrase.count.is_some();
    reader.look(0, object).is_some()
        && (plural || (told && reader.look(1, as_noun).is_none() && reader.colour_length() == 1))
}
