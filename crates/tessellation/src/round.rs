//! Spheres, ellipsoids, capsules, discs, cylinders, cones and tori, as surfaces of revolution.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DVec2, DVec3};

use crate::revolve::{Detail, Knot, Turn, arc, line};
use crate::{Placement, Tessellation, Triangles};

pub(crate) fn sphere(shape: &scene::Sphere, detail: Detail) -> Tessellation {
    let radius = shape.radius.get();
    let mut triangles = Triangles::default();
    ball(&mut triangles, radius, 0.0, detail);
    Tessellation { triangles, placement: Placement::at(shape.center.get()) }
}

/// A unit sphere scaled by the radii, which scales its error by at most the largest radius.
pub(crate) fn ellipsoid(shape: &scene::Ellipsoid, detail: Detail) -> Tessellation {
    let radii = DVec3::from(shape.radii.get());
    let mut unit = Triangles::default();
    let detail = match detail {
        Detail::Within(tolerance) => Detail::Within(tolerance / radii.max_element()),
        sides => sides,
    };
    ball(&mut unit, 1.0, 0.0, detail);
    let mut triangles = Triangles { triangles: unit.triangles, ..Triangles::default() };
    for position in unit.positions {
        let on_ball = DVec3::from(position.map(f64::from));
        let normal = (on_ball * (radii.min_element() / radii)).normalize_or(DVec3::Y);
        triangles.vertex(on_ball * radii, normal);
    }
    let placement = Placement::turned(shape.center.get(), shape.rotation.get());
    Tessellation { triangles, placement }
}

pub(crate) fn capsule(shape: &scene::Capsule, detail: Detail) -> Tessellation {
    let axis = DVec3::from(shape.end.get()) - DVec3::from(shape.start.get());
    let mut triangles = Triangles::default();
    ball(&mut triangles, shape.radius.get(), axis.length(), detail);
    Tessellation { triangles, placement: Placement::upright_along(shape.start.get(), axis) }
}

/// A sphere around the origin whose upper half is lifted by `height`. It has chords in two directions, so
/// each gets half of the tolerance.
fn ball(triangles: &mut Triangles, radius: f64, height: f64, detail: Detail) {
    let around = detail.half().steps(radius, TAU);
    let quarter = detail.half().steps(radius, FRAC_PI_2);
    let half = |lift: f64, angles| arc(DVec2::new(0.0, lift), radius, angles, quarter);
    let mut knots: Vec<Knot> = half(0.0, [-FRAC_PI_2, 0.0]).collect();
    // The upper half begins where the lower one ends, unless they are apart.
    let skipped = usize::from(height == 0.0);
    knots.extend(half(height, [0.0, FRAC_PI_2]).skip(skipped));
    let last = knots.len() - 1;
    for pole in [0, last] {
        // The cosine of a right angle is not exactly 0.
        knots[pole].place.x = 0.0;
    }
    triangles.revolve(&knots, detail.whole_turn(), around);
}

pub(crate) fn disc(shape: &scene::Disc, detail: Detail) -> Tessellation {
    let radius = shape.radius.get();
    let mut triangles = Triangles::default();
    let rim = DVec2::new(radius, 0.0);
    triangles.revolve(&line(rim, DVec2::ZERO), detail.whole_turn(), detail.steps(radius, TAU));
    let placement = Placement::upright_along(shape.center.get(), shape.normal.get().into());
    Tessellation { triangles, placement }
}

pub(crate) fn cylinder(shape: &scene::Cylinder, detail: Detail) -> Tessellation {
    let ends = [shape.base_center.get(), shape.top_center.get()];
    frustum(ends, [shape.radius.get(); 2], shape.capped, detail)
}

pub(crate) fn cone(shape: &scene::Cone, detail: Detail) -> Tessellation {
    let (ends, radii) = shape.ends();
    frustum(ends, radii, shape.capped, detail)
}

fn frustum(
    [base, top]: [[f64; 3]; 2],
    [base_radius, top_radius]: [f64; 2],
    capped: bool,
    detail: Detail,
) -> Tessellation {
    let axis = DVec3::from(top) - DVec3::from(base);
    let steps = detail.steps(base_radius, TAU);
    let low = DVec2::new(base_radius, 0.0);
    let high = DVec2::new(top_radius, axis.length());
    let mut triangles = Triangles::default();
    triangles.revolve(&line(low, high), detail.whole_turn(), steps);
    if capped {
        triangles.revolve(&line(DVec2::ZERO, low), detail.whole_turn(), steps);
    }
    if capped && top_radius > 0.0 {
        triangles.revolve(&line(high, DVec2::new(0.0, high.y)), detail.whole_turn(), steps);
    }
    Tessellation { triangles, placement: Placement::upright_along(base, axis) }
}

pub(crate) fn torus(shape: &scene::Torus, detail: Detail) -> Tessellation {
    let [zero, _, normal] = shape.axes().map(DVec3::from);
    let (radius, tube) = (shape.radius.get(), 0.5 * shape.thickness.get());
    let [start, end] = [shape.start_angle, shape.end_angle].map(|at| at.get().to_radians());
    let turn = if shape.is_whole() { Turn::WHOLE } else { Turn { start, length: end - start } };
    let along = detail.half().steps(radius + tube, turn.length);
    let around = detail.half().steps(tube, TAU);
    let mut knots: Vec<Knot> = arc(DVec2::new(radius, 0.0), tube, [0.0, TAU], around).collect();
    // The circle closes bit for bit.
    knots[around] = knots[0];
    let mut triangles = Triangles::default();
    triangles.revolve(&knots, turn, along);
    if !turn.is_whole() {
        let outline: Vec<DVec2> = knots[..around].iter().map(|knot| knot.place).collect();
        triangles.close_turn(&outline, turn, along);
    }
    Tessellation { triangles, placement: Placement::along(shape.center.get(), zero, normal) }
}
