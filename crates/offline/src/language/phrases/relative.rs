//! Relative clauses: "that is red and very tall", "which stands on the table", "that shines from the right".

use crate::language::phrases::noun_phrase::adjective;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::{look, made_of, named, placed};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::Glue;

/// "that is red", "which are 2 m tall".
pub(in crate::language) fn relative_clause(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    // "that is not orange".
    if !phrase.is_new() && reader.glue(Glue::That) && reader.glue(Glue::Not) {
        let mut but = Phrase { head: phrase.head.clone(), ..Phrase::new(Determiner::All) };
        if look(reader, &mut but) {
            phrase.except.push(but);
            return true;
        }
    }
    reader.at = start;
    if stands_so(reader) && placed(reader, phrase) {
        return true;
    }
    reader.at = start;
    if reader.glue(Glue::That)
        && (phrase.size.modifier(reader)
            || described(reader, phrase)
            || made_of(reader, phrase)
            || named(reader, phrase)
            || placed(reader, phrase))
    {
        return true;
    }
    reader.at = start;
    false
}

/// "that stands", "which hangs", "that shines" before where.
fn stands_so(reader: &mut Reader<'_>) -> bool {
    let relative = |token: &crate::language::words::lexicon::Token| {
        ["that", "which", "who"].contains(&token.text.as_str())
    };
    if !reader.peek().is_some_and(relative) {
        return false;
    }
    reader.skip();
    let Some(token) = reader.peek() else { return false };
    let plain = token.text.strip_suffix('s').unwrap_or(&token.text);
    let stands = [
        "stand", "sit", "hang", "float", "lie", "rest", "shine", "come", "hover", "lean", "glow",
        "fall",
    ]
    .contains(&plain);
    reader.at += usize::from(stands);
    stands
}

/// "white and very tall": everything after "that is".
fn described(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    reader.skip_fillers();
    if !adjective(reader, phrase) {
        return false;
    }
    loop {
        let start = reader.at;
        let joined = !reader.clause_ends() && reader.take_joint();
        reader.skip_fillers();
        if !joined || !(adjective(reader, phrase) || phrase.size.modifier(reader)) {
            reader.at = start;
            return true;
        }
    }
}
