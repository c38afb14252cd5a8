//! Curved shapes against dense tessellations, at all sizes.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3, Vec3A};
use media::MeshData;
use serde_json::{Value, json};

use super::*;
use crate::chi_square::Random;
use crate::mesh::Mesh;

/// The number of segments in each direction; the error is below 2e-4 of the size.
const STEPS: u32 = 160;

/// A mesh over the unit square of `u` and `v`.
fn tessellated(surface: impl Fn(f64, f64) -> DVec3) -> MeshData {
    let at = |step: u32| f64::from(step) / f64::from(STEPS);
    let mut data = MeshData::default();
    for row in 0..=STEPS {
        for column in 0..=STEPS {
            data.positions.push(surface(at(row), at(column)).as_vec3().to_array());
        }
    }
    for row in 0..STEPS {
        for column in 0..STEPS {
            let corner = row * (STEPS + 1) + column;
            let below = corner + STEPS + 1;
            data.triangles.push([corner, below, corner + 1]);
            data.triangles.push([below, below + 1, corner + 1]);
        }
    }
    data
}

fn primitive_of(kind: &str, properties: &Value, meshes: &Meshes) -> Primitive {
    let shape = json!({ "id": "shape", "type": kind, "properties": properties });
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
    Primitive::new(&scene.shapes[0].geometry, &meshes.with_forms(&scene)).unwrap()
}

/// The shape and its tessellation, both scaled by `scale`.
fn pair(kind: &str, properties: &Value, scale: f64, data: MeshData) -> [Primitive; 2] {
    let meshes = [("dense".to_owned(), Arc::new(Mesh::new(data).unwrap()))];
    let meshes = Meshes::from_iter(meshes);
    let copy = json!({ "asset": "dense", "scale": scale });
    [primitive_of(kind, properties, &meshes), primitive_of("mesh", &copy, &meshes)]
}

/// Checks that both are hit by the same rays at the same distance with the same normal, except for
/// a few at silhouettes.
#[track_caller]
fn assert_alike(name: &str, [shape, mesh]: &[Primitive; 2], scale: f32) {
    let mut random = Random(91);
    let (rays, mut met, mut apart) = (20_000, 0, 0);
    for _ in 0..rays {
        let origin = random.direction() * (scale * random.between(0.0, 3.0));
        let target = random.direction() * (scale * random.next());
        let Some(direction) = (target - origin).try_normalize() else { continue };
        let ray = Ray::new(origin, direction);
        match (shape.intersect(&ray, f32::INFINITY), mesh.intersect(&ray, f32::INFINITY)) {
            (Some(exact), Some(dense)) => {
                met += 1;
                let normals = [(shape, exact), (mesh, dense)].map(|(primitive, intersection)| {
                    primitive.surface_at(&ray, intersection).normal
                });
                let close = (exact.distance - dense.distance).abs() < 4e-3 * scale
                    && normals[0].dot(normals[1]).abs() > 0.99;
                apart += u32::from(!close);
            }
            (None, None) => {}
            _ => apart += 1,
        }
    }
    assert!(met > 300, "{name} at {scale}: only {met}");
    assert!(apart < rays / 50, "{name} at {scale}: {apart} of {met} differ");
}

#[test]
fn rings_meet_what_dense_meshes_of_them_meet() {
    for scale in [1e-3, 1.0, 1e3, 5e5] {
        for (ring, thickness) in [(0.7, 0.5), (0.5, 0.98), (0.9, 0.02)] {
            let data = tessellated(|u, v| {
                let (around, along) = (DVec2::from_angle(TAU * u), DVec2::from_angle(TAU * v));
                let flat = around * (ring + 0.5 * thickness * along.x);
                // A horizontal torus: angles go from +x to -z.
                DVec3::new(flat.x, 0.5 * thickness * along.y, -flat.y)
            });
            let properties = json!({ "center": [0, 0, 0], "normal": [0, 2, 0],
                "radius": ring * scale, "thickness": thickness * scale });
            let pair = pair("torus", &properties, scale, data);
            assert_alike(&format!("ring {ring} {thickness}"), &pair, scale as f32);
        }
    }
}

