//! Tessellates the shapes of a scene: for shapes without an analytic intersection in the tracer, for
//! exports, and for the browser's raster view.
//!
//! ```text
//! scene::Geometry ─ tessellate ─▶ Tessellation { Triangles, Placement } ─ in_world ─▶ Triangles
//! ```
//!
//! Pure: no I/O, no threads. The same shape and tolerance give the same triangles, bit for bit.
//!
//! Every vertex lies on the surface. Triangles are counter-clockwise seen from outside, those of flat
//! shapes seen from the side the normal points to. Closed shapes are watertight: triangles that share an
//! edge have equal positions there, bit for bit. At a crease each side has vertices of its own, with its
//! own normal.

mod crease;
mod extrusion;
mod flat;
mod height_field;
mod instance_key;
mod lathe;
mod measures;
mod mesh_key;
mod placement;
mod polyhedron;
mod revolve;
mod round;
mod rounded_box;
mod size;
mod tessellation;
mod text;
mod triangles;
mod tube;

use scene::{BaseShape, Geometry};

use revolve::Detail;

pub use extrusion::triangulate;
pub use instance_key::InstanceKey;
pub use measures::placement;
pub use mesh_key::MeshKey;
pub use placement::Placement;
pub use size::{Size, size_of};
pub use tessellation::Tessellation;
pub use triangles::Triangles;

/// Tolerance relative to the size of a shape, for rendering and export: the error is not visible.
pub const FINE: f64 = 1e-4;
/// Tolerance relative to the size of a shape, for views while the user drags something.
pub const COARSE: f64 = 1e-3;

/// Tessellates a shape. No triangle is farther than `tolerance` (in metres, above 0) from the surface,
/// unless that would take more than 512 segments around a circle.
///
/// `None` for a mesh, whose triangles are an asset.
pub fn tessellate(geometry: &Geometry, tolerance: f64) -> Option<Tessellation> {
    let detail = Detail::of(geometry, tolerance);
    let mut made = match geometry.base() {
        BaseShape::Sphere(shape) => round::sphere(shape, detail),
        BaseShape::Box(shape) => flat::cuboid(shape),
        BaseShape::Quad(shape) => flat::quad(shape),
        BaseShape::Disc(shape) => round::disc(shape, detail),
        BaseShape::Cylinder(shape) => round::cylinder(shape, detail),
        BaseShape::Cone(shape) => round::cone(shape, detail),
        BaseShape::Torus(shape) => round::torus(shape, detail),
        BaseShape::Capsule(shape) => round::capsule(shape, detail),
        BaseShape::Ellipsoid(shape) => round::ellipsoid(shape, detail),
        BaseShape::RoundedBox(shape) => rounded_box::rounded_box(shape, tolerance),
        BaseShape::Tube(shape) => tube::tube(shape, detail),
        BaseShape::Lathe(shape) => lathe::lathe(shape, detail),
        BaseShape::Extrusion(shape) => extrusion::extrusion(&shape),
        BaseShape::Text(shape) => text::text(shape, tolerance),
        BaseShape::HeightField(shape) => height_field::height_field(shape),
        BaseShape::Triangle(shape) => flat::triangle(shape),
        BaseShape::Polyhedron(shape) => polyhedron::polyhedron(shape),
        BaseShape::Mesh(_) => return None,
    };
    if geometry.sides().is_some() {
        made.triangles = made.triangles.faceted();
    }
    Some(made)
}

/// A tolerance in metres: `share` of the longest side of the box around the shape; `None` for a mesh.
pub fn tolerance_of(geometry: &Geometry, share: f64) -> Option<f64> {
    Some(share * geometry.bounds()?.size().into_iter().fold(0.0, f64::max))
}
