//! Patterns before the noun: "a row of", "a 5x5 grid of", "a tower".

use crate::language::phrases::counting::whole;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::as_dimensions;
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{Glue, Noun, Pattern, Sense, ShapeKind};

/// "row of", "5x5 grid of", "tower" (of what stands there by default); whether "of" followed.
pub(crate) fn pattern_of(reader: &mut Reader<'_>, phrase: &mut Phrase) -> Option<bool> {
    let start = reader.at;
    let sides = reader.take(as_dimensions);
    let pattern = reader.take(|sense| match sense {
        Sense::Pattern(pattern) => Some(*pattern),
        _ => None,
    });
    // "as a 3x3 square".
    let square = sides.is_some() && phrase.head.is_some() && pattern.is_none() && {
        let quad = |sense: &Sense| *sense == Sense::Noun(Noun::Shape(ShapeKind::Quad));
        reader.take(|sense| quad(sense).then_some(())).is_some()
    };
    let pattern = if square { Some(Pattern::Grid) } else { pattern };
    if pattern.is_none()
        && sides.as_deref().is_some_and(|sides| counts_things(reader, phrase, sides))
    {
        let sides = sides.unwrap_or_default();
        phrase.pattern = Some(Pattern::Grid);
        phrase.grid = Some((whole(sides[0]), whole(sides[1])));
        return Some(true);
    }
    match (pattern, sides.as_deref()) {
        (Some(pattern), None | Some([_, _])) if phrase.pattern.is_none() => {
            if let Some([columns, rows]) = sides.as_deref() {
                phrase.grid = Some((whole(*columns), whole(*rows)));
            }
            phrase.pattern = Some(pattern);
            // "two rows of four": a grid.
            let rows = phrase.count.filter(|rows| *rows > 1 && phrase.grid.is_none());
            if let (Pattern::Row | Pattern::Column, Some(rows)) = (pattern, rows) {
                phrase.pattern = Some(Pattern::Grid);
                phrase.grid = Some((0, rows));
            }
            // "a row of": what the article and the number belong to is the row.
            phrase.count = None;
            let of_inside = reader.since(start).iter().any(|token| token.text.ends_with(" of"));
            let of = reader.glue(Glue::Of) || of_inside || made_of_several(reader);
            if of {
                let _ = reader.any_glue(&[Glue::A, Glue::The]);
                if let Some([columns, rows]) = grid_sides(reader) {
                    phrase.grid = Some((columns, rows));
                }
            }
            Some(of)
        }
        _ => {
            reader.at = start;
            None
        }
    }
}

/// "3 x 3 cubes": so many of them rather than how large one is.
fn counts_things(reader: &Reader<'_>, phrase: &Phrase, sides: &[f64]) -> bool {
    let number = |side: &f64| side.fract() == 0.0 && *side >= 2.0;
    let bare = phrase.determiner == Determiner::Bare && phrase.count.is_none();
    let several = reader.peek().is_some_and(|token| token.plural);
    sides.len() == 2
        && sides.iter().all(number)
        && bare
        && several
        && phrase.pattern.is_none()
        && reader.look(0, as_noun).is_some()
}

/// "out of 12 boxes", "made of bricks": the same as "of", but for materials.
fn made_of_several(reader: &mut Reader<'_>) -> bool {
    let start = reader.at;
    let counted = |reader: &Reader<'_>| {
        reader.look(0, |sense| matches!(sense, Sense::Number(_)).then_some(())).is_some()
            || reader.peek().is_some_and(|token| token.plural)
            || reader.ahead(1).is_some_and(|token| token.plural)
    };
    if reader.glue(Glue::MadeOf) && counted(reader) {
        return true;
    }
    reader.at = start;
    false
}

fn grid_sides(reader: &mut Reader<'_>) -> Option<[usize; 2]> {
    let start = reader.at;
    match reader.take(as_dimensions).as_deref() {
        Some(&[columns, rows]) => Some([whole(columns), whole(rows)]),
        _ => {
            reader.at = start;
            None
        }
    }
}
