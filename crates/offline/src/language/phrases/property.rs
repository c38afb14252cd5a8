//! Commands about a property by name: "set its radius to 2", "the colour of the box to blue".

use crate::language::acts::changes::changes;
use crate::language::acts::clause::it;
use crate::language::acts::commands::directed;
use crate::language::acts::intent::{Change, Intent, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::size::{Size, as_measure, times};
use crate::language::phrases::tail::{Tail, new_name};
use crate::language::places::motion::angle;
use crate::language::places::place::{bare_coordinates, place};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Comparison, Glue, Measure, Sense, Unit};

/// "(increase) its radius to 2", "the colour of the box to blue", "the sphere's height by 20 %".
pub(crate) fn property(reader: &mut Reader<'_>, step: Option<f64>) -> Option<Vec<Intent>> {
    let (subject, measure) = owner_and_measure(reader)?;
    let comparison = match measure {
        Measure::Height => Comparison::Taller,
        Measure::Width => Comparison::Wider,
        Measure::Length => Comparison::Longer,
        Measure::Depth => Comparison::Deeper,
        Measure::Brightness => Comparison::Brighter,
        _ => Comparison::Bigger,
    };
    let scaled = |factor| Change::Compare { comparison, degree: None, factor: Some(factor) };
    if let (true, Some(step)) = (reader.glue(Glue::By), step) {
        let percent = reader.look(1, |s| matches!(s, Sense::Unit(Unit::Percent)).then_some(()));
        let factor = times(reader).or_else(|| reader.number())?;
        let change = match (percent.is_some(), step > 1.0) {
            (true, true) => 1.0 + factor,
            (true, false) => (1.0 - factor).max(0.05),
            // "by half" is half of it more.
            (false, true) if factor < 1.0 => 1.0 + factor,
            (false, true) => factor,
            (false, false) => 1.0 / factor.max(1e-3),
        };
        return Some(directed(subject, vec![scaled(change)]));
    }
    if let (Some(step), true) = (step, reader.clause_ends()) {
        return Some(directed(subject, vec![scaled(step)]));
    }
    let _ = reader.any_glue(&[Glue::To, Glue::Is]);
    let value = match measure {
        Measure::Colour | Measure::Material => changes(reader).into_iter().next()?,
        Measure::Name => Change::Rename(new_name(reader)?),
        Measure::Position => Change::Place(bare_coordinates(reader).or_else(|| place(reader))?),
        Measure::Rotation => Change::Rotate(angle(reader)?),
        Measure::Brightness => match times(reader) {
            Some(factor) => Change::Brightness(factor),
            None => Change::Emission(reader.number()?),
        },
        _ => {
            let at = reader.at;
            match times(reader) {
                Some(factor) => scaled(factor),
                None => {
                    reader.at = at;
                    Change::Size(Box::new(measured(reader, measure)?))
                }
            }
        }
    };
    Some(directed(subject, vec![value]))
}

/// "increase its radius", "turn it up": what has no measure is a light.
pub(crate) fn property_or_light(
    reader: &mut Reader<'_>,
    step: f64,
    comparison: Comparison,
) -> Option<Vec<Intent>> {
    let start = reader.at;
    if let Some(changed) = property(reader, Some(step)) {
        return Some(changed);
    }
    let farthest = reader.at;
    reader.at = start;
    let change = Change::Compare { comparison, degree: None, factor: None };
    let lit = crate::language::places::brightness::lighting(reader, change)
        .filter(|_| reader.clause_ends());
    if lit.is_none() {
        reader.at = farthest;
    }
    lit
}

fn measured(reader: &mut Reader<'_>, measure: Measure) -> Option<Size> {
    let mut size = Size::default();
    if measure == Measure::Size && size.adjective(reader) {
        return Some(size);
    }
    let metres = Some(reader.length()?);
    match measure {
        Measure::Radius => size.radius = metres,
        Measure::Diameter => size.diameter = metres,
        Measure::Width | Measure::Length => size.width = metres,
        Measure::Height => size.height = metres,
        Measure::Depth => size.depth = metres,
        Measure::Thickness => size.thickness = metres,
        Measure::Size => size.extent = metres,
        _ => return None,
    }
    Some(size)
}

/// "its radius", "the radius of the sphere", "the sphere's radius", "the radius".
pub(in crate::language) fn owner_and_measure(reader: &mut Reader<'_>) -> Option<(Target, Measure)> {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::The, Glue::Its]);
    if let Some(measure) = reader.take(as_measure) {
        if reader.glue(Glue::Of) {
            return Some((target(reader, Tail::NO_WITH)?, measure));
        }
        return Some((it(), measure));
    }
    reader.at = start;
    let owner = target(reader, Tail::BARE)?;
    // "the floor's colour", "the floor colour".
    let _ = reader.glue(Glue::Possessive);
    Some((owner, reader.take(as_measure)?))
}
