use std::cell::RefCell;

use glam::Vec3A;

use super::*;
use crate::chi_square::{Random, check_directions};

fn viewer(degrees: f32) -> Vec3A {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Vec3A::new(sin * 0.8, sin * 0.6, cos)
}

fn rough(alpha: f32) -> Bsdf {
    Bsdf::Simple(Simple::RoughMetal(RoughMetal { tint: Vec3A::ONE, alpha }))
}

/// The mean weight: the reflected and transmitted share of uniform light.
fn albedo(bsdf: &Bsdf, wo: Vec3A, outside: bool) -> f32 {
    let mut random = Random(77);
    let count = 100_000;
    let sum: f64 = (0..count)
        .filter_map(|_| bsdf.sample(wo, outside, [random.next(), random.next(), random.next()]))
        .map(|sample| f64::from(sample.weight.x * sample.eta_squared))
        .sum();
    (sum / f64::from(count)) as f32
}

/// Checks that directions are sampled with the returned pdf. Dirac deltas have none.
pub(super) fn check_density(name: &str, bsdf: &Bsdf, wo: Vec3A, outside: bool) {
    let choices = RefCell::new(Random(9));
    check_directions(
        name,
        |[u, v]| {
            let choice = choices.borrow_mut().next();
            let sample = bsdf.sample(wo, outside, [u, v, choice])?;
            sample.pdf.map(|_| sample.wi)
        },
        |wi| bsdf.evaluate(wo, wi, outside).pdf,
    );
}

#[test]
fn directions_come_with_their_density() {
    let matte = Bsdf::Simple(Simple::Lambertian(Lambertian { albedo: Vec3A::ONE }));
    let mut cases = vec![("lambertian".to_owned(), matte, viewer(30.0))];
    for alpha in [0.15, 0.3, 0.6, 1.0] {
        for degrees in [0.0, 35.0, 70.0, 85.0] {
            cases.push((format!("GGX {alpha} at {degrees}"), rough(alpha), viewer(degrees)));
        }
    }
    for (name, bsdf, wo) in cases {
        check_density(&name, &bsdf, wo, true);
    }
}

