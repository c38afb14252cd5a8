//! Intersections of every kind of primitive.

mod shapes;

use glam::Vec3A;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::bounds::Bounds;
use crate::chi_square::Random;
use shapes::{distance_from_surface, every_kind, is_closed, is_convex, meshes};

fn rays_at(random: &mut Random, center: Vec3A, scale: f32) -> Ray {
    let origin = center + random.direction() * (scale * random.between(0.0, 4.0));
    let target = center + random.direction() * (scale * random.next());
    let direction = (target - origin).try_normalize().unwrap_or(Vec3A::X);
    Ray::new(origin, direction)
}

#[test]
fn what_is_met_lies_on_the_surface_within_the_stated_error() {
    let mut random = Random(1);
    for (scale, offset) in
        [(1.0, [0.0; 3]), (1e-3, [0.0; 3]), (1e5, [0.0; 3]), (1.0, [300.0, -50.0, 1000.0])]
    {
        let center = Vec3A::from_array(offset.map(|x| x as f32));
        for (name, geometry) in every_kind(scale, offset) {
            let primitive = Primitive::new(&geometry, &meshes()).unwrap();
            let mut met = 0;
            for _ in 0..20_000 {
                let ray = rays_at(&mut random, center, scale as f32);
                let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) else {
                    continue;
                };
                met += 1;
                let surface = primitive.surface_at(&ray, intersection);
                assert!((surface.normal.length() - 1.0).abs() < 1e-5);
                let off = distance_from_surface(&geometry, surface.point.as_dvec3());
                let bound = f64::from(surface.normal.abs().dot(surface.error));
                assert!(off <= bound, "{name} at scale {scale}: {off:e} beyond {bound:e}");
                // The distance agrees with the point.
                let slip = (ray.at(intersection.distance) - surface.point).length();
                let size = scale as f32 + center.length();
                assert!(slip < 2e-3 * size, "{name}: {slip}");
            }
            assert!(met > 1000, "{name}: only {met}");
        }
    }
}

#[test]
fn nothing_is_met_before_the_first_meeting_and_limits_hold() {
    let mut random = Random(2);
    for (name, geometry) in every_kind(1.0, [0.0; 3]) {
        let primitive = Primitive::new(&geometry, &meshes()).unwrap();
        for _ in 0..20_000 {
            let ray = rays_at(&mut random, Vec3A::ZERO, 1.0);
            let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) else {
                continue;
            };
            assert!(primitive.intersect(&ray, intersection.distance).is_none(), "{name}");
            let short = primitive.intersect(&ray, intersection.distance * 0.999);
            assert!(short.is_none(), "{name}");
            assert_eq!(
                primitive.intersect(&ray, intersection.distance * 1.001),
                Some(intersection)
            );
        }
    }
}

