//! Light sampling for points in a medium.

use glam::Vec3A;

use super::weighted_choice::{Chosen, weighted_choice};
use super::{Anything, LightSample, LightSet, Source};
use crate::light::End;
use crate::ray::SurfacePoint;

/// The maximum probability of choosing the sky while there are other lights.
const MAX_SKY_SHARE: f32 = 0.5;

impl LightSet {
    /// Samples light at `point` from a source chosen by `choice`; the pdf includes the choice.
    /// `None` if no light can arrive. Like [`sample`](Self::sample) for surfaces.
    pub(crate) fn sample_in_air(
        &self,
        point: Vec3A,
        choice: f32,
        u: [f32; 2],
    ) -> Option<LightSample> {
        let total = self.fluences(point).sum();
        let sky = self.sky_share(total);
        if choice < sky {
            let direction = self.environment.sample_direction(u);
            let radiance = self.environment.radiance(direction);
            let pdf = sky * self.environment.direction_pdf(direction);
            let arrives = pdf > 0.0 && radiance != Vec3A::ZERO;
            let end = End::Infinity;
            return arrives.then_some(LightSample { direction, end, radiance, pdf: Some(pdf) });
        }
        let left = (choice - sky) / (1.0 - sky) * total;
        let Chosen { index, weight, .. } = weighted_choice(self.fluences(point), left)?;
        let chance = (1.0 - sky) * weight / total;
        let mut sample = self.lights[index].sample(point, u)?;
        match &mut sample.pdf {
            Some(pdf) => *pdf *= chance,
            None => sample.radiance /= chance,
        }
        Some(sample)
    }

    /// The pdf per steradian with which [`sample_in_air`](Self::sample_in_air) samples `direction`
    /// from `point` towards `source`, at this point and part of its surface; the sky has none.
    pub(crate) fn pdf_in_air(
        &self,
        point: Vec3A,
        source: Source,
        place: Option<(&SurfacePoint, u32)>,
        direction: Vec3A,
    ) -> f32 {
        let total = self.fluences(point).sum();
        let sky = self.sky_share(total);
        match (source, place) {
            (Source::Light(index), Some(place)) if total > 0.0 => {
                let weight = self.fluences(point).nth(index).unwrap_or(0.0);
                let chance = (1.0 - sky) * weight / total;
                chance * self.lights[index].pdf(point, place, direction)
            }
            (Source::Light(_), _) => 0.0,
            (Source::Sky, _) if sky == 0.0 => 0.0,
            (Source::Sky, _) => sky * self.environment.direction_pdf(direction),
        }
    }

    /// The probability of choosing the sky if all lights together have the weight `total`.
    fn sky_share(&self, total: f32) -> f32 {
        if self.environment.is_dark(Anything) {
            return 0.0;
        }
        let sky = self.environment.power_per_area().min(1e30);
        if sky == 0.0 {
            0.0
        } else if total == 0.0 {
            1.0
        } else {
            (sky / (sky + total)).min(MAX_SKY_SHARE)
        }
    }
}

#[cfg(test)]
mod tests {
    use scene::Scene;
    use serde_json::json;

    use super::*;
    use crate::chi_square::{Random, check_directions};
    use crate::world::World;

    #[test]
    fn light_is_found_in_the_air_with_the_density_that_is_claimed() {
        let scene = Scene::from_json(&json!({
            "version": 1, "shapes": [],
            "lights": [
                { "id": "panel", "type": "area_quad_light", "properties": { "corner": [-1, 3, -1],
                  "u": [2, 0, 0], "v": [0, 0, 2], "emission": [4, 4, 4] } },
                { "id": "ball", "type": "area_sphere_light", "properties": { "center": [3, 1, 0],
                  "radius": 0.8, "emission": [2, 2, 2] } },
            ],
            "environment": { "type": "gradient", "top_color": [1, 1, 1], "bottom_color": [0.1, 0.1, 0.1] },
        }))
        .unwrap();
        let world = World::build(&scene);
        let lights = world.lights();
        let point = Vec3A::new(0.2, 0.5, -0.3);
        // The source depends on its own random number; the mean over many gives the pdf.
        let random = std::cell::RefCell::new(Random(3));
        let sample = |u| {
            let choice = random.borrow_mut().next();
            lights.sample_in_air(point, choice, u).map(|sample| sample.direction)
        };
        let density = |direction: Vec3A| {
            let sky = lights.pdf_in_air(point, Source::Sky, None, direction);
            let ray = crate::ray::Ray::new(point, direction);
            let mut sum = sky;
            for (index, light) in lights.lights.iter().enumerate() {
                let body = light.body().unwrap();
                if let Some(meeting) = body.intersect(&ray, f32::INFINITY) {
                    let surface = body.surface_at(&ray, meeting);
                    if light.radiance(&surface, meeting.part, -direction) != Vec3A::ZERO {
                        let source = Source::Light(index);
                        sum += lights.pdf_in_air(point, source, Some((&surface, 0)), direction);
                    }
                }
            }
            sum
        };
        check_directions("air", sample, density);
    }
}
