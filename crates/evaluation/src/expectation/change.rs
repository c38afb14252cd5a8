//! Expectations about changes of existing things.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};
use scene::{Geometry, rotation_matrix};
use spatial::{Object, Space};

use crate::colour::Oklab;
use crate::moment::Moment;
use crate::range::{Range, range_or};
use crate::thing::{Thing, emission};

/// A change of a thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ChangeClaim {
    Moved(Way, Range),
    Unmoved,
    /// The ratio of sizes, after to before.
    Resized(Range),
    /// The ratio of heights, after to before.
    Stretched(Range),
    /// The ratio of widths, after to before.
    Widened(Range),
    /// The angle in degrees.
    Turned(Range),
    Recoloured,
    Lighter,
    Darker,
    /// The ratio of emitted light, after to before.
    Brightened(Range),
    Unchanged,
}

/// The direction of a movement, as seen by the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Left,
    Right,
    Up,
    Down,
    Closer,
    Away,
    Any,
}

const WAYS: [(&str, Way); 7] = [
    ("left", Way::Left),
    ("right", Way::Right),
    ("up", Way::Up),
    ("down", Way::Down),
    ("closer", Way::Closer),
    ("away", Way::Away),
    ("any", Way::Any),
];

/// The smallest distance, in metres, and the smallest ratio that count as a change.
const MIN_DISTANCE: f64 = 0.01;
const MIN_RATIO: f64 = 1.04;
/// The minimum share of the movement along the expected direction.
const STRAIGHT: f64 = 0.7;
/// The smallest noticeable distances in OKLab and ratios of light.
const SEEN_COLOUR: f64 = 0.03;
const SEEN_LIGHT: f64 = 1.08;

impl ChangeClaim {
    pub(super) const WORDS: &[&str] = &[
        "moved",
        "unmoved",
        "grew",
        "shrank",
        "taller",
        "shorter",
        "wider",
        "narrower",
        "turned",
        "recoloured",
        "lighter",
        "darker",
        "brightened",
        "dimmed",
        "unchanged",
    ];

    pub(super) fn parse(verb: &str, rest: &[&str]) -> Result<Self, String> {
        let (more, less) = (Range::from(MIN_RATIO), Range::to(1.0 / MIN_RATIO));
        let range = |default| range_or(rest, default);
        Ok(match verb {
            "moved" => {
                let [way, rest @ ..] = rest else {
                    return Err("'moved' needs left, right, up, down, closer, away or any".into());
                };
                let Some((_, way)) = WAYS.iter().find(|(word, _)| word == way) else {
                    return Err(format!(
                        "'{way}' is not a direction; use left, right, up, down, closer, away, any"
                    ));
                };
                return Ok(Self::Moved(*way, range_or(rest, Range::from(MIN_DISTANCE))?));
            }
            "grew" => Self::Resized(range(more)?),
            "shrank" => Self::Resized(range(less)?),
            "taller" => Self::Stretched(range(more)?),
            "shorter" => Self::Stretched(range(less)?),
            "wider" => Self::Widened(range(more)?),
            "narrower" => Self::Widened(range(less)?),
            "turned" => Self::Turned(range(Range::from(2.0))?),
            "brightened" => Self::Brightened(range(Range::from(SEEN_LIGHT))?),
            "dimmed" => Self::Brightened(range(Range::to(1.0 / SEEN_LIGHT))?),
            _ if !rest.is_empty() => {
                return Err(format!("nothing can follow '{verb}', got '{}'", rest.join(" ")));
            }
            "unmoved" => Self::Unmoved,
            "recoloured" => Self::Recoloured,
            "lighter" => Self::Lighter,
            "darker" => Self::Darker,
            _ => Self::Unchanged,
        })
    }

