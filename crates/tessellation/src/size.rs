//! Size estimates of tessellations.

use std::f64::consts::{FRAC_PI_2, TAU};

use scene::{BaseShape, Geometry};

use crate::revolve::{Detail, Turn};
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
    let detail = Detail::of(geometry, tolerance);
    let ball = |radius: f64, extra_rows: usize| {
        let quarter = detail.half().steps(radius, FRAC_PI_2);
        Size::revolved(2 * quarter + 1 + extra_rows, detail.half().steps(radius, TAU))
    };
    let frustum = |radius: f64, capped: bool| {
        let ring = Size::revolved(2, detail.steps(radius, TAU));
        if capped { ring.and(ring).and(ring) } else { ring }
    };
    let size = match geometry.base() {
        BaseShape::Sphere(shape) => ball(shape.radius.get(), 0),
        BaseShape::Capsule(shape) => ball(shape.radius.get(), 1),
        BaseShape::Ellipsoid(shape) => {
            let largest = shape.radii.get().into_iter().fold(0.0, f64::max);
            ball(largest, 0)
        }
        // Six faces, twelve edges and eight corners.
        BaseShape::Box(shape) if shape.bevel.is_some() => Size { vertices: 96, triangles: 44 },
        BaseShape::Box(_) => Size { vertices: 24, triangles: 12 },
        BaseShape::Quad(_) => Size { vertices: 4, triangles: 2 },
        BaseShape::Triangle(_) => Size { vertices: 3, triangles: 1 },
        BaseShape::Disc(shape) => Size::revolved(2, detail.steps(shape.radius.get(), TAU)),
        BaseShape::Cylinder(shape) => frustum(shape.radius.get(), shape.capped),
        BaseShape::Cone(shape) => frustum(shape.ends().1[0], shape.capped),
        BaseShape::Torus(shape) => {
            let (radius, tube) = (shape.radius.get(), 0.5 * shape.thickness.get());
            let [start, end] =
                [shape.start_angle, shape.end_angle].map(|angle| angle.get().to_radians());
            let length = if shape.is_whole() { Turn::WHOLE.length } else { end - start };
            let around = detail.half().steps(tube, TAU);
            let ends = Size { vertices: 2 * around, triangles: 2 * around };
            let along = detail.half().steps(radius + tube, length);
            Size::revolved(around + 1, along).and(ends)
        }
        BaseShape::RoundedBox(shape) => {
            let quarter = detail.half().steps(shape.radius.get(), TAU).div_ceil(4);
            let faces = Size { vertices: 0, triangles: 4 };
            Size::revolved(2 * (quarter + 1), 4 * (quarter + 1)).and(faces)
        }
        BaseShape::Tube(shape) => {
            let (stations, around) = tube::cuts(shape, detail);
            let caps = if shape.closed { 1 } else { 2 * around.div_ceil(4) };
            Size::revolved(stations.len() + caps + 1, around)
        }
        BaseShape::Lathe(shape) => {
            let (lines, around) = lathe::lines(shape, detail);
            let sizes = lines.iter().map(|line| Size::revolved(line.len(), around));
            sizes.fold(Size::default(), Size::and)
        }
        BaseShape::Extrusion(shape) => {
            let loops = shape.loops();
            let corners = loops.iter().map(Vec::len).sum();
            let plain = Size::extruded(corners, loops.len());
            let edges = Size { vertices: 8 * corners, triangles: 4 * corners };
            if shape.bevel.is_some() { plain.and(edges) } else { plain }
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
        BaseShape::Polyhedron(shape) => {
            let corners: usize = shape.faces.get().iter().map(Vec::len).sum();
            Size { vertices: corners, triangles: corners }
        }
        BaseShape::Mesh(_) => return None,
    };
    // Flat sides share no vertices.
    let is_faceted = geometry.sides().is_some();
    Some(if is_faceted { Size { vertices: 3 * size.triangles, ..size } } else { size })
}
