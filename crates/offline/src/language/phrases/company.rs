//! What comes with a thing: "with a red hat", "with radius 2", "with stripes", "with a light above it".

use crate::language::acts::intent::Place;
use crate::language::phrases::noun_phrase::phrase_with;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::printing::printed;
use crate::language::phrases::size::as_measure;
use crate::language::phrases::tail::{Tail, look};
use crate::language::places::place::bare_coordinates;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Measure, Noun};

/// "with a red hat", "with radius 2".
pub(in crate::language) fn with(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    if !reader.glue(Glue::With) {
        return false;
    }
    let with = reader.at;
    // "with a red hat": the hat is red, not the whole.
    let before = phrase.clone();
    if printed(reader, phrase) {
        return true;
    }
    // "with (the) colour #1e90ff".
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    if reader.take(as_measure) != Some(Measure::Colour) {
        reader.at = with;
    }
    if look(reader, phrase) {
        return true;
    }
    *phrase = before;
    reader.at = with;
    if measured(reader, phrase) || centered(reader, phrase) {
        return true;
    }
    reader.at = with;
    if let Some(mut companion) = phrase_with(reader, Tail::NO_WITH) {
        let part = matches!(companion.head, Some(Noun::Later(_)));
        if part && phrase.plural && phrase.pattern.is_none() {
            // "mushrooms with white dots in a ring": the mushrooms stand so.
            phrase.pattern = companion.pattern.take();
        }
        phrase.places.extend(places_of_the_whole(phrase, &mut companion));
        phrase.companions.push(companion);
        return true;
    }
    reader.at = with;
    // "with three wagons": not known, which is said; the rest is made.
    let _ =
        reader.any_glue(&[Glue::A, Glue::The, Glue::Its]).is_some() || reader.number().is_some();
    if phrase.is_new()
        && let Some(token) = reader.peek().filter(|token| token.senses.is_empty())
    {
        let mut companion = Phrase::new(Determiner::A);
        companion.head = Some(Noun::Later(token.text.clone()));
        companion.words.push(token.text.clone());
        phrase.companions.push(companion);
        reader.skip();
        return true;
    }
    reader.at = start;
    false
}

/// "a vase with tulips on the table": the vase stands there; "with a ball on top" tells where the ball is.
fn places_of_the_whole(whole: &Phrase, companion: &mut Phrase) -> Vec<Place> {
    let of_it = |phrase: &Phrase| {
        let pointing = matches!(phrase.determiner, Determiner::It | Determiner::Them);
        pointing || phrase.owner.is_some() || phrase.head == whole.head
    };
    let elsewhere = |place: &Place| match place {
        Place::Relative { target, .. } => !target.0.iter().any(of_it),
        _ => false,
    };
    let (whole, own) = std::mem::take(&mut companion.places).into_iter().partition(elsewhere);
    companion.places = own;
    whole
}

/// "center 1, 2, 3".
fn centered(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let _ = reader.any_glue(&[Glue::A, Glue::The, Glue::Its]);
    let position = reader.take(as_measure) == Some(Measure::Position);
    let _ = reader.any_glue(&[Glue::Of, Glue::At]);
    let place = if position { bare_coordinates(reader) } else { None };
    phrase.places.extend(place.clone());
    place.is_some()
}

/// "radius 2", "a width of 2, a height of 1 and a depth of 3".
pub(in crate::language) fn measured(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    if !phrase.size.modifier(reader) {
        return false;
    }
    loop {
        let start = reader.at;
        if !reader.take_joint() || !phrase.size.modifier(reader) {
            reader.at = start;
            return true;
        }
    }
}