#[test]
fn weights_are_value_over_density() {
    let mut random = Random(5);
    let tint = Vec3A::new(0.9, 0.5, 0.1);
    for bsdf in [
        Bsdf::Simple(Simple::Lambertian(Lambertian { albedo: tint })),
        Bsdf::Simple(Simple::RoughMetal(RoughMetal { tint, alpha: 0.002 })),
        Bsdf::Simple(Simple::RoughMetal(RoughMetal { tint, alpha: 0.5 })),
    ] {
        for _ in 0..10_000 {
            let wo = viewer(random.between(0.0, 89.9));
            let Some(sample) = bsdf.sample(wo, true, [random.next(), random.next(), 0.0]) else {
                continue;
            };
            let evaluated = bsdf.evaluate(wo, sample.wi, true);
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
    for bsdf in [
        rough(0.05),
        rough(0.5),
        Bsdf::Simple(Simple::Lambertian(Lambertian { albedo: Vec3A::ONE })),
    ] {
        for _ in 0..1000 {
            let (a, b) = (viewer(random.between(0.0, 85.0)), viewer(random.between(0.0, 85.0)));
            let b = b * Vec3A::new(-1.0, 1.0, 1.0);
            let forth = bsdf.evaluate(a, b, true).value.x / b.z;
            let back = bsdf.evaluate(b, a, true).value.x / a.z;
            assert!((forth - back).abs() <= 1e-3 * forth.max(back), "{forth} {back}");
        }
    }
}

#[test]
fn white_surfaces_lose_nothing_in_a_white_furnace() {
    let matte = Bsdf::Simple(Simple::Lambertian(Lambertian { albedo: Vec3A::ONE }));
    let mirror = Bsdf::Simple(Simple::Mirror(Mirror { tint: Vec3A::ONE }));
    for degrees in [0.0, 45.0, 80.0, 89.0] {
        let wo = viewer(degrees);
        assert!((albedo(&matte, wo, true) - 1.0).abs() < 1e-4);
        assert!((albedo(&mirror, wo, true) - 1.0).abs() < 1e-6);
        for index in [1.0, 1.33, 1.5, 2.42] {
            let glass = Bsdf::Simple(Simple::Dielectric(Dielectric { refractive_index: index }));
            assert!((albedo(&glass, wo, true) - 1.0).abs() < 1e-4);
            assert!((albedo(&glass, wo, false) - 1.0).abs() < 1e-4);
        }
    }
}

/// The single-scattering albedo, by integrating `weight x pdf` over the hemisphere instead of
/// sampling.
fn integrated_albedo(bsdf: &Bsdf, wo: Vec3A) -> f64 {
    let (rows, columns) = (1000, 1000);
    let mut sum = 0.0;
    for row in 0..rows {
        let cos = (row as f32 + 0.5) / rows as f32;
        let sin = (1.0 - cos * cos).sqrt();
        for column in 0..columns {
            let phi = std::f32::consts::TAU * (column as f32 + 0.5) / columns as f32;
            let wi = Vec3A::new(sin * phi.cos(), sin * phi.sin(), cos);
            sum += f64::from(bsdf.evaluate(wo, wi, true).value.x);
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

#[test]
fn glass_sends_as_much_one_way_as_the_other() {
    // Reciprocity of an interface: the transmittance does not depend on the side, and radiance
    // grows by the squared index on the way in and falls by it on the way out.
    let mut random = Random(8);
    for index in [1.0, 1.1, 1.5, 2.42, 4.0] {
        let glass = Bsdf::Simple(Simple::Dielectric(Dielectric { refractive_index: index }));
        for _ in 0..200 {
            let wo = viewer(random.between(0.0, 89.0));
            let Some(inside) = glass.sample(wo, true, [0.0, 0.0, 1.0 - f32::EPSILON]) else {
                continue;
            };
            if inside.wi.z >= 0.0 {
                continue;
            }
            let back = inside.wi * Vec3A::new(1.0, 1.0, -1.0);
            let passes = |wo: Vec3A, outside: bool| {
                let count = 4096;
                let passing = (0..count).filter(|at| {
                    let choice = (*at as f32 + 0.5) / count as f32;
                    let sample = glass.sample(wo, outside, [0.0, 0.0, choice]);
                    sample.is_some_and(|sample| sample.wi.z < 0.0)
                });
                passing.count() as f32 / count as f32
            };
            let (inwards, outwards) = (passes(wo, true), passes(back, false));
            assert!((inwards - outwards).abs() < 2e-3, "{index} {wo}: {inwards} {outwards}");
            assert!((inside.eta_squared / (index * index) - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn no_surface_gives_back_more_than_it_gets() {
    // White furnace tests over the whole range of every material.
    for degrees in [0.0, 20.0, 40.0, 60.0, 75.0, 85.0, 89.5] {
        let wo = viewer(degrees);
        for step in 0..=10_u8 {
            let share = f32::from(step) / 10.0;
            let tint = Vec3A::splat(share);
            for (name, bsdf, exact) in [
                ("lambertian", Bsdf::Simple(Simple::Lambertian(Lambertian { albedo: tint })), true),
                ("mirror", Bsdf::Simple(Simple::Mirror(Mirror { tint })), true),
                (
                    "glass",
                    Bsdf::Simple(Simple::Dielectric(Dielectric {
                        refractive_index: 1.0 + 2.0 * share,
                    })),
                    false,
                ),
                ("rough metal", rough((0.01 + 0.99 * share).powi(2)), false),
            ] {
                let limit = if exact { share } else { 1.0 };
                for outside in [true, false] {
                    let got = albedo(&bsdf, wo, outside);
                    assert!(got <= limit + 1e-4, "{name} {share} at {degrees}: {got}");
                    assert!(!exact || got >= limit - 1e-4, "{name} {share} at {degrees}: {got}");
                }
            }
        }
    }
}
