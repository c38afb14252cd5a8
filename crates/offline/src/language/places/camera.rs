//! What the camera is to do: "from above", "a close-up of the cone", "zoom in a bit", "focus on the
//! ball with a blurred background", "field of view 30", "orbit 45 degrees to the left".

use glam::DVec3;

use crate::language::acts::creations::creations;
use crate::language::acts::intent::{Blur, CameraMove, Change, Intent, Place, Shift, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::times;
use crate::language::phrases::tail::Tail;
use crate::language::places::motion::angle;
use crate::language::places::place::{as_degree, as_way};
use crate::language::places::vantage::{
    direction, from, from_angle, from_place, past_or_down, shifted, view_of,
};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    BlurWord, Comparison, Degree, From, Glue, Lens, Measure, Noun, Relation, Sense, Shot, Unit, Way,
};

/// "from above", "wide angle", "closer", "low angle shot", "blurred background".
pub(crate) fn bare_view(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    // "with a telephoto lens".
    let _ = reader.glue(Glue::With) && reader.glue(Glue::A);
    // "camera from above", "view: top".
    let start = reader.at;
    let _ = reader.glue(Glue::The);
    if reader.take(as_camera).is_none() {
        reader.at = start;
    }
    let _ = reader.any_glue(&[Glue::Is, Glue::To]);
    let first = match view_of(reader) {
        Some(first) => first,
        None => view(reader)?,
    };
    // "shallow depth of field on the cone".
    if let CameraMove::Blur(_) = first
        && let Some(sharp) = of_what(reader)
    {
        return Some(vec![Intent::Camera(CameraMove::LookAt(sharp)), Intent::Camera(first)]);
    }
    Some(several(first, reader))
}

/// More views after the first: "from above and closer".
fn several(first: CameraMove, reader: &mut Reader<'_>) -> Vec<Intent> {
    let mut intents = vec![Intent::Camera(first)];
    loop {
        let start = reader.at;
        let _ = reader.take_joint() || reader.glue(Glue::With);
        match (view(reader), intents.last_mut()) {
            // "a close-up of the cone from the left".
            (
                Some(CameraMove::From(way, None)),
                Some(Intent::Camera(last @ (CameraMove::Close(_) | CameraMove::LookAt(_)))),
            ) => {
                if let CameraMove::Close(seen) | CameraMove::LookAt(seen) = last.clone() {
                    *last = CameraMove::From(way, Some(seen));
                }
            }
            (Some(next), _) => intents.push(Intent::Camera(next)),
            (None, _) => {
                reader.at = start;
                return intents;
            }
        }
    }
}

/// A direction, a lens, a distance or a sharpness for the camera.
pub(crate) fn view(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let start = reader.at;
    let attempts: [fn(&mut Reader<'_>) -> Option<CameraMove>; 9] =
        [field_of_view, blurred, shot, from, from_angle, from_place, shifted, lens, nearer];
    for attempt in attempts {
        reader.at = start;
        reader.skip_fillers();
        let _ = reader.any_glue(&[Glue::A, Glue::The, Glue::In]);
        let _ = reader.any_glue(&[Glue::A, Glue::The]);
        if let Some(found) = attempt(reader) {
            return Some(found);
        }
    }
    reader.at = start;
    None
}

/// "of the cone", "on the cone".
pub(in crate::language) fn of_what(reader: &mut Reader<'_>) -> Option<Target> {
    let start = reader.at;
    let on = |sense: &Sense| matches!(sense, Sense::Relation(Relation::On)).then_some(());
    let joined = reader.any_glue(&[Glue::Of, Glue::At, Glue::To, Glue::Into]).is_some()
        || reader.take(on).is_some();
    let found = if joined { target(reader, Tail::BARE) } else { None };
    if found.is_none() {
        reader.at = start;
    }
    found.filter(|target| !is_whole(target))
}

fn shot(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let shot = reader.take(|sense| match sense {
        Sense::Shot(shot) => Some(*shot),
        _ => None,
    })?;
    let _ = reader.take(as_camera);
    let seen = of_what(reader);
    Some(match shot {
        Shot::Close => CameraMove::Close(seen.unwrap_or_else(crate::language::acts::clause::it)),
        Shot::Wide => CameraMove::Frame,
        Shot::Low => CameraMove::From(DVec3::new(0.25, -0.12, 1.0), seen),
        Shot::High => CameraMove::From(DVec3::new(0.35, 1.1, 1.0), seen),
        Shot::EyeLevel => CameraMove::From(DVec3::new(0.15, 0.06, 1.0), seen),
        Shot::Usual => CameraMove::From(DVec3::new(0.35, 0.4, 1.0), seen),
    })
}

fn lens(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let lens = reader.take(|sense| match sense {
        Sense::Lens(lens) => Some(*lens),
        _ => None,
    })?;
    // "wide" alone is a size; "wide angle", "a wide view" are lenses.
    let _ = reader.take(as_camera);
    Some(CameraMove::FieldOfView(match lens {
        Lens::Wide => 75.0,
        Lens::Tele => 20.0,
        Lens::Normal => 45.0,
    }))
}

/// "field of view 30", "fov of 30 degrees", "50 mm lens".
fn field_of_view(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let named = |sense: &Sense| matches!(sense, Sense::Measure(Measure::FieldOfView)).then_some(());
    let degree = |sense: &Sense| matches!(sense, Sense::Unit(Unit::Degree)).then_some(());
    if reader.take(named).is_some() {
        let _ = reader.any_glue(&[Glue::Of, Glue::To, Glue::Is]);
        let degrees = reader.number()?;
        let _ = reader.take(degree);
        return Some(CameraMove::FieldOfView(degrees));
    }
    let number = reader.number()?;
    let millimetre = |sense: &Sense| matches!(sense, Sense::Unit(Unit::Millimetre)).then_some(());
    if reader.take(millimetre).is_some() {
        let lens = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Lens)).then_some(());
        // A full-frame picture is 24 mm high.
        let degrees = 2.0 * (12.0 / number.max(1.0)).atan().to_degrees();
        return reader
            .take(lens)
            .map(|()| CameraMove::FieldOfView((degrees * 10.0).round() / 10.0));
    }
    let _ = reader.take(degree);
    reader.take(named).map(|()| CameraMove::FieldOfView(number))
}

