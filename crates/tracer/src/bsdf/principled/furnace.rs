//! White furnace tests over the whole range of parameters: a white surface under uniform white
//! light is invisible.

use glam::Vec3A;
use serde_json::{Value, json};

use super::tests::{bsdf, kinds, viewer, whitened};
use crate::bsdf::{Bsdf, Scatters};
use crate::chi_square::Random;

/// Directions of the viewer, in degrees from the normal.
const ANGLES: [f32; 8] = [0.0, 20.0, 40.0, 55.0, 70.0, 80.0, 85.0, 88.0];

/// The reflected and transmitted share of uniform light, per channel: the mean over `count` points
/// of the R3 sequence. Roberts 2018, "The Unreasonable Effectiveness of Quasirandom Sequences".
pub(super) fn kept(bsdf: &Bsdf, wo: Vec3A, outside: bool, count: u32) -> Vec3A {
    const STEPS: [f64; 3] =
        [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_970_4];
    let number = |at: u32, axis: usize| {
        ((0.5 + f64::from(at) * STEPS[axis]).fract() as f32).min(1.0 - f32::EPSILON)
    };
    let sum: glam::DVec3 = (0..count)
        .filter_map(|at| bsdf.sample(wo, outside, [0, 1, 2].map(|axis| number(at, axis))))
        .map(|sample| (sample.weight * sample.eta_squared).as_dvec3())
        .sum();
    (sum / f64::from(count)).as_vec3().into()
}

/// Materials with random properties, in steps of an eighth.
fn anything(count: usize, seed: u64) -> Vec<Value> {
    let mut random = Random(seed);
    let mut fraction = || json!((random.next() * 8.0).round() / 8.0);
    (0..count)
        .map(|_| {
            json!({
                "base_metalness": fraction(), "specular_roughness": fraction(),
                "specular_roughness_anisotropy": fraction(),
                "specular_ior": 1.0 + 2.0 * fraction().as_f64().unwrap(),
                "transmission_weight": fraction(), "coat_weight": fraction(),
                "coat_roughness": fraction(), "coat_ior": 1.0 + 2.0 * fraction().as_f64().unwrap(),
                "fuzz_weight": fraction(),
                "fuzz_roughness": fraction(), "thin_film_weight": fraction(),
                "thin_film_thickness": fraction(), "geometry_opacity": fraction(),
                "geometry_thin_walled": fraction().as_f64() > Some(0.7),
            })
        })
        .collect()
}

/// Checks that energy is conserved in every direction.
fn check(name: &str, properties: &Value) {
    let bsdf = bsdf(&whitened(properties));
    for degrees in ANGLES {
        for outside in [true, false] {
            let kept = kept(&bsdf, viewer(degrees), outside, 16_000);
            // Inside anisotropic glass, total internal reflection changes faster than the tables
            // resolve.
            let off = if bsdf.is_brushed() && !outside { 0.035 } else { 0.0 };
            let [least, most] = [0.98 - off, 1.006 + off];
            let within = kept.min_element() >= least && kept.max_element() <= most;
            assert!(within, "{name} {properties} at {degrees}, {outside}: {kept}");
        }
    }
}

#[test]
fn white_surfaces_keep_what_they_get() {
    for (name, properties) in kinds() {
        check(name, &properties);
    }
}

#[test]
fn white_surfaces_of_any_parameters_keep_what_they_get() {
    for properties in anything(60, 12) {
        check("anything", &properties);
    }
    for mut properties in anything(30, 13) {
        properties["coat_weight"] = json!(0);
        properties["fuzz_weight"] = json!(0);
        check("without layers", &properties);
    }
}

#[test]
fn a_metal_of_less_than_its_whole_reflection_takes_the_rest_away() {
    for mut properties in anything(10, 14) {
        properties["base_metalness"] = json!(1);
        let whole = bsdf(&whitened(&properties));
        properties["specular_weight"] = json!(0.5);
        let half = bsdf(&whitened(&properties));
        for degrees in ANGLES {
            let [whole, half] =
                [&whole, &half].map(|bsdf| kept(bsdf, viewer(degrees), true, 4000).max_element());
            assert!(half < whole + 1e-3, "{properties} at {degrees}: {half} of {whole}");
        }
    }
}
