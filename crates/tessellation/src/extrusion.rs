//! Extrusion of outlines.

use std::collections::HashMap;

use glam::{DVec2, DVec3};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::crease::joined;
use crate::{Placement, Tessellation, Triangles};

pub(crate) fn extrusion(shape: &scene::Extrusion) -> Tessellation {
    let mut triangles = Triangles::default();
    let (loops, half) = (shape.loops(), 0.5 * shape.depth.get());
    match (shape.beveled_loops(), shape.bevel) {
        (Some(faces), Some(bevel)) => {
            ends(&mut triangles, &faces, half);
            let edge = half - bevel.get();
            for (outer, inner) in loops.iter().zip(&faces) {
                wall(&mut triangles, [outer, outer], [-edge, edge]);
                wall(&mut triangles, [inner, outer], [-half, -edge]);
                wall(&mut triangles, [outer, inner], [edge, half]);
            }
        }
        _ => extrude(&mut triangles, &loops, shape.depth.get()),
    }
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

/// Adds the extrusion of closed loops in the x-y plane, by half of `depth` to each side along z.
/// Outer loops are counter-clockwise, holes clockwise.
pub(crate) fn extrude(triangles: &mut Triangles, loops: &[Vec<[f64; 2]>], depth: f64) {
    let half = 0.5 * depth;
    ends(triangles, loops, half);
    for corners in loops {
        wall(triangles, [corners, corners], [-half, half]);
    }
}

/// Adds the front and the back face.
fn ends(triangles: &mut Triangles, loops: &[Vec<[f64; 2]>], half: f64) {
    let corners = loops.iter().flatten();
    for (side, turn) in [(-half, [2, 1, 0]), (half, [0, 1, 2])] {
        let first = triangles.positions.len() as u32;
        for &[x, y] in corners.clone() {
            triangles.vertex(DVec3::new(x, y, side), DVec3::Z * side.signum());
        }
        for triangle in triangulate(loops) {
            triangles.triangle(turn.map(|at| first + triangle[at] as u32));
        }
    }
}

/// The side faces between two loops with parallel edges at the depths `[back, front]`, with smooth normals
/// at smooth joints.
fn wall(triangles: &mut Triangles, loops: [&[[f64; 2]]; 2], [back, front]: [f64; 2]) {
    let count = loops[0].len();
    let at = |corner: usize| DVec2::from(loops[0][corner % count]);
    // How far the front lies outside of the back, across an edge.
    let lean = |edge: usize| {
        let (from, to) = (at(edge), at(edge + 1));
        let way = (to - from).normalize_or_zero();
        (DVec2::from(loops[1][edge % count]) - from).dot(DVec2::new(way.y, -way.x))
    };
    let way = |edge: usize| (at(edge + 1) - at(edge)).normalize_or_zero();
    for edge in 0..count {
        let before = joined(way(edge), way((edge + count - 1) % count));
        let after = joined(way(edge), way((edge + 1) % count));
        let slope = -lean(edge) / (front - back);
        let mut end = |corner: usize, way: DVec2| {
            let normal = DVec3::new(way.y, -way.x, slope).normalize();
            let places = [(0, back), (1, front)];
            places.map(|(of, z)| {
                triangles.vertex(DVec2::from(loops[of][corner % count]).extend(z), normal)
            })
        };
        let [low, high] = end(edge, before);
        let [next_low, next_high] = end(edge + 1, after);
        triangles.quad([low, next_low, next_high, high]);
    }
}

/// Triangulates the inside of closed loops, with counter-clockwise triangles. Corners are indices
/// into the concatenated loops. Every edge of a loop is an edge of a triangle: a constrained
/// Delaunay triangulation.
pub fn triangulate(loops: &[Vec<[f64; 2]>]) -> Vec<[usize; 3]> {
    let (corners, named) = distinct(loops);
    let mut edges = Vec::with_capacity(named.len());
    let mut first = 0;
    for count in loops.iter().map(Vec::len) {
        edges.extend((0..count).map(|at| [named[first + at], named[first + (at + 1) % count]]));
        first += count;
    }
    // The index of each distinct corner in the loops.
    let mut places = vec![0; corners.len()];
    for (place, name) in named.iter().enumerate().rev() {
        places[*name] = place;
    }
    // Crossing edges are skipped: the result is wrong there, but nothing fails.
    let made =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(corners, edges, |_| ());
    // It fails only for non-finite numbers.
    let Ok(made) = made else { return Vec::new() };
    let inside = inside(&made);
    let faces = made.inner_faces().filter(|face| inside[face.fix().index()]);
    faces.map(|face| face.vertices().map(|vertex| places[vertex.fix().index()])).collect()
}

/// The distinct corners of all loops, and the index into them for each corner, since outlines of
/// letters may touch themselves in a corner.
fn distinct(loops: &[Vec<[f64; 2]>]) -> (Vec<Point2<f64>>, Vec<usize>) {
    let mut corners = Vec::new();
    let mut known = HashMap::new();
    let name = |corner: &[f64; 2]| {
        let [x, y] = corner.map(settled);
        *known.entry([x.to_bits(), y.to_bits()]).or_insert_with(|| {
            corners.push(Point2::new(x, y));
            corners.len() - 1
        })
    };
    let named = loops.iter().flatten().map(name).collect();
    (corners, named)
}

/// The faces inside by index, by the even-odd rule: a path from outside crosses an odd number of
/// loop edges. This also works for faces that are too thin for a centroid.
fn inside(made: &ConstrainedDelaunayTriangulation<Point2<f64>>) -> Vec<bool> {
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); made.num_all_faces()];
    for edge in made.directed_edges() {
        let [here, there] = [edge, edge.rev()].map(|edge| edge.face().fix().index());
        neighbours[here].push((there, made.is_constraint_edge(edge.fix().as_undirected())));
    }
    let mut inside = vec![false; neighbours.len()];
    let mut seen = vec![false; neighbours.len()];
    let mut next = vec![made.outer_face().fix().index()];
    while let Some(face) = next.pop() {
        if std::mem::replace(&mut seen[face], true) {
            continue;
        }
        for &(other, is_crossing) in &neighbours[face] {
            if !seen[other] {
                inside[other] = inside[face] != is_crossing;
                next.push(other);
            }
        }
    }
    inside
}

/// Tiny numbers, which the triangulation refuses, rounded to 0.
fn settled(number: f64) -> f64 {
    if number.abs() < 1e-60 { 0.0 } else { number }
}
