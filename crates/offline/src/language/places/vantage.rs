//! Where the camera looks from: "from above and behind", "from a 45 degree angle", "from slightly higher up",
//! "look under the table", "a view of the room from the corner".

use glam::DVec3;

use crate::language::acts::intent::{CameraMove, Change, Intent, Place, Shift, Target};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::tail::Tail;
use crate::language::places::camera::{as_camera, camera_move, is_whole, of_what, step, view};
use crate::language::places::place::{as_degree, as_way};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    Comparison, From, Glue, Measure, Rank, Relation, Sense, Unit, Way,
};

/// "a view of the room from the corner": what is seen before from where.
pub(in crate::language) fn view_of(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    let _ = reader.take(as_camera);
    let seen = if reader.glue(Glue::Of) { target(reader, Tail::BARE) } else { None };
    let found = seen.and_then(|seen| match view(reader)? {
        CameraMove::From(way, None) if is_place_name(&seen) => Some(CameraMove::From(way, None)),
        CameraMove::From(way, None) => Some(CameraMove::From(way, Some(seen))),
        other => Some(other),
    });
    if found.is_none() {
        reader.at = start;
    }
    found
}

/// "the room", "the garden": all of the scene.
fn is_place_name(target: &Target) -> bool {
    is_whole(target)
        || target.0.iter().all(|phrase| {
            catalogue::catalogue().theme(&phrase.text()).is_some() || phrase.text() == "room"
        })
}

pub(in crate::language) fn direction(from: From) -> DVec3 {
    match from {
        From::Above => DVec3::new(0.0, 1.0, 0.12),
        From::Below => DVec3::new(0.0, -0.6, 1.0),
        From::Left => DVec3::new(-1.0, 0.2, 0.0),
        From::Right => DVec3::new(1.0, 0.2, 0.0),
        From::Front => DVec3::new(0.0, 0.2, 1.0),
        From::Behind => DVec3::new(0.0, 0.2, -1.0),
        From::Corner => DVec3::new(0.7, 0.5, 1.0),
    }
}

fn as_from(sense: &Sense) -> Option<From> {
    match sense {
        Sense::From(from) => Some(*from),
        _ => None,
    }
}

/// The second part of "from the top left", "from above and behind".
fn more_direction(reader: &mut Reader<'_>) -> Option<DVec3> {
    let start = reader.at;
    let _ = reader.glue(Glue::And);
    let _ = reader.glue(Glue::The);
    let slight = reader.take(as_degree).is_some();
    let from = reader.take(as_from).or_else(|| {
        reader.take(|sense| match sense {
            Sense::Way(Way::Left) | Sense::Rank(Rank::Leftmost) => Some(From::Left),
            Sense::Way(Way::Right) | Sense::Rank(Rank::Rightmost) => Some(From::Right),
            Sense::Way(Way::Up) | Sense::Rank(Rank::Highest) => Some(From::Above),
            Sense::Way(Way::Front) | Sense::Rank(Rank::Nearest) => Some(From::Front),
            Sense::Way(Way::Back) | Sense::Rank(Rank::Farthest) => Some(From::Behind),
            Sense::Relation(Relation::Behind) => Some(From::Behind),
            Sense::Relation(Relation::Above) => Some(From::Above),
            _ => None,
        })
    });
    if from.is_none() {
        reader.at = start;
    }
    from.map(|from| direction(from) * if slight { 0.5 } else { 1.0 })
}

pub(in crate::language) fn from(reader: &mut Reader<'_>) -> Option<CameraMove> {
    if reader.glue(Glue::From) {
        return reader.glue(Glue::OtherSide).then_some(CameraMove::Orbit(180.0));
    }
    let slight = reader.take(as_degree).is_some();
    let first = reader.take(as_from)?;
    let mut way = direction(first);
    if slight && first == From::Above {
        way = DVec3::new(0.2, 0.6, 1.0);
    }
    while let Some(more) = more_direction(reader) {
        way = way.normalize_or_zero() + more;
    }
    // "top view of the cone".
    let _ = reader.take(as_camera);
    let seen = of_what(reader);
    Some(CameraMove::From(way, seen))
}

