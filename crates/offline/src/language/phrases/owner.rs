//! What a thing is a part of: "the snowman's hat", "the legs of the table", "the top of the table".

use crate::language::phrases::noun_phrase::{before_head, head, phrase_with};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun};

/// "'s hat" after "the snowman", "of the table" after "the legs".
pub(in crate::language) fn part_of(reader: &mut Reader<'_>, phrase: &Phrase) -> Option<Phrase> {
    if phrase.head.is_none() && phrase.determiner != Determiner::It {
        return None;
    }
    let start = reader.at;
    if reader.glue(Glue::Possessive) {
        let first_word = reader.at;
        let mut part = Phrase::new(Determiner::The);
        before_head(reader, &mut part);
        head(reader, &mut part);
        if part.head.is_some() {
            part.words = reader.since(first_word).iter().map(|token| token.text.clone()).collect();
            part.owner = Some(Box::new(phrase.clone()));
            // "the snowman's hat's brim".
            return Some(part_of(reader, &part).unwrap_or(part));
        }
    }
    reader.at = start;
    part_of_known(reader, phrase)
}

/// "the top of the table": where on it, and what of.
pub(in crate::language) fn side_of(reader: &mut Reader<'_>, phrase: &Phrase) -> Option<Phrase> {
    const SIDES: [&str; 7] = ["top", "bottom", "front", "back", "base", "side", "middle"];
    let word = phrase.words.last().filter(|word| SIDES.contains(&word.as_str()))?;
    let bare = phrase.head.is_none() && phrase.rank.is_some() && phrase.colours.is_empty();
    if !bare || phrase.determiner != Determiner::The {
        return None;
    }
    let start = reader.at;
    let owner = if reader.glue(Glue::Of) { phrase_with(reader, Tail::BARE) } else { None };
    let object = |owner: &Phrase| {
        !owner.is_new()
            && matches!(owner.head, Some(Noun::Assembly(_) | Noun::Named(_) | Noun::Later(_)))
    };
    match owner.filter(object) {
        Some(owner) => {
            let head = Some(Noun::Named(word.clone()));
            Some(Phrase { head, rank: None, owner: Some(Box::new(owner)), ..phrase.clone() })
        }
        None => {
            reader.at = start;
            None
        }
    }
}

/// "of the table" after "the legs".
fn part_of_known(reader: &mut Reader<'_>, phrase: &Phrase) -> Option<Phrase> {
    let start = reader.at;
    let known = !matches!(phrase.determiner, Determiner::A | Determiner::Another | Determiner::It);
    if known && reader.glue(Glue::Of) {
        let owner = phrase_with(reader, Tail::BARE)
            .filter(|owner| !owner.is_new() && owner.determiner != Determiner::Bare);
        if let Some(owner) = owner {
            return Some(Phrase { owner: Some(Box::new(owner)), ..phrase.clone() });
        }
    }
    reader.at = start;
    None
}
