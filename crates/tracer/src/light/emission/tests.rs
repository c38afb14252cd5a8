use serde_json::json;

use super::*;
use crate::chi_square::{Random, check_directions};
use crate::light::{AreaLight, LightSet, SurfaceEmission};
use crate::mesh::Meshes;
use crate::primitive::Primitive;

fn light(kind: &str, properties: &serde_json::Value) -> Light {
    let mut properties = properties.clone();
    properties["emission"] = json!([1, 1, 1]);
    let list = json!([{ "id": "light", "type": kind, "properties": properties }]);
    let file = json!({ "version": 1, "shapes": [], "lights": list });
    Light::new(&scene::Scene::from_json(&file).unwrap().lights[0].light).unwrap()
}

fn sky(environment: &serde_json::Value) -> Environment {
    let file = json!({ "version": 1, "shapes": [], "environment": environment });
    let scene = scene::Scene::from_json(&file).unwrap();
    Environment::new(&scene.environment, Vec::new(), &Meshes::default())
}

fn all_kinds() -> Vec<(&'static str, Light)> {
    let spot = |cutoff: f64, exponent: f64| {
        light(
            "point_spot_light",
            &json!({ "center": [1, 2, 3], "direction": [1, -2, 0.5], "cutoff_angle": cutoff,
                     "falloff_exponent": exponent }),
        )
    };
    let disc = |cutoff: f64, exponent: f64| {
        light(
            "area_disc_spot_light",
            &json!({ "center": [0, 1, 0], "normal": [1, 1, 0], "radius": 0.5,
                     "cutoff_angle": cutoff, "falloff_exponent": exponent }),
        )
    };
    vec![
        ("bulb", spot(180.0, 0.0)),
        ("cone", spot(50.0, 0.0)),
        ("wide cone", spot(130.0, 0.0)),
        ("soft cone", spot(130.0, 4.0)),
        (
            "plain disc",
            light(
                "disc_spot_light",
                &json!({ "center": [0, 1, 0], "normal": [1, 1, 0], "radius": 0.5 }),
            ),
        ),
        ("disc cone", disc(40.0, 0.0)),
        ("soft disc", disc(120.0, 3.0)),
        (
            "quad",
            light(
                "area_quad_light",
                &json!({ "corner": [0, 0, 0], "u": [1, 0, 0], "v": [0.5, 2, 0] }),
            ),
        ),
        ("ball", light("area_sphere_light", &json!({ "center": [0, 0, 0], "radius": 0.7 }))),
        ("ring", glowing_ring()),
    ]
}

/// The light of an emissive torus.
fn glowing_ring() -> Light {
    let ring = json!({ "center": [0, 0, 0], "normal": [1, 2, 0], "radius": 0.6, "thickness": 0.3 });
    let shape = json!({ "id": "ring", "type": "torus", "properties": ring });
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
    let geometry = &scene.shapes[0].geometry;
    let body = Primitive::new(geometry, &Meshes::default()).unwrap();
    let bounds = Bounds::enclosing(geometry.bounds().unwrap());
    let mut lights = Vec::new();
    AreaLight::add(
        &mut lights,
        &body,
        bounds,
        &SurfaceEmission { mean: Vec3A::ONE, texture: None },
    );
    lights.remove(0)
}

/// The normal at the start of a departure.
fn normal_of(departure: &Departure) -> Option<Vec3A> {
    match departure.start {
        End::Surface(surface) => Some(surface.normal),
        End::Point(_) | End::Infinity => None,
    }
}

#[test]
fn light_leaves_in_directions_with_their_density() {
    for (name, light) in all_kinds() {
        // A fixed position on the light.
        let place = [0.3, 0.6];
        let normal = light.departure(place, [0.5; 2]).and_then(|departure| normal_of(&departure));
        let area = match &light {
            Light::Point(_) => 1.0,
            Light::Quad(light) => light.area,
            Light::Disc(light) => light.area,
            Light::Sphere(light) => 4.0 * PI * light.body.radius * light.body.radius,
            Light::Shape(light) => light.area,
            Light::Textured(_) => unreachable!("none of these varies"),
        };
        check_directions(
            name,
            |u| light.departure(place, u).map(|departure| departure.direction),
            |direction| {
                let cos = normal.map_or(1.0, |normal| normal.dot(direction));
                light.departure_pdf(direction, cos) * area
            },
        );
    }
}

#[test]
fn the_sky_is_chosen_by_its_brightness() {
    for [top, bottom] in [[3.0, 1.0], [0.0, 2.0], [1.0, 1.0], [5.0, 0.0]] {
        let json = json!({ "type": "gradient", "top_color": [top, top, top],
                           "bottom_color": [bottom, bottom, bottom] });
        let sky = sky(&json);
        check_directions(
            "sky",
            |u| Some(sky.sample_direction(u)),
            |direction| sky.direction_pdf(direction),
        );
    }
}

#[test]
fn the_light_that_sets_out_is_all_there_is() {
    let dark = sky(&json!({ "type": "none" }));
    let bounds = Bounds { min: Vec3A::NEG_ONE, max: Vec3A::ONE };
    for (name, light) in all_kinds() {
        let power = light.power();
        let set = LightSet::new(vec![light], dark.clone(), bounds);
        let mut random = Random(4);
        let count = 100_000;
        let mut number = || random.next();
        let sum: f64 = (0..count)
            .filter_map(|_| set.emit(number(), [number(), number()], [number(), number()]))
            .map(|emitted| f64::from(emitted.weight.y))
            .sum();
        let mean = (sum / f64::from(count)) as f32;
        assert!((mean / power - 1.0).abs() < 2e-3, "{name}: {mean} of {power}");
    }
}

#[test]
fn sources_are_chosen_by_power_and_the_sky_not_too_often() {
    let lights: Vec<Light> = all_kinds().into_iter().map(|(_, light)| light).collect();
    let powers: Vec<f32> = lights.iter().map(Light::power).collect();
    let sky = Environment::new(&scene::Environment::default(), Vec::new(), &Meshes::default());
    let bounds = Bounds { min: Vec3A::splat(-50.0), max: Vec3A::splat(50.0) };
    let choice = EmissionChoice::new(&lights, &sky, bounds);
    assert_eq!(choice.sky, MAX_SKY_SHARE);
    let total: f32 = powers.iter().sum();
    let mut found = vec![0.0; lights.len()];
    let draws = 100_000;
    for draw in 0..draws {
        if let Some(Source::Light(index)) = choice.choose((draw as f32 + 0.5) / draws as f32) {
            found[index] += 1.0 / draws as f32;
        }
    }
    for (found, power) in found.iter().zip(powers) {
        assert!((found - (1.0 - MAX_SKY_SHARE) * power / total).abs() < 1e-3, "{found} {power}");
    }
}
