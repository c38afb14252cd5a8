//! What a thing is turned to: "towards the coffee table", "to each other", "upright".

use crate::language::acts::intent::{Change, Target};
use crate::language::phrases::noun_phrase::phrase_with;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::Glue;

const EACH_OTHER: [(&str, &str); 2] = [("each", "other"), ("one", "another")];

/// "towards the coffee table", "so that it faces the window", "upright".
pub(in crate::language) fn faced(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.glue(Glue::To);
    if reader.glue(Glue::Upright) {
        return Some(Change::Upright);
    }
    reader.any_glue(&[Glue::Towards])?;
    // "towards each other".
    let words = |at: usize| reader.rest().get(at).map(|token| token.text.as_str());
    if let (Some(first), Some(second)) = (words(0), words(1))
        && EACH_OTHER.contains(&(first, second))
    {
        reader.at += 2;
        return Some(Change::Face(Target::of(Phrase::new(Determiner::Focus))));
    }
    let target = Target::of(phrase_with(reader, Tail::BARE)?);
    Some(Change::Face(target))
}
