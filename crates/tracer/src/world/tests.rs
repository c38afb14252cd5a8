use serde_json::{Value, json};

use super::*;
use crate::chi_square::Random;
use crate::ray::LANES;

/// `count` shapes and lights of all kinds, of size `scale` within ten times that.
fn crowd(random: &mut Random, count: usize, scale: f32) -> Scene {
    let mut shapes = Vec::new();
    let mut lights = Vec::new();
    for index in 0..count {
        let mut vector = |size: f32| {
            let vector = random.direction() * (size * scale * (0.2 + 0.8 * random.next()));
            json!(vector.to_array())
        };
        let (center, side, other) = (vector(10.0), vector(1.0), vector(1.0));
        let size = scale * random.between(0.2, 1.0);
        let end: Vec<f64> =
            (0..3).filter_map(|axis| Some(center[axis].as_f64()? + side[axis].as_f64()?)).collect();
        let capped = random.next() < 0.5;
        let id = index.to_string();
        let add = |list: &mut Vec<Value>, kind: &str, properties: Value| {
            list.push(json!({ "id": id, "type": kind, "properties": properties }));
        };
        match index % 8 {
            0 => add(&mut shapes, "sphere", json!({ "center": center, "radius": size })),
            1 => add(
                &mut shapes,
                "box",
                json!({ "center": center,
                "dimensions": [size, 0.5 * size, 2.0 * size], "rotation": [index, 30, -50] }),
            ),
            2 => add(&mut shapes, "quad", json!({ "corner": center, "u": side, "v": other })),
            3 => add(
                &mut shapes,
                "disc",
                json!({ "center": center, "normal": side, "radius": size }),
            ),
            4 => add(
                &mut shapes,
                "cylinder",
                json!({ "base_center": center,
                "top_center": end, "radius": 0.3 * size, "capped": capped }),
            ),
            5 => add(
                &mut shapes,
                "cone",
                json!({ "base_center": center, "base_radius": size,
                "top_center": end, "top_radius": 0.0, "capped": capped }),
            ),
            6 => add(
                &mut shapes,
                "cone",
                json!({ "base_center": center, "base_radius": size,
                "top_center": end, "top_radius": 0.4 * size, "capped": capped }),
            ),
            _ => add(
                &mut lights,
                "area_sphere_light",
                json!({ "center": center, "radius": 0.5 * size, "emission": [1, 1, 1] }),
            ),
        }
    }
    Scene::from_json(&json!({ "version": 1, "shapes": shapes, "lights": lights })).unwrap()
}

#[test]
fn meets_what_asking_every_body_meets() {
    let mut random = Random(31);
    let crowds = [(1, 1.0), (8, 1.0), (400, 1.0), (400, 1e-3), (400, 7e4)];
    let mut scenes =
        crowds.map(|(count, scale)| (crowd(&mut random, count, scale), count, scale)).to_vec();
    scenes.push((balls(&mut random, 400), 400, 1.0));
    for (scene, count, scale) in scenes {
        let world = World::build(&scene);
        let mut met = 0;
        for _ in 0..3000 {
            let origin = random.direction() * (15.0 * scale * random.next());
            let ray = Ray::new(origin, random.direction());
            let nearest = world
                .content
                .bodies
                .iter()
                .filter_map(|body| Some((body, body.primitive.intersect(&ray, f32::INFINITY)?)))
                .min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance));
            let hit = world.intersect(&ray);
            assert_eq!(hit.is_some(), nearest.is_some());
            assert_eq!(world.is_blocked(&ray, f32::INFINITY), nearest.is_some());
            let (Some(hit), Some((body, intersection))) = (hit, nearest) else { continue };
            met += 1;
            assert_eq!(hit.distance, intersection.distance);
            assert_eq!(hit.object, body.object);
            assert!(!world.is_blocked(&ray, hit.distance * 0.999_99));
            assert!(world.is_blocked(&ray, hit.distance * 1.000_01));
        }
        assert!(count < 100 || met > 800, "only {met}");
    }
}

/// `count` balls, one in thirty of them a lamp, and a floor: the leaves of its tree are full of spheres.
fn balls(random: &mut Random, count: usize) -> Scene {
    let (mut shapes, mut lights) = (Vec::new(), Vec::new());
    shapes.push(json!({ "id": "floor", "type": "disc",
        "properties": { "center": [0, -9, 0], "normal": [0, 1, 0], "radius": 20 } }));
    for index in 0..count {
        let center = random.direction() * (10.0 * random.next());
        let (center, radius, id) = (center.to_array(), random.between(0.1, 1.0), index.to_string());
        if index % 30 == 0 {
            lights.push(json!({ "id": id, "type": "area_sphere_light",
                "properties": { "center": center, "radius": radius, "emission": [1, 1, 1] } }));
        } else {
            shapes.push(json!({ "id": id, "type": "sphere",
                "properties": { "center": center, "radius": radius } }));
        }
    }
    Scene::from_json(&json!({ "version": 1, "shapes": shapes, "lights": lights })).unwrap()
}

