//! Extruded text.

use glam::DVec2;
use scene::Piece;

use crate::extrusion::extrude;
use crate::{Placement, Tessellation, Triangles};

/// The corners of a closed outline.
type Loop = Vec<[f64; 2]>;

/// The most segments of one piece of an outline.
const MAX_STEPS: f64 = 24.0;

pub(crate) fn text(shape: &scene::Text, tolerance: f64) -> Tessellation {
    let mut triangles = Triangles::default();
    for letter in shape.letters() {
        let loops = letter.iter().map(|outline| corners(outline, tolerance)).collect();
        for part in parts(loops) {
            extrude(&mut triangles, &part, shape.depth.get());
        }
    }
    let placement = Placement::turned(shape.base_center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

/// The outlines of all glyphs.
pub(crate) fn outlines(shape: &scene::Text, tolerance: f64) -> Vec<Vec<[f64; 2]>> {
    let letters = shape.letters();
    letters.iter().flatten().map(|outline| corners(outline, tolerance)).collect()
}

/// Each outer (counter-clockwise) outline with its holes. Parts of some accented letters overlap,
/// so each part is closed on its own.
fn parts(loops: Vec<Loop>) -> Vec<Vec<Loop>> {
    let (outer, holes): (Vec<Loop>, Vec<Loop>) =
        loops.into_iter().partition(|corners| doubled_area(corners) > 0.0);
    let mut parts: Vec<Vec<Loop>> = outer.into_iter().map(|corners| vec![corners]).collect();
    for hole in holes {
        // The smallest outline around the hole.
        let around = parts.iter_mut().filter(|part| winding(&part[0], hole[0]) > 0);
        let area = |part: &&mut Vec<Loop>| doubled_area(&part[0]);
        if let Some(part) = around.min_by(|one, other| area(one).total_cmp(&area(other))) {
            part.push(hole);
        }
    }
    parts
}

/// Twice the signed area; positive for a counter-clockwise outline.
fn doubled_area(corners: &[[f64; 2]]) -> f64 {
    edges(corners).map(|[from, to]| from[0] * to[1] - to[0] * from[1]).sum()
}

/// The winding number of the corners around a point, counter-clockwise.
fn winding(corners: &[[f64; 2]], [x, y]: [f64; 2]) -> i32 {
    let crossing = |[from, to]: [[f64; 2]; 2]| {
        let spans = (from[1] > y) != (to[1] > y);
        let is_right = spans && {
            let share = (y - from[1]) / (to[1] - from[1]);
            x < from[0] + share * (to[0] - from[0])
        };
        if is_right { if to[1] > from[1] { 1 } else { -1 } } else { 0 }
    };
    edges(corners).map(crossing).sum()
}

fn edges(corners: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> + '_ {
    (0..corners.len()).map(|at| [corners[at], corners[(at + 1) % corners.len()]])
}

/// Approximates a closed outline by chords within `tolerance`.
fn corners(outline: &[Piece<2>], tolerance: f64) -> Loop {
    let mut corners = Vec::new();
    for piece in outline {
        let sag = piece.sag(1);
        let wanted = (sag / tolerance).sqrt().clamp(1.0, MAX_STEPS).ceil();
        // Round parts of small letters need a minimum number of segments.
        let steps = if is_straight(piece) { 1.0 } else { wanted.max(4.0) } as usize;
        corners.extend((0..steps).map(|step| piece.at(step as f64 / steps as f64)));
    }
    corners
}

/// Whether a piece is straight.
fn is_straight(piece: &Piece<2>) -> bool {
    let [from, one, other, to] = piece.0.map(DVec2::from);
    let chord = to - from;
    let beside = |handle: DVec2| chord.perp_dot(handle - from).abs();
    beside(one).max(beside(other)) <= 1e-6 * chord.length_squared()
}
