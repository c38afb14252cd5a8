use glam::Vec3A;
use serde_json::{Value, json};

use super::*;
use crate::bsdf::tests::check_density;
use crate::bsdf::{Bsdf, Scatters};
use crate::chi_square::Random;

/// The BSDF of a `principled` material with these properties.
pub(super) fn bsdf(properties: &Value) -> Bsdf {
    let mut material = properties.clone();
    material["type"] = json!("principled");
    let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
    let shape = json!({ "id": "ball", "type": "sphere", "properties": ball });
    let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
    Bsdf::new(&scene.shapes[0].material)
}

/// A material with all lobes.
fn rich() -> Value {
    json!({ "base_color": [0.8, 0.5, 0.2], "base_metalness": 0.3, "specular_roughness": 0.5,
            "transmission_weight": 0.4, "transmission_color": [0.5, 0.8, 0.9],
            "coat_weight": 0.6, "coat_roughness": 0.4, "coat_color": [0.9, 0.6, 0.4],
            "fuzz_weight": 0.5, "fuzz_color": [0.3, 0.6, 0.9], "specular_color": [0.9, 0.9, 0.5],
            "geometry_opacity": 0.8 })
}

/// Materials with each lobe, alone and combined.
pub(super) fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        ("plastic", json!({})),
        ("rough plastic", json!({ "specular_roughness": 0.9 })),
        ("metal", json!({ "base_metalness": 1, "specular_roughness": 0.4 })),
        ("rough metal", json!({ "base_metalness": 1, "specular_roughness": 1 })),
        (
            "brushed metal",
            json!({ "base_metalness": 1, "specular_roughness": 0.6,
                    "specular_roughness_anisotropy": 0.7 }),
        ),
        ("frosted glass", json!({ "transmission_weight": 1, "specular_roughness": 0.5 })),
        (
            "rough dense glass",
            json!({ "transmission_weight": 1, "specular_roughness": 0.9, "specular_ior": 2.2 }),
        ),
        ("half glass", json!({ "transmission_weight": 0.5, "specular_roughness": 0.6 })),
        ("smooth coat", json!({ "coat_weight": 1, "specular_roughness": 0.6 })),
        ("rough coat", json!({ "coat_weight": 0.8, "coat_roughness": 0.5, "base_metalness": 1 })),
        ("velvet", json!({ "fuzz_weight": 1, "fuzz_roughness": 0.3 })),
        (
            "film",
            json!({ "thin_film_weight": 1, "thin_film_thickness": 0.4, "thin_film_ior": 1.8,
                    "transmission_weight": 0.6, "specular_roughness": 0.5 }),
        ),
        (
            "frosted pane",
            json!({ "transmission_weight": 1, "specular_roughness": 0.5, "geometry_thin_walled": true,
                    "transmission_color": [0.4, 0.8, 0.6], "thin_film_weight": 0.7 }),
        ),
        (
            "coated pane",
            json!({ "transmission_weight": 0.7, "specular_roughness": 0.3, "coat_weight": 0.8,
                    "coat_roughness": 0.4, "fuzz_weight": 0.3, "geometry_thin_walled": true }),
        ),
        ("all", rich()),
    ]
}

/// The same properties with all colours white.
pub(super) fn whitened(properties: &Value) -> Value {
    let mut white = properties.clone();
    for name in ["base_color", "specular_color", "transmission_color", "coat_color", "fuzz_color"] {
        white[name] = json!([1, 1, 1]);
    }
    white
}

pub(super) fn viewer(degrees: f32) -> Vec3A {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vec3A::new(sin * 0.8, sin * 0.6, cos)
}

/// The reflected and transmitted share of uniform light, per channel.
fn albedo(bsdf: &Bsdf, wo: Vec3A, outside: bool) -> Vec3A {
    let mut random = Random(77);
    let count = 40_000;
    let sum: Vec3A = (0..count)
        .filter_map(|_| bsdf.sample(wo, outside, [random.next(), random.next(), random.next()]))
        .map(|sample| sample.weight * sample.eta_squared)
        .sum();
    sum / count as f32
}

