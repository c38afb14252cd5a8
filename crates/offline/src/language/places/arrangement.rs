//! Commands that lay things out among each other: "line up the boxes", "arrange the balls in a
//! circle", "spread them out", "mirror the chair", "group the legs".

use glam::DVec3;

use crate::language::acts::clause::it;
use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Arrangement, Change, Intent, Place, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::pattern::pattern_of;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::times;
use crate::language::phrases::tail::{Tail, new_name};
use crate::language::places::place::{as_degree, place};
use crate::language::words::reader::{Reader, as_verb};
use crate::language::words::vocabulary::{
    Comparison, Degree, Glue, Noun, Pattern, Relation, Sense, Way,
};

/// "arrange the balls in a circle", "arrange six cones in a circle", "arrange them evenly".
pub(crate) fn arrange(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    match things_meant(reader, None)? {
        Meant::New(made) => Some(made),
        Meant::Known(target) => {
            if let Some(how) = sorted(reader) {
                return Some(vec![Intent::Arrange { target, how }]);
            }
            let how = arrangement(reader).or_else(|| {
                // "arrange them nicely": a row.
                reader.clause_ends().then_some(in_pattern(Pattern::Row))
            })?;
            Some(vec![Intent::Arrange { target, how }])
        }
    }
}

/// "by size (from left to right)", "from small to big", "from the biggest to the smallest".
fn sorted(reader: &mut Reader<'_>) -> Option<Arrangement> {
    let start = reader.at;
    let by_size =
        reader.glue(Glue::By) && reader.take(crate::language::phrases::size::as_measure).is_some();
    if !by_size {
        reader.at = start;
    }
    let grows = reader.glue(Glue::Growing);
    let shrinks = reader.glue(Glue::Tapering);
    let at = reader.at;
    let _ = reader.glue(Glue::From);
    let _ = reader.glue(Glue::The);
    let first = extreme(reader);
    let to = first.is_some() && reader.glue(Glue::To);
    let _ = reader.glue(Glue::The);
    let last = if to { extreme(reader) } else { None };
    if last.is_none() {
        reader.at = at;
    }
    // "from left to right": as a row runs anyway.
    let axis_told = axis(reader).is_some();
    if !by_size && !grows && !shrinks && last.is_none() {
        reader.at = start;
        return None;
    }
    let backwards = axis_told && reader.previous() == Some("left");
    let largest_first = shrinks || (last.is_some() && first == Some(true));
    Some(Arrangement::Sorted { largest_first: largest_first != backwards })
}

/// "with the biggest at the bottom", "the smallest on top": whether the largest lies below.
fn largest_below(reader: &mut Reader<'_>) -> Option<bool> {
    let mut found = None;
    loop {
        let start = reader.at;
        let _ = reader.take_joint();
        let _ = reader.glue(Glue::With);
        let _ = reader.glue(Glue::The);
        let large = extreme(reader);
        let _ = reader.take(|sense| (*sense == Sense::Noun(Noun::Thing)).then_some(()));
        let level = crate::language::acts::handing_out::at_level(reader);
        match large.zip(level) {
            Some((large, Way::Down)) => found = Some(large),
            Some((large, Way::Up)) => found = Some(!large),
            _ => {
                reader.at = start;
                return found;
            }
        }
    }
}

/// "biggest", "small": whether it is the larger end.
fn extreme(reader: &mut Reader<'_>) -> Option<bool> {
    use crate::language::words::vocabulary::{Rank, SizeWord};
    reader.take(|sense| match sense {
        Sense::Rank(Rank::Biggest | Rank::Tallest) => Some(true),
        Sense::Rank(Rank::Smallest | Rank::Shortest) => Some(false),
        Sense::Size(SizeWord::Big | SizeWord::Huge | SizeWord::Tall) => Some(true),
        Sense::Size(SizeWord::Small | SizeWord::Tiny) => Some(false),
        _ => None,
    })
}

/// "line up the boxes", "align the spheres with the box", "line up five cones".
pub(crate) fn align(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    match things_meant(reader, Some(Pattern::Row))? {
        Meant::New(made) => Some(made),
        Meant::Known(target) => {
            if let Some(how) = arrangement(reader) {
                return Some(vec![Intent::Arrange { target, how }]);
            }
            let (axis, with) = (axis(reader), aligned_with(reader));
            let axis = axis.or_else(|| self::axis(reader));
            Some(vec![Intent::Arrange { target, how: Arrangement::Align { axis, with } }])
        }
    }
}

