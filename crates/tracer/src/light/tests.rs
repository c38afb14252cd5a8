use std::f32::consts::PI;

use glam::Vec3A;
use serde_json::json;

use super::block::LightBlock;
use super::*;
use crate::bounds::Bounds;
use crate::chi_square::{Random, check_directions};
use crate::instructions::InstructionSet;
use crate::mesh::Meshes;
use crate::primitive::Intersection;
use crate::ray::Ray;

/// Lights from the JSON of a scene file.
fn lights(list: &serde_json::Value) -> Vec<Light> {
    let file = json!({ "version": 1, "shapes": [], "lights": list });
    let scene = scene::Scene::from_json(&file).unwrap();
    scene.lights.iter().filter_map(|source| Light::new(&source.light)).collect()
}

fn light(kind: &str, properties: &serde_json::Value) -> Light {
    lights(&json!([{ "id": "light", "type": kind, "properties": properties }])).remove(0)
}

/// An estimate of the irradiance on a surface at `point` that faces `normal`.
fn importance(light: &Light, point: Vec3A, normal: Vec3A) -> f32 {
    let receiver =
        Receiver { point, normal, samples_sky: false, both_sides: false, known: Anything };
    let block = LightBlock::new([light.bounds()].into_iter());
    block.importance(InstructionSet::Best.level(), &receiver)[0]
}

/// Bounds of a scene of unit size.
fn unit() -> Bounds {
    Bounds { min: Vec3A::NEG_ONE, max: Vec3A::ONE }
}

fn quad(corner: [f64; 3], u: [f64; 3], v: [f64; 3]) -> Light {
    light("area_quad_light", &json!({ "corner": corner, "u": u, "v": v, "emission": [1, 1, 1] }))
}

fn sphere(center: [f64; 3], radius: f64) -> Light {
    let properties = json!({ "center": center, "radius": radius, "emission": [1, 1, 1] });
    light("area_sphere_light", &properties)
}

fn disc(center: [f64; 3], normal: [f64; 3], radius: f64) -> Light {
    let properties =
        json!({ "center": center, "normal": normal, "radius": radius, "emission": [1, 1, 1] });
    light("disc_spot_light", &properties)
}

/// The visible point of the light from `from` along `direction`.
fn seen(light: &Light, from: Vec3A, direction: Vec3A) -> Option<SurfacePoint> {
    let ray = Ray::new(from, direction);
    let body = light.body().unwrap();
    let intersection: Intersection = body.intersect(&ray, f32::INFINITY)?;
    Some(body.surface_at(&ray, intersection))
}

#[test]
fn lights_are_sampled_with_their_density() {
    // From above, below, near, far, at a grazing angle; with right and oblique angles.
    for (name, light, from) in [
        ("sphere", sphere([0.0, 0.0, 3.0], 1.0), [0.3, -0.2, 0.0]),
        ("sphere that fills half the sky", sphere([0.0, 1.0, 1.0], 1.4), [0.0, 0.0, 0.0]),
        ("quad", quad([-1.0, -1.0, 2.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]), [0.2, 0.1, 0.0]),
        ("near quad", quad([-1.0, -2.0, 0.4], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]), [0.7, 0.5, 0.0]),
        ("flat quad", quad([1.0, -1.0, 0.5], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]), [0.0, 0.0, 0.0]),
        ("far quad", quad([-2.0, -2.0, 9.0], [0.0, 4.0, 0.0], [4.0, 0.0, 0.0]), [0.0, 1.0, 0.0]),
        ("turned quad", quad([1.0, -1.0, -1.0], [0.0, 0.0, 2.0], [1.0, 2.0, 0.0]), [0.0; 3]),
        ("slanted quad", quad([-1.0, -1.0, 2.0], [1.0, 2.0, 0.0], [2.0, 0.0, 0.0]), [0.0; 3]),
        ("disc", disc([0.5, 0.0, 2.0], [0.1, 0.2, -1.0], 1.5), [0.0, 0.0, 0.0]),
    ] {
        let from = Vec3A::from_array(from);
        check_directions(
            name,
            |u| light.sample(from, u).map(|sample| sample.direction),
            |direction| {
                seen(&light, from, direction).map_or(0.0, |surface| {
                    let dark = light.radiance(&surface, 0, -direction) == Vec3A::ZERO;
                    if dark { 0.0 } else { light.pdf(from, (&surface, 0), direction) }
                })
            },
        );
    }
}

#[test]
fn the_sky_is_sampled_with_its_density() {
    let sky = Environment::new(&scene::Environment::default(), Vec::new(), &Meshes::default());
    for normal in [Vec3A::Y, Vec3A::new(0.6, 0.0, -0.8), Vec3A::new(0.0, -0.6, 0.8)] {
        let point = Vec3A::ZERO;
        let receiver =
            Receiver { point, normal, samples_sky: true, both_sides: false, known: Anything };
        check_directions(
            "sky",
            |u| sky.sample(&receiver, u).map(|sample| sample.direction),
            |direction| sky.pdf(&receiver, direction),
        );
    }
}

