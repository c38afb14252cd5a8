//! When something was made: "the new ones", "the house from before", "the balls I made first".

use crate::language::phrases::phrase::{Age, Determiner, Phrase};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::Glue;

/// "new", "old" before the noun of something that is there.
pub(in crate::language) fn adjective(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let known = matches!(phrase.determiner, Determiner::The | Determiner::All | Determiner::This);
    if !known || phrase.age.is_some() {
        return false;
    }
    let age = match reader.peek().map(|token| token.text.as_str()) {
        Some("new" | "newest" | "latest" | "most recent" | "newer" | "added") => Age::New,
        Some("old" | "older" | "previous" | "earlier" | "existing") => Age::Old,
        _ => return false,
    };
    reader.skip();
    phrase.age = Some(age);
    true
}

/// "from before", "I made first", "you just added" behind the noun.
pub(in crate::language) fn clause(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    if phrase.age.is_some() || phrase.is_new() || phrase.determiner == Determiner::It {
        return false;
    }
    let glues = [Glue::MadeJustNow, Glue::MadeBefore, Glue::MadeFirst];
    phrase.age = match reader.any_glue(&glues) {
        Some(Glue::MadeJustNow) => Some(Age::New),
        Some(Glue::MadeBefore) => Some(Age::Old),
        Some(Glue::MadeFirst) => Some(Age::First),
        _ => return false,
    };
    true
}
