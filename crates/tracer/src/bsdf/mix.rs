//! A mix of two BSDFs on one surface.

use glam::Vec3A;

use super::{Scattering, ScatteringSample, Scatters};

/// A linear blend of two BSDFs, of which at most one transmits light.
#[derive(Debug, Clone)]
pub(crate) struct Mix<B> {
    pub(crate) first: B,
    pub(crate) second: B,
    /// The weight of the second, in 0..=1.
    pub(crate) weight: f32,
}

impl<B> Mix<B> {
    pub(super) fn parts(&self) -> [&B; 2] {
        [&self.first, &self.second]
    }

    /// Whether `is_so` holds for any part with a weight above 0.
    pub(super) fn any(&self, is_so: impl Fn(&B) -> bool) -> bool {
        (self.weight < 1.0 && is_so(&self.first)) || (self.weight > 0.0 && is_so(&self.second))
    }

    /// Whether `is_so` holds for every part with a weight above 0.
    pub(super) fn all(&self, is_so: impl Fn(&B) -> bool) -> bool {
        !self.any(|part| !is_so(part))
    }

    /// The part of the larger weight.
    pub(super) fn main_part(&self) -> &B {
        if self.weight > 0.5 { &self.second } else { &self.first }
    }

    /// The weighted mean of a value of both parts.
    pub(super) fn mean(&self, of: impl Fn(&B) -> Vec3A) -> Vec3A {
        of(&self.first).lerp(of(&self.second), self.weight)
    }
}

impl<B: Scatters> Mix<B> {
    pub(super) fn evaluate(&self, wo: Vec3A, wi: Vec3A, outside: bool) -> Scattering {
        let [first, second] = self.parts().map(|part| part.evaluate(wo, wi, outside));
        Scattering {
            value: first.value.lerp(second.value, self.weight),
            pdf: first.pdf + (second.pdf - first.pdf) * self.weight,
        }
    }

    /// Samples one part, chosen by its weight; value and pdf are those of both.
    #[inline(never)]
    pub(super) fn sample(
        &self,
        wo: Vec3A,
        outside: bool,
        [u, v, choice]: [f32; 3],
    ) -> Option<ScatteringSample> {
        let (part, choice) = if choice < self.weight {
            (&self.second, choice / self.weight)
        } else {
            (&self.first, (choice - self.weight) / (1.0 - self.weight))
        };
        let choice = choice.clamp(0.0, 1.0 - f32::EPSILON);
        let sample = part.sample(wo, outside, [u, v, choice])?;
        // A Dirac delta belongs to one part alone, whose weight is the probability of its choice.
        if sample.pdf.is_none() {
            return Some(sample);
        }
        let Scattering { value, pdf } = self.evaluate(wo, sample.wi, outside);
        (pdf > 0.0).then(|| ScatteringSample { weight: value / pdf, pdf: Some(pdf), ..sample })
    }
}

#[cfg(test)]
mod tests {
    use scene::Material;
    use serde_json::{Value, json};

    use super::*;
    use crate::bsdf::Bsdf;
    use crate::bsdf::tests::check_density;
    use crate::chi_square::Random;

    fn bsdf(material: &Value) -> Bsdf {
        Bsdf::new(&Material::from_json(material).unwrap())
    }

    fn mix(first: &Value, second: &Value, weight: f64) -> Value {
        json!({ "type": "mix", "first": first, "second": second, "weight": weight })
    }

