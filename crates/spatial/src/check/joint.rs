//! Joints: places where things reach into each other because they are made so.

use std::ops::RangeInclusive;

use glam::DVec3;

use crate::solid::{Build, Solid};

/// How far a bar or a plate reaches into something that it is joined to, in shares of its thickness.
const JOINED: RangeInclusive<f64> = 0.3..=3.0;
/// How far, in shares of the smaller one's width, the middles of two things that have one axis may lie apart.
const COAXIAL: f64 = 0.02;
/// The share of its width up to which one of them reaches sideways into the other.
const RIM: f64 = 0.5;
/// How far their undersides may lie apart, in shares of its height, where both stand on the same ground.
const LEVEL: f64 = 0.05;
/// The share of a panel's height in which its foot is let into a step, and of its thickness that is.
const FOOT: f64 = 0.15;
const LET_IN: f64 = 0.75;
/// How far the tops of two things may lie apart, in shares of its height, where one is let into the other.
const FLUSH: f64 = 0.15;

/// One of two things that overlap.
#[derive(Clone, Copy)]
pub(super) struct Piece<'s> {
    pub solid: &'s Solid,
    /// All of the group that it is in.
    pub whole: &'s Solid,
    /// Whether it is a thing of its own, and no part of a group.
    pub alone: bool,
}

/// How the smaller one of two things leaves the other one: along `away`, after `depth` metres.
#[derive(Clone, Copy)]
pub(super) struct Overlap {
    pub depth: f64,
    pub away: DVec3,
}

/// Whether two things reach into each other as the parts of one thing do.
pub(super) fn is_joint(small: Piece<'_>, large: Piece<'_>, overlap: Overlap) -> bool {
    is_framed(small, large, overlap.depth)
        || is_let_in(small.solid, large.solid, overlap.depth)
        || is_let_in(large.solid, small.solid, overlap.depth)
        || is_planted(small, large, overlap)
        || is_coaxial(small.solid, large.solid, overlap)
}

/// Posts, bars, legs and stems end in what they are fixed to, and cross; walls and boards meet at corners.
fn is_framed(small: Piece<'_>, large: Piece<'_>, depth: f64) -> bool {
    let builds = [small, large].map(|piece| piece.solid.build());
    let bars = [small, large].into_iter().zip(builds);
    let mut bars = bars.filter_map(|(piece, build)| match build {
        Build::Bar(thickness) if piece.alone => Some(thickness),
        _ => None,
    });
    let is_joined = |thickness: f64| JOINED.contains(&(depth / thickness.max(f64::MIN_POSITIVE)));
    if bars.any(is_joined) {
        return true;
    }
    match builds {
        [Build::Plate(one), Build::Plate(other)] => {
            small.alone && large.alone && is_joined(one.min(other))
        }
        _ => false,
    }
}

/// A door or a panel whose foot stands in a step or a kerb, all of its thickness, on the same ground.
fn is_let_in(panel: &Solid, step: &Solid, depth: f64) -> bool {
    let (its, others) = (panel.extent(), step.extent());
    let height = its.size().y;
    let is_low = others.max.y - its.min.y <= FOOT * height;
    let is_level = (its.min.y - others.min.y).abs() <= LEVEL * others.size().y;
    if !is_low || !is_level {
        return false;
    }
    let Build::Plate(thickness) = panel.build() else { return false };
    (LET_IN * thickness..=JOINED.end() * thickness).contains(&depth)
}

/// What comes up through a layer that lies around it: a tree in the soil of its pot, a cake on a cloth. One
/// that stands through a board, and is longer below it than the board is thick, is not.
fn is_planted(small: Piece<'_>, large: Piece<'_>, Overlap { away, .. }: Overlap) -> bool {
    let is_layer_of = |layer: Piece<'_>, thing: Piece<'_>| {
        let Build::Plate(thickness) = layer.whole.build() else { return false };
        let root = layer.whole.extent().min.y - thing.solid.extent().min.y;
        let is_thin = thickness <= layer.whole.contact_tolerance();
        (is_thin || root <= thickness) && layer.whole.surrounds(thing.solid)
    };
    away.y.abs() > 0.7 && (is_layer_of(small, large) || is_layer_of(large, small))
}

/// A lid on its bin, soil in its pot, a post in its foot: they have one upright axis. What stands on something
/// wider is not one of these, though it may stand in its middle; nor are two that stand on the same ground.
fn is_coaxial(small: &Solid, large: &Solid, Overlap { depth, away }: Overlap) -> bool {
    let (its, others) = (small.extent(), large.extent());
    let apart = (its.center() - others.center()).with_y(0.0).length();
    let width = |size: DVec3| size.x.max(size.z);
    let (its_width, others_width) = (width(its.size()), width(others.size()));
    let is_ring = away.y.abs() <= 0.7 && depth <= RIM * its_width;
    let is_flush = (its.max.y - others.max.y).abs() <= FLUSH * its.size().y;
    let is_cap = its_width >= others_width;
    let is_level = (its.min.y - others.min.y).abs() <= LEVEL * its.size().y;
    let has_one_axis = apart <= COAXIAL * its_width.min(others_width);
    has_one_axis && !is_level && (is_ring || is_flush || is_cap)
}
