//! Shapes of the document as triangles: for what the tracer does not meet exactly, for files, and for
//! views that draw triangles.
//!
//! ```text
//! scene::Geometry ─ tessellate ─▶ Tessellation { Triangles, Placement } ─ in_world ─▶ Triangles
//! ```
//!
//! Pure: no I/O, no threads. The same shape and tolerance give the same triangles, bit for bit.
//!
//! Every vertex lies on the surface. Triangles go round counter-clockwise seen from outside, on flat
//! shapes from where the normal points. Closed shapes are watertight: where two triangles meet, the
//! positions of their corners are the same to the last bit, though the vertices may be two, with a
//! normal for each side of a crease.

mod crease;
mod extrusion;
mod flat;
mod form;
mod height_field;
mod lathe;
mod likeness;
mod placement;
mod revolve;
mod round;
mod rounded_box;
mod size;
mod tessellation;
mod text;
mod triangles;
mod tube;

use scene::{BaseShape, Geometry};

pub use extrusion::triangulate;
pub use form::Form;
pub use likeness::{Likeness, placement};
pub use placement::Placement;
pub use size::{Size, size_of};
pub use tessellation::Tessellation;
pub use triangles::Triangles;

/// The share of a shape's size that nobody misses in a picture: for rendering and for files.
pub const FINE: f64 = 1e-4;
/// The share of a shape's size that does for views that are dragged.
pub const COARSE: f64 = 1e-3;

/// The surface of a shape as triangles that are nowhere farther than `tolerance`, in metres, above
/// 0, from it. The tolerance is not kept where it would take more than 512 steps around a circle.
///
/// `None` for a mesh: its triangles are an asset's, not in the document.
pub fn tessellate(geometry: &Geometry, tolerance: f64) -> Option<Tessellation> {
    Some(match geometry.base() {
        BaseShape::Sphere(shape) => round::sphere(shape, tolerance),
        BaseShape::Box(shape) => flat::cuboid(shape),
        BaseShape::Quad(shape) => flat::quad(shape),
        BaseShape::Disc(shape) => round::disc(shape, tolerance),
        BaseShape::Cylinder(shape) => round::cylinder(shape, tolerance),
        BaseShape::Cone(shape) => round::cone(shape, tolerance),
        BaseShape::Torus(shape) => round::torus(shape, tolerance),
        BaseShape::Capsule(shape) => round::capsule(shape, tolerance),
        BaseShape::Ellipsoid(shape) => round::ellipsoid(shape, tolerance),
        BaseShape::RoundedBox(shape) => rounded_box::rounded_box(shape, tolerance),
        BaseShape::Tube(shape) => tube::tube(shape, tolerance),
        BaseShape::Lathe(shape) => lathe::lathe(shape, tolerance),
        BaseShape::Extrusion(shape) => extrusion::extrusion(&shape),
        BaseShape::Text(shape) => text::text(shape, tolerance),
        BaseShape::HeightField(shape) => height_field::height_field(shape),
        BaseShape::Triangle(shape) => flat::triangle(shape),
        BaseShape::Mesh(_) => return None,
    })
}

/// A tolerance in metres: `share` of the longest side of the box around the shape; `None` for a mesh.
pub fn tolerance_of(geometry: &Geometry, share: f64) -> Option<f64> {
    Some(share * geometry.bounds()?.size().into_iter().fold(0.0, f64::max))
}