    pub(super) fn holds(self, thing: &Thing, moment: &Moment<'_>) -> bool {
        let Some(old) = as_before(thing, moment) else { return false };
        let way = thing.center() - old.center();
        let (new_size, old_size) = (thing.extent().size(), old.extent().size());
        let lightness = |thing: &Thing, space: &Space<'_>| {
            thing.colour(space).map(|colour| Oklab::of_linear(colour).lightness)
        };
        let (before, after) = (lightness(&old, &moment.before), lightness(thing, &moment.after));
        let lighter = after.zip(before).map(|(after, before)| after - before);
        match self {
            Self::Moved(direction, range) => {
                let whole = way.length();
                let along = direction.vector(moment).map_or(whole, |direction| way.dot(direction));
                along > 0.0
                    && along >= STRAIGHT * whole
                    && (range.holds(along) || range.holds(whole))
            }
            Self::Unmoved => way.length() <= MIN_DISTANCE.max(0.02 * thing.solid.size()),
            Self::Resized(range) => {
                let edges = [0, 1, 2].map(|axis| new_size[axis] / old_size[axis].max(1e-9));
                let mean = (edges[0] * edges[1] * edges[2]).cbrt();
                let longest = thing.solid.size() / old.solid.size();
                range.holds(longest) || range.holds(mean)
            }
            Self::Stretched(range) => range.holds(new_size.y / old_size.y.max(1e-9)),
            Self::Widened(range) => {
                let ratio = |axis: usize| new_size[axis] / old_size[axis].max(1e-9);
                range.holds(ratio(0)) || range.holds(ratio(2))
            }
            Self::Turned(range) => {
                turns(&old, thing, moment).into_iter().any(|angle| range.holds(angle))
            }
            Self::Recoloured => match (old.colour(&moment.before), thing.colour(&moment.after)) {
                (Some(old), Some(new)) => {
                    Oklab::of_linear(old).distance(Oklab::of_linear(new)) >= SEEN_COLOUR
                }
                (old, new) => old.is_some() != new.is_some(),
            },
            Self::Lighter => lighter.is_some_and(|more| more >= SEEN_COLOUR),
            Self::Darker => lighter.is_some_and(|more| more <= -SEEN_COLOUR),
            Self::Brightened(range) => {
                let (before, after) =
                    (light_given(&old, &moment.before), light_given(thing, &moment.after));
                before > 0.0 && range.holds(after / before)
            }
            Self::Unchanged => thing.bodies(&moment.after).all(|body| {
                let old =
                    moment.before.place_of(body.id).map(|at| moment.before.bodies()[at].object);
                match (old, body.object) {
                    (Some(Object::Shape(old)), Object::Shape(new)) => old == new,
                    (Some(Object::Light(old)), Object::Light(new)) => old == new,
                    _ => false,
                }
            }),
        }
    }

    pub(super) fn found(self, thing: &Thing, moment: &Moment<'_>) -> String {
        let Some(old) = as_before(thing, moment) else { return "was not there before".into() };
        let way =
            (thing.center() - old.center()).to_array().map(|way| format!("{way:.2}")).join(", ");
        let (new, old_size) = (thing.extent().size(), old.extent().size());
        match self {
            Self::Resized(_) | Self::Stretched(_) | Self::Widened(_) => {
                format!("went from {old_size:.2} to {new:.2} m")
            }
            Self::Turned(_) => {
                let turns: Vec<String> =
                    turns(&old, thing, moment).iter().map(|angle| format!("{angle:.0}")).collect();
                format!("turned by {} degrees", turns.join(" or "))
            }
            _ => format!("moved by [{way}]"),
        }
    }
}

impl Way {
    /// The direction as a vector; `None` for any direction.
    fn vector(self, moment: &Moment<'_>) -> Option<DVec3> {
        let right = spatial::View::of(&moment.before.scene.camera).right();
        let away = DVec3::Y.cross(right).normalize_or(DVec3::NEG_Z);
        Some(match self {
            Self::Left => -right,
            Self::Right => right,
            Self::Up => DVec3::Y,
            Self::Down => DVec3::NEG_Y,
            Self::Closer => -away,
            Self::Away => away,
            Self::Any => return None,
        })
    }
}

/// The same bodies before the message, if they existed.
fn as_before(thing: &Thing, moment: &Moment<'_>) -> Option<Thing> {
    let places = thing.ids(&moment.after).filter_map(|id| moment.before.place_of(id)).collect();
    Thing::new(&moment.before, &thing.name, places)
}

/// The emitted light up to a factor: emission times area.
fn light_given(thing: &Thing, space: &Space<'_>) -> f64 {
    let of = |body: &spatial::Body<'_>| match body.object {
        Object::Light(light) => {
            let [red, green, blue] = emission(light);
            let size = body.solid.extent().size();
            let area = size.x * size.y + size.y * size.z + size.z * size.x;
            (0.2126 * red + 0.7152 * green + 0.0722 * blue) * if area > 0.0 { area } else { 1.0 }
        }
        Object::Shape(_) => 0.0,
    };
    thing.bodies(space).map(of).sum()
}

