//! Measures and placements of shapes with closed forms.

use glam::DVec3;
use scene::{BaseShape, Geometry};

use crate::Placement;

/// A name of all that its form depends on but its size, and a length in metres whose ratio is the scale between
/// shapes of one name. `None` for what is described by lists of points, and for meshes.
pub(crate) fn measured(geometry: &Geometry) -> Option<(String, f64)> {
    let length = |from: [f64; 3], to: [f64; 3]| (DVec3::from(to) - DVec3::from(from)).length();
    let (size, measures): (f64, Vec<f64>) = match geometry.base() {
        BaseShape::Sphere(shape) => (shape.radius.get(), Vec::new()),
        BaseShape::Disc(shape) => (shape.radius.get(), Vec::new()),
        BaseShape::Cylinder(shape) => {
            let radius = shape.radius.get();
            let height = length(shape.base_center.get(), shape.top_center.get());
            (radius, vec![height / radius, f64::from(shape.capped)])
        }
        BaseShape::Cone(shape) => {
            let ([base, top], [radius, top_radius]) = shape.ends();
            let capped = f64::from(shape.capped);
            (radius, vec![length(base, top) / radius, top_radius / radius, capped])
        }
        BaseShape::Capsule(shape) => {
            let radius = shape.radius.get();
            (radius, vec![length(shape.start.get(), shape.end.get()) / radius])
        }
        BaseShape::Torus(shape) => {
            let radius = shape.radius.get();
            let angles = [shape.start_angle.get(), shape.end_angle.get()];
            (radius, vec![shape.thickness.get() / radius, angles[0], angles[1]])
        }
        BaseShape::Ellipsoid(shape) => {
            let radii = DVec3::from(shape.radii.get());
            let largest = radii.max_element();
            (largest, (radii / largest).to_array().to_vec())
        }
        BaseShape::Box(shape) => {
            let bevel = geometry.bevel().unwrap_or(0.0);
            (1.0, shape.dimensions.get().into_iter().chain([bevel]).collect())
        }
        BaseShape::RoundedBox(shape) => {
            let [x, y, z] = shape.dimensions.get();
            (1.0, vec![x, y, z, shape.radius.get()])
        }
        BaseShape::Quad(shape) => (1.0, [shape.u.get(), shape.v.get()].concat()),
        BaseShape::Triangle(shape) => {
            let [first, second, third] = shape.vertices.get().map(DVec3::from);
            let edges = [second - first, third - first].map(|edge| edge.to_array());
            (1.0, edges.concat())
        }
        _ => return None,
    };
    // In single precision: lengths that are computed from two points differ in the last bits.
    let measures: Vec<f32> = measures.into_iter().map(|measure| measure as f32).collect();
    let sides = geometry.sides().map(|sides| format!(" sides {sides}")).unwrap_or_default();
    let name = format!("{} {measures:?}{sides}", geometry.type_name());
    Some((name, size))
}

/// The placement of the triangles that [`tessellate`](crate::tessellate) returns; `None` for a mesh.
pub fn placement(geometry: &Geometry) -> Option<Placement> {
    Some(match geometry.base() {
        BaseShape::Sphere(shape) => Placement::at(shape.center.get()),
        BaseShape::Box(shape) => Placement::turned(shape.center.get(), shape.rotation.get()),
        BaseShape::Quad(shape) => Placement::at(shape.corner.get()),
        BaseShape::Disc(shape) => {
            Placement::upright_along(shape.center.get(), shape.normal.get().into())
        }
        BaseShape::Cylinder(shape) => between(shape.base_center.get(), shape.top_center.get()),
        BaseShape::Cone(shape) => {
            let ([base, top], _) = shape.ends();
            between(base, top)
        }
        BaseShape::Torus(shape) => {
            let [zero, _, normal] = shape.axes().map(DVec3::from);
            Placement::along(shape.center.get(), zero, normal)
        }
        BaseShape::Capsule(shape) => between(shape.start.get(), shape.end.get()),
        BaseShape::Ellipsoid(shape) => Placement::turned(shape.center.get(), shape.rotation.get()),
        BaseShape::RoundedBox(shape) => Placement::turned(shape.center.get(), shape.rotation.get()),
        BaseShape::Triangle(shape) => Placement::at(shape.vertices.get()[0]),
        BaseShape::Tube(shape) => Placement::at(shape.points.get()[0]),
        BaseShape::Lathe(shape) => Placement::turned(shape.base_center.get(), shape.rotation.get()),
        BaseShape::Extrusion(shape) => Placement::turned(shape.center.get(), shape.rotation.get()),
        BaseShape::Text(shape) => Placement::turned(shape.base_center.get(), shape.rotation.get()),
        BaseShape::HeightField(shape) => {
            Placement::turned(shape.center.get(), shape.rotation.get())
        }
        BaseShape::Polyhedron(shape) => Placement::turned(shape.center.get(), shape.rotation.get()),
        BaseShape::Mesh(_) => return None,
    })
}

fn between(from: [f64; 3], to: [f64; 3]) -> Placement {
    Placement::upright_along(from, DVec3::from(to) - DVec3::from(from))
}