    /// White materials of every kind.
    fn kinds() -> Vec<(&'static str, Value)> {
        let matte = json!({ "type": "lambertian", "albedo": [1, 1, 1] });
        let mirror = json!({ "type": "metal", "albedo": [1, 1, 1], "fuzz": 0 });
        let glass = json!({ "type": "dielectric", "refractive_index": 1.5 });
        let plain = |properties: Value| {
            let mut material = properties.clone();
            material["type"] = json!("principled");
            material["base_color"] = json!([1, 1, 1]);
            material
        };
        let steel = plain(json!({ "base_metalness": 1, "specular_roughness": 0.4 }));
        let rust = plain(json!({ "specular_roughness": 0.8, "fuzz_weight": 0.4 }));
        let frosted = plain(json!({ "transmission_weight": 1, "specular_roughness": 0.5 }));
        let pane = plain(json!({ "transmission_weight": 1, "specular_roughness": 0.3,
                                 "geometry_thin_walled": true }));
        vec![
            ("rust on steel", mix(&steel, &rust, 0.3)),
            ("matte and mirror", mix(&matte, &mirror, 0.6)),
            ("dirty glass", mix(&glass, &matte, 0.25)),
            ("painted frosted glass", mix(&rust, &frosted, 0.5)),
            ("dirty pane", mix(&pane, &matte, 0.4)),
            ("three", mix(&mix(&steel, &rust, 0.5), &frosted, 0.5)),
        ]
    }

    fn viewer(degrees: f32) -> Vec3A {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Vec3A::new(sin * 0.8, sin * 0.6, cos)
    }

    #[test]
    fn directions_come_with_their_density() {
        for (name, material) in kinds() {
            let bsdf = bsdf(&material);
            for (degrees, outside) in [(20.0, true), (70.0, true), (50.0, false)] {
                let name = format!("{name} at {degrees}, {outside}");
                check_density(&name, &bsdf, viewer(degrees), outside);
            }
        }
    }

    #[test]
    fn light_takes_the_same_way_back() {
        let mut random = Random(6);
        for (name, material) in kinds() {
            let bsdf = bsdf(&material);
            for _ in 0..2000 {
                let (wo, wi) = (viewer(random.between(0.0, 85.0)), random.direction());
                let outside = random.next() < 0.5;
                if wi.z.abs() < 0.05 {
                    continue;
                }
                let forth = bsdf.evaluate(wo, wi, outside).value / wi.z.abs();
                let back = if wi.z > 0.0 {
                    bsdf.evaluate(wi, wo, outside)
                } else {
                    let flip = Vec3A::new(1.0, 1.0, -1.0);
                    bsdf.evaluate(wi * flip, wo * flip, !outside)
                };
                let expected = forth * bsdf.compression(wi, outside);
                let error = (back.value / wo.z - expected).abs().max_element();
                assert!(error <= 2e-3 * expected.max_element() + 1e-6, "{name}: {forth} {back:?}");
            }
        }
    }

    #[test]
    fn white_mixes_keep_what_they_get() {
        let mut random = Random(7);
        for (name, material) in kinds() {
            let bsdf = bsdf(&material);
            for degrees in [0.0, 45.0, 75.0, 85.0] {
                for outside in [true, false] {
                    let count = 60_000;
                    let sum: f64 = (0..count)
                        .filter_map(|_| {
                            let numbers = [random.next(), random.next(), random.next()];
                            bsdf.sample(viewer(degrees), outside, numbers)
                        })
                        .map(|sample| f64::from(sample.weight.x * sample.eta_squared))
                        .sum();
                    let kept = sum / f64::from(count);
                    assert!((0.98..=1.01).contains(&kept), "{name} at {degrees}: {kept}");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_a_mix_are_its_parts() {
        let gold = json!({ "type": "metal", "albedo": [1, 0.8, 0.3], "fuzz": 0.5 });
        let chalk = json!({ "type": "lambertian", "albedo": [0.9, 0.9, 0.9] });
        let (wo, wi) = (viewer(30.0), viewer(50.0));
        for (weight, alone) in [(0.0, &gold), (1.0, &chalk)] {
            let mixed = bsdf(&mix(&gold, &chalk, weight)).evaluate(wo, wi, true);
            let plain = bsdf(alone).evaluate(wo, wi, true);
            assert!((mixed.value - plain.value).length() < 1e-6, "{mixed:?} {plain:?}");
        }
        let half = bsdf(&mix(&gold, &chalk, 0.5));
        assert!((half.albedo() - Vec3A::new(0.95, 0.85, 0.6)).length() < 1e-6);
    }
}
