//! Boxes with rounded edges and corners.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};

use crate::revolve::steps;
use crate::{Placement, Tessellation, Triangles};

/// A sphere whose octants are moved to the corners of the inner box; edges and faces connect them.
pub(crate) fn rounded_box(shape: &scene::RoundedBox, tolerance: f64) -> Tessellation {
    let radius = shape.radius.get();
    let inner = DVec3::from(shape.inner_half());
    let quarter = steps(radius, TAU, 0.5 * tolerance).div_ceil(4);
    let around = directions(quarter);
    let mut triangles = Triangles::default();
    let mut rows = Vec::new();
    for side in [-1.0, 1.0] {
        for step in 0..=quarter {
            // From the lower pole up to the equator, then to the upper pole.
            let up = if side < 0.0 { quarter - step } else { step };
            let height = unit(up, quarter);
            let row: Vec<u32> = around
                .iter()
                .map(|(flat, corner)| {
                    let normal = DVec3::new(flat.x * height.x, side * height.y, flat.y * height.x);
                    let corner = DVec3::new(corner.x, side, corner.y) * inner;
                    triangles.vertex(corner + normal * radius, normal)
                })
                .collect();
            rows.push(row);
        }
    }
    for pair in rows.windows(2) {
        for (low, high) in pair[0].windows(2).zip(pair[1].windows(2)) {
            triangles.quad([low[0], low[1], high[1], high[0]]);
        }
    }
    // The poles are stretched to faces.
    let corners = [0, 1, 2, 3].map(|quadrant| quadrant * (quarter + 1));
    let [bottom, top] = [&rows[0], &rows[rows.len() - 1]];
    triangles.quad(corners.map(|at| top[at]));
    triangles.quad([3, 2, 1, 0].map(|quadrant: usize| bottom[corners[quadrant]]));
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

/// The unit vector at a step of a quarter turn; exact at both ends.
fn unit(step: usize, steps: usize) -> DVec2 {
    match step {
        0 => DVec2::X,
        _ if step == steps => DVec2::Y,
        _ => DVec2::from_angle(FRAC_PI_2 * step as f64 / steps as f64),
    }
}

/// Directions around the y axis, in x and z, from x towards -z, each with its corner of the box;
/// the last one equals the first.
fn directions(quarter: usize) -> Vec<(DVec2, DVec2)> {
    let mut all = Vec::with_capacity(4 * (quarter + 1) + 1);
    for quadrant in 0..4 {
        let turned = |way: DVec2| (0..quadrant).fold(way, |way, _| DVec2::new(way.y, -way.x));
        let corner = turned(DVec2::new(1.0, -1.0));
        for step in 0..=quarter {
            let way = unit(step, quarter);
            all.push((turned(DVec2::new(way.x, -way.y)), corner));
        }
    }
    all.push(all[0]);
    all
}