/// The mean of radiance times cosine over pdf: the irradiance on a surface.
fn irradiance(light: &Light, from: Vec3A, normal: Vec3A) -> f32 {
    let mut random = Random(11);
    let count = 200_000;
    let sum: f64 = (0..count)
        .filter_map(|_| light.sample(from, [random.next(), random.next()]))
        .map(|sample| {
            let cos = sample.direction.dot(normal).max(0.0);
            f64::from(sample.radiance.x * cos / sample.pdf.unwrap_or(1.0))
        })
        .sum();
    (sum / f64::from(count)) as f32
}

fn assert_share(actual: f32, expected: f32, share: f32) {
    assert!((actual / expected - 1.0).abs() < share, "{actual} is not {expected}");
}

#[test]
fn irradiance_has_its_closed_forms() {
    // A sphere overhead: pi L (r / d)^2, if all of it is above the horizon.
    let overhead = irradiance(&sphere([0.0, 5.0, 0.0], 2.0), Vec3A::ZERO, Vec3A::Y);
    assert_share(overhead, PI * 4.0 / 25.0, 2e-3);
    let slanted = irradiance(&sphere([3.0, 4.0, 0.0], 1.0), Vec3A::ZERO, Vec3A::Y);
    assert_share(slanted, PI / 25.0 * 0.8, 2e-3);
    // A disc on the axis: pi L r^2 / (r^2 + d^2).
    let above = irradiance(&disc([0.0, 2.0, 0.0], [0.0, -1.0, 0.0], 1.0), Vec3A::ZERO, Vec3A::Y);
    assert_share(above, PI / 5.0, 4e-3);
    // A rectangle with one corner overhead: with a = w / d and b = h / d,
    // L/2 (a / sqrt(1 + a^2) atan(b / sqrt(1 + a^2)) + the same with a and b exchanged).
    let [a, b] = [1.5_f32, 0.75];
    let part = |a: f32, b: f32| a / (1.0 + a * a).sqrt() * (b / (1.0 + a * a).sqrt()).atan();
    let expected = 0.5 * (part(a, b) + part(b, a));
    let rectangle = quad([0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 1.5]);
    assert_share(irradiance(&rectangle, Vec3A::ZERO, Vec3A::Y), expected, 3e-3);
    // From behind it is dark.
    let away = quad([0.0, 2.0, 0.0], [0.0, 0.0, 1.5], [3.0, 0.0, 0.0]);
    assert_eq!(irradiance(&away, Vec3A::ZERO, Vec3A::Y), 0.0);
}

#[test]
fn point_lights_fall_off_with_distance_and_angle() {
    let spot = light(
        "point_spot_light",
        &json!({ "center": [0, 4, 0], "direction": [0, -3, 0], "cutoff_angle": 30,
                "falloff_exponent": 2, "emission": [8, 8, 8] }),
    );
    let at = |x: f32| irradiance(&spot, Vec3A::new(x, 0.0, 0.0), Vec3A::Y);
    assert_share(at(0.0), 8.0 / 16.0, 1e-5);
    // cos^2 of the falloff and one cosine of the surface.
    let cos = 4.0 / 20.0_f32.sqrt();
    assert_share(at(2.0), 8.0 / 20.0 * cos.powi(3), 1e-4);
    // tan 30 degrees is 0.577: 2.4 / 4 lies outside.
    assert_eq!(at(2.4), 0.0);
    let bulb = light("point_spot_light", &json!({ "center": [0, 2, 0], "emission": [1, 1, 1] }));
    assert_share(irradiance(&bulb, Vec3A::Y * 3.0, Vec3A::NEG_Y), 1.0, 1e-5);
    assert_share(irradiance(&bulb, Vec3A::ZERO, Vec3A::Y), 0.25, 1e-5);
}

