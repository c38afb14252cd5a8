//! Every kind of shape, and its distance from points, independent of the tracer.

use std::sync::Arc;

use glam::{DMat3, DVec3};
use scene::Geometry;
use serde_json::{Value, json};

use crate::mesh::tests::ball;
use crate::mesh::{Mesh, Meshes};
use crate::vector::point;

/// A mesh of 128 triangles, round and closed.
pub(super) fn meshes() -> Meshes {
    let ball = Mesh::new(ball(2)).unwrap();
    Meshes::from_iter([("ball".to_owned(), Arc::new(ball))])
}

/// Every kind of shape, of size about 1 around the origin, scaled and then moved.
pub(super) fn every_kind(scale: f64, offset: [f64; 3]) -> Vec<(String, Geometry)> {
    let at = |place: [f64; 3]| {
        let [x, y, z] = std::array::from_fn(|axis| scale * place[axis] + offset[axis]);
        json!([x, y, z])
    };
    let by = |vector: [f64; 3]| json!(vector.map(|component| scale * component));
    let shapes: Vec<(&str, Value)> = vec![
        ("sphere", json!({ "center": at([0.1, 0.2, 0.0]), "radius": 0.8 * scale })),
        ("box", json!({ "center": at([0.0; 3]), "dimensions": by([1.0, 0.6, 1.4]) })),
        (
            "box",
            json!({ "center": at([0.2, 0.0, 0.1]), "dimensions": by([0.7, 1.3, 0.9]),
                    "rotation": [25, 40, -70] }),
        ),
        (
            "quad",
            json!({ "corner": at([-0.6, -0.3, 0.2]), "u": by([1.2, 0.3, 0.1]),
                    "v": by([0.2, 0.9, -0.5]) }),
        ),
        (
            "disc",
            json!({ "center": at([0.0, 0.1, 0.0]), "normal": [1, 2, -1], "radius": 0.9 * scale }),
        ),
        (
            "cylinder",
            json!({ "base_center": at([0.0, -0.5, 0.0]), "top_center": at([0.0, 0.6, 0.0]),
                    "radius": 0.5 * scale, "capped": true }),
        ),
        (
            "cylinder",
            json!({ "base_center": at([-0.3, -0.5, 0.2]), "top_center": at([0.4, 0.6, 0.1]),
                    "radius": 0.4 * scale, "capped": false }),
        ),
        (
            "cone",
            json!({ "base_center": at([0.3, -0.5, 0.0]), "base_radius": 0.7 * scale,
                    "top_center": at([-0.3, 0.7, 0.3]), "top_radius": 0, "capped": true }),
        ),
        (
            "cone",
            json!({ "base_center": at([0.0, 0.5, -0.4]), "base_radius": 0.8 * scale,
                    "top_center": at([0.1, -0.4, 0.3]), "top_radius": 0.3 * scale,
                    "capped": true }),
        ),
        (
            "cone",
            json!({ "base_center": at([0.0, -0.5, 0.0]), "base_radius": 0.6 * scale,
                    "top_center": at([0.0, 0.5, 0.0]), "top_radius": 0.2 * scale,
                    "capped": false }),
        ),
        (
            "cone",
            json!({ "base_center": at([0.1, -0.5, 0.0]), "base_radius": 0.1 * scale,
                    "top_center": at([0.0, 0.5, 0.2]), "top_radius": 0.7 * scale,
                    "capped": true }),
        ),
        (
            "capsule",
            json!({ "start": at([-0.4, -0.3, 0.2]), "end": at([0.5, 0.4, -0.1]),
                    "radius": 0.35 * scale }),
        ),
        (
            "torus",
            json!({ "center": at([0.1, 0.0, 0.0]), "normal": [0, 1, 0], "radius": 0.6 * scale,
                    "thickness": 0.5 * scale }),
        ),
        (
            "torus",
            json!({ "center": at([0.0, 0.1, 0.1]), "normal": [1, 2, -2], "radius": 0.7 * scale,
                    "thickness": 0.4 * scale, "start_angle": -30, "end_angle": 200 }),
        ),
        (
            "ellipsoid",
            json!({ "center": at([0.1, 0.0, 0.0]), "radii": by([0.8, 0.3, 0.5]),
                    "rotation": [20, -50, 35] }),
        ),
        (
            "rounded_box",
            json!({ "center": at([0.0; 3]), "dimensions": by([1.1, 0.7, 0.9]),
                    "radius": 0.2 * scale, "rotation": [35, 10, -60] }),
        ),
        (
            "rounded_box",
            json!({ "center": at([0.1, 0.0, 0.0]), "dimensions": by([1.0, 0.4, 0.8]),
                    "radius": 0.2 * scale }),
        ),
        (
            "triangle",
            json!({ "vertices": [at([-0.6, -0.5, 0.2]), at([0.7, -0.3, -0.4]),
                                 at([0.1, 0.8, 0.3])] }),
        ),
        (
            "mesh",
            json!({ "asset": "ball", "translation": at([0.1, 0.0, 0.1]),
                    "rotation": [20, -40, 75], "scale": by([0.9, 0.6, 0.8]) }),
        ),
    ];
    let entry = |(index, (kind, properties)): (usize, (&str, Value))| {
        let shape = json!({ "id": index.to_string(), "type": kind, "properties": properties });
        let file = json!({ "version": 1, "shapes": [shape] });
        let scene = scene::Scene::from_json(&file).unwrap();
        (format!("{index} ({kind})"), scene.shapes[0].geometry.clone())
    };
    shapes.into_iter().enumerate().map(entry).collect()
}

