//! Commands that move, turn and resize.

use glam::DVec3;

use crate::language::acts::changes::{changes, is_less};
use crate::language::acts::clause::it;
use crate::language::acts::commands::directed;
use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Angle, CameraMove, Change, Intent, Shift, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::{Size, as_measure, times};
use crate::language::phrases::tail::Tail;
use crate::language::places::arrangement::arrangement;
use crate::language::places::camera::view;
use crate::language::places::place::{as_degree, place, shift};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    Comparison, Degree, Glue, Measure, Noun, Sense, Unit, Way,
};

/// "move it up 2", "put it on the box", "put a box on it", "move the camera closer".
pub(crate) fn relocate(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "move up 2": what was changed last.
    let subject = match shift(reader) {
        Some(_) => {
            reader.at = start;
            None
        }
        None => target(reader, Tail::BARE),
    };
    let known = subject.as_ref().is_none_or(|target| {
        target.0.iter().all(|phrase| {
            !phrase.is_new()
                || (phrase.determiner == Determiner::Bare
                    && !phrase.plural
                    && phrase.count.is_none())
        })
    });
    if !known {
        reader.at = start;
        return creations(reader).map(all_put);
    }
    let subject = subject.unwrap_or_else(it);
    let camera = subject.0.first().is_some_and(|phrase| phrase.head == Some(Noun::Camera));
    let before = reader.at;
    if camera && let Some(low) = crate::language::places::camera::low_or_high(reader) {
        return Some(vec![Intent::Camera(low)]);
    }
    reader.at = before;
    if camera && let Some(view) = view(reader).filter(|_| reader.clause_ends()) {
        return Some(vec![Intent::Camera(view)]);
    }
    reader.at = before;
    if let Some(how) = arrangement(reader).filter(|_| reader.clause_ends()) {
        return Some(vec![Intent::Arrange { target: subject, how }]);
    }
    reader.at = before;
    if reader.sees_glue(Glue::OnSide) {
        let turn = angle(reader)?;
        return Some(directed(subject, vec![Change::Rotate(turn)]));
    }
    let found = changes(reader);
    // "to the edge of the table" is a place, not a size.
    let sized = |change: &Change| matches!(change, Change::Size(size) if size.like.is_some());
    (!found.is_empty() && !found.iter().any(sized)).then(|| directed(subject, found))
}

/// "put a bowl and a cup on it": both, since what is put is put somewhere.
fn all_put(mut made: Vec<Intent>) -> Vec<Intent> {
    if let [Intent::Create(phrases)] = made.as_mut_slice()
        && let Some((last, others)) = phrases.split_last_mut()
        && !last.places.is_empty()
        && others.iter().all(|other| other.places.is_empty() && other.companions.is_empty())
    {
        for other in others {
            other.places.clone_from(&last.places);
        }
    }
    made
}

pub(crate) fn vertical(reader: &mut Reader<'_>, way: Way) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE).unwrap_or_else(it);
    // "lower it onto the floor".
    if let Some(place) = place(reader) {
        return Some(directed(subject, vec![Change::Place(place)]));
    }
    // "lift it up a bit".
    let _ = reader
        .take(|sense| crate::language::places::place::as_way(sense).filter(|told| *told == way));
    let _ = reader.glue(Glue::By);
    let degree = reader.take(as_degree);
    let metres = reader.length();
    let degree = degree.or_else(|| reader.take(as_degree));
    Some(directed(subject, vec![Change::Shift(Shift { way, metres, degree })]))
}

/// Verbs that take a thing out of the upright.
const TILTING: [&str; 4] = ["tilt", "lean", "tip", "incline"];

pub(crate) fn rotate(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let tilts = reader.previous().is_some_and(|verb| TILTING.contains(&verb));
    let subject = target(reader, Tail::BARE).unwrap_or_else(it);
    if subject.0.iter().any(|phrase| phrase.head == Some(Noun::Camera)) {
        return camera_turned(reader);
    }
    if towards_viewer(reader) {
        return Some(directed(subject, vec![facing_viewer()]));
    }
    let upright = Angle { axis: DVec3::Y, degrees: 45.0 };
    let angle = roughly(reader, tilts).or_else(|| angle(reader)).unwrap_or(upright);
    // What is tilted leans to the side.
    let angle = match (tilts, angle.axis == DVec3::Y) {
        (true, true) => Angle { axis: DVec3::Z, ..angle },
        _ => angle,
    };
    Some(vec![Intent::Change { target: subject, changes: vec![Change::Rotate(angle)] }])
}

