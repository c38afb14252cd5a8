//! The descriptions of kinds: samples are valid, and transforms work as described.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use scene::{Aabb, Geometry, KindInfo, Light, Motion, Role, Scene};
use serde_json::{Value, json};

fn shape(info: &KindInfo) -> Option<Geometry> {
    let object = json!({ "id": "a", "type": info.kind, "properties": info.sample.clone()? });
    let scene = Scene::from_json(&json!({ "version": 1, "shapes": [object] })).unwrap();
    Some(scene.shapes[0].geometry.clone())
}

fn light(info: &KindInfo) -> Light {
    let object =
        json!({ "id": "a", "type": info.kind, "properties": info.sample.clone().unwrap() });
    let scene =
        Scene::from_json(&json!({ "version": 1, "shapes": [], "lights": [object] })).unwrap();
    scene.lights[0].light.clone()
}

fn assert_same(kind: &str, [one, other]: [Aabb; 2]) {
    for at in 0..3 {
        for [one, other] in [[one.min, other.min], [one.max, other.max]] {
            assert!((one[at] - other[at]).abs() < 1e-9, "{kind}: {one:?} {other:?}");
        }
    }
}

/// The box after a translation and a scale.
fn shifted(bounds: Aabb, motion: &Motion) -> Aabb {
    Aabb { min: motion.point(bounds.min), max: motion.point(bounds.max) }
}

#[test]
fn samples_are_valid_spelled_out_and_about_two_metres_wide() {
    for info in Geometry::kinds() {
        let Some(shape) = shape(&info) else {
            assert_eq!(info.kind, "mesh");
            continue;
        };
        let size = shape.bounds().unwrap().size().into_iter().fold(0.0, f64::max);
        assert!((0.9..=2.6).contains(&size), "{}: {size}", info.kind);
        // Omitted properties have defaults: parsing adds nothing else.
        assert_eq!(Some(shape.properties_json()), info.sample, "{}", info.kind);
    }
    for info in Light::kinds() {
        let size = light(&info).bounds().size().into_iter().fold(0.0, f64::max);
        assert_eq!(size == 0.0, info.frame == scene::Frame::Point, "{}", info.kind);
    }
}

#[test]
fn every_kind_moves_and_grows_with_its_box() {
    let motion = Motion::scale(2.5, [0.3, -1.0, 2.0]).then(Motion::shift([3.0, 0.25, -7.0]));
    for info in Geometry::kinds() {
        let Some(shape) = shape(&info) else { continue };
        let moved = shape.moved(&motion).unwrap();
        assert_same(
            info.kind,
            [moved.bounds().unwrap(), shifted(shape.bounds().unwrap(), &motion)],
        );
        let turned = shape.moved(&Motion::turn([0.0, 90.0, 0.0], [0.0; 3])).unwrap();
        let back = turned.moved(&Motion::turn([0.0, -90.0, 0.0], [0.0; 3])).unwrap();
        assert_same(info.kind, [back.bounds().unwrap(), shape.bounds().unwrap()]);
        let [x, y, z] = shape.bounds().unwrap().size();
        let size = turned.bounds().unwrap().size();
        assert!(
            (size[0] - z).abs() + (size[1] - y).abs() + (size[2] - x).abs() < 1e-6,
            "{}: {size:?}",
            info.kind
        );
    }
    for info in Light::kinds() {
        let light = light(&info);
        let moved = light.moved(&motion).unwrap();
        assert_same(info.kind, [moved.bounds(), shifted(light.bounds(), &motion)]);
        assert_eq!(moved.emission(), light.emission(), "{}", info.kind);
    }
}

#[test]
fn what_can_be_stretched_grows_along_each_of_its_axes() {
    let factors = [2.0, 0.5, 3.0];
    for info in Geometry::kinds().into_iter().filter(|info| info.sizes.is_some()) {
        let Some(shape) = shape(&info) else { continue };
        let stretched = shape.stretched(factors, [0.0; 3]).unwrap();
        let [was, is] = [&shape, &stretched].map(|shape| shape.bounds().unwrap().size());
        for at in 0..3 {
            assert!((is[at] - was[at] * factors[at]).abs() < 1e-9, "{}: {is:?}", info.kind);
        }
    }
}

#[test]
fn the_default_of_a_property_is_what_the_reader_takes() {
    for info in Geometry::kinds() {
        let Some(shape) = shape(&info) else { continue };
        let mut least = Value::Object(shape.properties_json());
        for property in &info.properties {
            if property.default.is_some() && property.role != Role::Object {
                least.as_object_mut().unwrap().shift_remove(property.name);
            }
        }
        let read = Geometry::from_json(info.kind, &least).unwrap().properties_json();
        for property in &info.properties {
            let Some(default) = property.default.as_ref().filter(|_| property.role != Role::Object)
            else {
                continue;
            };
            // A default of null is not written.
            let value = read.get(property.name).unwrap_or(&Value::Null);
            assert_eq!(value, default, "{} {}", info.kind, property.name);
        }
    }
}
