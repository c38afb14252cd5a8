//! Arrangements of several things.

use glam::DVec3;

use super::relation::rests_on;
use crate::colour::Oklab;
use crate::moment::Moment;
use crate::thing::Thing;

/// An arrangement of several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    Row,
    /// Rows and columns, in either order.
    Grid(Option<(usize, usize)>),
    Circle,
    Stack,
    Pyramid,
    Spiral,
    Even,
    Apart,
    Scattered,
    AlignedX,
    AlignedY,
    AlignedZ,
    SameSize,
    SameColour,
    DifferentSizes,
    DifferentColours,
}

/// Positions that differ by less, relative to the things' size, count as equal.
const SLACK: f64 = 0.12;
/// Undersides that differ by less, in metres, are on the same level.
const SAME_LEVEL: f64 = 0.02;
/// The tolerance of gaps, and of distances from a centre.
const UNEVEN: f64 = 0.15;
/// The largest gap in a ring, relative to a uniform one.
const RING_GAP: f64 = 1.6;

impl Pattern {
    pub(super) const WORDS: &[&str] = &[
        "in-row",
        "in-grid",
        "in-circle",
        "stacked",
        "in-pyramid",
        "in-spiral",
        "evenly-spaced",
        "apart",
        "scattered",
        "aligned-x",
        "aligned-y",
        "aligned-z",
        "same-size",
        "same-colour",
        "different-sizes",
        "different-colours",
    ];

    pub(super) fn parse(verb: &str, rest: &[&str]) -> Result<Self, String> {
        if let ("in-grid", [sides]) = (verb, rest) {
            let sides = sides
                .split_once('x')
                .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)));
            return sides
                .map(|sides| Self::Grid(Some(sides)))
                .ok_or_else(|| "'in-grid' takes e.g. 3x4".into());
        }
        if !rest.is_empty() {
            return Err(format!("nothing can follow '{verb}', got '{}'", rest.join(" ")));
        }
        Ok(match verb {
            "in-row" => Self::Row,
            "in-grid" => Self::Grid(None),
            "in-circle" => Self::Circle,
            "stacked" => Self::Stack,
            "in-pyramid" => Self::Pyramid,
            "in-spiral" => Self::Spiral,
            "evenly-spaced" => Self::Even,
            "apart" => Self::Apart,
            "scattered" => Self::Scattered,
            "aligned-x" => Self::AlignedX,
            "aligned-y" => Self::AlignedY,
            "aligned-z" => Self::AlignedZ,
            "same-size" => Self::SameSize,
            "same-colour" => Self::SameColour,
            "different-sizes" => Self::DifferentSizes,
            _ => Self::DifferentColours,
        })
    }

    /// Whether the things are arranged like this; the error says why not.
    pub(super) fn check(self, things: &[Thing], moment: &Moment<'_>) -> Result<(), String> {
        if things.len() < 2 {
            return Err(format!("{} are too few to stand so", things.len()));
        }
        let places = places(things);
        let size = things.iter().map(|thing| thing.solid.size()).fold(0.0, f64::max);
        let is_so = match self {
            Self::Row => is_row(&places, size),
            Self::Grid(sides) => is_grid(&places, size, sides),
            Self::Circle => is_ring(&places, mean(&places), 0.08),
            Self::Stack => is_stack(things),
            Self::Pyramid => is_pyramid(things),
            Self::Spiral => is_spiral(&places),
            Self::Even => is_even(&places),
            Self::Apart => are_apart(things),
            Self::Scattered => are_apart(things) && !is_row(&places, size),
            Self::AlignedX => is_aligned(things, |thing| {
                [thing.extent().min.x, thing.center().x, thing.extent().max.x]
            }),
            Self::AlignedY => is_aligned(things, |thing| {
                [thing.extent().min.y, thing.center().y, thing.extent().max.y]
            }),
            Self::AlignedZ => is_aligned(things, |thing| {
                [thing.extent().min.z, thing.center().z, thing.extent().max.z]
            }),
            Self::SameSize => all_pairs(things, |one, other| {
                (one.solid.size() / other.solid.size() - 1.0).abs() <= 0.05
            }),
            Self::DifferentSizes => all_pairs(things, |one, other| {
                (one.solid.size() / other.solid.size() - 1.0).abs() > 0.03
            }),
            Self::SameColour => {
                all_pairs(things, |one, other| distance(one, other, moment) <= 0.04)
            }
            Self::DifferentColours => {
                all_pairs(things, |one, other| distance(one, other, moment) > 0.04)
            }
        };
        if is_so {
            return Ok(());
        }
        const MAX_PLACES: usize = 6;
        let told: Vec<String> = places
            .iter()
            .take(MAX_PLACES)
            .map(|place| format!("[{:.2}, {:.2}, {:.2}]", place.x, place.y, place.z))
            .collect();
        Err(format!("{} things, at {}", things.len(), told.join(", ")))
    }
}

