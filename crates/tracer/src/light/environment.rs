//! Environment lighting: sky, sun and image-based light.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::Vec3A;

use super::sky::{Day, Dome, Sun, Uneven};
use super::{Anything, End, Known, LightSample, Receiver};
use crate::color::channels;
use crate::color::luminance;
use crate::frame::Frame;
use crate::mesh::Meshes;
use crate::sampling::{cosine_hemisphere, cosine_hemisphere_pdf};

/// The environment: a smooth gradient, `middle + slope * d.y` along the unit vector d, plus an
/// uneven part such as a sky map or suns.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    pub(super) middle: Vec3A,
    pub(super) slope: Vec3A,
    /// Boxed, because most scenes have none.
    pub(super) uneven: Option<Arc<Uneven>>,
}

impl Environment {
    /// The environment with the `suns` of the scene's distant lights. Images are among `meshes`; a
    /// missing one is grey.
    pub(crate) fn new(
        environment: &scene::Environment,
        mut suns: Vec<Sun>,
        meshes: &Meshes,
    ) -> Self {
        let mut dome = None;
        let (bottom, top) = match environment {
            scene::Environment::Gradient(sky) => {
                (channels(sky.bottom_color.get()), channels(sky.top_color.get()))
            }
            scene::Environment::Uniform(sky) => {
                (channels(sky.emission.get()), channels(sky.emission.get()))
            }
            scene::Environment::Darkness(_) => (Vec3A::ZERO, Vec3A::ZERO),
            scene::Environment::Sky(sky) => {
                let day = Day::of(sky);
                suns.extend(day.sun);
                dome = Some(Dome::of_map(day.map));
                (Vec3A::ZERO, Vec3A::ZERO)
            }
            scene::Environment::ImageEnvironment(sky) => {
                let strength = sky.strength.get() as f32;
                if let Some(image) = meshes.image(sky.asset.as_str()) {
                    dome = Some(Dome::of_image(image, strength, sky.rotation.get() as f32));
                    (Vec3A::ZERO, Vec3A::ZERO)
                } else {
                    (Vec3A::splat(0.5 * strength), Vec3A::splat(0.5 * strength))
                }
            }
        };
        let uneven = Uneven::new(dome, suns).map(Arc::new);
        Self { middle: (bottom + top) * 0.5, slope: (top - bottom) * 0.5, uneven }
    }

    /// The uneven part, unless the type of world rules it out.
    #[inline(always)]
    fn uneven<K: Known>(&self, _: K) -> Option<&Uneven> {
        if K::EVEN_SKY { None } else { self.uneven.as_deref() }
    }

    pub(crate) fn radiance(&self, direction: Vec3A) -> Vec3A {
        self.radiance_of(direction, Anything)
    }

    /// The radiance along `direction`, specialised for a type of world.
    #[inline(always)]
    pub(crate) fn radiance_of(&self, direction: Vec3A, known: impl Known) -> Vec3A {
        // At the poles rounding could make a channel slightly negative.
        let even = (self.middle + self.slope * direction.y).max(Vec3A::ZERO);
        match self.uneven(known) {
            None => even,
            Some(uneven) => even + uneven.radiance(direction),
        }
    }

    /// Whether it has bright spots, so that glossy surfaces sample it, too.
    pub(crate) fn is_uneven(&self, known: impl Known) -> bool {
        self.uneven(known).is_some()
    }

    /// Samples the environment as seen from `receiver`. The smooth part is sampled by a
    /// cosine-weighted hemisphere, close to the product of light and diffuse reflection.
    #[inline(always)]
    pub(crate) fn sample(
        &self,
        receiver: &Receiver<impl Known>,
        u: [f32; 2],
    ) -> Option<LightSample> {
        if let Some(uneven) = self.uneven(receiver.known) {
            return self.sample_uneven(uneven, &receiver.anywhere(), u);
        }
        let normal = receiver.normal;
        let local = cosine_hemisphere(u);
        let direction = Frame::around(normal).to_world(local);
        let radiance = self.radiance_of(direction, receiver.known);
        (local.z > 0.0 && radiance != Vec3A::ZERO).then_some(LightSample {
            direction,
            end: End::Infinity,
            radiance,
            pdf: Some(cosine_hemisphere_pdf(local.z)),
        })
    }

    #[inline(never)]
    fn sample_uneven(
        &self,
        uneven: &Uneven,
        receiver: &Receiver,
        [u, v]: [f32; 2],
    ) -> Option<LightSample> {
        let even = self.even_share(uneven, receiver);
        let direction = if u < even {
            let local = cosine_hemisphere([u / even, v]);
            Frame::around(receiver.normal).to_world(local)
        } else {
            uneven.sample(receiver, [((u - even) / (1.0 - even)).min(1.0 - f32::EPSILON), v])
        };
        let radiance = self.radiance(direction);
        let pdf = self.pdf(receiver, direction);
        (pdf > 0.0 && radiance != Vec3A::ZERO).then_some(LightSample {
            direction,
            end: End::Infinity,
            radiance,
            pdf: Some(pdf),
        })
    }

    /// The probability of sampling the smooth part.
    fn even_share(&self, uneven: &Uneven, receiver: &Receiver) -> f32 {
        let even = self.even_importance(receiver.normal);
        let all = even + uneven.importance_for(receiver);
        if all > 0.0 { even / all } else { 1.0 }
    }

    /// Density of [`sample`](Self::sample), per steradian.
    #[inline(always)]
    pub(crate) fn pdf(&self, receiver: &Receiver<impl Known>, direction: Vec3A) -> f32 {
        let even = cosine_hemisphere_pdf(receiver.normal.dot(direction));
        match self.uneven(receiver.known) {
            None => even,
            Some(uneven) => self.pdf_of_uneven(uneven, &receiver.anywhere(), direction, even),
        }
    }

    #[inline(never)]
    fn pdf_of_uneven(
        &self,
        uneven: &Uneven,
        receiver: &Receiver,
        direction: Vec3A,
        even: f32,
    ) -> f32 {
        let share = self.even_share(uneven, receiver);
        share * even + (1.0 - share) * uneven.pdf(receiver, direction)
    }

    /// An estimate of the unshadowed irradiance at `receiver`, as luminance.
    #[inline(always)]
    pub(crate) fn importance(&self, receiver: &Receiver<impl Known>) -> f32 {
        let even = self.even_importance(receiver.normal);
        match self.uneven(receiver.known) {
            None => even,
            Some(uneven) => even + uneven.importance_for(&receiver.anywhere()),
        }
    }

    /// The irradiance of the smooth part on a surface that faces `normal`: the integral of `(middle
    /// + slope d.y) cos` over the hemisphere.
    fn even_importance(&self, normal: Vec3A) -> f32 {
        luminance(PI * (self.middle + self.slope * (2.0 / 3.0 * normal.y))).max(0.0)
    }

    pub(crate) fn is_dark(&self, known: impl Known) -> bool {
        self.middle == Vec3A::ZERO && self.uneven(known).is_none()
    }
}