#[test]
fn emitted_power_is_the_integral_of_what_arrives_all_around() {
    let emission = json!([1, 1, 1]);
    let spot = |kind: &str, cutoff: f64, exponent: f64| {
        let (place, axis) = ([0, 0, 0], [0, 0, 1]);
        let mut properties = json!({ "center": place, "emission": emission,
            "cutoff_angle": cutoff, "falloff_exponent": exponent });
        let more = if kind == "point_spot_light" {
            json!({ "direction": axis })
        } else {
            json!({ "normal": axis, "radius": 0.7 })
        };
        properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        light(kind, &properties)
    };
    for (name, light) in [
        ("bulb", spot("point_spot_light", 180.0, 0.0)),
        ("cone", spot("point_spot_light", 25.0, 0.0)),
        ("soft cone", spot("point_spot_light", 120.0, 3.0)),
        ("wide cone", spot("point_spot_light", 120.0, 0.0)),
        ("disc", disc([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.7)),
        ("disc cone", spot("area_disc_spot_light", 40.0, 0.0)),
        ("soft disc cone", spot("area_disc_spot_light", 60.0, 4.0)),
        ("quad", quad([-0.5, -0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])),
        ("sphere", sphere([0.0, 0.0, 0.0], 0.6)),
    ] {
        // The irradiance on a large sphere around it, times its area.
        let mut random = Random(3);
        let (radius, count) = (50.0, 400_000);
        let sum: f64 = (0..count)
            .filter_map(|_| {
                let outwards = random.direction();
                let sample = light.sample(outwards * radius, [random.next(), random.next()])?;
                let cos = sample.direction.dot(-outwards);
                Some(f64::from(sample.radiance.x * cos / sample.pdf.unwrap_or(1.0)))
            })
            .sum();
        let arriving = sum / f64::from(count) * f64::from(4.0 * PI * radius * radius);
        assert!((arriving as f32 / light.power() - 1.0).abs() < 0.02, "{name}: {arriving}");
    }
}

#[test]
fn the_choice_of_a_light_has_the_chance_it_claims() {
    let few = lights(&json!([
        { "id": "a", "type": "area_sphere_light",
          "properties": { "center": [0, 3, 0], "radius": 0.5, "emission": [5, 5, 5] } },
        { "id": "b", "type": "point_spot_light",
          "properties": { "center": [2, 1, 0], "emission": [3, 1, 1] } },
        { "id": "behind", "type": "area_quad_light", "properties":
          { "corner": [0, 2, 0], "u": [0, 0, 1], "v": [1, 0, 0], "emission": [9, 9, 9] } },
    ]));
    let many = (0..50)
        .map(|i| sphere([f64::from(i), 3.0, 0.0], 0.1 + 0.01 * f64::from(i)))
        .collect::<Vec<_>>();
    for list in [few, many] {
        let count = list.len();
        let set = LightSet::new(
            list,
            Environment::new(&scene::Environment::default(), Vec::new(), &Meshes::default()),
            unit(),
        );
        let receiver = Receiver {
            point: Vec3A::ZERO,
            normal: Vec3A::Y,
            samples_sky: true,
            both_sides: false,
            known: Anything,
        };
        let mut found = vec![0.0_f32; count + 1];
        let draws = 100_000;
        for draw in 0..draws {
            let choice = (draw as f32 + 0.5) / draws as f32;
            let (source, chance) = set.choose(&receiver, choice).unwrap();
            assert!((set.chance(&receiver, source) - chance).abs() < 1e-6);
            match source {
                Source::Light(index) => found[index] += 1.0,
                Source::Sky => found[count] += 1.0,
            }
        }
        for (index, found) in found.iter().enumerate() {
            let source = if index == count { Source::Sky } else { Source::Light(index) };
            let chance = set.chance(&receiver, source);
            assert!((found / draws as f32 - chance).abs() < 1e-3, "{index}: {found} {chance}");
        }
    }
}

#[test]
fn uneven_skies_are_sampled_with_their_density() {
    let wide = json!({ "direction": [1, -2, 0.5], "emission": [3, 2, 1], "angular_diameter": 60 });
    let narrow = json!({ "direction": [-1, -1, 0], "emission": [1, 1, 1], "angular_diameter": 40 });
    let suns = json!([{ "id": "a", "type": "directional_light", "properties": wide },
                      { "id": "b", "type": "directional_light", "properties": narrow }]);
    for environment in [
        json!({ "type": "sky", "time": 18, "haze": 5 }),
        json!({ "type": "sky", "time": 23 }),
        json!({ "type": "gradient", "top_color": [1, 1, 1], "bottom_color": [0, 0, 0] }),
        json!({ "type": "none" }),
    ] {
        let name = environment.to_string();
        let file =
            json!({ "version": 1, "shapes": [], "lights": suns, "environment": environment });
        let scene = scene::Scene::from_json(&file).unwrap();
        let suns: Vec<Sun> =
            scene.lights.iter().filter_map(|source| Sun::of(&source.light)).collect();
        assert_eq!(suns.len(), 2);
        let mut environment = scene.environment.clone();
        // The sun's disc is too small for the test's cells.
        if let scene::Environment::Sky(sky) = &mut environment
            && sky.sun_direction()[1] > 0.0
        {
            environment = scene::Environment::default();
        }
        let sky = Environment::new(&environment, suns, &Meshes::default());
        for (normal, both_sides) in
            [(Vec3A::Y, false), (Vec3A::new(0.6, 0.0, 0.8), true), (Vec3A::NEG_Y, false)]
        {
            let point = Vec3A::ZERO;
            let receiver =
                Receiver { point, normal, samples_sky: false, both_sides, known: Anything };
            check_directions(
                &name,
                |u| sky.sample(&receiver, u).map(|sample| sample.direction),
                |direction| {
                    let arrives = sky.radiance(direction) != Vec3A::ZERO;
                    if arrives { sky.pdf(&receiver, direction) } else { 0.0 }
                },
            );
        }
    }
}

#[test]
fn one_light_shares_with_the_sky_only_where_that_is_sampled() {
    let set = LightSet::new(
        vec![sphere([0.0, 3.0, 0.0], 0.5)],
        Environment::new(&scene::Environment::default(), Vec::new(), &Meshes::default()),
        unit(),
    );
    for samples_sky in [false, true] {
        let receiver = Receiver {
            point: Vec3A::ZERO,
            normal: Vec3A::Y,
            samples_sky,
            both_sides: false,
            known: Anything,
        };
        let chances = [Source::Light(0), Source::Sky].map(|source| set.chance(&receiver, source));
        assert_eq!(chances[1] > 0.0, samples_sky);
        assert!((chances[0] + chances[1] - 1.0).abs() < 1e-6, "{chances:?}");
        assert_eq!(set.choose(&receiver, 0.99), Some((Source::Light(0), chances[0])));
    }
}

#[test]
fn no_light_of_a_crowd_is_forgotten() {
    let mut random = Random(22);
    let mut place = || (5.0 * random.direction() * random.next()).to_array().map(f64::from);
    let crowd: Vec<Light> = (0..100)
        .flat_map(|index| {
            let point = json!({ "center": place(), "emission": [index, 1, 1] });
            [
                light("point_spot_light", &point),
                sphere(place(), 0.2),
                quad(place(), place(), place()),
            ]
        })
        .collect();
    let count = crowd.len();
    let set = LightSet::new(
        crowd,
        Environment::new(&scene::Environment::default(), Vec::new(), &Meshes::default()),
        unit(),
    );
    for _ in 0..50 {
        let (point, normal) = (6.0 * random.direction() * random.next(), random.direction());
        let receiver =
            Receiver { point, normal, samples_sky: true, both_sides: false, known: Anything };
        let mut sum = set.chance(&receiver, Source::Sky);
        for index in 0..count {
            let chance = set.chance(&receiver, Source::Light(index));
            assert_eq!(
                chance > 0.0,
                importance(&set.lights[index], point, normal) > 0.0,
                "{index}"
            );
            sum += chance;
        }
        // The rest is the probability of subtrees whose lights cannot contribute.
        assert!(sum < 1.0 + 1e-4, "{sum}");
        for draw in 0..1000 {
            let choice = (draw as f32 + 0.5) / 1000.0;
            if let Some((source, chance)) = set.choose(&receiver, choice) {
                assert!((set.chance(&receiver, source) / chance - 1.0).abs() < 1e-4);
            }
        }
    }
}

#[test]
fn a_light_that_can_arrive_is_never_given_up() {
    let mut random = Random(21);
    for _ in 0..300 {
        let center = 3.0 * random.direction() * random.next();
        let place = center.to_array().map(f64::from);
        let axis = random.direction().to_array().map(f64::from);
        let size = f64::from(random.between(0.05, 3.0));
        let emission = [1, 1, 1];
        let cone = json!({ "center": place, "normal": axis, "radius": size, "emission": emission,
            "cutoff_angle": random.between(1.0, 120.0), "falloff_exponent": random.between(0.0, 9.0) });
        let (u, v) = (random.direction() * size as f32, random.direction());
        for light in [
            light("area_disc_spot_light", &cone),
            disc(place, axis, size),
            sphere(place, size),
            quad(place, u.to_array().map(f64::from), v.to_array().map(f64::from)),
        ] {
            let (from, normal) = (4.0 * random.direction() * random.next(), random.direction());
            let arrives = (0..50).any(|_| {
                let sample = light.sample(from, [random.next(), random.next()]);
                sample.is_some_and(|sample| sample.direction.dot(normal) > 1e-4)
            });
            assert!(
                !arrives || importance(&light, from, normal) > 0.0,
                "{light:?} {from} {normal}"
            );
        }
    }
}

#[test]
fn inside_a_glowing_ball_it_is_dark() {
    let ball = sphere([0.0, 0.0, 0.0], 2.0);
    assert!(ball.sample(Vec3A::X, [0.3, 0.6]).is_none());
    assert_eq!(importance(&ball, Vec3A::X, Vec3A::Y), 0.0);
    let inner = seen(&ball, Vec3A::X, Vec3A::Y).unwrap();
    assert_eq!(ball.radiance(&inner, 0, Vec3A::NEG_Y), Vec3A::ZERO);
}