#[test]
fn directions_come_with_their_density() {
    for (name, properties) in kinds() {
        let bsdf = bsdf(&properties);
        for degrees in [10.0, 60.0, 80.0] {
            for outside in [true, false] {
                let name = format!("{name} at {degrees}, {outside}");
                check_density(&name, &bsdf, viewer(degrees), outside);
            }
        }
    }
}

#[test]
fn weights_are_value_over_density() {
    let mut random = Random(5);
    for (name, properties) in kinds() {
        let bsdf = bsdf(&properties);
        for _ in 0..4000 {
            let wo = viewer(random.between(0.0, 89.0));
            let outside = random.next() < 0.5;
            let numbers = [random.next(), random.next(), random.next()];
            let Some(sample) = bsdf.sample(wo, outside, numbers) else { continue };
            let Some(pdf) = sample.pdf else { continue };
            let evaluated = bsdf.evaluate(wo, sample.wi, outside);
            let error = (evaluated.value / pdf - sample.weight).abs().max_element();
            assert!(error < 1e-3 * (1.0 + sample.weight.max_element()), "{name}: {error}");
            assert!(sample.weight.is_finite() && sample.weight.min_element() >= 0.0, "{name}");
            // Weights are bounded, since a lobe's colour is at most as strong as its probability
            // allows.
            assert!(sample.weight.max_element() < 20.0, "{name}: {}", sample.weight);
        }
    }
}

#[test]
fn light_takes_the_same_way_back() {
    let mut random = Random(6);
    for (name, properties) in kinds() {
        let bsdf = bsdf(&properties);
        let (mut back_and_forth, mut through) = (0, 0);
        for _ in 0..3000 {
            let wo = viewer(random.between(0.0, 85.0));
            let wi = random.direction();
            let outside = random.next() < 0.5;
            if wi.z.abs() < 0.05 {
                continue;
            }
            let forth = bsdf.evaluate(wo, wi, outside).value / wi.z.abs();
            let back = bsdf.evaluate(wi, wo, outside).value / wo.z;
            // Radiance is larger in the denser medium by the squared index.
            let expected = forth * bsdf.compression(wi, outside);
            let error = (back - expected).abs().max_element();
            assert!(error <= 2e-3 * expected.max_element() + 1e-6, "{name}: {forth} {back}");
            if expected.max_element() > 0.0 {
                *(if wi.z > 0.0 { &mut back_and_forth } else { &mut through }) += 1;
            }
        }
        assert!(back_and_forth > 500, "{name}");
        assert_eq!(through > 500, bsdf.is_translucent(), "{name}: {through}");
    }
}

#[test]
fn colours_only_take_away() {
    for (name, properties) in kinds() {
        let (coloured, white) = (bsdf(&properties), bsdf(&whitened(&properties)));
        for degrees in [0.0, 50.0, 80.0] {
            let (less, all) =
                (albedo(&coloured, viewer(degrees), true), albedo(&white, viewer(degrees), true));
            assert!((less - all).max_element() < 0.01, "{name}: {less} {all}");
        }
    }
}

