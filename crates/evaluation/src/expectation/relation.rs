//! Spatial relations of two things. Sides are as seen by the camera.

use glam::DVec3;
use spatial::{Cast, Extent};

use super::front;
use crate::moment::Moment;
use crate::thing::Thing;

/// A spatial relation of two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    On,
    Under,
    Above,
    Below,
    LeftOf,
    RightOf,
    InFrontOf,
    Behind,
    NextTo,
    Near,
    Inside,
    Touching,
    Overlapping,
    Facing,
}

/// The largest gap to a support, in metres, and the largest penetration.
const SUPPORT_GAP: f64 = 0.01;
/// The same relative to the size, for large things.
const SINKS: f64 = 0.03;
/// The largest gaps of things that are next to each other, and near each other, in metres.
const NEXT_TO: f64 = 0.5;
const NEAR: f64 = 1.5;
/// The same relative to the size of the smaller one, for large things.
const NEXT_TO_SHARE: f64 = 0.3;
const NEAR_SHARE: f64 = 1.0;
/// The largest gap of touching things, in metres.
const TOUCH: f64 = 0.02;
/// The largest share of the smaller thing that may overlap the other beside it, seen along a side.
const SIDE_OVERLAP: f64 = 0.35;

impl Relation {
    pub(super) const WORDS: &[(&str, Self)] = &[
        ("on", Self::On),
        ("under", Self::Under),
        ("above", Self::Above),
        ("below", Self::Below),
        ("left-of", Self::LeftOf),
        ("right-of", Self::RightOf),
        ("in-front-of", Self::InFrontOf),
        ("behind", Self::Behind),
        ("next-to", Self::NextTo),
        ("near", Self::Near),
        ("inside", Self::Inside),
        ("touching", Self::Touching),
        ("overlapping", Self::Overlapping),
        ("facing", Self::Facing),
    ];

    pub(super) fn holds(self, thing: &Thing, other: &Thing, moment: &Moment<'_>) -> bool {
        let right = moment.view().right();
        let beside = |way: fn(DVec3) -> DVec3| {
            [right, along_an_axis(right)].into_iter().any(|right| {
                let way = way(right);
                is_beside(thing, other, way, DVec3::Y.cross(way).normalize_or(DVec3::NEG_Z))
            })
        };
        let (own, its) = (thing.extent(), other.extent());
        let gap = || thing.solid.relation(&other.solid).gap;
        let smaller = thing.solid.size().min(other.solid.size());
        match self {
            Self::On => rests_on(thing, other),
            Self::Under => {
                let meets = thing.solid.cast(DVec3::ZERO, DVec3::Y, &other.solid, 0.0);
                !matches!(meets, Cast::Never)
                    && own.max.y <= its.max.y
                    && own.center().y < its.center().y
            }
            Self::Above => own.min.y >= its.max.y - SUPPORT_GAP && is_over(own, its),
            Self::Below => own.max.y <= its.min.y + SUPPORT_GAP && is_over(own, its),
            Self::LeftOf => beside(|right| -right),
            Self::RightOf => beside(|right| right),
            Self::InFrontOf => beside(|right| -DVec3::Y.cross(right).normalize_or(DVec3::NEG_Z)),
            Self::Behind => beside(|right| DVec3::Y.cross(right).normalize_or(DVec3::NEG_Z)),
            Self::NextTo => {
                let most = NEXT_TO.max(NEXT_TO_SHARE * smaller);
                let is_level = own.min.y < its.max.y - 1e-3 && its.min.y < own.max.y - 1e-3;
                is_level && (-SUPPORT_GAP..=most).contains(&gap())
            }
            Self::Near => gap() <= NEAR.max(NEAR_SHARE * smaller),
            Self::Inside => {
                let slack = DVec3::splat(0.02 * its.size().max_element());
                let is_held =
                    (its.min - slack).cmple(own.min).all() && own.max.cmple(its.max + slack).all();
                // A thing in a bowl may stick out at the top.
                let is_in = its.contains(own.center())
                    && own.min.x >= its.min.x
                    && own.max.x <= its.max.x
                    && own.min.z >= its.min.z
                    && own.max.z <= its.max.z;
                is_held || is_in
            }
            Self::Touching => gap().abs() <= TOUCH.max(SINKS * smaller),
            Self::Overlapping => gap() < -1e-3,
            Self::Facing => front::faces(thing, other.center() - thing.center(), &moment.after),
        }
    }
}

/// Whether `thing` rests on `other`.
pub(super) fn rests_on(thing: &Thing, other: &Thing) -> bool {
    match thing.solid.cast(DVec3::ZERO, DVec3::NEG_Y, &other.solid, 0.0) {
        Cast::After(way) => way <= SUPPORT_GAP,
        Cast::Meets => {
            let relation = thing.solid.relation(&other.solid);
            let sinks = SUPPORT_GAP.max(SINKS * thing.solid.size());
            relation.away.y > 0.05 && relation.gap >= -sinks
        }
        Cast::Never => false,
    }
}

/// Whether the boxes overlap as seen from above.
fn is_over(one: Extent, other: Extent) -> bool {
    let over =
        |axis: fn(DVec3) -> f64| axis(one.min) < axis(other.max) && axis(other.min) < axis(one.max);
    over(|at| at.x) && over(|at| at.z)
}

/// The axis of the scene nearest to a direction: a thing at the long side of a bed is beside it
/// even if the camera looks at the bed from a corner.
fn along_an_axis(way: DVec3) -> DVec3 {
    let axis = if way.x.abs() >= way.z.abs() { DVec3::X } else { DVec3::Z };
    axis * way.dot(axis).signum()
}

/// Whether `thing` is on the side of `other` in the direction `way`, without much offset.
fn is_beside(thing: &Thing, other: &Thing, way: DVec3, aside: DVec3) -> bool {
    let between = thing.center() - other.center();
    let (along, across) = (between.dot(way), between.dot(aside).abs());
    let reach = |thing: &Thing, way: DVec3| thing.solid.reach(way) + thing.solid.reach(-way);
    let (own, its) = (reach(thing, way), reach(other, way));
    let overlap = other.solid.reach(way) + thing.solid.reach(-way);
    let aside_allowed = (1.2 * along).max(0.5 * (reach(thing, aside) + reach(other, aside)));
    along > 0.0 && overlap <= SIDE_OVERLAP * own.min(its) + 1e-3 && across <= aside_allowed
}

/// Whether `thing` is between two others, near the line that connects them.
pub(super) fn is_between(thing: &Thing, one: &Thing, other: &Thing) -> bool {
    let (from, to) = (one.center(), other.center());
    let flat = |vector: DVec3| vector.with_y(0.0);
    let between = |way: DVec3, own: DVec3| {
        let length = way.length();
        if length < 1e-6 {
            return false;
        }
        let along = own.dot(way) / (length * length);
        let across = (own - way * along).length();
        (0.15..=0.85).contains(&along) && across <= (0.3 * length).max(0.6 * thing.solid.size())
    };
    let (way, own) = (to - from, thing.center() - from);
    // On the ground the view from above counts; things in a stack are between vertically.
    between(flat(way), flat(own)) || between(way, own)
}
