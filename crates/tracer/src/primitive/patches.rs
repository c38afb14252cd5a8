//! Area-preserving parametrizations of surfaces by patches with coordinates from 0 to 1.

use std::f32::consts::TAU;

use glam::Vec3A;

use super::Primitive;
use super::sampling::{even_in_triangle, numbers_in_triangle};
use crate::ray::SurfacePoint;

impl Primitive {
    /// The areas of the patches: one, six for boxes, one per triangle for meshes; none for surfaces
    /// without a parametrization.
    pub(crate) fn patch_areas(&self) -> Vec<f32> {
        match self {
            Self::Sphere(_) | Self::Quad(_) | Self::Triangle(_) => vec![self.area()],
            Self::Cuboid(shape) => [shape.face_areas(); 2].concat(),
            Self::Instance(shape) => shape.triangle_areas().map(|area| area as f32).collect(),
            Self::Disc(_)
            | Self::Frustum(_)
            | Self::Capsule(_)
            | Self::Torus(_)
            | Self::Ellipsoid(_)
            | Self::RoundedBox(_) => Vec::new(),
        }
    }

    /// The point of a patch with these coordinates, and the part of the surface that contains it.
    pub(crate) fn on_patch(&self, patch: usize, at: [f32; 2]) -> (SurfacePoint, u32) {
        match self {
            Self::Cuboid(shape) => (shape.on_face(patch, at), 0),
            Self::Instance(shape) => {
                (shape.triangle_at(patch as u32, even_in_triangle(at)), patch as u32)
            }
            _ => (self.sample_area(at), 0),
        }
    }

    /// The patch and coordinates of a point of the surface in the part `part`: the inverse of
    /// [`on_patch`](Self::on_patch).
    pub(crate) fn patch_at(&self, surface: &SurfacePoint, part: u32) -> (usize, [f32; 2]) {
        match self {
            Self::Sphere(shape) => (0, numbers_of((surface.point - shape.center) / shape.radius)),
            Self::Cuboid(shape) => shape.face_at(surface),
            Self::Triangle(shape) => (0, numbers_in_triangle(shape.weights_at(surface.point))),
            Self::Instance(shape) => {
                let weights = shape.weights_at(part, surface.point);
                (part as usize, numbers_in_triangle(weights))
            }
            Self::Quad(shape) => (0, shape.coordinates(surface.point - shape.corner).into()),
            _ => (0, [0.0; 2]),
        }
    }
}

/// The inverse of [`cone`](crate::sampling::cone) over all directions.
fn numbers_of(direction: Vec3A) -> [f32; 2] {
    let turn = direction.y.atan2(direction.x) / TAU;
    [0.5 * (1.0 - direction.z), turn.rem_euclid(1.0)]
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::chi_square::Random;
    use crate::mesh::Meshes;

    fn primitive(kind: &str, properties: &Value) -> Primitive {
        let shape = json!({ "id": "a", "type": kind, "properties": properties });
        let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
        let meshes = Meshes::default().with_forms(&scene);
        Primitive::new(&scene.shapes[0].geometry, &meshes).unwrap()
    }

    #[test]
    fn every_point_of_a_piece_is_found_by_its_numbers() {
        let mut random = Random(31);
        for (kind, properties) in [
            ("sphere", json!({ "center": [3, -1, 2], "radius": 2.5 })),
            ("quad", json!({ "corner": [1, 1, 1], "u": [2, 0.5, 0], "v": [0, 1, 3] })),
            ("triangle", json!({ "vertices": [[0, 0, 0], [2, 0, 1], [0, 3, 0]] })),
            (
                "box",
                json!({ "center": [1, 2, 3], "dimensions": [1, 2, 3], "rotation": [10, 20, 30] }),
            ),
            (
                "extrusion",
                json!({ "center": [1, 0, 2], "outline": [[0, 0], [2, 0], [1, 2]], "depth": 1,
                        "rotation": [5, 6, 7] }),
            ),
        ] {
            let body = primitive(kind, &properties);
            let areas = body.patch_areas();
            let total: f32 = areas.iter().sum();
            assert!((total / body.area() - 1.0).abs() < 1e-4, "{kind}: {total}");
            for patch in 0..areas.len() {
                for _ in 0..100 {
                    let at = [random.between(0.01, 0.99), random.between(0.01, 0.99)];
                    let (surface, part) = body.on_patch(patch, at);
                    let (found, numbers) = body.patch_at(&surface, part);
                    let error = (0..2).map(|axis| (numbers[axis] - at[axis]).abs());
                    assert_eq!(found, patch, "{kind}");
                    assert!(error.fold(0.0, f32::max) < 1e-3, "{kind}: {numbers:?}, not {at:?}");
                }
            }
        }
    }
}