/// The positions of the things; things on one level are projected to the ground, whatever their
/// height.
fn places(things: &[Thing]) -> Vec<DVec3> {
    let level = things.first().map_or(0.0, |thing| thing.extent().min.y);
    let is_level = things.iter().all(|thing| (thing.extent().min.y - level).abs() <= SAME_LEVEL);
    let place = |thing: &Thing| {
        if is_level { thing.center().with_y(level) } else { thing.center() }
    };
    things.iter().map(place).collect()
}

fn mean(places: &[DVec3]) -> DVec3 {
    places.iter().sum::<DVec3>() / places.len() as f64
}

fn all_pairs(things: &[Thing], is_so: impl Fn(&Thing, &Thing) -> bool) -> bool {
    let pairs = |at: usize| things[at + 1..].iter().all(|other| is_so(&things[at], other));
    (0..things.len()).all(pairs)
}

fn distance(one: &Thing, other: &Thing, moment: &Moment<'_>) -> f64 {
    match (one.colour(&moment.after), other.colour(&moment.after)) {
        (Some(one), Some(other)) => Oklab::of_linear(one).distance(Oklab::of_linear(other)),
        (None, None) => 0.0,
        _ => 1.0,
    }
}

fn are_apart(things: &[Thing]) -> bool {
    all_pairs(things, |one, other| one.solid.relation(&other.solid).gap > -1e-3)
}

/// The two positions farthest apart.
fn ends(places: &[DVec3]) -> (DVec3, DVec3) {
    let pairs = places.iter().flat_map(|one| places.iter().map(move |other| (*one, *other)));
    let length = |(one, other): &(DVec3, DVec3)| one.distance_squared(*other);
    pairs.max_by(|a, b| length(a).total_cmp(&length(b))).unwrap_or_default()
}

fn is_row(places: &[DVec3], size: f64) -> bool {
    let (from, to) = ends(places);
    let Some(way) = (to - from).try_normalize() else { return false };
    let off = |place: &DVec3| (*place - from - way * (*place - from).dot(way)).length();
    let is_level = way.y.abs() < 0.5;
    is_level
        && places.iter().all(|place| off(place) <= (SLACK * size).max(0.05 * from.distance(to)))
}

fn is_even(places: &[DVec3]) -> bool {
    let (from, to) = ends(places);
    let Some(way) = (to - from).try_normalize() else { return false };
    let mut along: Vec<f64> = places.iter().map(|place| (*place - from).dot(way)).collect();
    along.sort_by(f64::total_cmp);
    let step = from.distance(to) / (places.len() - 1) as f64;
    along.windows(2).all(|pair| ((pair[1] - pair[0]) / step - 1.0).abs() <= UNEVEN)
}

/// The number of distinct values.
fn levels(values: impl Iterator<Item = f64>, slack: f64) -> usize {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    1 + values.windows(2).filter(|pair| pair[1] - pair[0] > slack).count()
}

fn is_grid(places: &[DVec3], size: f64, sides: Option<(usize, usize)>) -> bool {
    // A grid may be horizontal or vertical, and rotated about the vertical axis.
    (0..90).step_by(5).any(|degrees| {
        let turn = glam::DQuat::from_rotation_y(f64::from(degrees).to_radians());
        let turned: Vec<DVec3> = places.iter().map(|place| turn * *place).collect();
        let count = |axis: usize| levels(turned.iter().map(|place| place[axis]), SLACK * size);
        let counts = [count(0), count(1), count(2)];
        let mut counts: Vec<usize> = counts.into_iter().filter(|count| *count > 1).collect();
        counts.sort_unstable();
        let is_full = counts.iter().product::<usize>() == places.len();
        is_full
            && match (sides, &counts[..]) {
                (None, [_, _]) => true,
                (Some((rows, columns)), [few, many]) => {
                    (*few, *many) == (rows.min(columns), rows.max(columns))
                }
                _ => false,
            }
    })
}

