//! Shapes and meshes of the scene as PBRT text.

use std::fmt::Write;

use glam::{DMat4, DQuat, DVec3};
use media::MeshData;
use scene::Geometry;

use crate::export::{Instance, Instances, Surface};

/// Whether an instance without textures is written as a quadric instead of a mesh.
pub(crate) fn is_exact(instance: &Instance, instances: &Instances) -> bool {
    let shape = instances.shape_of(instance.geometry);
    matches!(instance.surface, Surface::Material(_))
        && shape.is_some_and(|shape| exact(shape).is_some())
}

/// A sphere, disc or cylinder as the quadric of PBRT.
pub(super) fn exact(geometry: &Geometry) -> Option<String> {
    let along_z = |from: [f64; 3], axis: DVec3| {
        let turn = DQuat::from_rotation_arc(DVec3::Z, axis.normalize_or(DVec3::Z));
        transform(DMat4::from_rotation_translation(turn, DVec3::from_array(from)))
    };
    if geometry.sides().is_some() {
        return None;
    }
    match geometry {
        Geometry::Sphere(sphere) => {
            let [x, y, z] = sphere.center.get();
            let radius = sphere.radius.get();
            Some(format!("Translate {x} {y} {z}\nShape \"sphere\" \"float radius\" [ {radius} ]\n"))
        }
        Geometry::Disc(disc) => {
            let place = along_z(disc.center.get(), DVec3::from_array(disc.normal.get()));
            Some(format!("{place}Shape \"disk\" \"float radius\" [ {} ]\n", disc.radius.get()))
        }
        Geometry::Cylinder(cylinder) => {
            let (base, top) = (cylinder.base_center.get(), cylinder.top_center.get());
            let axis = DVec3::from_array(top) - DVec3::from_array(base);
            let (radius, length) = (cylinder.radius.get(), axis.length());
            let mut made = along_z(base, axis);
            let _ = writeln!(
                made,
                "Shape \"cylinder\" \"float radius\" [ {radius} ] \"float zmin\" [ 0 ] \
                 \"float zmax\" [ {length} ]"
            );
            if cylinder.capped {
                let _ = writeln!(
                    made,
                    "Shape \"disk\" \"float radius\" [ {radius} ] \"float height\" [ {length} ]"
                );
                let _ = writeln!(
                    made,
                    "ReverseOrientation\nShape \"disk\" \"float radius\" [ {radius} ]"
                );
            }
            Some(made)
        }
        _ => None,
    }
}

/// A mesh in the text.
pub(super) fn inline_mesh(data: &MeshData) -> String {
    let mut text = String::new();
    let list = |vectors: &[[f32; 3]]| {
        vectors.iter().map(|[x, y, z]| format!("{x} {y} {z}")).collect::<Vec<_>>().join("  ")
    };
    let corners = data.triangles.iter().map(|[a, b, c]| format!("{a} {b} {c}"));
    let corners = corners.collect::<Vec<_>>().join("  ");
    let _ = write!(
        text,
        "Shape \"trianglemesh\" \"integer indices\" [ {corners} ]\n  \"point3 P\" [ {} ]",
        list(&data.positions)
    );
    if data.normals.len() == data.positions.len() {
        let _ = write!(text, "\n  \"normal N\" [ {} ]", list(&data.normals));
    }
    if data.uv.len() == data.positions.len() {
        let uv: Vec<_> = data.uv.iter().map(|[u, v]| format!("{u} {v}")).collect();
        let _ = write!(text, "\n  \"point2 uv\" [ {} ]", uv.join("  "));
    }
    text.push('\n');
    text
}

/// A matrix, in column-major order.
pub(super) fn transform(matrix: DMat4) -> String {
    let numbers = matrix.to_cols_array().map(|number| number.to_string());
    format!("ConcatTransform [ {} ]\n", numbers.join(" "))
}
