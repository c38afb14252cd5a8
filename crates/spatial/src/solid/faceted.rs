//! Shapes of flat faces.

use glam::{DMat3, DVec3};
use scene::{BaseShape, Geometry, Polyhedron};
use tessellation::{Tessellation, tessellate};

use super::{Convex, Core, Solid, Traits};

const SOLID: Traits = Traits { flat: false, hollow: false, rough: false };

impl Solid {
    /// A round shape of flat sides, if its corners tell it; rings, tubes and lathes count as round.
    pub(super) fn faceted(geometry: &Geometry) -> Option<Self> {
        geometry.sides()?;
        let (is_convex, capped) = match geometry.base() {
            BaseShape::Sphere(_) | BaseShape::Ellipsoid(_) | BaseShape::Capsule(_) => (true, true),
            BaseShape::Cylinder(shape) => (true, shape.capped),
            BaseShape::Cone(shape) => (true, shape.capped),
            _ => (false, true),
        };
        // The tolerance does not matter for a number of sides.
        let corners = places(&tessellate(geometry, 1.0).filter(|_| is_convex)?);
        let hull = Convex::sharp(Core::Hull(distinct(corners)));
        Some(Self::new(vec![hull], Traits { hollow: !capped, ..SOLID }))
    }

    /// A polyhedron: its hull if it is convex; else a pyramid from its middle over each triangle if all of it is
    /// seen from there, or else its triangles.
    pub(super) fn faces(geometry: &Geometry, shape: &Polyhedron) -> Option<Self> {
        let made = tessellate(geometry, 1.0)?;
        // As the tessellation has them, in double precision.
        let faces = shape.oriented_faces();
        let own = faces.iter().flatten().map(|at| DVec3::from(shape.vertices.get()[*at as usize]));
        let turn = DMat3::from_cols_array_2d(&made.placement.rotation).transpose();
        let origin = DVec3::from(made.placement.translation);
        let corners: Vec<DVec3> = own.map(|place| turn * place + origin).collect();
        let triangles: Vec<[DVec3; 3]> = made
            .triangles
            .triangles
            .iter()
            .map(|triangle| triangle.map(|at| corners[at as usize]))
            .collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let size = corners.iter().map(|corner| corner.distance(middle)).fold(0.0, f64::max);
        // How far a point lies outside of a face.
        let outside = |[a, b, c]: &[DVec3; 3], point: DVec3| {
            (*b - *a).cross(*c - *a).normalize_or_zero().dot(point - *a)
        };
        let is_closed = Geometry::Polyhedron(shape.clone()).is_solid();
        let is_convex = is_closed
            && triangles
                .iter()
                .all(|face| corners.iter().all(|corner| outside(face, *corner) <= 1e-6 * size));
        if is_convex {
            return Some(Self::new(vec![Convex::sharp(Core::Hull(distinct(corners)))], SOLID));
        }
        let is_star =
            is_closed && triangles.iter().all(|face| outside(face, middle) < -1e-6 * size);
        let part = |[a, b, c]: &[DVec3; 3]| {
            let mut hull = vec![*a, *b, *c];
            hull.extend(is_star.then_some(middle));
            Convex::sharp(Core::Hull(hull))
        };
        let parts = triangles.iter().map(part).collect();
        Some(Self::new(parts, Traits { flat: !is_closed, hollow: !is_star, ..SOLID }))
    }
}

/// The vertices in the world.
fn places(made: &Tessellation) -> Vec<DVec3> {
    let turn = DMat3::from_cols_array_2d(&made.placement.rotation).transpose();
    let origin = DVec3::from(made.placement.translation);
    let own = made.triangles.positions.iter().map(|place| DVec3::from(place.map(f64::from)));
    own.map(|place| turn * place + origin).collect()
}

fn distinct(mut corners: Vec<DVec3>) -> Vec<DVec3> {
    let key = |corner: &DVec3| corner.to_array();
    corners.sort_by(|one, other| {
        let pairs = key(one).into_iter().zip(key(other));
        pairs
            .map(|(one, other)| one.total_cmp(&other))
            .find(|way| way.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    corners.dedup();
    corners
}