/// "blurred background", "shallow depth of field", "everything sharp".
fn blurred(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let degree = reader.take(as_degree);
    let blur = reader.take(|sense| match sense {
        Sense::Blur(blur) => Some(*blur),
        _ => None,
    })?;
    let _ = reader.glue(Glue::Of) && target(reader, Tail::BARE).is_some();
    let _ = blur == BlurWord::Sharp && reader.glue(Glue::Again);
    Some(match blur {
        BlurWord::Blurred => CameraMove::Blur(Blur::of(degree)),
        BlurWord::Sharp => CameraMove::Sharp,
    })
}

fn nearer(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let mut degree = reader.take(as_degree);
    let ratio = times(reader);
    let comparison = reader.take(crate::language::acts::changes::as_comparison)?;
    degree = degree.or_else(|| reader.take(as_degree));
    let step = ratio.filter(|ratio| *ratio > 0.0).unwrap_or(step(degree, 1.5));
    match comparison {
        Comparison::Closer => {
            let to = of_what(reader);
            Some(to.map_or(CameraMove::Distance(1.0 / step), CameraMove::Close))
        }
        Comparison::Farther => Some(CameraMove::Distance(step)),
        _ => None,
    }
}

pub(in crate::language) fn step(degree: Option<Degree>, usual: f64) -> f64 {
    match degree {
        Some(Degree::Slight) => 1.0 + (usual - 1.0) * 0.4,
        Some(Degree::Strong) => usual * 1.4,
        None => usual,
    }
}

/// "look at the cone from above", "focus on the cone with a blurred background", "show everything".
pub(crate) fn watch(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "view from above", "show a close-up of the cone".
    let first = view(reader).filter(|_| reader.clause_ends());
    if let Some(first) = first {
        return Some(several(first, reader));
    }
    reader.at = start;
    if let Some(looked) = past_or_down(reader).filter(|_| reader.clause_ends()) {
        return Some(looked);
    }
    reader.at = start;
    let subject = target(reader, Tail::BARE);
    if subject.as_ref().is_some_and(|target| target.0.iter().all(Phrase::is_new)) {
        reader.at = start;
        return creations(reader);
    }
    let whole = subject.as_ref().is_none_or(is_whole);
    let subject = subject.filter(|target| !is_whole(target));
    let _ = reader.any_glue(&[Glue::With, Glue::In]);
    let way = way_looked(reader);
    let movement = match (way, view(reader), subject) {
        (Some(way), _, None) => CameraMove::Tilt(way, 20.0),
        (_, Some(CameraMove::From(direction, _)), subject) => CameraMove::From(direction, subject),
        (_, Some(CameraMove::Blur(blur)), Some(target)) => {
            return Some(vec![
                Intent::Camera(CameraMove::LookAt(target)),
                Intent::Camera(CameraMove::Blur(blur)),
            ]);
        }
        (_, Some(CameraMove::Close(_)), Some(target)) => CameraMove::Close(target),
        (_, Some(CameraMove::Distance(factor)), Some(target)) if factor < 1.0 => {
            CameraMove::Close(target)
        }
        (_, Some(other), Some(target)) => {
            return Some(vec![Intent::Camera(CameraMove::LookAt(target)), Intent::Camera(other)]);
        }
        (_, Some(other), None) => other,
        (_, None, Some(target)) => CameraMove::LookAt(target),
        (_, None, None) if whole => CameraMove::Frame,
        (_, None, None) => return None,
    };
    Some(several(movement, reader))
}

