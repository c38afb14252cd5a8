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

use scene::Geometry;

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
    Some(match geometry {
        Geometry::Sphere(shape) => round::sphere(shape, tolerance),
        Geometry::Box(shape) => flat::cuboid(shape),
        Geometry::Quad(shape) => flat::quad(shape),
        Geometry::Disc(shape) => round::disc(shape, tolerance),
        Geometry::Cylinder(shape) => round::cylinder(shape, tolerance),
        Geometry::Cone(shape) => round::cone(shape, tolerance),
        Geometry::Torus(shape) => round::torus(shape, tolerance),
        Geometry::Capsule(shape) => round::capsule(shape, tolerance),
        Geometry::Ellipsoid(shape) => round::ellipsoid(shape, tolerance),
        Geometry::RoundedBox(shape) => rounded_box::rounded_box(shape, tolerance),
        Geometry::Tube(shape) => tube::tube(shape, tolerance),
        Geometry::Lathe(shape) => lathe::lathe(shape, tolerance),
        Geometry::Extrusion(shape) => extrusion::extrusion(shape),
        Geometry::Text(shape) => text::text(shape, tolerance),
        Geometry::HeightField(shape) => height_field::height_field(shape),
        Geometry::Triangle(shape) => flat::triangle(shape),
        Geometry::Mesh(_) => return None,
    })
}

/// A tolerance in metres: `share` of the longest side of the box around the shape; `None` for a mesh.
pub fn tolerance_of(geometry: &Geometry, share: f64) -> Option<f64> {
    Some(share * geometry.bounds()?.size().into_iter().fold(0.0, f64::max))
}