/// "stack the boxes", "stack five boxes", "stack the box on the sphere".
pub(crate) fn stack(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    match things_meant(reader, Some(Pattern::Stack))? {
        Meant::New(made) => Some(made),
        Meant::Known(target) => {
            if let Some(place) = place(reader) {
                return Some(vec![Intent::Change { target, changes: vec![Change::Place(place)] }]);
            }
            // By size a stack stands anyway.
            let _ = sorted(reader);
            let told = largest_below(reader);
            let how = arrangement(reader).unwrap_or(in_pattern(Pattern::Stack));
            let _ = sorted(reader);
            let told = told.or_else(|| largest_below(reader));
            let how = told.map_or(how, |largest_below| Arrangement::Piled { largest_below });
            Some(vec![Intent::Arrange { target, how }])
        }
    }
}

/// "scatter 20 cubes over the floor", "scatter the boxes".
pub(crate) fn scatter(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    match things_meant(reader, Some(Pattern::Scatter))? {
        Meant::New(made) => Some(made),
        Meant::Known(target) => {
            // "over the floor", "around": where things stand anyway.
            let around = match place(reader) {
                Some(Place::Relative { relation: Relation::Around, target, .. }) => Some(target),
                _ => None,
            };
            let _ = reader.take(|s| matches!(s, Sense::Relation(Relation::Around)).then_some(()));
            let _ = reader.glue(Glue::Random);
            let how =
                Arrangement::Pattern { pattern: Pattern::Scatter, grid: None, gap: None, around };
            Some(vec![Intent::Arrange { target, how }])
        }
    }
}

/// "spread the boxes out", "space them 2 m apart", "spread 20 balls over the floor".
pub(crate) fn spread(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    match things_meant(reader, Some(Pattern::Scatter))? {
        Meant::New(made) => Some(made),
        Meant::Known(target) => {
            let _ = reader.glue(Glue::Out);
            let _ = reader.glue(Glue::More);
            if let Some(how) = arrangement(reader) {
                return Some(vec![Intent::Arrange { target, how }]);
            }
            let how = Arrangement::Spread(step(reader, 1.5));
            let _ = reader.glue(Glue::Apart);
            let _ = reader.glue(Glue::Random);
            Some(vec![Intent::Arrange { target, how }])
        }
    }
}

/// "bring the balls together".
pub(crate) fn gather(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let target = target(reader, Tail::BARE).unwrap_or_else(them);
    if let Some(place) = place(reader) {
        return Some(vec![Intent::Change { target, changes: vec![Change::Place(place)] }]);
    }
    let how = Arrangement::Spread(1.0 / step(reader, 1.6));
    let _ = reader.glue(Glue::Together);
    Some(vec![Intent::Arrange { target, how }])
}

/// "distribute the boxes evenly from left to right", "distribute them along x".
pub(crate) fn distribute(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    match things_meant(reader, Some(Pattern::Scatter))? {
        Meant::New(made) => Some(made),
        Meant::Known(target) => {
            let _ = reader.glue(Glue::Evenly);
            let how = match arrangement(reader) {
                Some(how) => how,
                None => {
                    let axis = axis(reader);
                    let _ = reader.glue(Glue::Evenly);
                    Arrangement::Distribute { axis, gap: None }
                }
            };
            Some(vec![Intent::Arrange { target, how }])
        }
    }
}

/// "mirror the chair along x", "mirror it to the other side".
pub(crate) fn mirror(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let target = target(reader, Tail::BARE).unwrap_or_else(it);
    // "left to right", "left becomes right": sideways, as it is anyway.
    let start = reader.at;
    let _ = reader.take_joint();
    let way = reader.take(crate::language::places::place::as_way);
    let swapped = way.is_some() && {
        let _ = reader.any_glue(&[Glue::To, Glue::Is, Glue::And]);
        reader.take(crate::language::places::place::as_way).is_some()
    };
    if !swapped {
        reader.at = start;
    }
    let axis = axis(reader);
    let _ = reader.any_glue(&[Glue::OtherSide, Glue::Onto]);
    Some(vec![Intent::Mirror { target, axis }])
}

/// "group the legs", "group the cone and the ball as hat", "group them into a group called hat".
pub(crate) fn group(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let target = target(reader, Tail::BARE).unwrap_or_else(them);
    let _ = reader.glue(Glue::Together);
    if reader.any_glue(&[Glue::Into, Glue::As, Glue::In, Glue::To]).is_some() {
        let _ = reader.glue(Glue::A);
        let _ = reader.take(|sense| matches!(sense, Sense::Verb(_)).then_some(()));
        let _ = reader.take(|sense| matches!(sense, Sense::Noun(Noun::Thing)).then_some(()));
    }
    let start = reader.at;
    let _ = reader.glue(Glue::And) && reader.take(as_verb).is_some() && reader.glue(Glue::It);
    if reader.at == start {
        let _ = reader.glue(Glue::Called);
    }
    let name = if reader.clause_ends() { None } else { new_name(reader) };
    Some(vec![Intent::Group { target, name }])
}