/// Many rays side by side meet what each meets by itself, with and without a tree over the bodies.
#[test]
fn many_rays_meet_what_each_meets() {
    let mut random = Random(33);
    for (count, scale) in [(1, 1.0), (8, 1.0), (30, 1.0), (30, 1e-3), (30, 7e4), (300, 1.0)] {
        let scene = crowd(&mut random, count, scale);
        for instructions in InstructionSet::available() {
            let world = World::build(&scene).with_instructions(instructions);
            let mut met = 0;
            for round in 0..200 {
                let mut reach = || 15.0 * scale * random.next();
                let distances: [f32; LANES] = std::array::from_fn(|_| reach());
                let rays: Vec<Ray> = (0..1 + round % LANES)
                    .map(|_| {
                        let origin = random.direction() * (15.0 * scale * random.next());
                        Ray::new(origin, random.direction())
                    })
                    .collect();
                let mut nearest = [None; LANES];
                // One is known already.
                let known = 1 << (round % 5);
                world.nearest_of_many(&rays, known, &mut nearest);
                let blocked = world.blocked_of_many(&rays, &distances);
                assert_eq!(blocked >> rays.len(), 0);
                for (lane, ray) in rays.iter().enumerate() {
                    if known >> lane & 1 == 1 {
                        assert!(nearest[lane].is_none());
                        continue;
                    }
                    let alone = world.intersect(ray);
                    let hit = nearest[lane].map(|(body, found)| world.hit(ray, body, found));
                    let of =
                        |hit: &Hit<'_>| (hit.object, hit.distance, hit.part, hit.surface.point);
                    assert_eq!(hit.as_ref().map(of), alone.as_ref().map(of));
                    let is_blocked = world.is_blocked(ray, distances[lane]);
                    assert_eq!(blocked >> lane & 1 == 1, is_blocked);
                    met += usize::from(hit.is_some());
                }
            }
            assert!(count < 30 || met > 30, "only {met} of {count} at {scale}");
        }
    }
}

/// Boxes side by side and one in another, whose faces coincide, and meshes.
fn coinciding(random: &mut Random) -> Scene {
    let mut shapes = Vec::new();
    for index in 0..100 {
        let place = |axis: u32| f64::from(index / 3_u32.pow(axis) % 3) - 1.0;
        let side = if random.next() < 0.5 { 1.0 } else { 2.0 };
        shapes.push(json!({ "id": format!("box{index}"), "type": "box", "properties": {
            "center": [place(0), place(1), place(2)], "dimensions": [side, 1, side] } }));
    }
    for index in 0..8 {
        shapes.push(json!({ "id": format!("land{index}"), "type": "height_field", "properties": {
            "center": [0, index / 2 - 2, 0], "sides": [9, 9],
            "noise": { "seed": 7, "height": 1, "feature_size": 2, "octaves": 3 } } }));
    }
    Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap()
}

/// Rays that are traced together hit what each hits by itself, also where surfaces coincide.
#[test]
fn beams_meet_what_each_ray_meets() {
    let mut random = Random(34);
    let crowds = [8, 30, 300].map(|count| crowd(&mut random, count, 1.0)).to_vec();
    for scene in [crowds, vec![balls(&mut random, 300), coinciding(&mut random)]].concat() {
        for instructions in InstructionSet::available() {
            let world = World::build(&scene).with_instructions(instructions);
            let mut met = 0;
            for round in 0..200 {
                let spread = [0.0, 1e-3, 0.1, 1.0][round % 4];
                let (origin, towards) = (random.direction() * 12.0, random.direction() * 2.0);
                let rays: Vec<Ray> = (0..1 + round % LANES)
                    .map(|_| {
                        let from = origin + random.direction() * (spread * random.next());
                        let to = towards + random.direction() * (spread * random.next());
                        Ray::new(from, (to - from).normalize())
                    })
                    .collect();
                let nearest = world.nearest_of_beam(&rays);
                for (lane, ray) in rays.iter().enumerate() {
                    let of =
                        |hit: &Hit<'_>| (hit.object, hit.distance, hit.part, hit.surface.point);
                    let hit = nearest[lane].map(|(body, found)| world.hit(ray, body, found));
                    assert_eq!(hit.as_ref().map(of), world.intersect(ray).as_ref().map(of));
                    met += usize::from(hit.is_some());
                }
            }
            assert!(world.content.bodies.len() < 30 || met > 200, "only {met}");
        }
    }
}

#[test]
fn a_light_wins_over_the_surface_it_lies_on() {
    let ceiling = json!({ "corner": [-3, 2.3, -2], "u": [7, 0, 1.1], "v": [0.3, 0, 5] });
    let lamp = json!({ "corner": [-0.5, 2.3, -0.5], "u": [1, 0, 0], "v": [0, 0, 1],
                       "emission": [1, 1, 1] });
    let scene = Scene::from_json(&json!({
        "version": 1,
        "shapes": [{ "id": "ceiling", "type": "quad", "properties": ceiling }],
        "lights": [{ "id": "lamp", "type": "area_quad_light", "properties": lamp }],
    }))
    .unwrap();
    let world = World::build(&scene);
    let mut random = Random(32);
    for _ in 0..5000 {
        let origin = Vec3A::new(random.between(-3.0, 3.0), 0.1, random.between(-3.0, 3.0));
        let x = random.between(-0.49, 0.49);
        let target = Vec3A::new(x, 2.3, random.between(-0.49, 0.49));
        let ray = Ray::new(origin, (target - origin).normalize());
        let hit = world.intersect(&ray).unwrap();
        assert_eq!(world.object_of(&hit).1, ObjectKind::Light);
    }
}