/// "turn it a bit to the right": what is turned and no more than a side and how much of it.
pub(crate) fn turned(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut subject = target(reader, Tail::BARE)?;
    // "turn chairs to me": those that are there.
    for phrase in subject.0.iter_mut().filter(|phrase| phrase.plural && phrase.count.is_none()) {
        if phrase.determiner == Determiner::Bare {
            phrase.determiner = Determiner::All;
        }
    }
    let things = |phrase: &Phrase| {
        !phrase.is_new()
            && !matches!(
                phrase.head,
                Some(Noun::Camera | Noun::Lens | Noun::Scene | Noun::Light(_))
            )
    };
    if !subject.0.iter().all(things) {
        return None;
    }
    if towards_viewer(reader) {
        return Some(directed(subject, vec![facing_viewer()]));
    }
    let angle = roughly(reader, false)?;
    Some(vec![Intent::Change { target: subject, changes: vec![Change::Rotate(angle)] }])
}

/// "towards the camera", "to us", where nothing follows.
fn towards_viewer(reader: &mut Reader<'_>) -> bool {
    let start = reader.at;
    let front = reader.take(|sense| matches!(sense, Sense::Way(Way::Front)).then_some(()));
    let towards = front.is_some()
        && reader.previous().is_some_and(|word| word.starts_with("to"))
        && reader.clause_ends();
    reader.at = if towards { reader.at } else { start };
    towards
}

fn facing_viewer() -> Change {
    let mut viewer = Phrase::new(Determiner::The);
    viewer.head = Some(Noun::Camera);
    Change::Face(Target::of(viewer))
}

/// "a bit", "slightly to the left", "forward a little": without a number; what is tilted leans that way.
fn roughly(reader: &mut Reader<'_>, tilts: bool) -> Option<Angle> {
    let start = reader.at;
    let (mut degree, mut way, mut clockwise) = (None, None, false);
    while !reader.clause_ends() {
        reader.skip_fillers();
        let round = reader.any_glue(&[Glue::Clockwise, Glue::CounterClockwise]);
        clockwise |= round == Some(Glue::Clockwise);
        let said = reader.take(as_degree);
        let side = reader.take(crate::language::places::place::as_way);
        if round.is_none() && said.is_none() && side.is_none() && !reader.clause_ends() {
            reader.at = start;
            return None;
        }
        (degree, way) = (degree.or(said), way.or(side));
    }
    let flat = matches!(way, None | Some(Way::Left | Way::Right));
    if reader.at == start || !(flat || tilts) || matches!(way, Some(Way::Up | Way::Down)) {
        reader.at = start;
        return None;
    }
    let degrees = match degree {
        Some(Degree::Slight) => 15.0,
        Some(Degree::Strong) => 90.0,
        None => 45.0,
    };
    let back = matches!(way, Some(Way::Right | Way::Back)) || clockwise;
    let axis = match way {
        Some(Way::Front | Way::Back) => DVec3::X,
        _ => DVec3::Y,
    };
    Some(Angle { axis, degrees: if back { -degrees } else { degrees } })
}

/// "tilt the camera down", "turn the camera 30 degrees to the left", "rotate the view around the box".
fn camera_turned(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    let _ = reader.take(as_degree);
    let vertical = |way: &Way| matches!(way, Way::Up | Way::Down);
    if let Some(way) = reader.take(crate::language::places::place::as_way).filter(vertical) {
        let _ = reader.take(as_degree);
        let _ = reader.glue(Glue::By);
        let degrees = reader.number().unwrap_or(15.0);
        let _ = reader.take(|sense| matches!(sense, Sense::Unit(Unit::Degree)).then_some(()));
        return Some(vec![Intent::Camera(CameraMove::Tilt(way, degrees))]);
    }
    reader.at = start;
    crate::language::places::camera::orbit(reader)
}