/// "ungroup the car".
pub(crate) fn ungroup(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    Some(vec![Intent::Ungroup(target(reader, Tail::BARE).unwrap_or_else(it))])
}

enum Meant {
    New(Vec<Intent>),
    Known(Target),
}

/// What a verb of arranging is about: new things, laid out in `pattern` when nothing else was
/// said, or things that are there.
fn things_meant(reader: &mut Reader<'_>, pattern: Option<Pattern>) -> Option<Meant> {
    let start = reader.at;
    let known = match target(reader, Tail::BARE) {
        None => them(),
        Some(target) if target.0.iter().all(Phrase::is_new) && counts(&target) => {
            reader.at = start;
            let mut made = creations(reader)?;
            let single = |intent: &Intent| match intent {
                Intent::Create(phrases) => phrases.iter().all(|phrase| {
                    !phrase.plural && phrase.pattern.is_none() && phrase.places.is_empty()
                }),
                _ => false,
            };
            if made.iter().all(single) {
                // "order me a pizza".
                return None;
            }
            for intent in &mut made {
                if let Intent::Create(phrases) = intent
                    && let [only] = phrases.as_mut_slice()
                {
                    // "stack another on it": the place says it all.
                    if only.places.is_empty() || pattern != Some(Pattern::Stack) {
                        only.pattern = only.pattern.or(pattern);
                        only.plural = true;
                    }
                }
            }
            return Some(Meant::New(made));
        }
        Some(target) => target,
    };
    Some(Meant::Known(known))
}

/// "five boxes" are new, "boxes" alone are those that are there.
fn counts(target: &Target) -> bool {
    target.0.iter().any(|phrase| {
        phrase.count.is_some()
            || phrase.pattern.is_some()
            || matches!(phrase.determiner, Determiner::A | Determiner::Another)
    })
}

fn them() -> Target {
    Target::of(Phrase::new(Determiner::Them))
}

pub(crate) fn in_pattern(pattern: Pattern) -> Arrangement {
    Arrangement::Pattern { pattern, grid: None, gap: None, around: None }
}

/// "in a circle (around the box)", "in two rows", "2 m apart", "evenly", "at random", "on top of
/// each other", "closer together".
pub(crate) fn arrangement(reader: &mut Reader<'_>) -> Option<Arrangement> {
    let start = reader.at;
    reader.skip_fillers();
    if reader.glue(Glue::Random) {
        return Some(in_pattern(Pattern::Scatter));
    }
    if reader.glue(Glue::Stacked) {
        return Some(in_pattern(Pattern::Stack));
    }
    if reader.glue(Glue::InARow) {
        return Some(in_pattern(Pattern::Row));
    }
    let _ = reader.glue(Glue::With);
    if let Some(gap) = reader.length()
        && apart(reader)
    {
        return Some(Arrangement::Distribute { axis: None, gap: Some(gap) });
    }
    reader.at = start;
    // "(together) so that they touch".
    let _ = reader.glue(Glue::Together);
    if reader.glue(Glue::Touching) {
        return Some(Arrangement::Distribute { axis: None, gap: Some(0.0) });
    }
    reader.at = start;
    if reader.glue(Glue::Evenly) {
        return Some(Arrangement::Distribute { axis: axis(reader), gap: None });
    }
    if let Some(how) = nearer_or_farther(reader) {
        return Some(how);
    }
    reader.at = start;
    // "around the box (in a circle)".
    let mut round = around(reader);
    if round.is_some() && reader.clause_ends() {
        let pattern = Pattern::Circle;
        return Some(Arrangement::Pattern { pattern, grid: None, gap: None, around: round });
    }
    let _ = reader.any_glue(&[Glue::In, Glue::Into, Glue::As, Glue::To]);
    let mut shape = Phrase::new(Determiner::Bare);
    let _ = reader.glue(Glue::A);
    let rows = reader.number();
    if pattern_of(reader, &mut shape).is_some()
        && let Some(pattern) = shape.pattern
    {
        round = round.or_else(|| around(reader));
        let around = round;
        let _ = reader.glue(Glue::Evenly);
        let gap = reader.length().filter(|_| reader.glue(Glue::Apart));
        // "in two rows": a grid of that many rows; how many columns is found when they are counted.
        let rows = rows.filter(|rows| pattern == Pattern::Row && *rows > 1.0);
        let grid = shape.grid.or(rows.map(|rows| (0, rows.min(100.0) as usize)));
        let pattern = if rows.is_some() { Pattern::Grid } else { pattern };
        return Some(Arrangement::Pattern { pattern, grid, gap, around });
    }
    reader.at = start;
    None
}