#[test]
fn an_arc_stands_upright_over_its_ends() {
    // An arc that faces +z: from +x over the top to -x.
    let data = tessellated(|u, v| {
        let (around, along) = (DVec2::from_angle(PI * u), DVec2::from_angle(TAU * v));
        let flat = around * (0.7 + 0.1 * along.x);
        DVec3::new(flat.x, flat.y, 0.1 * along.y)
    });
    let mut ends = data.clone();
    for x in [0.7_f32, -0.7] {
        let middle = ends.positions.len() as u32;
        ends.positions.push([x, 0.0, 0.0]);
        for step in 0..64_u32 {
            let at = f64::from(step) / 64.0 * TAU;
            let rim = DVec2::from_angle(at) * 0.1;
            ends.positions.push([x + rim.x as f32, 0.0, rim.y as f32]);
            ends.triangles.push([middle, middle + 1 + step, middle + 1 + (step + 1) % 64]);
        }
    }
    for scale in [1e-3, 1.0, 1e3] {
        let properties = json!({ "center": [0, 0, 0], "normal": [0, 0, 1], "radius": 0.7 * scale,
            "thickness": 0.2 * scale, "end_angle": 180 });
        let pair = pair("torus", &properties, scale, ends.clone());
        assert_alike("arc", &pair, scale as f32);
    }
}

#[test]
fn capsules_meet_what_dense_meshes_of_them_meet() {
    let (start, end) = (DVec3::new(-0.4, -0.3, 0.2), DVec3::new(0.5, 0.4, -0.1));
    for radius in [0.35, 0.02] {
        let axis = (end - start).normalize();
        let (x, y) = axis.any_orthonormal_pair();
        let data = tessellated(|u, v| {
            let around = DVec2::from_angle(TAU * u);
            let along = DVec2::from_angle(PI * (v - 0.5));
            let outwards = (x * around.x + y * around.y) * along.x + axis * along.y;
            outwards * radius + if v < 0.5 { start } else { end }
        });
        for scale in [1e-3, 1.0, 1e3, 5e5] {
            let properties = json!({ "start": (start * scale).to_array(),
                "end": (end * scale).to_array(), "radius": radius * scale });
            let pair = pair("capsule", &properties, scale, data.clone());
            assert_alike(&format!("capsule {radius}"), &pair, scale as f32);
        }
    }
}

#[test]
fn rays_pass_through_the_hole_of_a_ring() {
    let properties =
        json!({ "center": [1, 2, 3], "normal": [1, 1, 0], "radius": 1, "thickness": 0.5 });
    let ring = primitive_of("torus", &properties, &Meshes::default());
    let axis = Vec3A::new(1.0, 1.0, 0.0).normalize();
    let center = Vec3A::new(1.0, 2.0, 3.0);
    let across = Vec3A::Z;
    let from = |offset: f32| Ray::new(center + across * offset - axis * 4.0, axis);
    assert!(ring.intersect(&from(0.0), f32::INFINITY).is_none());
    assert!(ring.intersect(&from(0.74), f32::INFINITY).is_none());
    assert!(ring.intersect(&from(1.26), f32::INFINITY).is_none());
    let top = ring.intersect(&from(1.0), f32::INFINITY).unwrap();
    assert!((top.distance - 3.75).abs() < 1e-5, "{top:?}");
    let normal = ring.surface_at(&from(1.0), top).normal;
    assert!((normal + axis).length() < 1e-5, "{normal}");
}

/// The tessellation of a shape for export, as a mesh.
fn as_files_have_it(kind: &str, properties: &Value) -> MeshData {
    let shape = json!({ "id": "shape", "type": kind, "properties": properties });
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
    let surface = tessellation::tessellate(&scene.shapes[0].geometry, 2e-5).unwrap().in_world();
    MeshData { positions: surface.positions, triangles: surface.triangles, ..MeshData::default() }
}

