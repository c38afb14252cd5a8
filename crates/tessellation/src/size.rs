//! Size estimates of tessellations.

use std::f64::consts::{FRAC_PI_2, TAU};

use scene::{BaseShape, Geometry};

use crate::revolve::{Turn, steps};
use crate::{lathe, text, tube};

/// An upper bound of the size of a tessellation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of triangles.
    pub triangles: usize,
}

impl Size {
    /// The surface of revolution of a profile, with `steps` segments around the axis.
    fn revolved(knots: usize, steps: usize) -> Self {
        Self { vertices: knots * (steps + 1), triangles: 2 * knots.saturating_sub(1) * steps }
    }

    /// An extrusion of outlines with this many corners.
    fn extruded(corners: usize, loops: usize) -> Self {
        Self { vertices: 6 * corners, triangles: 4 * (corners + loops) }
    }

    fn and(self, other: Self) -> Self {
        Self {
            vertices: self.vertices + other.vertices,
            triangles: self.triangles + other.triangles,
        }
    }
}

/// An upper bound of the size of what [`tessellate`](crate::tessellate) returns; `None` for a mesh. It is
/// much faster than the tessellation.
pub fn size_of(geometry: &Geometry, tolerance: f64) -> Option<Size> {
    let ball = |radius: f64, extra_rows: usize| {
        let quarter = steps(radius, FRAC_PI_2, 0.5 * tolerance);
        Size::revolved(2 * quarter + 1 + extra_rows, steps(radius, TAU, 0.5 * tolerance))
    };
    let frustum = |radius: f64, capped: bool| {
        let ring = Size::revolved(2, steps(radius, TAU, tolerance));
        if capped { ring.and(ring).and(ring) } else { ring }
    };
    Some(match geometry.base() {
        BaseShape::Sphere(shape) => ball(shape.radius.get(), 0),
        BaseShape::Capsule(shape) => ball(shape.radius.get(), 1),
        BaseShape::Ellipsoid(shape) => {
            let largest = shape.radii.get().into_iter().fold(0.0, f64::max);
            ball(largest, 0)
        }
        BaseShape::Box(_) => Size { vertices: 24, triangles: 12 },
        BaseShape::Quad(_) => Size { vertices: 4, triangles: 2 },
        BaseShape::Triangle(_) => Size { vertices: 3, triangles: 1 },
        BaseShape::Disc(shape) => Size::revolved(2, steps(shape.radius.get(), TAU, tolerance)),
        BaseShape::Cylinder(shape) => frustum(shape.radius.get(), shape.capped),
        BaseShape::Cone(shape) => frustum(shape.base_radius.get(), shape.capped),
        BaseShape::Torus(shape) => {
            let (radius, tube) = (shape.radius.get(), 0.5 * shape.thickness.get());
            let [start, end] =
                [shape.start_angle, shape.end_angle].map(|angle| angle.get().to_radians());
            let length = if shape.is_whole() { Turn::WHOLE.length } else { end - start };
            let around = steps(tube, TAU, 0.5 * tolerance);
            let ends = Size { vertices: 2 * around, triangles: 2 * around };
            let along = steps(radius + tube, length, 0.5 * tolerance);
            Size::revolved(around + 1, along).and(ends)
        }
        BaseShape::RoundedBox(shape) => {
            let quarter = steps(shape.radius.get(), TAU, 0.5 * tolerance).div_ceil(4);
            let faces = Size { vertices: 0, triangles: 4 };
            Size::revolved(2 * (quarter + 1), 4 * (quarter + 1)).and(faces)
        }
        BaseShape::Tube(shape) => {
            let (stations, around) = tube::cuts(shape, tolerance);
            let caps = if shape.closed { 1 } else { 2 * around.div_ceil(4) };
            Size::revolved(stations.len() + caps + 1, around)
        }
        BaseShape::Lathe(shape) => {
            let (lines, around) = lathe::lines(shape, tolerance);
            let sizes = lines.iter().map(|line| Size::revolved(line.len(), around));
            sizes.fold(Size::default(), Size::and)
        }
        BaseShape::Extrusion(shape) => {
            let loops = shape.loops();
            Size::extruded(loops.iter().map(Vec::len).sum(), loops.len())
        }
        BaseShape::Text(shape) => {
            let loops = text::outlines(shape, tolerance);
            Size::extruded(loops.iter().map(Vec::len).sum(), loops.len())
        }
        BaseShape::HeightField(shape) => {
            let grid = shape.grid();
            let cells = (grid.columns - 1) * (grid.rows - 1);
            // A faceted height field has separate vertices for each triangle.
            let is_soft = shape.smooth || shape.heights.is_none();
            let vertices = if is_soft { grid.columns * grid.rows } else { 6 * cells };
            Size { vertices, triangles: 2 * cells }
        }
        BaseShape::Mesh(_) => return None,
    })
}
