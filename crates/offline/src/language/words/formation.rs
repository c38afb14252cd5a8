//! How several things stand among each other: "in a row", "in 2 rows of 3", "with 2 m between them", "in a
//! circle with a radius of 3 m", "of different sizes".

use crate::language::phrases::pattern::pattern_of;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::as_measure;
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{Glue, Measure, Pattern, Relation, Sense};

/// "in a row", "in a 5x5 grid", "in two rows".
pub(crate) fn arranged(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    if phrase.is_new() && phrase.pattern.is_none() {
        let told = [
            (Glue::Random, Pattern::Scatter),
            (Glue::Stacked, Pattern::Stack),
            (Glue::InARow, Pattern::Row),
        ];
        // "all around it": round what is named.
        let round =
            |sense: &Sense| matches!(sense, Sense::Relation(Relation::Around)).then_some(());
        let pointing = |sense: &Sense| {
            matches!(sense, Sense::Glue(Glue::It | Glue::The | Glue::Them | Glue::This))
                .then_some(())
        };
        if reader.look(0, round).is_some() && reader.look(1, pointing).is_some() {
            return false;
        }
        let found = told.into_iter().find(|(glue, _)| reader.glue(*glue));
        if let Some((_, pattern)) = found {
            phrase.pattern = Some(pattern);
            return true;
        }
    }
    let scattered = matches!(phrase.pattern, None | Some(Pattern::Scatter)) && phrase.plural;
    let around = |sense: &Sense| matches!(sense, Sense::Relation(Relation::Around)).then_some(());
    if scattered && phrase.is_new() && reader.take(around).is_some() {
        // "ten balls around".
        if reader.clause_ends() {
            phrase.pattern = Some(Pattern::Scatter);
            return true;
        }
        reader.at = start;
    }
    // "a tower of five cubes stacked on top of each other".
    let said = matches!(phrase.pattern, Some(Pattern::Stack)) && reader.glue(Glue::Stacked)
        || matches!(phrase.pattern, Some(Pattern::Row)) && reader.glue(Glue::InARow);
    if said {
        return true;
    }
    if phrase.pattern.is_some() && ring_radius(reader, phrase) || between_centres(reader, phrase) {
        return true;
    }
    // "evenly spaced" says no more than a pattern does.
    if phrase.pattern.is_some() && reader.glue(Glue::Evenly) {
        return true;
    }
    let several = phrase.plural || phrase.count.is_some_and(|count| count > 1);
    if several && phrase.is_new() && reader.glue(Glue::Touching) {
        phrase.pattern = phrase.pattern.or(Some(Pattern::Row));
        phrase.gap = Some(0.0);
        return true;
    }
    // "spaced 1.5 m apart", "exactly 30 cm apart".
    let _ = reader.glue(Glue::Posture);
    reader.skip_fillers();
    if let Some(gap) = reader.length()
        && reader.glue(Glue::Apart)
    {
        phrase.gap = Some(gap);
        return true;
    }
    reader.at = start;
    if in_layers(reader, phrase) {
        return true;
    }
    reader.at = start;
    if in_figure(reader, phrase) {
        return true;
    }
    reader.at = start;
    if reader.glue(Glue::In) || reader.glue(Glue::As) || reader.glue(Glue::Into) {
        let rows = if reader.glue(Glue::A) { None } else { reader.number() };
        if phrase.pattern.is_none() && pattern_of_kept_count(reader, phrase) {
            in_rows(reader, phrase, rows);
            return true;
        }
    }
    reader.at = start;
    false
}

/// "in two layers", "two layers of five": an upright wall of that many courses.
fn in_layers(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let several = phrase.plural || phrase.count.is_some_and(|count| count > 1);
    if !several || !phrase.is_new() || phrase.grid.is_some() {
        return false;
    }
    let _ = reader.any_glue(&[Glue::In, Glue::Into, Glue::With]);
    let layers = reader.number();
    let course = |token: &crate::language::words::lexicon::Token| {
        ["layer", "layers", "level", "levels", "course", "courses", "tiers"].contains(&&*token.text)
    };
    let Some(layers) = layers.filter(|_| reader.peek().is_some_and(course)) else { return false };
    reader.skip();
    let before = reader.at;
    let of = if reader.glue(Glue::Of) { reader.number() } else { None };
    if of.is_none() {
        reader.at = before;
    }
    let whole = |number: f64| number.clamp(1.0, 1e4) as usize;
    phrase.pattern = Some(Pattern::Wall);
    phrase.grid = Some((of.map_or(0, whole), whole(layers)));
    true
}

/// "in a square", "in a triangle", "like steps", "along a straight line": a figure that several form, though the
/// word is a thing as well.
fn in_figure(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let several = phrase.plural || phrase.count.is_some_and(|count| count > 1);
    if !phrase.is_new() || !several || phrase.pattern.is_some() {
        return false;
    }
    let along = reader.take(|sense| match sense {
        Sense::Relation(Relation::Along) | Sense::Glue(Glue::Along) => Some(()),
        _ => None,
    });
    let on = |sense: &Sense| matches!(sense, Sense::Relation(Relation::On)).then_some(());
    let told = along.is_some()
        || reader.any_glue(&[Glue::In, Glue::Into, Glue::As, Glue::Like]).is_some()
        || reader.take(on).is_some();
    if !told {
        return false;
    }
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    reader.skip_fillers();
    let Some(token) = reader.peek() else { return false };
    // "on a round wooden table": what the table is.
    let mut ahead = reader.clone();
    ahead.skip();
    crate::language::phrases::noun_phrase::before_head(&mut ahead, &mut Phrase::new(Determiner::A));
    if token.text == "round" && ahead.look(0, as_noun).is_some() {
        return false;
    }
    let of_line = along.is_some() || reader.previous().is_some_and(|word| word == "on");
    let pattern = match token.text.as_str() {
        "line" | "straight line" | "row" if of_line => Pattern::Row,
        _ if of_line => return false,
        "square" | "rectangle" | "quad" => Pattern::Grid,
        "triangle" | "v" | "wedge" => Pattern::Triangle,
        "ring" | "fairy ring" | "round" => Pattern::Circle,
        "steps" | "stairs" | "staircase" | "stair" | "a staircase" | "stairway" => Pattern::Steps,
        _ => return false,
    };
    reader.skip();
    let shape = reader.peek().is_some_and(|token| ["formation", "shape"].contains(&&*token.text));
    reader.at += usize::from(shape);
    phrase.pattern = Some(pattern);
    true
}