/// A ray that leaves a surface does not meet it where it starts: closed convex shapes are not met
/// at all from outside and exactly once from inside. Only small shapes far from the origin lose a
/// ray now and then: at an edge, the offset from one side leads out of the other.
#[test]
fn rays_leave_the_surface_they_start_from() {
    for (scale, offset) in [
        (1.0, [0.0; 3]),
        (1e-3, [0.0; 3]),
        (1e6 * 0.7, [0.0; 3]),
        (1.0, [1000.0, 20.0, -3.0]),
        (1e-3, [1.0, 2.0, 3.0]),
    ] {
        let center = Vec3A::from_array(offset.map(|x| x as f32));
        for (name, geometry) in every_kind(scale, offset) {
            let primitive = Primitive::new(&geometry, &meshes()).unwrap();
            let (closed, convex) = (is_closed(&geometry), is_convex(&geometry));
            let mut random = Random(3);
            let mut lost = 0;
            for _ in 0..20_000 {
                let ray = rays_at(&mut random, center, scale as f32);
                let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) else {
                    continue;
                };
                let surface = primitive.surface_at(&ray, intersection);
                // Down to flat angles.
                let direction =
                    (random.direction() + surface.normal * random.between(-1.0, 1.0)).normalize();
                let leaving = Ray::new(surface.origin_towards(direction), direction);
                let again = primitive.intersect(&leaving, f32::INFINITY);
                let outwards = direction.dot(surface.normal) >= 0.0;
                if closed {
                    // From outside it can only be entered, and not where the ray starts.
                    let enters = again.is_none_or(|again| {
                        let front = primitive.surface_at(&leaving, again);
                        !convex && front.normal.dot(direction) < 1e-3
                    });
                    assert!(!outwards || enters, "{name} at {scale}: {again:?}");
                    lost += u32::from(!outwards && again.is_none());
                }
                let flat = matches!(
                    primitive,
                    Primitive::Quad(_) | Primitive::Disc(_) | Primitive::Triangle(_)
                );
                assert!(!flat || again.is_none(), "{name} at {scale}: {again:?}");
                if let Some(exit) = again.filter(|_| convex) {
                    let exit = primitive.surface_at(&leaving, exit);
                    let outside = Ray::new(exit.origin_towards(direction), direction);
                    let third = primitive.intersect(&outside, f32::INFINITY);
                    let leaves = direction.dot(exit.normal) > 0.0;
                    assert!(!leaves || third.is_none(), "{name} at {scale}: {third:?}");
                }
            }
            let may_lose = if offset == [0.0; 3] { 0 } else { 4 };
            assert!(lost <= may_lose, "{name} at {scale}: {lost} lost");
        }
    }
}

#[test]
fn normals_point_outwards() {
    let mut random = Random(4);
    for (name, geometry) in every_kind(1.0, [0.0; 3]).into_iter().filter(|(_, g)| is_closed(g)) {
        let primitive = Primitive::new(&geometry, &meshes()).unwrap();
        for _ in 0..5000 {
            let origin = random.direction() * 5.0;
            let ray = Ray::new(origin, (random.direction() * 0.3 - origin).normalize());
            let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) else {
                continue;
            };
            let normal = primitive.surface_at(&ray, intersection).normal;
            assert!(normal.dot(ray.direction) < 1e-4, "{name}");
        }
    }
}

#[test]
fn bounds_hold_what_is_met() {
    let mut random = Random(5);
    for (name, geometry) in every_kind(1.0, [10.0, 0.0, -10.0]) {
        let primitive = Primitive::new(&geometry, &meshes()).unwrap();
        let bounds = Bounds::enclosing(geometry.bounds_with(&meshes()).unwrap());
        let center = Vec3A::new(10.0, 0.0, -10.0);
        for _ in 0..20_000 {
            let ray = rays_at(&mut random, center, 1.0);
            let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) else {
                continue;
            };
            let entry = bounds.entry(&ray, f32::INFINITY);
            let early = entry.is_some_and(|entry| entry <= intersection.distance * (1.0 + 1e-5));
            assert!(early, "{name}: {entry:?} {intersection:?}");
        }
    }
}

