//! How many: "three", "5 by 5", "5x", "2 more", "two of them".

use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::portion;
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// Reads a number of things before their noun.
pub(in crate::language) fn count(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    // "the red one": a noun, no number.
    let noun = reader.peek().is_some_and(|token| token.text.starts_with("one"))
        && (phrase.determiner != Determiner::Bare || phrase.has_adjective());
    if noun {
        return false;
    }
    let more = reader.glue(Glue::More);
    if phrase.count.is_none()
        && phrase.size.like.is_none()
        && let Some(number) = reader.number()
    {
        let _ = counts_times(reader);
        let further = reader.glue(Glue::More);
        let counts = number.fract() == 0.0 && (0.0..=1e6).contains(&number);
        let measured = reader.look(0, crate::language::words::reader::as_unit).is_some();
        // "all three", "the two".
        let pointing = matches!(phrase.determiner, Determiner::All | Determiner::The);
        let asked_for = further || more;
        if counts && !measured && (!reader.at_end() || pointing || asked_for) {
            // "5 by 5 spheres".
            if reader.glue(Glue::By) {
                // "a 2 by 4 metre plane" measures.
                let counted = |reader: &Reader<'_>| {
                    reader.look(0, crate::language::words::reader::as_unit).is_none()
                };
                if let Some(other) = reader.number().filter(|_| counted(reader)) {
                    phrase.grid = Some((whole(number), whole(other)));
                    return true;
                }
            } else {
                phrase.count = Some(whole(number));
                if asked_for && phrase.determiner == Determiner::Bare {
                    phrase.determiner = Determiner::Another;
                }
                if portion::of_them(reader, phrase) {
                    if asked_for {
                        // "2 more of them".
                        (phrase.determiner, phrase.head) = (Determiner::Another, Some(Noun::Thing));
                    }
                    return true;
                }
                if let Some((0, rows)) = phrase.grid {
                    // "two rows of four cones": four in each.
                    phrase.grid = Some((whole(number), rows));
                    phrase.count = None;
                }
                let _ = reader.glue(Glue::Of) && reader.glue(Glue::The);
                return true;
            }
        }
    }
    reader.at = start;
    if more && phrase.determiner == Determiner::Bare {
        reader.skip();
        phrase.determiner = Determiner::Another;
        return true;
    }
    false
}

/// The "x" of "5x red cubes", where no "5x bigger" is meant: things follow.
fn counts_times(reader: &mut Reader<'_>) -> bool {
    const FARTHEST: usize = 4;
    let by = reader.sees(0, &Sense::Unit(crate::language::words::vocabulary::Unit::Times))
        && reader.peek().is_some_and(|token| token.text == "x");
    let describes = |token: &&crate::language::words::lexicon::Token| {
        token.senses.iter().any(|sense| {
            matches!(sense, Sense::Colour(_) | Sense::Size(_) | Sense::Finish(_) | Sense::Noun(_))
        })
    };
    let described = reader.rest().iter().skip(1).take(FARTHEST).take_while(describes);
    let things = described.clone().any(|token| token.senses.iter().any(|s| as_noun(s).is_some()));
    reader.at += usize::from(by && things);
    by && things
}

/// A count from a number that was checked to be small and whole.
pub(in crate::language) fn whole(number: f64) -> usize {
    number.clamp(0.0, 1e6) as usize
}
