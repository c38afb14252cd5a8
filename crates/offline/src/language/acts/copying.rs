//! "three copies of the cone", "make five of them".

use crate::language::acts::intent::{Intent, Shift, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::places::arrangement;
use crate::language::places::place::place;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Way};

/// "five of them", "three of it in a row".
pub(in crate::language) fn multiplied(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE)?;
    let [only] = subject.0.as_slice() else { return None };
    let total = only.count.filter(|_| only.determiner == Determiner::Them)?;
    let how = arrangement::arrangement(reader);
    let target = Target::of(Phrase::new(Determiner::Focus));
    Some(vec![Intent::Multiply { target, total, how }])
}

/// "three copies of the cone".
pub(in crate::language) fn copies(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let _ = reader.any_glue(&[Glue::A, Glue::Another]);
    let count = reader.number().map_or(1, |number| number.clamp(1.0, 1000.0) as usize);
    if !reader.glue(Glue::Copies) {
        return None;
    }
    let target = target(reader, Tail::BARE)?;
    // "in a row": side by side.
    let before = reader.at;
    let shift = arrangement::arrangement(reader).map(|_| Shift {
        way: Way::Right,
        metres: None,
        degree: None,
    });
    if shift.is_none() {
        reader.at = before;
    }
    let places = place(reader).into_iter().collect();
    Some(vec![Intent::Duplicate { target, count, places, shift }])
}