#[test]
fn known_meetings() {
    let shapes = every_kind(1.0, [0.0; 3]);
    let meet = |index: usize, origin: [f32; 3], direction: [f32; 3]| {
        let primitive = Primitive::new(&shapes[index].1, &meshes()).unwrap();
        let direction = Vec3A::from_array(direction).normalize();
        let ray = Ray::new(Vec3A::from_array(origin), direction);
        let intersection = primitive.intersect(&ray, f32::INFINITY)?;
        let surface = primitive.surface_at(&ray, intersection);
        Some((intersection.distance, surface.normal.to_array()))
    };
    let near = |actual: Option<(f32, [f32; 3])>, distance: f32, normal: [f32; 3]| {
        let (met, facing) = actual.unwrap();
        let turned = (Vec3A::from_array(facing) - Vec3A::from_array(normal)).length();
        assert!((met - distance).abs() < 1e-4 && turned < 1e-4, "{actual:?}");
    };
    near(meet(0, [0.1, 0.2, 5.0], [0.0, 0.0, -1.0]), 4.2, [0.0, 0.0, 1.0]);
    near(meet(0, [0.1, 0.2, 0.0], [0.0, 1.0, 0.0]), 0.8, [0.0, 1.0, 0.0]);
    near(meet(1, [0.0, 2.0, 0.0], [0.0, -1.0, 0.0]), 1.7, [0.0, 1.0, 0.0]);
    near(meet(1, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), 0.5, [1.0, 0.0, 0.0]);
    // A capped cylinder: its top, its side, and from inside its base.
    near(meet(5, [0.2, 3.0, 0.0], [0.0, -1.0, 0.0]), 2.4, [0.0, 1.0, 0.0]);
    near(meet(5, [3.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), 2.5, [1.0, 0.0, 0.0]);
    near(meet(5, [0.2, 0.0, 0.0], [0.0, -1.0, 0.0]), 0.5, [0.0, -1.0, 0.0]);
    // Along the axis of an open cone: through both ends.
    assert!(meet(9, [0.0, 3.0, 0.0], [0.0, -1.0, 0.0]).is_none());
    // Its side is met from inside and has the slope 0.4.
    let normal = Vec3A::new(1.0, 0.4, 0.0).normalize();
    near(meet(9, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), 0.4, normal.to_array());
}

#[test]
fn shapes_of_no_measurable_size_are_harmless() {
    let mut random = Random(8);
    for scale in [1e-8, 1e-20, 1e-40] {
        for kind in [
            json!({ "type": "sphere", "properties": { "center": [0, 0, 0], "radius": scale } }),
            json!({ "type": "disc", "properties":
                { "center": [0, 0, 0], "normal": [0, 1, 0], "radius": scale } }),
            json!({ "type": "box", "properties":
                { "center": [0, 0, 0], "dimensions": [1, scale, 1], "rotation": [10, 20, 30] } }),
            json!({ "type": "cylinder", "properties":
                { "base_center": [0, 0, 0], "top_center": [0, 1, 0], "radius": scale,
                  "capped": true } }),
        ] {
            let mut kind: Value = kind;
            kind["id"] = json!("tiny");
            let file = json!({ "version": 1, "shapes": [kind] });
            let scene = scene::Scene::from_json(&file).unwrap();
            let primitive = Primitive::new(&scene.shapes[0].geometry, &meshes()).unwrap();
            for _ in 0..2000 {
                let origin = random.direction();
                let towards = if random.next() < 0.5 { -origin } else { random.direction() };
                let ray = Ray::new(origin, towards.normalize());
                if let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) {
                    let surface = primitive.surface_at(&ray, intersection);
                    assert!(surface.point.is_finite() && surface.normal.is_finite(), "{kind}");
                }
            }
        }
    }
}

proptest! {
    /// Any ray, also along axes and from on the surface: an intersection is finite, ahead and on it.
    #[test]
    fn any_ray_is_answered_soundly(
        origin in prop::array::uniform3(prop_oneof![Just(0.0_f32), Just(0.5), -2.0_f32..2.0]),
        direction in prop::array::uniform3(prop_oneof![Just(0.0_f32), Just(1.0), -1.0_f32..1.0]),
    ) {
        let direction = Vec3A::from_array(direction);
        prop_assume!(direction.length() > 1e-3);
        let ray = Ray::new(Vec3A::from_array(origin), direction.normalize());
        for (name, geometry) in every_kind(1.0, [0.0; 3]) {
            let primitive = Primitive::new(&geometry, &meshes()).unwrap();
            if let Some(intersection) = primitive.intersect(&ray, f32::INFINITY) {
                prop_assert!(intersection.distance > 0.0 && intersection.distance.is_finite(), "{}", name);
                let surface = primitive.surface_at(&ray, intersection);
                let off = distance_from_surface(&geometry, surface.point.as_dvec3());
                prop_assert!(off < 1e-5, "{}: {}", name, off);
            }
        }
    }
}
