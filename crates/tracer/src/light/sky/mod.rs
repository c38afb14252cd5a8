//! The uneven part of an environment: a sky map and suns.

mod atmosphere;
mod day;
mod dome;
mod map;
mod sun;

use glam::Vec3A;

pub(crate) use day::Day;
pub(crate) use dome::Dome;
pub(crate) use map::SkyMap;
pub(crate) use sun::Sun;

use super::Receiver;

/// An optional sky map and any number of suns.
#[derive(Debug)]
pub(crate) struct Uneven {
    map: Option<Dome>,
    suns: Vec<Sun>,
}

impl Uneven {
    /// `None` without a dome that emits light and without suns.
    pub(super) fn new(dome: Option<Dome>, suns: Vec<Sun>) -> Option<Self> {
        let map = dome.filter(|map| map.total() > 0.0);
        (map.is_some() || !suns.is_empty()).then_some(Self { map, suns })
    }

    /// The radiance along `direction`. Not inlined, since most skies are smooth.
    #[inline(never)]
    pub(super) fn radiance(&self, direction: Vec3A) -> Vec3A {
        let map = self.map.as_ref().map_or(Vec3A::ZERO, |map| map.radiance(direction));
        map + self.suns.iter().map(|sun| sun.radiance(direction)).sum::<Vec3A>()
    }

    /// The approximate irradiance, as luminance, on the receiving sides of `receiver`.
    #[inline(never)]
    pub(super) fn importance_for(&self, receiver: &Receiver) -> f32 {
        receiver.importance(|normal| self.importance(normal))
    }

    /// The approximate irradiance on a surface that faces `normal`.
    fn importance(&self, normal: Vec3A) -> f32 {
        let map = self.map.as_ref().map_or(0.0, |map| map.irradiance(normal));
        map + self.suns.iter().map(|sun| sun.importance(normal)).sum::<f32>()
    }

    /// Samples a direction towards the map or a sun, chosen by importance at `receiver`.
    pub(super) fn sample(&self, receiver: &Receiver, u: [f32; 2]) -> Vec3A {
        self.choose(
            u,
            |map| receiver.importance(|normal| map.irradiance(normal)),
            |sun| receiver.importance(|normal| sun.importance(normal)),
        )
    }

    /// Density of [`sample`](Self::sample), per steradian.
    pub(super) fn pdf(&self, receiver: &Receiver, direction: Vec3A) -> f32 {
        self.density(
            direction,
            |map| receiver.importance(|normal| map.irradiance(normal)),
            |sun| receiver.importance(|normal| sun.importance(normal)),
        )
    }

    /// The luminance integrated over the sphere.
    pub(super) fn total(&self) -> f32 {
        let map = self.map.as_ref().map_or(0.0, |map| map.total());
        map + self.suns.iter().map(Sun::total).sum::<f32>()
    }

    /// Samples a direction in proportion to luminance.
    pub(super) fn sample_by_power(&self, u: [f32; 2]) -> Vec3A {
        self.choose(u, Dome::total, Sun::total)
    }

    /// Density of [`sample_by_power`](Self::sample_by_power), per steradian.
    pub(super) fn power_pdf(&self, direction: Vec3A) -> f32 {
        self.density(direction, Dome::total, Sun::total)
    }

    fn choose(
        &self,
        [u, v]: [f32; 2],
        of_map: impl Fn(&Dome) -> f32,
        of_sun: impl Fn(&Sun) -> f32,
    ) -> Vec3A {
        let map = self.map.as_ref().map_or(0.0, of_map);
        let total = map + self.suns.iter().map(&of_sun).sum::<f32>();
        let stretched = |left: f32, share: f32| (left / share).clamp(0.0, 1.0 - f32::EPSILON);
        let mut left = u * total;
        if let Some(known) = self.map.as_ref().filter(|_| left < map || self.suns.is_empty()) {
            return known.sample([stretched(left, map), v]);
        }
        left -= map;
        // Rounding may leave a remainder; then the last source with a weight is chosen.
        let mut chosen = None;
        for sun in &self.suns {
            let share = of_sun(sun);
            if share > 0.0 {
                chosen = Some((sun, stretched(left, share)));
                if left < share {
                    break;
                }
            }
            left -= share;
        }
        match (chosen, &self.map) {
            (Some((sun, u)), _) => sun.sample([u, v]),
            (None, Some(map)) => map.sample([u, v]),
            // No light: any direction has the pdf 0.
            (None, None) => Vec3A::Y,
        }
    }

    fn density(
        &self,
        direction: Vec3A,
        of_map: impl Fn(&Dome) -> f32,
        of_sun: impl Fn(&Sun) -> f32,
    ) -> f32 {
        let (mut sum, mut total) = (0.0, 0.0);
        if let Some(map) = &self.map {
            total = of_map(map);
            sum = total * map.pdf(direction);
        }
        for sun in &self.suns {
            let share = of_sun(sun);
            total += share;
            sum += share * sun.pdf(direction);
        }
        if total > 0.0 { sum / total } else { 0.0 }
    }
}
