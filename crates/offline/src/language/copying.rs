//! "three copies of the cone", "make five of them".

use super::arrangement;
use super::intent::{Intent, Shift, Target};
use super::noun_phrase::target;
use super::phrase::{Determiner, Phrase};
use super::place::place;
use super::reader::Reader;
use super::tail::Tail;
use super::vocabulary::{Glue, Way};

/// "five of them", "three of it in a row".
pub(super) fn multiplied(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE)?;
    let [only] = subject.0.as_slice() else { return None };
    let total = only.count.filter(|_| only.determiner == Determiner::Them)?;
    let how = arrangement::arrangement(reader);
    let target = Target::of(Phrase::new(Determiner::Focus));
    Some(vec![Intent::Multiply { target, total, how }])
}

/// "three copies of the cone".
pub(super) fn copies(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
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
