//! "more light from above", "dim the sun by half": how bright it is to be.

use crate::language::acts::clause::it;
use crate::language::acts::intent::{Change, Intent, Place, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::times;
use crate::language::phrases::tail::Tail;
use crate::language::places::place::as_degree;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Comparison, Glue, Noun, Sense};

/// What is to be brighter or dimmer, by how much; all of it where nothing is named.
pub(in crate::language) fn lighting(
    reader: &mut Reader<'_>,
    change: Change,
) -> Option<Vec<Intent>> {
    let start = reader.at;
    let comes_from =
        reader.take(crate::language::places::place::as_from).filter(|_| reader.clause_ends());
    if let (Some(way), Change::Compare { comparison: Comparison::Brighter, .. }) =
        (comes_from, &change)
    {
        // "more light from above": one more.
        let mut light = Phrase::new(Determiner::A);
        light.head = Some(Noun::Light(crate::language::words::vocabulary::LightKind::Any));
        light.words.push("light".to_owned());
        light.places.push(Place::Aside(way));
        return Some(vec![Intent::Create(vec![light])]);
    }
    reader.at = start;
    let subject = target(reader, Tail::NO_WITH);
    let by = reader.glue(Glue::By);
    let percent = reader.look(1, |sense| {
        matches!(sense, Sense::Unit(crate::language::words::vocabulary::Unit::Percent))
            .then_some(())
    });
    let share = if by { times(reader).or_else(|| reader.number()) } else { None };
    let change = match (change, reader.take(as_degree)) {
        (Change::Compare { comparison, .. }, _) if share.is_some() => {
            let share = share.unwrap_or(1.0);
            let factor = match (comparison == Comparison::Darker, percent.is_some()) {
                (true, true) => (1.0 - share).max(0.02),
                (true, false) if share > 1.0 => 1.0 / share,
                (true, false) => share,
                (false, true) => 1.0 + share,
                (false, false) => share.max(1.0 + share.min(1.0)),
            };
            Change::Brightness(factor)
        }
        (Change::Compare { comparison, factor, .. }, degree) => {
            Change::Compare { comparison, degree, factor }
        }
        (other, _) => other,
    };
    let whole = subject.as_ref().is_none_or(is_scene_noun);
    Some(if whole {
        vec![Intent::Expose(crate::language::acts::clause::exposure(&change))]
    } else {
        vec![Intent::Change { target: subject.unwrap_or_else(it), changes: vec![change] }]
    })
}

fn is_scene_noun(target: &Target) -> bool {
    target.0.iter().all(|phrase| {
        matches!(phrase.head, Some(Noun::Scene | Noun::Sky))
            || phrase.determiner == Determiner::Everything
    })
}
