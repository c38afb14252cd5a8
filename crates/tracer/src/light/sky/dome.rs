//! An environment map with rotation and strength.

use std::sync::Arc;

use glam::{Vec2, Vec3A};

use super::SkyMap;
use super::map::uv_of;
use crate::image_map::ImageMap;

/// An environment map, rotated about the vertical and scaled.
#[derive(Debug)]
pub(crate) struct Dome {
    /// The distribution that directions are sampled from.
    map: Arc<SkyMap>,
    /// The image at full resolution, where the map has less.
    image: Option<Arc<ImageMap>>,
    strength: f32,
    /// Cosine and sine of the rotation, counter-clockwise seen from above.
    turn: Vec2,
}

impl Dome {
    /// The map without rotation and scale.
    pub(crate) fn of_map(map: Arc<SkyMap>) -> Self {
        Self { map, image: None, strength: 1.0, turn: Vec2::X }
    }

    /// A dome of a panorama.
    pub(crate) fn of_image(image: &Arc<ImageMap>, strength: f32, rotation_degrees: f32) -> Self {
        Self {
            map: Arc::clone(image.sky()),
            image: Some(Arc::clone(image)),
            strength,
            turn: Vec2::from_angle(rotation_degrees.to_radians()),
        }
    }

    /// The radiance along the unit vector `direction`.
    pub(super) fn radiance(&self, direction: Vec3A) -> Vec3A {
        let own = self.to_own(direction);
        let radiance = match &self.image {
            Some(image) => image.image().panorama(uv_of(own)),
            None => self.map.radiance(own),
        };
        radiance * self.strength
    }

    /// Samples a direction in proportion to luminance.
    pub(super) fn sample(&self, u: [f32; 2]) -> Vec3A {
        let Vec2 { x: cos, y: sin } = self.turn;
        let [x, y, z] = self.map.sample(u).to_array();
        Vec3A::new(cos * x + sin * z, y, cos * z - sin * x)
    }

    /// Density of [`sample`](Self::sample), per steradian.
    pub(super) fn pdf(&self, direction: Vec3A) -> f32 {
        self.map.pdf(self.to_own(direction))
    }

    /// The luminance, integrated over the sphere.
    pub(super) fn total(&self) -> f32 {
        self.map.total() * self.strength
    }

    /// An estimate of the irradiance, as luminance, of a surface that faces `normal`.
    pub(super) fn irradiance(&self, normal: Vec3A) -> f32 {
        self.map.irradiance(self.to_own(normal)) * self.strength
    }

    fn to_own(&self, direction: Vec3A) -> Vec3A {
        let Vec2 { x: cos, y: sin } = self.turn;
        let [x, y, z] = direction.to_array();
        Vec3A::new(cos * x - sin * z, y, sin * x + cos * z)
    }
}

#[cfg(test)]
mod tests {
    use media::Image;

    use super::*;
    use crate::chi_square::{Random, check_directions};
    use crate::color::luminance;

    /// A black image with a few bright pixels.
    fn spots() -> Arc<ImageMap> {
        let mut random = Random(61);
        let spot = |_| if random.next() < 0.03 { [90.0, 50.0, 20.0] } else { [0.2, 0.3, 0.4] };
        Arc::new(Image::floats(64, 32, (0..64 * 32).map(spot).collect()).unwrap().into())
    }

    #[test]
    fn a_turned_panorama_is_sampled_with_its_density() {
        for degrees in [0.0, 30.0, -200.0] {
            let dome = Dome::of_image(&spots(), 2.0, degrees);
            check_directions("dome", |u| Some(dome.sample(u)), |direction| dome.pdf(direction));
        }
    }

    #[test]
    fn all_its_light_is_found_in_the_mean_of_radiance_over_density() {
        // The image is larger than the sampling grid, so many samples are averaged.
        let mut random = Random(62);
        let pixels = (0..2048 * 1024)
            .map(|_| if random.next() < 1e-3 { [1000.0; 3] } else { [0.1; 3] })
            .collect();
        let large = Arc::new(Image::floats(2048, 1024, pixels).unwrap().into());
        for image in [spots(), large] {
            let dome = Dome::of_image(&image, 3.0, 77.0);
            let (mut sum, count) = (0.0, 200_000);
            for _ in 0..count {
                let direction = dome.sample([random.next(), random.next()]);
                sum += f64::from(luminance(dome.radiance(direction)) / dome.pdf(direction));
            }
            let mean = sum / f64::from(count);
            assert!((mean / f64::from(dome.total()) - 1.0).abs() < 0.02, "{mean}");
        }
    }

    #[test]
    fn where_there_is_light_it_may_be_found() {
        let dome = Dome::of_image(&spots(), 1.0, 10.0);
        let mut random = Random(63);
        for _ in 0..10_000 {
            let direction = random.direction();
            assert!(dome.radiance(direction) == Vec3A::ZERO || dome.pdf(direction) > 0.0);
        }
    }

    #[test]
    fn the_middle_is_seen_along_the_negative_z_axis_and_turns_to_the_left() {
        // The middle column is red, the others are blue.
        let pixel = |at: usize| if at % 9 == 4 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
        let image = Arc::new(Image::floats(9, 5, (0..45).map(pixel).collect()).unwrap().into());
        let red = |degrees, direction| Dome::of_image(&image, 1.0, degrees).radiance(direction).x;
        assert!(red(0.0, Vec3A::NEG_Z) > 0.99 && red(0.0, Vec3A::NEG_X) < 0.01);
        assert!(red(90.0, Vec3A::NEG_X) > 0.99 && red(90.0, Vec3A::NEG_Z) < 0.01);
    }
}