/// "flip it": upside down, unless another turn is told.
pub(crate) fn flip(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let subject = target(reader, Tail::BARE).unwrap_or_else(it);
    let over = Angle { axis: DVec3::X, degrees: 180.0 };
    let angle = angle(reader).unwrap_or(over);
    Some(vec![Intent::Change { target: subject, changes: vec![Change::Rotate(angle)] }])
}

/// "45 degrees", "by 30 degrees around the x axis", "90° to the left", "upside down".
pub(crate) fn angle(reader: &mut Reader<'_>) -> Option<Angle> {
    let start = reader.at;
    if reader.glue(Glue::UpsideDown) {
        return Some(Angle { axis: DVec3::X, degrees: 180.0 });
    }
    if reader.glue(Glue::OnSide) {
        return Some(Angle { axis: DVec3::Z, degrees: 90.0 });
    }
    if let Some(degrees) = share_of_a_turn(reader) {
        return Some(Angle { axis: DVec3::Y, degrees: degrees * side_turned(reader) });
    }
    let before = reader.at;
    let round = reader.glue(Glue::TurnedRound) || reader.take(around).is_some();
    if round && reader.clause_ends() {
        return Some(Angle { axis: DVec3::Y, degrees: 180.0 });
    }
    // "around by 180 degrees".
    if !(round && reader.sees_glue(Glue::By)) {
        reader.at = before;
    }
    let _ = reader.any_glue(&[Glue::By, Glue::To]);
    let number = reader.number();
    if number.is_some() {
        let _ = reader.take(|s| matches!(s, Sense::Unit(Unit::Degree)).then_some(()));
    }
    let (mut axis, mut sign) = (None, 1.0);
    loop {
        // "about x".
        reader.skip_fillers();
        let around = reader.take(|sense| {
            matches!(sense, Sense::Relation(crate::language::words::vocabulary::Relation::Around))
                .then_some(())
        });
        let _ = around.is_some() || reader.any_glue(&[Glue::To, Glue::In]).is_some();
        let _ = reader.glue(Glue::The);
        let found = reader.any_glue(&[
            Glue::AxisX,
            Glue::AxisY,
            Glue::AxisZ,
            Glue::Clockwise,
            Glue::CounterClockwise,
        ]);
        match (found, reader.take(crate::language::places::place::as_way)) {
            (Some(Glue::AxisX), _) => axis = Some(DVec3::X),
            (Some(Glue::AxisZ), _) => axis = Some(DVec3::Z),
            (Some(Glue::AxisY), _) => axis = Some(DVec3::Y),
            (Some(Glue::Clockwise), _) | (None, Some(Way::Right)) => sign = -1.0,
            (Some(_), _) | (None, Some(Way::Left)) => sign = 1.0,
            _ => break,
        }
    }
    if number.is_none() && axis.is_none() {
        reader.at = start;
        return None;
    }
    let degrees = number.unwrap_or(45.0) * sign;
    Some(Angle { axis: axis.unwrap_or(DVec3::Y), degrees })
}

/// "a quarter turn", "by half a turn", "three quarters of a turn": in degrees.
fn share_of_a_turn(reader: &mut Reader<'_>) -> Option<f64> {
    let start = reader.at;
    let _ = reader.glue(Glue::By);
    let _ = reader.glue(Glue::A);
    let full = reader.peek().is_some_and(|token| token.text == "full");
    reader.at += usize::from(full);
    let share = if full { Some(1.0) } else { times(reader) };
    let _ = reader.glue(Glue::Of);
    let _ = reader.glue(Glue::A);
    let turns = |token: &crate::language::words::lexicon::Token| {
        ["turn", "turns", "rotation", "revolution", "circle"].contains(&token.text.as_str())
    };
    let turn = reader.peek().is_some_and(turns);
    if share.is_none() || !turn {
        reader.at = start;
        return None;
    }
    reader.skip();
    share.map(|share| share * 360.0)
}