#[test]
fn ellipsoids_and_rounded_boxes_meet_what_their_triangles_meet() {
    let turn = [25.0, -40.0, 70.0];
    for scale in [1e-3, 1.0, 1e3, 5e5] {
        let by = |lengths: [f64; 3]| lengths.map(|length| length * scale);
        for radii in [[0.8, 0.4, 0.6], [0.9, 0.05, 0.5], [0.1, 0.95, 0.1]] {
            let egg = |radii| json!({ "center": [0, 0, 0], "radii": radii, "rotation": turn });
            let data = as_files_have_it("ellipsoid", &egg(radii));
            let pair = pair("ellipsoid", &egg(by(radii)), scale, data);
            assert_alike(&format!("ellipsoid {radii:?}"), &pair, scale as f32);
        }
        for (sides, radius) in
            [([1.0, 0.6, 1.2], 0.2), ([1.0, 0.6, 1.2], 0.3), ([1.0, 0.5, 0.5], 0.01)]
        {
            let soap = |sides: [f64; 3], radius: f64| json!({ "center": [0, 0, 0], "dimensions": sides, "radius": radius, "rotation": turn });
            let data = as_files_have_it("rounded_box", &soap(sides, radius));
            let pair = pair("rounded_box", &soap(by(sides), radius * scale), scale, data);
            assert_alike(&format!("rounded box {sides:?} {radius}"), &pair, scale as f32);
        }
    }
}

/// Two kinds with the same shape, both scaled by `scale`.
fn same(scale: f64, [exact, form]: [(&str, Value); 2]) {
    let pair =
        [exact, form].map(|(kind, properties)| primitive_of(kind, &properties, &Meshes::default()));
    assert_alike(&format!("form of {:?}", pair[0]), &pair, scale as f32);
}

#[test]
fn forms_are_met_where_the_exact_shapes_they_resemble_are() {
    for scale in [1e-3, 1.0, 1e3, 5e5] {
        let by = |vector: [f64; 3]| vector.map(|component| component * scale);
        let flat = |points: Vec<[f64; 2]>| -> Vec<[f64; 2]> {
            points.into_iter().map(|[x, y]| [x * scale, y * scale]).collect()
        };
        let turn = [20.0, 30.0, -50.0];
        let axis = scene::rotation_matrix(turn).map(|row| row[1]);
        let circle: Vec<[f64; 2]> = (0..=160)
            .map(|at| DVec2::from_angle(TAU * f64::from(at % 160) / 160.0))
            .map(|way| [0.6 + 0.25 * way.x, 0.25 * way.y])
            .collect();
        same(
            scale,
            [
                (
                    "torus",
                    json!({ "center": [0, 0, 0], "normal": axis, "radius": 0.6 * scale, "thickness": 0.5 * scale }),
                ),
                (
                    "lathe",
                    json!({ "base_center": [0, 0, 0], "rotation": turn, "profile": flat(circle) }),
                ),
            ],
        );
        let top = axis.map(|along| 0.7 * scale * along);
        same(
            scale,
            [
                (
                    "cylinder",
                    json!({ "base_center": [0, 0, 0], "top_center": top, "radius": 0.4 * scale, "capped": true }),
                ),
                (
                    "lathe",
                    json!({ "base_center": [0, 0, 0], "rotation": turn,
                "profile": flat(vec![[0.0, 0.0], [0.4, 0.0], [0.4, 0.7], [0.0, 0.7]]) }),
                ),
            ],
        );
        same(
            scale,
            [
                (
                    "box",
                    json!({ "center": [0, 0, 0], "dimensions": by([1.0, 0.6, 0.8]), "rotation": turn }),
                ),
                (
                    "extrusion",
                    json!({ "center": [0, 0, 0], "depth": 0.8 * scale, "rotation": turn,
                "outline": flat(vec![[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]]) }),
                ),
            ],
        );
        let (start, end) = (by([-0.4, -0.3, 0.2]), by([0.5, 0.4, -0.1]));
        same(
            scale,
            [
                ("capsule", json!({ "start": start, "end": end, "radius": 0.3 * scale })),
                ("tube", json!({ "points": [start, end], "radius": 0.3 * scale })),
            ],
        );
    }
}
