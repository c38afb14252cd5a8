//! What counts as somebody's own ground.

use catalogue::catalogue;
use scene::{BaseShape, stem};

use crate::solid::Extent;
use crate::space::{Body, Space};

use super::own::own;

/// Height over width up to which something named as a ground is one, e.g. land with hills.
const MAX_LAND_SLOPE: f64 = 0.35;
/// The same of what is a ground by where it lies.
const MAX_SLOPE: f64 = 0.12;
/// The least width in metres of a flat thing without others that is a ground.
const MIN_WIDTH_ALONE: f64 = 4.0;

const NAMES: [&str; 18] = [
    "floor",
    "ground",
    "lawn",
    "grass",
    "terrain",
    "land",
    "landscape",
    "hills",
    "sea",
    "ocean",
    "water",
    "lake",
    "meadow",
    "field",
    "beach",
    "desert",
    "snowfield",
    "ice",
];

/// What is all there is to stand on, however small it is: floors of rooms, and land as far as one sees.
const FLOORS: [&str; 9] =
    ["floor", "ground", "terrain", "land", "landscape", "hills", "sea", "ocean", "desert"];
/// How much wider than what stands on it another ground has to be for that: a lawn with a tree lies on something.
const MIN_SPREAD: f64 = 4.0;

/// What lies on a ground, however wide it is.
const LYING: [&str; 9] =
    ["rug", "mat", "carpet", "blanket", "towel", "doormat", "tray", "tablecloth", "puddle"];

/// Whether a shape is the ground of what else there is: flat, below all of it and as wide.
pub(super) fn is_ground(space: &Space<'_>, body: &Body<'_>) -> bool {
    let extent = body.solid.extent();
    let size = extent.size();
    let width = size.x.min(size.z);
    if width <= 0.0 {
        return false;
    }
    let slope = size.y / width;
    let is_called = |names: &[&str]| is_called(body.id, names);
    if is_called(&LYING) {
        return false;
    }
    let is_named = is_called(&NAMES);
    let is_land = body
        .shape()
        .is_some_and(|shape| matches!(shape.geometry.base(), BaseShape::HeightField(_)));
    if (is_named || is_land) && slope <= MAX_LAND_SLOPE {
        return true;
    }
    if slope > MAX_SLOPE {
        return false;
    }
    let others = own(space).filter(|other| other.id != body.id).map(|other| other.solid.extent());
    match others.reduce(|one, other| one.union(other)) {
        None => width >= MIN_WIDTH_ALONE,
        Some(others) => {
            let reach = others.size();
            size.x >= 1.5 * reach.x
                && size.z >= 1.5 * reach.z
                && extent.max.y <= others.min.y + 0.1 * reach.y.max(size.y)
        }
    }
}

fn is_called(id: &str, names: &[&str]) -> bool {
    stem(id).split('_').any(|word| names.contains(&word))
}

/// Whether a shape is a ground that leaves nothing for another one to do.
pub(super) fn takes_place_of_ground(space: &Space<'_>, body: &Body<'_>) -> bool {
    if !is_ground(space, body) || is_part_of_object(body) {
        return false;
    }
    if is_called(body.id, &FLOORS) {
        return true;
    }
    let width = |extent: &Extent| extent.size().x.min(extent.size().z);
    let own_width = width(&body.solid.extent());
    let narrower =
        own(space).map(|other| other.solid.extent()).filter(|other| width(other) < own_width);
    let standing = narrower.reduce(|one, other| one.union(other));
    standing.is_some_and(|all| own_width >= MIN_SPREAD * all.size().x.max(all.size().z))
}

/// Whether it is a part of an object: the floor of a shed, the water of a fountain.
fn is_part_of_object(body: &Body<'_>) -> bool {
    let is_object = |name: &str| catalogue().find(&stem(name).replace('_', " ")).is_some();
    let group = body.group().map(|group| group.as_str());
    group.is_some_and(|group| !is_called(group, &NAMES) && is_object(group))
}