/// "to the right", "clockwise" after how far: -1; 1 for the other way round.
fn side_turned(reader: &mut Reader<'_>) -> f64 {
    let start = reader.at;
    let _ = reader.glue(Glue::To);
    let _ = reader.glue(Glue::The);
    match (
        reader.any_glue(&[Glue::Clockwise, Glue::CounterClockwise]),
        reader.take(crate::language::places::place::as_way),
    ) {
        (Some(Glue::Clockwise), _) | (None, Some(Way::Right)) => -1.0,
        (Some(_), _) | (None, Some(Way::Left)) => 1.0,
        _ => {
            reader.at = start;
            1.0
        }
    }
}

fn around(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Relation(crate::language::words::vocabulary::Relation::Around))
        .then_some(())
}

pub(crate) fn scale(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let stretched = reader.previous() == Some("stretch");
    let subject = target(reader, Tail::BARE).unwrap_or_else(it);
    let start = reader.at;
    let _ = reader.glue(Glue::By);
    if let Some(factor) = times(reader).or_else(|| reader.number())
        && reader.clause_ends()
    {
        let comparison = Comparison::Bigger;
        let change = Change::Compare { comparison, degree: None, factor: Some(factor) };
        return Some(directed(subject, vec![change]));
    }
    reader.at = start;
    if let Some(way) = reader.take(crate::language::places::place::as_way) {
        let at = reader.at;
        let found = if reader.glue(Glue::To) { changes(reader) } else { Vec::new() };
        let sized = |change: &Change| matches!(change, Change::Size(_));
        if !found.is_empty() && found.iter().all(sized) && reader.clause_ends() {
            return Some(directed(subject, found));
        }
        reader.at = at;
        let comparison = if way == Way::Down { Comparison::Smaller } else { Comparison::Bigger };
        return Some(directed(subject, vec![resized(reader, comparison, None)]));
    }
    let _ = reader.glue(Glue::To);
    let at = reader.at;
    if let Some(metres) = reader.length().filter(|_| reader.clause_ends()) {
        // What is stretched gets as high as said.
        let size = match stretched {
            true => Size { height: Some(metres), ..Size::default() },
            false => Size { extent: Some(metres), ..Size::default() },
        };
        return Some(directed(subject, vec![Change::Size(Box::new(size))]));
    }
    reader.at = at;
    let found = changes(reader);
    (!found.is_empty()).then(|| directed(subject, found))
}

pub(crate) fn resize(
    reader: &mut Reader<'_>,
    comparison: Comparison,
    factor: Option<f64>,
) -> Option<Vec<Intent>> {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::The, Glue::Its]);
    let mut measure = reader.take(as_measure);
    if measure.is_some() {
        let _ = reader.glue(Glue::Of);
    } else {
        reader.at = start;
    }
    let subject = target(reader, Tail::NO_WITH).unwrap_or_else(it);
    if reader.glue(Glue::Possessive) || reader.glue(Glue::In) {
        measure = reader.take(as_measure);
    }
    let comparison = match (measure, comparison) {
        (Some(Measure::Height), Comparison::Bigger) => Comparison::Taller,
        (Some(Measure::Width), Comparison::Bigger) => Comparison::Wider,
        (Some(Measure::Brightness), Comparison::Bigger) => Comparison::Brighter,
        (Some(Measure::Height), _) => Comparison::Shorter,
        (Some(Measure::Width), _) => Comparison::Narrower,
        (_, comparison) => comparison,
    };
    let change = resized(reader, comparison, factor);
    Some(directed(subject, vec![change]))
}

fn resized(reader: &mut Reader<'_>, comparison: Comparison, factor: Option<f64>) -> Change {
    let by = reader.glue(Glue::By) || reader.glue(Glue::To);
    let percent =
        reader.look(1, |sense| matches!(sense, Sense::Unit(Unit::Percent)).then_some(())).is_some();
    let given = if by || percent { times(reader).or_else(|| reader.number()) } else { None };
    let given = given.map(|given| match (percent, is_less(comparison)) {
        (true, false) => 1.0 + given,
        (true, true) => (1.0 - given).max(0.05),
        (false, true) if given > 1.0 => 1.0 / given,
        (false, _) => given,
    });
    let degree = reader.take(as_degree);
    Change::Compare { comparison, degree, factor: given.or(factor) }
}
