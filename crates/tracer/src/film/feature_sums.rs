//! Sums of features.

use glam::Vec3A;

use crate::denoise::guide;
use crate::integrator::Features;

/// Sums over the samples of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct FeatureSums {
    pub(super) albedo: [f32; 3],
    pub(super) normal: [f32; 3],
    pub(super) emitted: [f32; 3],
    pub(super) reach: f32,
    pub(super) depth: f32,
    /// The number of samples that hit an object.
    pub(super) hits: u32,
    pub(super) samples: u32,
    /// The object of the first sample.
    pub(super) object: Option<u32>,
}

impl FeatureSums {
    pub(crate) fn add(&mut self, seen: &Features) {
        let add = |sums: &mut [f32; 3], value: Vec3A| {
            sums.iter_mut().zip(value.to_array()).for_each(|(sum, value)| *sum += value);
        };
        add(&mut self.albedo, seen.albedo);
        add(&mut self.normal, seen.normal);
        add(&mut self.emitted, seen.emitted);
        self.reach += seen.reach;
        self.depth += seen.depth;
        self.hits += u32::from(seen.object.is_some());
        if self.samples == 0 {
            self.object = seen.object;
        }
        self.samples += 1;
    }

    /// Passes the planes of [`Guides`](crate::denoise::Guides) for a pixel with the mean `radiance`
    /// to `tell`.
    pub(super) fn guide(&self, radiance: Vec3A, variance: f32, mut tell: impl FnMut(usize, f32)) {
        let share = self.share();
        let mut tell_three = |first: usize, values: [f32; 3]| {
            (first..).zip(values).for_each(|(plane, value)| tell(plane, value));
        };
        let emitted = Vec3A::from_array(self.emitted) * share;
        // A negative rest is a rounding error.
        let scattered = (radiance - emitted).max(Vec3A::ZERO);
        tell_three(guide::SCATTERED, scattered.to_array());
        tell_three(guide::EMITTED, emitted.to_array());
        tell_three(guide::ALBEDO, self.albedo.map(|sum| sum * share));
        tell_three(guide::NORMAL, self.normal.map(|sum| sum * share));
        tell(guide::REACH, self.reach * share);
        tell(guide::VARIANCE, variance);
    }

    pub(super) fn share(&self) -> f32 {
        1.0 / self.samples.max(1) as f32
    }
}