/// Whether the positions form a ring around `middle`, seen from above or as a vertical ring.
/// `uneven` is the largest deviation of their distances from the mean.
fn is_ring(places: &[DVec3], middle: DVec3, uneven: f64) -> bool {
    let ways: Vec<DVec3> = places.iter().map(|place| *place - middle).collect();
    let distances: Vec<f64> = ways.iter().map(|way| way.length()).collect();
    let typical = distances.iter().sum::<f64>() / distances.len() as f64;
    let is_even = distances.iter().all(|distance| (distance / typical - 1.0).abs() <= uneven);
    let closes = |one: usize, other: usize| {
        let mut angles: Vec<f64> =
            ways.iter().map(|way| way[other].atan2(way[one]).to_degrees()).collect();
        angles.sort_by(f64::total_cmp);
        let last = angles[0] + 360.0 - angles[angles.len() - 1];
        let widest = angles.windows(2).map(|pair| pair[1] - pair[0]).fold(last, f64::max);
        widest <= RING_GAP * 360.0 / ways.len() as f64
    };
    let is_flat = |axis: usize| ways.iter().all(|way| way[axis].abs() <= 0.3 * typical);
    is_even
        && ((is_flat(1) && closes(0, 2))
            || (is_flat(2) && closes(0, 1))
            || (is_flat(0) && closes(1, 2)))
}

/// Whether the things are around another one, seen from above.
pub(super) fn is_around(things: &[Thing], middle: &Thing) -> bool {
    let places: Vec<DVec3> = things
        .iter()
        .filter(|thing| !thing.shares(middle))
        .map(|thing| thing.center().with_y(0.0))
        .collect();
    // Around a long thing the distances differ.
    places.len() >= 2 && is_ring(&places, middle.center().with_y(0.0), 0.6)
}

fn is_stack(things: &[Thing]) -> bool {
    let mut order: Vec<&Thing> = things.iter().collect();
    order.sort_by(|one, other| one.extent().min.y.total_cmp(&other.extent().min.y));
    order.windows(2).all(|pair| rests_on(pair[1], pair[0]))
}

fn is_pyramid(things: &[Thing]) -> bool {
    let mut order: Vec<&Thing> = things.iter().collect();
    order.sort_by(|one, other| one.extent().min.y.total_cmp(&other.extent().min.y));
    let height = order[0].extent().size().y;
    let mut layers: Vec<Vec<&Thing>> = Vec::new();
    for thing in order {
        match layers.last_mut() {
            Some(layer) if thing.extent().min.y - layer[0].extent().min.y <= 0.25 * height => {
                layer.push(thing)
            }
            _ => layers.push(vec![thing]),
        }
    }
    let shrinks = layers.windows(2).all(|pair| pair[1].len() < pair[0].len());
    let rests = layers
        .windows(2)
        .all(|pair| pair[1].iter().all(|thing| pair[0].iter().any(|below| rests_on(thing, below))));
    layers.len() >= 2 && shrinks && rests
}

/// Whether the positions, in order of creation, wind around a centre and move outwards, inwards or
/// upwards.
fn is_spiral(places: &[DVec3]) -> bool {
    let middle = mean(places);
    let winds = |middle: DVec3| {
        let ways: Vec<DVec3> = places.iter().map(|place| *place - middle).collect();
        let turn = |pair: &[DVec3]| {
            let turn = (pair[1].z.atan2(pair[1].x) - pair[0].z.atan2(pair[0].x)).to_degrees();
            (turn + 540.0).rem_euclid(360.0) - 180.0
        };
        let turns: Vec<f64> = ways.windows(2).map(turn).collect();
        let steps = turns.len() as f64;
        let mostly = |count: usize| count as f64 >= 0.75 * steps;
        let one_way = mostly(turns.iter().filter(|turn| **turn > 0.0).count())
            || mostly(turns.iter().filter(|turn| **turn < 0.0).count());
        let grows = |of: &dyn Fn(&DVec3) -> f64| {
            let up = ways.windows(2).filter(|pair| of(&pair[1]) > of(&pair[0]) + 1e-6).count();
            let down = ways.windows(2).filter(|pair| of(&pair[1]) < of(&pair[0]) - 1e-6).count();
            mostly(up) || mostly(down)
        };
        let radius = |way: &DVec3| way.x.hypot(way.z);
        one_way && (grows(&radius) || grows(&|way| way.y))
    };
    places.len() >= 4 && (winds(middle) || winds(places[0]) || winds(DVec3::ZERO))
}

/// Whether one edge, or the centres, of all things are on one line.
fn is_aligned(things: &[Thing], at: impl Fn(&Thing) -> [f64; 3]) -> bool {
    let lines: Vec<[f64; 3]> = things.iter().map(at).collect();
    (0..3).any(|which| {
        let values = lines.iter().map(|line| line[which]);
        let (least, most) = (
            values.clone().fold(f64::INFINITY, f64::min),
            values.fold(f64::NEG_INFINITY, f64::max),
        );
        most - least <= 0.02
    })
}