/// Published closed forms: a smooth interface reflects by the Fresnel equations, a perfect metal by
/// the F82-tint curve, both times their colour.
#[test]
fn smooth_parts_reflect_by_their_equations() {
    let metal = bsdf(&json!({ "base_metalness": 1, "specular_roughness": 0,
                              "base_color": [1.0, 0.766, 0.336] }));
    let kept = albedo(&metal, Vec3A::Z, true);
    assert!((kept - Vec3A::new(1.0, 0.766, 0.336)).length() < 1e-3, "{kept}");
    // A black base under an interface: only Fresnel's 0.04 is left, and 0.0892 at 60 degrees.
    let black = bsdf(&json!({ "base_color": [0, 0, 0], "specular_roughness": 0 }));
    for (degrees, expected) in [(0.0, 0.04), (60.0, 0.089_18), (80.0, 0.387_9)] {
        let kept = albedo(&black, viewer(degrees), true).x;
        assert!((kept - expected).abs() < 1e-3, "{degrees}: {kept} is not {expected}");
    }
    // A pane transmits (1 - R) / (1 + R), and nothing where it absorbs.
    let pane = bsdf(&json!({ "transmission_weight": 1, "specular_roughness": 0,
                             "transmission_color": [0, 1, 1], "geometry_thin_walled": true }));
    let sent_back = |wo: Vec3A| {
        let sample = pane.sample(wo, true, [0.5, 0.5, 0.0]).unwrap();
        assert!(sample.wi.z > 0.0 && pane.is_specular() && pane.is_thin());
        pane.sample(wo, true, [0.5, 0.5, 0.999]).unwrap()
    };
    for (degrees, border) in [(0.0, 0.04), (60.0, 0.089_18)] {
        let wo = viewer(degrees);
        let straight = sent_back(wo);
        assert!((straight.wi + wo).length() < 1e-5 && straight.eta_squared == 1.0);
        let through = pane.straight(wo, true);
        let expected = 1.0 - 2.0 * border / (1.0 + border);
        assert!((through.y - expected).abs() < 1e-4 && through.x == 0.0, "{degrees}: {through}");
        assert!((pane.straight(wo, false) - through).length() < 1e-5);
        // A black inside leaves only the first reflection.
        let kept = albedo(&pane, wo, true);
        assert!((kept.x - border).abs() < 2e-3 && (kept.y - 1.0).abs() < 1e-3, "{kept}");
    }
    let glass = bsdf(&json!({ "transmission_weight": 1, "specular_roughness": 0,
                              "transmission_color": [0.5, 1, 1] }));
    assert_eq!(glass.straight(Vec3A::Z, true), Vec3A::ZERO);
    let kept = albedo(&glass, Vec3A::Z, true);
    assert!((kept.x - (0.04 + 0.96 * 0.5)).abs() < 2e-3 && (kept.y - 1.0).abs() < 1e-3, "{kept}");
    assert!(glass.is_specular() && !bsdf(&json!({})).is_specular());
}

/// The integral of the value over all directions by quadrature instead of sampling.
#[test]
fn sampled_albedo_is_the_integral_of_the_value() {
    for (name, properties) in kinds() {
        if name == "smooth coat" || name == "all" {
            continue; // Parts in single directions are not in the integral.
        }
        let bsdf = bsdf(&properties);
        let wo = viewer(40.0);
        let steps = 400;
        let mut sum = Vec3A::ZERO;
        for row in 0..2 * steps {
            let cos = 1.0 - (row as f32 + 0.5) / steps as f32;
            let sin = (1.0 - cos * cos).sqrt();
            for column in 0..steps {
                let phi = std::f32::consts::TAU * (column as f32 + 0.5) / steps as f32;
                let wi = Vec3A::new(sin * phi.cos(), sin * phi.sin(), cos);
                sum += bsdf.evaluate(wo, wi, true).value * bsdf.compression(wi, true);
            }
        }
        let integrated = sum * std::f32::consts::TAU / (steps * steps) as f32;
        let sampled = albedo(&bsdf, wo, true);
        assert!(
            (integrated - sampled).abs().max_element() < 0.02,
            "{name}: {integrated} {sampled}"
        );
    }
}

#[test]
fn materials_that_differ_in_colour_share_what_was_computed() {
    let reflected = |red: f64| {
        let material = json!({ "base_color": [red, 0.5, 0.5], "specular_roughness": 0.617 });
        let Bsdf::Principled(bsdf) = bsdf(&material) else { panic!("a principled material") };
        bsdf.front.reflected.clone().unwrap()
    };
    assert!(Arc::ptr_eq(&reflected(0.1), &reflected(0.9)));
}
