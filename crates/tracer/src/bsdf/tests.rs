use glam::Vec3A;

use super::*;
use crate::chi_square::{Random, check_directions};

fn viewer(degrees: f32) -> Vec3A {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vec3A::new(sin * 0.8, sin * 0.6, cos)
}

fn rough(alpha: f32) -> Bsdf {
    Bsdf::RoughMetal(RoughMetal { tint: Vec3A::ONE, alpha })
}

/// The share of even light around that is reflected or let through: the mean weight.
fn albedo(bsdf: &Bsdf, wo: Vec3A, outside: bool) -> f32 {
    let mut random = Random(77);
    let count = 100_000;
    let sum: f32 = (0..count)
        .filter_map(|_| bsdf.sample(wo, outside, [random.next(), random.next(), random.next()]))
        .map(|sample| sample.weight.x * sample.eta_squared)
        .sum();
    sum / count as f32
}

#[test]
fn directions_come_with_their_density() {
    let matte = Bsdf::Lambertian(Lambertian { albedo: Vec3A::ONE });
    let mut cases = vec![("lambertian".to_owned(), matte, viewer(30.0))];
    for alpha in [0.15, 0.3, 0.6, 1.0] {
        for degrees in [0.0, 35.0, 70.0, 85.0] {
            cases.push((format!("GGX {alpha} at {degrees}"), rough(alpha), viewer(degrees)));
        }
    }
    for (name, bsdf, wo) in cases {
        check_directions(
            &name,
            |[u, v]| bsdf.sample(wo, true, [u, v, 0.5]).map(|sample| sample.wi),
            |wi| bsdf.evaluate(wo, wi).pdf,
        );
    }
}

#[test]
fn weights_are_value_over_density() {
    let mut random = Random(5);
    let tint = Vec3A::new(0.9, 0.5, 0.1);
    for bsdf in [
        Bsdf::Lambertian(Lambertian { albedo: tint }),
        Bsdf::RoughMetal(RoughMetal { tint, alpha: 0.002 }),
        Bsdf::RoughMetal(RoughMetal { tint, alpha: 0.5 }),
    ] {
        for _ in 0..10_000 {
            let wo = viewer(random.between(0.0, 89.9));
            let Some(sample) = bsdf.sample(wo, true, [random.next(), random.next(), 0.0]) else {
                continue;
            };
            let evaluated = bsdf.evaluate(wo, sample.wi);
            let pdf = sample.pdf.unwrap();
            let error = (evaluated.value / pdf - sample.weight).abs().max_element();
            assert!(error < 1e-4, "{bsdf:?}: {error}");
            assert!((evaluated.pdf / pdf - 1.0).abs() < 1e-3);
            assert!((sample.wi.length() - 1.0).abs() < 1e-4);
        }
    }
}

#[test]
fn light_takes_the_same_way_back() {
    let mut random = Random(6);
    for bsdf in [rough(0.05), rough(0.5), Bsdf::Lambertian(Lambertian { albedo: Vec3A::ONE })] {
        for _ in 0..1000 {
            let (a, b) = (viewer(random.between(0.0, 85.0)), viewer(random.between(0.0, 85.0)));
            let b = b * Vec3A::new(-1.0, 1.0, 1.0);
            let forth = bsdf.evaluate(a, b).value.x / b.z;
            let back = bsdf.evaluate(b, a).value.x / a.z;
            assert!((forth - back).abs() <= 1e-3 * forth.max(back), "{forth} {back}");
        }
    }
}

#[test]
fn white_surfaces_lose_nothing_in_a_white_furnace() {
    let matte = Bsdf::Lambertian(Lambertian { albedo: Vec3A::ONE });
    let mirror = Bsdf::Mirror(Mirror { tint: Vec3A::ONE });
    for degrees in [0.0, 45.0, 80.0, 89.0] {
        let wo = viewer(degrees);
        assert!((albedo(&matte, wo, true) - 1.0).abs() < 1e-4);
        assert!((albedo(&mirror, wo, true) - 1.0).abs() < 1e-6);
        for index in [1.0, 1.33, 1.5, 2.42] {
            let glass = Bsdf::Dielectric(Dielectric { refractive_index: index });
            assert!((albedo(&glass, wo, true) - 1.0).abs() < 1e-4);
            assert!((albedo(&glass, wo, false) - 1.0).abs() < 1e-4);
        }
    }
}

/// What a single meeting with the facets keeps, by integrating `weight x pdf` over the hemisphere
/// instead of sampling it.
fn integrated_albedo(bsdf: &Bsdf, wo: Vec3A) -> f64 {
    let (rows, columns) = (1000, 1000);
    let mut sum = 0.0;
    for row in 0..rows {
        let cos = (row as f32 + 0.5) / rows as f32;
        let sin = (1.0 - cos * cos).sqrt();
        for column in 0..columns {
            let phi = std::f32::consts::TAU * (column as f32 + 0.5) / columns as f32;
            let wi = Vec3A::new(sin * phi.cos(), sin * phi.sin(), cos);
            sum += f64::from(bsdf.evaluate(wo, wi).value.x);
        }
    }
    sum * std::f64::consts::TAU / f64::from(rows * columns)
}

#[test]
fn rough_metal_gains_nothing_and_loses_what_single_scattering_loses() {
    for (fuzz, degrees, at_least) in [
        (0.1_f32, 0.0, 0.999),
        (0.3, 0.0, 0.99),
        (0.5, 0.0, 0.91),
        (0.5, 75.0, 0.82),
        (0.7, 0.0, 0.69),
        (1.0, 0.0, 0.30),
        (1.0, 80.0, 0.52),
    ] {
        let (bsdf, wo) = (rough(fuzz * fuzz), viewer(degrees));
        let sampled = albedo(&bsdf, wo, true);
        assert!((at_least..=1.0001).contains(&sampled), "fuzz {fuzz} at {degrees}: {sampled}");
        if fuzz >= 0.5 {
            let integrated = integrated_albedo(&bsdf, wo) as f32;
            assert!((sampled - integrated).abs() < 3e-3, "{sampled} {integrated}");
        }
    }
}