/// "look up", "look to the left".
fn way_looked(reader: &mut Reader<'_>) -> Option<Way> {
    let start = reader.at;
    let _ = reader.take(as_degree);
    let way = reader.take(as_way);
    let _ = reader.take(as_degree);
    let way = way.filter(|_| reader.clause_ends());
    if way.is_none() {
        reader.at = start;
    }
    way
}

/// "zoom in a bit", "zoom out 2x", "zoom in on the cone".
pub(crate) fn zoom(reader: &mut Reader<'_>, inwards: bool) -> Option<Vec<Intent>> {
    let on_it = |sense: &Sense| matches!(sense, Sense::Side(Relation::On)).then_some(());
    let target = match reader.take(on_it) {
        Some(()) => Some(crate::language::acts::clause::it()),
        None => of_what(reader),
    };
    if let Some(target) = target {
        return Some(vec![Intent::Camera(CameraMove::Close(target))]);
    }
    let _ = reader.glue(Glue::By);
    let ratio = times(reader).or_else(|| reader.number()).filter(|ratio| *ratio > 0.0);
    let factor = match ratio {
        Some(ratio) if ratio > 1.0 => ratio,
        // "by 20 %".
        Some(ratio) => 1.0 + ratio,
        None => step(reader.take(as_degree), 1.4),
    };
    let factor = if inwards { factor.recip() } else { factor };
    // "come a lot closer".
    let same =
        |comparison: &Comparison| matches!(comparison, Comparison::Closer | Comparison::Farther);
    let _ = reader.take(|sense| crate::language::acts::changes::as_comparison(sense).filter(same));
    Some(vec![Intent::Camera(CameraMove::Distance(factor))])
}

/// "orbit (the camera) 45 degrees to the left", "pan right", "go around the cone".
pub(crate) fn orbit(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let _ = reader.glue(Glue::The);
    let _ = reader.take(as_camera);
    let _ = reader.take(|sense| matches!(sense, Sense::Relation(Relation::Around)).then_some(()));
    if reader.glue(Glue::OtherSide) {
        return Some(vec![Intent::Camera(CameraMove::Orbit(180.0))]);
    }
    // "pan to the cylinder".
    let start = reader.at;
    if reader.glue(Glue::To) {
        if let Some(target) = target(reader, Tail::BARE).filter(|target| !is_whole(target)) {
            return Some(vec![Intent::Camera(CameraMove::LookAt(target))]);
        }
        reader.at = start;
    }
    let around = target(reader, Tail::BARE).filter(|target| !is_whole(target));
    let degrees = turn(reader).unwrap_or(30.0);
    let mut intents = Vec::new();
    if let Some(around) = around {
        intents.push(Intent::Camera(CameraMove::LookAt(around)));
    }
    intents.push(Intent::Camera(CameraMove::Orbit(degrees)));
    Some(intents)
}

/// "45 degrees to the left", "left"; to the left is positive.
pub(crate) fn turn(reader: &mut Reader<'_>) -> Option<f64> {
    if let Some(angle) = angle(reader) {
        return Some(angle.degrees);
    }
    let _ = reader.take(as_degree);
    let way = reader.take(as_way)?;
    let _ = reader.glue(Glue::By);
    let degrees = reader.number().unwrap_or(30.0);
    let _ = reader.take(|sense| matches!(sense, Sense::Unit(Unit::Degree)).then_some(()));
    match way {
        Way::Left => Some(degrees),
        Way::Right => Some(-degrees),
        _ => None,
    }
}

