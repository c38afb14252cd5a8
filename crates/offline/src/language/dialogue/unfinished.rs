//! Wishes that leave out what is wished: "change the colour of the cone", "move the box".

use crate::language::acts::intent::{Intent, Wanted};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::property::owner_and_measure;
use crate::language::phrases::tail::Tail;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Measure, Verb};

/// What is left to be said after `verb`; none where nothing is missing or nothing is known.
pub(in crate::language) fn unfinished(reader: &mut Reader<'_>, verb: Verb) -> Option<Vec<Intent>> {
    let start = reader.at;
    let known = |phrase: &Phrase| !phrase.is_new() && phrase.determiner != Determiner::Bare;
    let what = match verb {
        Verb::Set | Verb::Paint => {
            if let Some((target, measure)) = owner_and_measure(reader)
                && reader.clause_ends()
                && target.0.iter().all(known)
            {
                let what = wanted(measure)?;
                return Some(vec![Intent::Wanting { target, what }]);
            }
            reader.at = start;
            Wanted::Colour
        }
        Verb::Put | Verb::Move => Wanted::Place,
        _ => return None,
    };
    let subject = target(reader, Tail::BARE)?;
    let told = reader.clause_ends() && subject.0.iter().all(known);
    told.then(|| vec![Intent::Wanting { target: subject, what }])
}

fn wanted(measure: Measure) -> Option<Wanted> {
    Some(match measure {
        Measure::Colour => Wanted::Colour,
        Measure::Material => Wanted::Material,
        Measure::Position => Wanted::Place,
        Measure::Radius
        | Measure::Diameter
        | Measure::Width
        | Measure::Height
        | Measure::Depth
        | Measure::Length
        | Measure::Thickness
        | Measure::RingRadius
        | Measure::TubeRadius
        | Measure::InnerRadius
        | Measure::InnerDiameter
        | Measure::HalfAxes
        | Measure::Size => Wanted::Size,
        Measure::Name | Measure::Rotation | Measure::FieldOfView | Measure::Brightness => {
            return None;
        }
    })
}
