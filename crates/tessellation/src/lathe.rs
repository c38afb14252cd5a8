//! Surfaces of revolution from profiles.

use std::f64::consts::TAU;

use glam::DVec2;
use scene::Piece;

use crate::crease::joined;
use crate::revolve::{Detail, Knot};
use crate::{Placement, Tessellation, Triangles};

/// The most segments of one smooth piece of a profile.
const MAX_STEPS: f64 = 64.0;

/// The smooth lines of the profile, and the number of segments around the axis.
pub(crate) fn lines(shape: &scene::Lathe, detail: Detail) -> (Vec<Vec<Knot>>, usize) {
    let points = shape.profile.get().iter();
    let size = points.flat_map(|point| point.map(f64::abs)).fold(0.0, f64::max);
    let tolerance = detail.tolerance(size);
    let lines: Vec<Vec<Knot>> = if shape.smooth {
        outwards(&shape.pieces()).iter().map(|piece| curved(piece, 0.5 * tolerance)).collect()
    } else {
        straight(&outwards(&shape.pieces()), shape.is_ring())
    };
    let widest = lines.iter().flatten().map(|knot| knot.place.x).fold(0.0, f64::max);
    let around = detail.half().steps(widest, TAU);
    (lines, around)
}

pub(crate) fn lathe(shape: &scene::Lathe, detail: Detail) -> Tessellation {
    let (lines, around) = lines(shape, detail);
    let mut triangles = Triangles::default();
    for line in &lines {
        triangles.revolve(line, detail.whole_turn(), around);
    }
    let placement = Placement::turned(shape.base_center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

/// The pieces in the direction in which the outside is on their right, so that the volume is
/// positive.
fn outwards(pieces: &[Piece<2>]) -> Vec<Piece<2>> {
    let held = |piece: &Piece<2>| {
        let [[a, low], _, _, [b, high]] = piece.0;
        (a * a + a * b + b * b) * (high - low)
    };
    let forwards = pieces.iter().map(held).sum::<f64>() >= 0.0;
    let reversed = |piece: &Piece<2>| {
        let [a, b, c, d] = piece.0;
        Piece([d, c, b, a])
    };
    match forwards {
        true => pieces.to_vec(),
        false => pieces.iter().rev().map(reversed).collect(),
    }
}

/// Approximates a smooth piece by chords within `tolerance`.
fn curved(piece: &Piece<2>, tolerance: f64) -> Vec<Knot> {
    let steps = (piece.sag(1) / tolerance).sqrt().clamp(4.0, MAX_STEPS).ceil() as usize;
    (0..=steps)
        .map(|step| {
            let t = step as f64 / steps as f64;
            let [distance, height] = piece.at(t);
            let way = DVec2::from(piece.way(t)).normalize_or(DVec2::Y);
            Knot { place: DVec2::new(distance.max(0.0), height), normal: DVec2::new(way.y, -way.x) }
        })
        .collect()
}

/// Straight pieces, joined where their joints are smooth.
fn straight(pieces: &[Piece<2>], is_ring: bool) -> Vec<Vec<Knot>> {
    let ends: Vec<[DVec2; 2]> =
        pieces.iter().map(|piece| [DVec2::from(piece.0[0]), DVec2::from(piece.0[3])]).collect();
    let ways: Vec<DVec2> = ends.iter().map(|[from, to]| (to - from).normalize()).collect();
    let count = ways.len();
    let normal = |at: usize, other: Option<usize>| {
        let way = other.map_or(ways[at], |other| joined(ways[at], ways[other]));
        DVec2::new(way.y, -way.x)
    };
    (0..count)
        .map(|at| {
            let before = if at > 0 || is_ring { Some((at + count - 1) % count) } else { None };
            let after = if at + 1 < count || is_ring { Some((at + 1) % count) } else { None };
            let [from, to] = ends[at];
            vec![
                Knot { place: from, normal: normal(at, before) },
                Knot { place: to, normal: normal(at, after) },
            ]
        })
        .collect()
}