/// "apart", "between them", "between each" behind a distance.
fn apart(reader: &mut Reader<'_>) -> bool {
    let between = |sense: &Sense| matches!(sense, Sense::Relation(Relation::Between)).then_some(());
    if reader.glue(Glue::Apart) {
        return true;
    }
    let _ = reader.glue(Glue::Of);
    let space = ["space", "air", "gap", "distance", "room"];
    let told = reader.peek().is_some_and(|token| space.contains(&token.text.as_str()));
    reader.at += usize::from(told);
    reader.take(between).is_some() && reader.any_glue(&[Glue::Them, Glue::All, Glue::It]).is_some()
}

/// "around the box" after a pattern.
fn around(reader: &mut Reader<'_>) -> Option<Target> {
    let start = reader.at;
    match place(reader) {
        Some(Place::Relative { relation: Relation::Around, target, .. }) => Some(target),
        _ => {
            reader.at = start;
            None
        }
    }
}

/// "closer together", "further apart", "apart".
fn nearer_or_farther(reader: &mut Reader<'_>) -> Option<Arrangement> {
    let degree = reader.take(as_degree);
    let strength = |base: f64| match degree {
        Some(Degree::Slight) => 1.0 + (base - 1.0) * 0.4,
        Some(Degree::Strong) => base * 1.5,
        None => base,
    };
    let comparison = reader.take(crate::language::acts::changes::as_comparison);
    if reader.glue(Glue::Together) && comparison != Some(Comparison::Farther) {
        return Some(Arrangement::Spread(1.0 / strength(1.6)));
    }
    let apart = comparison
        .is_none_or(|comparison| matches!(comparison, Comparison::Farther | Comparison::Wider));
    (apart && reader.glue(Glue::Apart)).then(|| Arrangement::Spread(strength(1.6)))
}

fn step(reader: &mut Reader<'_>, usual: f64) -> f64 {
    let degree = reader.take(as_degree);
    let _ = reader.glue(Glue::By);
    let told = times(reader).filter(|factor| *factor > 0.0);
    told.unwrap_or(match degree {
        Some(Degree::Slight) => 1.0 + (usual - 1.0) * 0.4,
        Some(Degree::Strong) => usual * 1.5,
        None => usual,
    })
}

/// "with the box", "to the box".
fn aligned_with(reader: &mut Reader<'_>) -> Option<Target> {
    let start = reader.at;
    if reader.any_glue(&[Glue::With, Glue::To]).is_some()
        && let Some(with) = target(reader, Tail::BARE)
    {
        return Some(with);
    }
    reader.at = start;
    None
}

/// "along x", "along the z axis", "from left to right", "horizontally".
pub(crate) fn axis(reader: &mut Reader<'_>) -> Option<DVec3> {
    let start = reader.at;
    if reader.glue(Glue::Vertically) {
        return Some(DVec3::Y);
    }
    if reader.glue(Glue::Horizontally) {
        return Some(DVec3::X);
    }
    let from = reader.take(crate::language::places::place::as_from).or_else(|| {
        if reader.glue(Glue::From) {
            reader.take(crate::language::places::place::as_way)
        } else {
            None
        }
    });
    if let Some(from) = from {
        let _ = reader.glue(Glue::To);
        if reader.take(crate::language::places::place::as_way).is_some() {
            return Some(axis_of(from));
        }
    }
    reader.at = start;
    let _ = reader.any_glue(&[Glue::Along, Glue::In]);
    let _ = reader.glue(Glue::The);
    let axis = reader.any_glue(&[Glue::AxisX, Glue::AxisY, Glue::AxisZ]);
    match axis {
        Some(Glue::AxisX) => Some(DVec3::X),
        Some(Glue::AxisY) => Some(DVec3::Y),
        Some(_) => Some(DVec3::Z),
        None => {
            reader.at = start;
            None
        }
    }
}

fn axis_of(way: Way) -> DVec3 {
    match way {
        Way::Left | Way::Right => DVec3::X,
        Way::Up | Way::Down => DVec3::Y,
        Way::Front | Way::Back => DVec3::Z,
    }
}