/// "blur the background", "blur everything but the cone".
pub(crate) fn blur(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    // "whatever is behind the bottle", "everything behind it".
    let behind = |sense: &Sense| matches!(sense, Sense::Relation(Relation::Behind)).then_some(());
    let at = (0..5).find(|steps| reader.look(*steps, behind).is_some());
    if let Some(steps) = at {
        reader.at += steps + 1;
        let sharp = target(reader, Tail::BARE)?;
        return Some(vec![
            Intent::Camera(CameraMove::LookAt(sharp)),
            Intent::Camera(CameraMove::Blur(Blur::of(None))),
        ]);
    }
    let _ = reader.any_glue(&[Glue::The, Glue::Everything]);
    let _ =
        reader.take(|sense| matches!(sense, Sense::Noun(Noun::Sky | Noun::Scene)).then_some(()));
    let mut moves = Vec::new();
    if reader.glue(Glue::Except) {
        moves.push(Intent::Camera(CameraMove::LookAt(target(reader, Tail::BARE)?)));
    }
    let degree = reader.take(as_degree);
    moves.push(Intent::Camera(CameraMove::Blur(Blur::of(degree))));
    Some(moves)
}

/// "sharpen everything".
pub(crate) fn sharpen(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let _ = target(reader, Tail::BARE);
    Some(vec![Intent::Camera(CameraMove::Sharp)])
}

/// "low in front of the house", "high above the table".
pub(crate) fn low_or_high(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let word = reader.peek()?.text.clone();
    let height = match word.as_str() {
        "low" | "lower" | "down low" => -0.12,
        "high" | "higher" | "high up" => 1.1,
        _ => return None,
    };
    reader.skip();
    match camera_move(&Change::Place(crate::language::places::place::place(reader)?))? {
        CameraMove::From(way, seen) if reader.clause_ends() => {
            Some(CameraMove::From(way.with_y(height), seen))
        }
        _ => None,
    }
}

pub(in crate::language) fn as_camera(sense: &Sense) -> Option<()> {
    matches!(sense, Sense::Noun(Noun::Camera | Noun::Scene | Noun::Lens)).then_some(())
}

/// Whether a target is the picture as a whole.
pub(crate) fn is_whole(target: &Target) -> bool {
    target.0.iter().all(|phrase| {
        matches!(phrase.head, Some(Noun::Scene | Noun::Sky | Noun::Camera))
            || phrase.determiner == Determiner::Everything
    })
}

/// A change of the camera as a thing: "move the camera up", "make the view wider".
pub(crate) fn camera_move(change: &Change) -> Option<CameraMove> {
    let up = |way| Shift { way, metres: None, degree: None };
    match change {
        Change::Shift(shift) => Some(CameraMove::Shift(*shift)),
        Change::Place(Place::At(point)) => Some(CameraMove::To(*point)),
        Change::Place(Place::Relative { relation, target, .. }) => {
            let floor = target.0.iter().all(|phrase| phrase.head == Some(Noun::Floor));
            let way = match relation {
                // "near the floor".
                Relation::Beside | Relation::On if floor => {
                    return Some(CameraMove::From(DVec3::new(0.2, 0.04, 1.0), None));
                }
                Relation::Above => DVec3::new(0.0, 1.0, 0.12),
                Relation::Left => direction(From::Left),
                Relation::Right => direction(From::Right),
                Relation::Front => direction(From::Front),
                Relation::Behind => direction(From::Behind),
                Relation::Beside => return Some(CameraMove::Close(target.clone())),
                _ => return None,
            };
            Some(CameraMove::From(way, Some(target.clone())))
        }
        Change::Place(Place::Aside(way)) => Some(CameraMove::Shift(up(*way))),
        Change::Compare { comparison, factor, .. } => match comparison {
            Comparison::Closer => Some(CameraMove::Distance(factor.unwrap_or(1.5).recip())),
            Comparison::Farther => Some(CameraMove::Distance(factor.unwrap_or(1.5))),
            Comparison::Higher => Some(CameraMove::Shift(up(Way::Up))),
            Comparison::Lower => Some(CameraMove::Shift(up(Way::Down))),
            Comparison::Wider => Some(CameraMove::FieldOfView(70.0)),
            Comparison::Narrower => Some(CameraMove::FieldOfView(25.0)),
            Comparison::Shinier => Some(CameraMove::Sharp),
            _ => None,
        },
        Change::Rotate(angle) if angle.axis == DVec3::Y => Some(CameraMove::Orbit(angle.degrees)),
        _ => None,
    }
}