/// "from a 45 degree angle", "from 30 degrees above", "at a steep angle".
pub(in crate::language) fn from_angle(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let _ = reader.any_glue(&[Glue::From, Glue::MadeOf, Glue::At])?;
    let _ = reader.glue(Glue::A);
    let degrees = reader.number()?;
    reader.take(|sense| matches!(sense, Sense::Unit(Unit::Degree)).then_some(()))?;
    let angle = |sense: &Sense| matches!(sense, Sense::Measure(Measure::Rotation)).then_some(());
    let named = reader.take(angle).is_some();
    let above = reader.take(as_from) == Some(From::Above)
        || reader.peek().is_some_and(|token| token.text == "above");
    if !named && !above {
        return None;
    }
    if above && reader.peek().is_some_and(|token| token.text == "above") {
        reader.skip();
    }
    let up = degrees.clamp(-80.0, 89.0).to_radians();
    let seen = of_what(reader);
    Some(CameraMove::From(DVec3::new(0.3 * up.cos(), up.sin(), 0.95 * up.cos()), seen))
}

/// "from the corner of the room", "from behind the sofa", "from the door".
pub(in crate::language) fn from_place(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let _ = reader.any_glue(&[Glue::From, Glue::MadeOf])?;
    if reader.glue(Glue::Corner) {
        return Some(CameraMove::From(direction(From::Corner), None));
    }
    match crate::language::places::place::place(reader)? {
        Place::Relative { relation, target, .. } => {
            camera_move(&Change::Place(Place::Relative { relation, target, metres: None }))
        }
        _ => None,
    }
}

/// "from slightly higher up", "from a bit lower", "from further left".
pub(in crate::language) fn shifted(reader: &mut Reader<'_>) -> Option<CameraMove> {
    let _ = reader.any_glue(&[Glue::From, Glue::MadeOf])?;
    let _ = reader.glue(Glue::A);
    let mut degree = reader.take(as_degree);
    let way = match reader.take(crate::language::acts::changes::as_comparison)? {
        Comparison::Higher => Way::Up,
        Comparison::Lower => Way::Down,
        Comparison::Farther => match reader.take(as_way) {
            Some(way) => way,
            None => return Some(CameraMove::Distance(step(degree, 1.5))),
        },
        Comparison::Closer => return Some(CameraMove::Distance(1.0 / step(degree, 1.5))),
        _ => return None,
    };
    let _ = reader.glue(Glue::A);
    degree = degree.or_else(|| reader.take(as_degree));
    let _ = reader.take(as_camera);
    Some(CameraMove::Shift(Shift { way, metres: None, degree }))
}

/// "look under the table", "look behind the sofa", "look down at the scene (from a 45 degree angle)".
pub(in crate::language) fn past_or_down(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    if let Some(Place::Relative { relation, target, .. }) =
        crate::language::places::place::place(reader)
    {
        let way = match relation {
            Relation::Under => DVec3::new(0.2, 0.02, 1.0),
            Relation::Inside => DVec3::new(0.2, 0.7, 1.0),
            Relation::Above => DVec3::new(0.0, 1.0, 0.12),
            Relation::Behind => direction(From::Behind),
            _ => return None,
        };
        return Some(vec![Intent::Camera(CameraMove::From(way, Some(target)))]);
    }
    reader.at = start;
    let down = reader.take(as_way).filter(|way| matches!(way, Way::Down | Way::Up))?;
    let seen = of_what_at(reader)?;
    let seen = Some(seen).filter(|target| !is_whole(target));
    if let Some(CameraMove::From(way, _)) = view(reader) {
        return Some(vec![Intent::Camera(CameraMove::From(way, seen))]);
    }
    let way =
        if down == Way::Down { DVec3::new(0.2, 1.0, 0.8) } else { DVec3::new(0.2, -0.3, 1.0) };
    Some(vec![Intent::Camera(CameraMove::From(way, seen))])
}

/// "at the scene", "on it", "onto the table".
fn of_what_at(reader: &mut Reader<'_>) -> Option<Target> {
    let on = |sense: &Sense| matches!(sense, Sense::Relation(Relation::On)).then_some(());
    let joined = reader.any_glue(&[Glue::At, Glue::To]).is_some() || reader.take(on).is_some();
    if joined { target(reader, Tail::BARE) } else { None }
}
