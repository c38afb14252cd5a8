//! Every kind of shape and light, from its description: a new one that something here does not know fails.

use scene::{Geometry, Light, Motion};
use serde_json::{Map, Value, json};
use tracer::World;

use crate::support::*;

/// Rays across and down the view.
const RAYS: u32 = 48;

/// Each kind of shape that its description can make, with its sample.
fn shapes() -> impl Iterator<Item = (&'static str, Map<String, Value>)> {
    Geometry::kinds().into_iter().filter_map(|info| Some((info.kind, info.sample?)))
}

fn with(mut properties: Map<String, Value>, name: &str, value: Value) -> Value {
    properties.insert(name.into(), value);
    properties.into()
}

/// A camera that sees `middle` aslant, from where no sample is edge-on.
fn aslant(middle: [f64; 3]) -> Value {
    let [x, y, z] = middle;
    json!({ "center": [x + 2.4, y + 3.1, z + 4.3], "look_at": middle, "vfov": 40 })
}

#[test]
fn every_kind_of_shape_is_hit_inside_its_box() {
    for (kind, sample) in shapes() {
        let shape = Geometry::from_json(kind, &sample.clone().into()).unwrap();
        // The second of two that are alike shares what the first is made of.
        let other = shape.moved(&Motion::shift([7.0, 0.0, 0.0])).unwrap();
        let pair = [(kind, sample.into()), (kind, other.properties_json().into())];
        let mut hits = Vec::new();
        for (at, shape) in [shape, other].iter().enumerate() {
            let bounds = shape.bounds().unwrap();
            let middle = [0, 1, 2].map(|axis| 0.5 * (bounds.min[axis] + bounds.max[axis]));
            let world = World::build(&scene(&pair, &[], &none(), &aslant(middle)));
            let place = |ray: u32| (ray as f32 + 0.5) / RAYS as f32;
            let picked: Vec<_> = (0..RAYS * RAYS)
                .filter_map(|ray| world.pick(place(ray % RAYS), place(ray / RAYS), 1.0))
                .filter(|picked| picked.id.as_str() == format!("shape{at}"))
                .collect();
            for picked in &picked {
                for axis in 0..3 {
                    let (least, most) = (bounds.min[axis] - 2e-3, bounds.max[axis] + 2e-3);
                    let place = f64::from(picked.point[axis]);
                    assert!((least..=most).contains(&place), "{kind}: {:?}", picked.point);
                }
            }
            hits.push(picked.len() as f64);
        }
        assert!(hits[0] > 20.0, "{kind} is hit by {hits:?} rays");
        assert!((hits[0] - hits[1]).abs() <= 2.0 + 0.02 * hits[0], "{kind}: {hits:?}");
    }
}

#[test]
fn every_kind_of_shape_shows_both_colors_of_a_pattern() {
    let squares = json!({ "type": "checker", "first": [0.9, 0.9, 0.9], "second": [0.05, 0.05, 0.05],
                          "scale": 0.15 });
    for (kind, sample) in shapes() {
        let shape = Geometry::from_json(kind, &sample.clone().into()).unwrap();
        let bounds = shape.bounds().unwrap();
        let middle = [0, 1, 2].map(|axis| 0.5 * (bounds.min[axis] + bounds.max[axis]));
        let material = json!({ "type": "lambertian", "albedo": squares });
        let shapes = [(kind, with(sample, "material", material))];
        let scene = scene(&shapes, &[], &white(), &aslant(middle));
        let image = render(&scene, &settings(2), [RAYS, RAYS], 1);
        // What surrounds it shines with 1.
        let count = |range: std::ops::Range<f32>| {
            image.pixels.iter().filter(|pixel| range.contains(&pixel[1])).count()
        };
        let (dark, light) = (count(0.01..0.3), count(0.3..0.95));
        assert!(dark > 5 && light > 5, "{kind}: {dark} dark, {light} light");
    }
}

#[test]
fn every_kind_of_light_lights_what_it_shines_at() {
    // Walls on five sides, and nothing above, where light comes from afar.
    let wall = |corner: Value, u: Value, v: Value| {
        ("quad", json!({ "corner": corner, "u": u, "v": v, "material": matte(0.5) }))
    };
    let walls = [
        wall(json!([-3, -3, -3]), json!([0, 0, 6]), json!([6, 0, 0])),
        wall(json!([-3, -3, -3]), json!([6, 0, 0]), json!([0, 6, 0])),
        wall(json!([-3, -3, -3]), json!([0, 6, 0]), json!([0, 0, 6])),
        wall(json!([3, -3, -3]), json!([0, 0, 6]), json!([0, 6, 0])),
        wall(json!([-3, -3, 3]), json!([0, 6, 0]), json!([6, 0, 0])),
    ];
    let camera = json!({ "center": [0.2, 2.5, 2.8], "look_at": [0, -3, -1], "vfov": 90 });
    for info in Light::kinds() {
        let sample = info.sample.unwrap();
        let lit = scene(&walls, &[(info.kind, sample.into())], &none(), &camera);
        let mean = mean(&lit, &settings(2), [32, 32], 16);
        assert!(mean > 1e-3, "{}: {mean}", info.kind);
    }
}