pub(super) fn is_closed(geometry: &Geometry) -> bool {
    match geometry {
        Geometry::Sphere(_)
        | Geometry::Box(_)
        | Geometry::Capsule(_)
        | Geometry::Torus(_)
        | Geometry::Ellipsoid(_)
        | Geometry::RoundedBox(_)
        | Geometry::Mesh(_) => true,
        Geometry::Cylinder(shape) => shape.capped,
        Geometry::Cone(shape) => shape.capped,
        Geometry::Quad(_) | Geometry::Disc(_) | Geometry::Triangle(_) => false,
        other => panic!("{} is met as triangles, which are tested", other.type_name()),
    }
}

/// Whether a ray that leaves it never comes back.
pub(super) fn is_convex(geometry: &Geometry) -> bool {
    is_closed(geometry) && !matches!(geometry, Geometry::Torus(_))
}

/// How far a point is from the surface of the shape, in double precision. Independent of the
/// tracer: from the document's own numbers.
pub(super) fn distance_from_surface(geometry: &Geometry, place: DVec3) -> f64 {
    match geometry {
        Geometry::Sphere(shape) => {
            ((place - point(shape.center)).length() - shape.radius.get()).abs()
        }
        Geometry::Box(shape) => {
            let local = own_axes(shape.rotation, place - point(shape.center));
            let half = DVec3::from(shape.dimensions.get()) * 0.5;
            let beyond = local.abs() - half;
            let outside = beyond.max(DVec3::ZERO).length();
            outside + beyond.max_element().min(0.0).abs()
        }
        Geometry::Quad(shape) => {
            let (u, v) = (DVec3::from(shape.u.get()), DVec3::from(shape.v.get()));
            (place - point(shape.corner)).dot(u.cross(v).normalize()).abs()
        }
        Geometry::Disc(shape) => {
            let normal = DVec3::from(shape.normal.get()).normalize();
            (place - point(shape.center)).dot(normal).abs()
        }
        Geometry::Cylinder(shape) => {
            let ends = [point(shape.base_center), point(shape.top_center)];
            frustum_distance(ends, [shape.radius.get(); 2], place)
        }
        Geometry::Cone(shape) => {
            let ends = [point(shape.base_center), point(shape.top_center)];
            frustum_distance(ends, [shape.base_radius.get(), shape.top_radius.get()], place)
        }
        Geometry::Capsule(shape) => {
            let (start, end) = (point(shape.start), point(shape.end));
            let way = end - start;
            let share = ((place - start).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (place.distance(start + way * share) - shape.radius.get()).abs()
        }
        Geometry::Torus(shape) => torus_distance(shape, place),
        Geometry::Ellipsoid(shape) => {
            let local = own_axes(shape.rotation, place - point(shape.center));
            let radii = DVec3::from(shape.radii.get());
            // To the first order: all places asked for are next to the surface.
            let (unit, slope) = (local / radii, local / (radii * radii));
            (unit.length_squared() - 1.0).abs() / (2.0 * slope.length())
        }
        Geometry::RoundedBox(shape) => {
            let local = own_axes(shape.rotation, place - point(shape.center));
            let radius = shape.radius.get();
            let half = DVec3::from(shape.dimensions.get()) * 0.5;
            let beyond = local.abs() - (half - radius);
            let outside = beyond.max(DVec3::ZERO).length();
            (outside + beyond.max_element().min(0.0) - radius).abs()
        }
        Geometry::Triangle(shape) => {
            let corners = shape.vertices.get().map(DVec3::from);
            beyond_plane(corners, place).abs()
        }
        Geometry::Mesh(shape) => {
            let matrix = DMat3::from_cols_array_2d(&shape.matrix()).transpose();
            let data = ball(2);
            let corner = |vertex: u32| {
                let local = data.positions[vertex as usize].map(f64::from);
                matrix * DVec3::from(local) + point(shape.translation)
            };
            let beyond = |triangle: &[u32; 3]| beyond_plane(triangle.map(corner), place);
            data.triangles.iter().map(beyond).fold(f64::NEG_INFINITY, f64::max).abs()
        }
        other => panic!("{} is met as triangles, which are tested", other.type_name()),
    }
}

/// A vector of the world along the axes of what is turned by `rotation`.
fn own_axes(rotation: scene::Rotation, vector: DVec3) -> DVec3 {
    let rows = scene::rotation_matrix(rotation.get()).map(DVec3::from);
    rows[0] * vector.x + rows[1] * vector.y + rows[2] * vector.z
}

/// How far a point is in front of the plane of a triangle.
fn beyond_plane([a, b, c]: [DVec3; 3], place: DVec3) -> f64 {
    (place - a).dot((b - a).cross(c - a).normalize())
}

fn frustum_distance([base, top]: [DVec3; 2], radii: [f64; 2], place: DVec3) -> f64 {
    let height = (top - base).length();
    let axis = (top - base) / height;
    let z = (place - base).dot(axis);
    let across = (place - base - axis * z).length();
    let radius = radii[0] + (radii[1] - radii[0]) * z / height;
    let side = (across - radius).abs();
    // At the rim, rounding across the axis is no distance from the end.
    if across <= radius + 1e-7 * place.length() {
        side.min(z.abs()).min((z - height).abs())
    } else {
        side
    }
}

fn torus_distance(shape: &scene::Torus, place: DVec3) -> f64 {
    let [zero, quarter, axis] = shape.axes().map(DVec3::from);
    let offset = place - point(shape.center);
    let (x, y, z) = (offset.dot(zero), offset.dot(quarter), offset.dot(axis));
    let tube = 0.5 * shape.thickness.get();
    let side = ((x.hypot(y) - shape.radius.get()).hypot(z) - tube).abs();
    let end = |angle: scene::Angle| {
        let (sin, cos) = angle.get().to_radians().sin_cos();
        let from_middle = (cos * x + sin * y - shape.radius.get()).hypot(z);
        // At the rim, rounding across the tube is no distance from the end.
        let within = from_middle <= tube + 1e-7 * place.length();
        if within { (cos * y - sin * x).abs() } else { f64::INFINITY }
    };
    if shape.is_whole() {
        return side;
    }
    side.min(end(shape.start_angle)).min(end(shape.end_angle))
}