/// The possible rotation angles of the thing, in degrees.
fn turns(old: &Thing, new: &Thing, moment: &Moment<'_>) -> Vec<f64> {
    if new.members.len() > 1 {
        let turn = turn_of_parts(old, new, moment).or_else(|| turn_of_group(old, new));
        return turn.into_iter().collect();
    }
    let shape = |thing: &Thing, space: &Space<'_>| {
        let at = thing.members.first()?;
        space.bodies()[*at].shape().map(|shape| shape.geometry.clone())
    };
    let (Some(old), Some(new)) = (shape(old, &moment.before), shape(new, &moment.after)) else {
        return Vec::new();
    };
    if let (Geometry::Box(old), Geometry::Box(new)) = (&old, &new) {
        let matrix =
            |turn: scene::Rotation| DMat3::from_cols_array_2d(&rotation_matrix(turn.get()));
        let turn = matrix(old.rotation).transpose() * matrix(new.rotation);
        let trace = turn.x_axis.x + turn.y_axis.y + turn.z_axis.z;
        return vec![(0.5 * (trace - 1.0)).clamp(-1.0, 1.0).acos().to_degrees()];
    }
    let angle = |(old, new): (DVec3, DVec3)| old.angle_between(new).to_degrees();
    axis(&old).zip(axis(&new)).map(angle).into_iter().collect()
}

/// The axis of a shape.
fn axis(geometry: &Geometry) -> Option<DVec3> {
    let between =
        |from: [f64; 3], to: [f64; 3]| (DVec3::from(to) - DVec3::from(from)).try_normalize();
    match geometry {
        Geometry::Cylinder(shape) => between(shape.base_center.get(), shape.top_center.get()),
        Geometry::Cone(shape) => between(shape.base_center.get(), shape.top_center.get()),
        Geometry::Capsule(shape) => between(shape.start.get(), shape.end.get()),
        Geometry::Torus(shape) => DVec3::from(shape.normal.get()).try_normalize(),
        Geometry::Disc(shape) => DVec3::from(shape.normal.get()).try_normalize(),
        Geometry::Quad(shape) => DVec3::from(shape.u.get()).try_normalize(),
        _ => None,
    }
}

/// The rotation of a group about the vertical axis, from the positions of its parts with the same
/// ids (Procrustes analysis in the plane); `None` if the parts differ or are all above each other.
fn turn_of_parts(old: &Thing, new: &Thing, moment: &Moment<'_>) -> Option<f64> {
    let offsets = |thing: &Thing, space: &Space<'_>| -> BTreeMap<String, DVec3> {
        let middle = thing.center();
        thing
            .bodies(space)
            .map(|body| (body.id.to_owned(), body.solid.extent().center() - middle))
            .collect()
    };
    let (old, new) = (offsets(old, &moment.before), offsets(new, &moment.after));
    if !old.keys().eq(new.keys()) {
        return None;
    }
    let pairs = || old.values().zip(new.values());
    let along: f64 = pairs().map(|(old, new)| old.x * new.x + old.z * new.z).sum();
    let across: f64 = pairs().map(|(old, new)| old.x * new.z - old.z * new.x).sum();
    // Parts above each other do not determine a rotation.
    (along.hypot(across) > 1e-3).then(|| across.atan2(along).abs().to_degrees())
}

/// The rotation of a group about the vertical axis that best matches its support function.
fn turn_of_group(old: &Thing, new: &Thing) -> Option<f64> {
    // A solid is a union of parts; its support function shows its rotation.
    const STEPS: usize = 360;
    if old.members.len() != new.members.len() {
        return None;
    }
    let reaches = |thing: &Thing| -> Vec<f64> {
        let middle = thing.center();
        (0..STEPS)
            .map(|at| {
                let angle = (at as f64).to_radians();
                let way = DVec3::new(angle.cos(), 0.0, angle.sin());
                thing.solid.reach(way) - middle.dot(way)
            })
            .collect()
    };
    let (old, new) = (reaches(old), reaches(new));
    let miss = |turn: usize| -> f64 {
        (0..STEPS).map(|at| (old[at] - new[(at + turn) % STEPS]).powi(2)).sum()
    };
    // The smallest of the rotations that fit about equally well.
    let best = (0..STEPS).map(miss).fold(f64::INFINITY, f64::min);
    let folded = |turn: usize| turn.min(STEPS - turn);
    let fits = (0..STEPS).filter(|turn| miss(*turn) <= 1.02 * best + 1e-9);
    fits.min_by_key(|turn| folded(*turn)).map(|turn| folded(turn) as f64)
}