/// "in 2 rows of 3", "in two rows".
fn in_rows(reader: &mut Reader<'_>, phrase: &mut Phrase, rows: Option<f64>) {
    let start = reader.at;
    let in_each = reader.number();
    if in_each.is_none() {
        reader.at = start;
    }
    let whole = |number: f64| number.clamp(1.0, 1e4) as usize;
    let rows = rows.filter(|rows| *rows > 1.0).map(whole);
    if let (Some(Pattern::Row | Pattern::Column), Some(rows)) = (phrase.pattern, rows) {
        phrase.pattern = Some(Pattern::Grid);
        phrase.grid = Some((in_each.map_or(0, whole), rows));
    }
}

/// "with radius 3 m", "with a diameter of 2": of the circle, not of what stands on it.
fn ring_radius(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let ring = matches!(phrase.pattern, Some(Pattern::Circle | Pattern::Arc | Pattern::Spiral));
    if !ring || reader.any_glue(&[Glue::With, Glue::Of]).is_none() {
        return false;
    }
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    let before = reader.at;
    // "a 3 m radius", "a radius of 3 m".
    let first = reader.length();
    let measure = reader.take(as_measure);
    let _ = reader.glue(Glue::Of);
    let metres = first.or_else(|| reader.length());
    let factor = match measure {
        Some(Measure::Radius) => 1.0,
        Some(Measure::Diameter) => 0.5,
        _ => 0.0,
    };
    match metres {
        Some(metres) if factor > 0.0 && reader.at > before => {
            phrase.ring_radius = Some(metres * factor);
            true
        }
        _ => {
            reader.at = start;
            false
        }
    }
}

/// "with 2 m between them", "with 50 cm between their centres", "with a gap of 1 m", "20 cm of air between them".
fn between_centres(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let several = phrase.plural || phrase.count.is_some_and(|count| count > 1);
    if !several && phrase.pattern.is_none() {
        return false;
    }
    // "with 2 m between them"; behind a comma also "20 cm of air between them".
    let exactly = reader.peek().is_some_and(|token| token.text == "exactly");
    reader.at += usize::from(exactly);
    let with = reader.glue(Glue::With);
    let exactly = reader.peek().is_some_and(|token| token.text == "exactly");
    reader.at += usize::from(exactly);
    let measured =
        reader.look(0, |sense| matches!(sense, Sense::Number(_)).then_some(())).is_some();
    if !with && !measured {
        reader.at = start;
        return false;
    }
    let _ = reader.glue(Glue::A);
    let gap_word = |token: &crate::language::words::lexicon::Token| {
        [
            "gap",
            "gaps",
            "space",
            "spaces",
            "spacing",
            "distance",
            "air",
            "room",
            "clearance",
            "some space",
            "some room",
            "some air",
        ]
        .contains(&token.text.as_str())
    };
    let named = |reader: &mut Reader<'_>| {
        let found = reader.peek().is_some_and(gap_word);
        reader.at += usize::from(found);
        found
    };
    let some =
        reader.peek().is_some_and(|token| ["some", "small", "a little"].contains(&&*token.text));
    reader.at += usize::from(some);
    let before = named(reader);
    let _ = reader.glue(Glue::Of);
    let metres = reader.length();
    let _ = reader.glue(Glue::Of);
    let after = named(reader);
    let between = |sense: &Sense| {
        matches!(sense, Sense::Relation(Relation::Between) | Sense::Glue(Glue::Between))
    };
    let among = reader.take(|sense| between(sense).then_some(())).is_some();
    if metres.is_none() && !(before && among) || !(among || before || after) {
        reader.at = start;
        return false;
    }
    if among {
        let theirs = reader.any_glue(&[Glue::Its, Glue::Them, Glue::The, Glue::All]);
        let _ = reader.glue(Glue::Them);
        let middles = theirs.is_some()
            && reader.take(|sense| as_measure(sense).filter(|m| *m == Measure::Position)).is_some();
        phrase.centre_to_centre = middles;
    }
    // "with gaps between them": things have some anyway.
    phrase.gap = metres.or(phrase.gap);
    true
}

fn pattern_of_kept_count(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let count = phrase.count.take();
    let found = pattern_of(reader, phrase);
    phrase.count = count;
    found.is_some()
}

/// "of different sizes", "in various sizes".
pub(crate) fn of_varied_sizes(reader: &mut Reader<'_>) -> bool {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::Of, Glue::In, Glue::With, Glue::MadeOf]);
    let varied = reader.glue(Glue::Varied);
    if !varied {
        reader.at = start;
    }
    varied
}
