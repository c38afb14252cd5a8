//! The physical sky: sunlight scattered by air and haze.
//!
//! Hillaire 2020, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", with
//! the constants of Bruneton 2017, "Precomputed Atmospheric Scattering: a New Implementation":
//! single scattering is integrated along each direction, multiple scattering is isotropic. Lengths
//! are in kilometres; the channels are 680, 550 and 440 nm.

use std::f32::consts::{FRAC_1_PI, PI, TAU};

use glam::{Vec2, Vec3A};
use rayon::prelude::*;

use super::map::{SkyMap, direction_of_pixel};
use crate::sampling::cone;

const GROUND: f32 = 6360.0;
const TOP: f32 = 6460.0;
/// The largest distance from the top of the atmosphere to the horizon: sqrt(TOP^2 - GROUND^2).
const MAX_HORIZON_DISTANCE: f32 = 1132.254;
/// The height of the viewer above the ground.
const EYE: f32 = 0.1;

/// The Rayleigh scattering coefficient at sea level, per kilometre.
const AIR: Vec3A = Vec3A::new(5.802e-3, 13.558e-3, 33.1e-3);
const AIR_SCALE: f32 = 8.0;
/// The Mie scattering coefficient at sea level, per kilometre.
const HAZE: f32 = 3.996e-3;
/// The single-scattering albedo of haze.
const HAZE_SCATTERS: f32 = 0.9;
const HAZE_SCALE: f32 = 1.2;
/// The asymmetry parameter of haze.
const HAZE_FORWARDS: f32 = 0.8;
/// The maximum absorption coefficient of ozone, per kilometre.
const OZONE: Vec3A = Vec3A::new(0.650e-3, 1.881e-3, 0.085e-3);

/// The size of a sky map in pixels: 0.94 degrees each.
const SIZE: [usize; 2] = [384, 192];
/// The number of integration steps along a direction.
const STEPS: usize = 32;

/// Air with some haze over ground of some albedo.
pub(super) struct Atmosphere {
    /// The amount of haze relative to a clear day.
    haze: f32,
    ground: Vec3A,
    /// The transmittance table, see [`sunlight`](Self::sunlight).
    left_of_sun: Vec<Vec3A>,
    /// The multiple scattering table, see [`many_times`](Self::many_times).
    scattered_again: Vec<Vec3A>,
}

/// The size of the transmittance table: altitudes and distances to space.
const LEFT: [usize; 2] = [32, 128];

/// The coefficients at a point of the air, per kilometre.
struct Density {
    air: Vec3A,
    haze: f32,
    extinction: Vec3A,
}

/// Irradiances at the ground, for a sun of irradiance 1 outside the atmosphere.
pub(super) struct Daylight {
    pub(super) map: SkyMap,
    /// On a surface that faces the sun.
    pub(super) sun: Vec3A,
    /// On a horizontal surface, from sun and sky.
    pub(super) level: Vec3A,
}

/// The size of the multiple scattering table: altitudes and heights of the sun.
const AGAIN: usize = 16;

impl Atmosphere {
    pub(super) fn new(haze: f32, ground: Vec3A) -> Self {
        let mut this = Self { haze, ground, left_of_sun: Vec::new(), scattered_again: Vec::new() };
        this.left_of_sun = (0..LEFT[0] * LEFT[1])
            .into_par_iter()
            .map(|at| this.left_over(at / LEFT[1], at % LEFT[1]))
            .collect();
        this.scattered_again = (0..AGAIN * AGAIN)
            .into_par_iter()
            .map(|at| {
                let altitude = (at / AGAIN) as f32 / (AGAIN - 1) as f32 * (TOP - GROUND);
                let sun_height = (at % AGAIN) as f32 / (AGAIN - 1) as f32 * 2.0 - 1.0;
                this.all_orders(altitude.max(1e-3), sun_height)
            })
            .collect();
        this
    }

    /// The sky and the sun in the direction `sun`, seen from near the ground.
    pub(super) fn daylight(&self, sun: Vec3A) -> Daylight {
        let eye = Vec3A::Y * (GROUND + EYE);
        let [width, height] = SIZE;
        let mut pixels = vec![Vec3A::ZERO; width * height];
        let (above, below) = pixels.split_at_mut(width * height / 2);
        let fill = |rows: &mut [Vec3A], first: usize, seen: &(dyn Fn(Vec3A) -> Vec3A + Sync)| {
            rows.par_chunks_mut(width).enumerate().for_each(|(row, pixels)| {
                for (column, pixel) in pixels.iter_mut().enumerate() {
                    *pixel = seen(direction_of_pixel(column, first + row, width, height));
                }
            });
        };
        fill(above, 0, &|direction| self.scattered_towards(eye, direction, sun).0);
        let solid_angle = |row: usize| {
            let [upper, lower] = [row, row + 1].map(|at| (PI * at as f32 / height as f32).cos());
            (upper - lower) * TAU / width as f32
        };
        let sky: Vec3A = above
            .chunks(width)
            .enumerate()
            .map(|(row, pixels)| {
                let cos = direction_of_pixel(0, row, width, height).y;
                pixels.iter().sum::<Vec3A>() * (cos * solid_angle(row))
            })
            .sum();
        let at_ground = self.sunlight(eye, sun);
        let level = at_ground * sun.y.max(0.0) + sky;
        let ground = self.ground * level * FRAC_1_PI;
        fill(below, height / 2, &|direction| {
            let (scattered, left) = self.scattered_towards(eye, direction, sun);
            scattered + left * ground
        });
        Daylight { map: SkyMap::new(width, height, pixels), sun: at_ground, level }
    }

    fn density(&self, at: Vec3A) -> Density {
        let altitude = (at.length() - GROUND).max(0.0);
        let air = AIR * (-altitude / AIR_SCALE).exp();
        let haze = self.haze * HAZE * (-altitude / HAZE_SCALE).exp();
        let ozone = OZONE * (1.0 - (altitude - 25.0).abs() / 15.0).max(0.0);
        Density { air, haze, extinction: air + Vec3A::splat(haze / HAZE_SCATTERS) + ozone }
    }

    /// The transmittance of sunlight to `at`; 0 in the Earth's shadow. From a table over the
    /// distances to the horizon and to space: Bruneton 2017.
    fn sunlight(&self, at: Vec3A, sun: Vec3A) -> Vec3A {
        if meets(at, sun, GROUND).is_some() {
            return Vec3A::ZERO;
        }
        let Some(length) = leaves(at, sun) else { return Vec3A::ONE };
        let height = at.length().clamp(GROUND, TOP);
        let horizon = (height * height - GROUND * GROUND).max(0.0).sqrt();
        let [shortest, longest] = [TOP - height, horizon + MAX_HORIZON_DISTANCE];
        let share = (length - shortest) / (longest - shortest).max(1e-6);
        let row = (horizon / MAX_HORIZON_DISTANCE).clamp(0.0, 1.0) * (LEFT[0] - 1) as f32;
        let column = share.clamp(0.0, 1.0) * (LEFT[1] - 1) as f32;
        let (low, left) = ((row as usize).min(LEFT[0] - 2), (column as usize).min(LEFT[1] - 2));
        let node = |row: usize, column: usize| self.left_of_sun[row * LEFT[1] + column];
        let within = column - left as f32;
        let lower = node(low, left).lerp(node(low, left + 1), within);
        let upper = node(low + 1, left).lerp(node(low + 1, left + 1), within);
        lower.lerp(upper, row - low as f32)
    }

    /// Computes an entry of the transmittance table.
    fn left_over(&self, row: usize, column: usize) -> Vec3A {
        let horizon = row as f32 / (LEFT[0] - 1) as f32 * MAX_HORIZON_DISTANCE;
        let height = (horizon * horizon + GROUND * GROUND).sqrt();
        let [shortest, longest] = [TOP - height, horizon + MAX_HORIZON_DISTANCE];
        let length = shortest + (longest - shortest) * column as f32 / (LEFT[1] - 1) as f32;
        // The direction in which space is at that distance.
        let rise =
            (TOP * TOP - height * height - length * length) / (2.0 * height * length.max(1e-3));
        let rise = if length > 1e-3 { rise.clamp(-1.0, 1.0) } else { 1.0 };
        let towards = Vec3A::new((1.0 - rise * rise).sqrt(), rise, 0.0);
        let from = Vec3A::Y * height;
        let steps = 48;
        let mut depth = Vec3A::ZERO;
        for step in 0..steps {
            let (start, stop) = (part(step, steps) * length, part(step + 1, steps) * length);
            let at = from + towards * (0.5 * (start + stop));
            depth += self.density(at).extinction * (stop - start);
        }
        faded(depth)
    }

    /// Sunlight scattered towards `from` along a direction, and the transmittance to its end, at
    /// the ground or outside the atmosphere.
    fn scattered_towards(&self, from: Vec3A, direction: Vec3A, sun: Vec3A) -> (Vec3A, Vec3A) {
        let end = meets(from, direction, GROUND).or_else(|| leaves(from, direction));
        let length = end.unwrap_or(0.0);
        let cos = direction.dot(sun);
        let (air_phase, haze_phase) = (air_phase(cos), haze_phase(cos));
        let (mut sum, mut left) = (Vec3A::ZERO, Vec3A::ONE);
        for step in 0..STEPS {
            let (start, stop) = (part(step, STEPS) * length, part(step + 1, STEPS) * length);
            let at = from + direction * (0.5 * (start + stop));
            let Density { air, haze, extinction } = self.density(at);
            let once = (air * air_phase + haze * haze_phase) * self.sunlight(at, sun);
            let again = (air + haze) * self.many_times(at, sun);
            let passing = faded(extinction * (stop - start));
            // The integral of scattering and transmittance over the step, for constant
            // coefficients.
            let share = (Vec3A::ONE - passing) / extinction.max(Vec3A::splat(1e-9));
            sum += left * (once + again) * share;
            left *= passing;
        }
        (sum, left)
    }

    /// The isotropic radiance of multiple scattering at `at`.
    fn many_times(&self, at: Vec3A, sun: Vec3A) -> Vec3A {
        let distance = at.length();
        let altitude = ((distance - GROUND) / (TOP - GROUND)).clamp(0.0, 1.0);
        let height = 0.5 + 0.5 * (at.dot(sun) / distance).clamp(-1.0, 1.0);
        let place = Vec2::new(height, altitude) * (AGAIN - 1) as f32;
        let [column, row] = place.to_array().map(|at| (at as usize).min(AGAIN - 2));
        let within = place - Vec2::new(column as f32, row as f32);
        let node = |row: usize, column: usize| self.scattered_again[row * AGAIN + column];
        let lower = node(row, column).lerp(node(row, column + 1), within.x);
        let upper = node(row + 1, column).lerp(node(row + 1, column + 1), within.x);
        lower.lerp(upper, within.y)
    }

    /// All orders of multiple scattering as a geometric series: second-order scattering divided by
    /// the share of isotropic light that is not scattered again. Hillaire 2020, section 5.5.
    fn all_orders(&self, altitude: f32, sun_height: f32) -> Vec3A {
        const AROUND: usize = 8;
        const ALONG: usize = 20;
        let at = Vec3A::Y * (GROUND + altitude);
        let sun = Vec3A::new((1.0 - sun_height * sun_height).max(0.0).sqrt(), sun_height, 0.0);
        let (mut twice, mut scattered) = (Vec3A::ZERO, Vec3A::ZERO);
        for index in 0..AROUND * AROUND {
            let u = [index / AROUND, index % AROUND].map(|at| (at as f32 + 0.5) / AROUND as f32);
            let local = cone(u, 2.0);
            let direction = Vec3A::new(local.x, local.z, local.y);
            let to_ground = meets(at, direction, GROUND);
            let length = to_ground.or_else(|| leaves(at, direction)).unwrap_or(0.0);
            let mut left = Vec3A::ONE;
            for step in 0..ALONG {
                let (from, to) = (part(step, ALONG) * length, part(step + 1, ALONG) * length);
                let place = at + direction * (0.5 * (from + to));
                let Density { air, haze, extinction } = self.density(place);
                let passing = faded(extinction * (to - from));
                let share = (Vec3A::ONE - passing) / extinction.max(Vec3A::splat(1e-9));
                let here = left * (air + haze) * share;
                twice += here * self.sunlight(place, sun) * (0.25 * FRAC_1_PI);
                scattered += here;
                left *= passing;
            }
            if let Some(distance) = to_ground {
                let place = at + direction * distance;
                let up = place / place.length();
                let lit = self.sunlight(up * (GROUND + 1e-2), sun) * up.dot(sun).max(0.0);
                twice += left * self.ground * lit * FRAC_1_PI;
            }
        }
        let count = (AROUND * AROUND) as f32;
        (twice / count) / (Vec3A::ONE - scattered / count).max(Vec3A::splat(1e-3))
    }
}

/// Steps are short near the viewer, where the air is dense.
fn part(step: usize, steps: usize) -> f32 {
    let share = step as f32 / steps as f32;
    share * share
}

fn faded(depth: Vec3A) -> Vec3A {
    Vec3A::from_array(depth.to_array().map(|depth| (-depth).exp()))
}

/// The distance at which a ray from outside hits a sphere around the origin.
fn meets(from: Vec3A, direction: Vec3A, radius: f32) -> Option<f32> {
    let along = -from.dot(direction);
    let squared = (from + direction * along).length_squared();
    let half = radius * radius - squared;
    (along > 0.0 && half > 0.0).then(|| (along - half.sqrt()).max(0.0))
}

/// The distance at which a ray leaves the atmosphere.
fn leaves(from: Vec3A, direction: Vec3A) -> Option<f32> {
    let along = -from.dot(direction);
    let squared = (from + direction * along).length_squared();
    let half = TOP * TOP - squared;
    (half > 0.0).then(|| along + half.sqrt()).filter(|distance| *distance > 0.0)
}

/// The Rayleigh phase function, per steradian.
fn air_phase(cos: f32) -> f32 {
    3.0 / (16.0 * PI) * (1.0 + cos * cos)
}

/// The phase function of Cornette and Shanks 1992, per steradian.
fn haze_phase(cos: f32) -> f32 {
    const G: f32 = HAZE_FORWARDS;
    let scale = 3.0 / (8.0 * PI) * (1.0 - G * G) / (2.0 + G * G);
    scale * (1.0 + cos * cos) / (1.0 + G * G - 2.0 * G * cos).powf(1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sun_at(degrees: f32) -> Vec3A {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Vec3A::new(0.0, sin, cos)
    }

    fn clear() -> Atmosphere {
        Atmosphere::new(1.0, Vec3A::splat(0.3))
    }

    #[test]
    fn the_sun_overhead_shines_through_the_known_depth_of_air() {
        // Each scale height at the density of sea level; the ozone layer amounts to 15 km.
        let depth =
            AIR * AIR_SCALE + Vec3A::splat(HAZE / HAZE_SCATTERS * HAZE_SCALE) + OZONE * 15.0;
        let left = clear().sunlight(Vec3A::Y * (GROUND + 1e-3), Vec3A::Y);
        let error = (left / faded(depth) - 1.0).abs().max_element();
        assert!(error < 0.01, "{left} is not {}", faded(depth));
    }

    #[test]
    fn air_and_haze_send_away_what_they_scatter() {
        // Each phase function integrates to 1 over the sphere.
        for (name, phase) in [("air", air_phase as fn(f32) -> f32), ("haze", haze_phase)] {
            let steps = 20_000;
            let at = |step: usize| -1.0 + 2.0 * (step as f32 + 0.5) / steps as f32;
            let sum: f64 = (0..steps).map(|step| f64::from(phase(at(step)))).sum();
            let total = sum * 2.0 / f64::from(steps as u32) * std::f64::consts::TAU;
            assert!((total - 1.0).abs() < 2e-3, "{name}: {total}");
        }
    }

    #[test]
    fn at_noon_the_sky_is_blue_and_gives_less_than_the_sun() {
        let day = clear().daylight(sun_at(60.0));
        let zenith = day.map.radiance(Vec3A::Y);
        assert!(zenith.z > 1.5 * zenith.x, "{zenith}");
        // Away from the sun the horizon is brighter and less saturated than the zenith.
        let horizon = day.map.radiance(Vec3A::new(0.0, 0.05, -1.0).normalize());
        assert!(horizon.y > zenith.y && horizon.z / horizon.x < zenith.z / zenith.x);
        let from_sun = day.sun * sun_at(60.0).y;
        let share = (day.level - from_sun) / day.level;
        assert!(share.y > 0.08 && share.y < 0.25, "{share}");
        assert!(day.level.max_element() < 1.0, "{}", day.level);
    }

    #[test]
    fn the_setting_sun_is_red_and_the_day_grows_dark() {
        let atmosphere = clear();
        let mut last = f32::INFINITY;
        for degrees in [60.0, 30.0, 10.0, 3.0, 0.0, -3.0, -6.0] {
            let day = atmosphere.daylight(sun_at(degrees));
            let level = day.level.y;
            assert!(level > 0.0 && level < last, "{degrees}: {level}");
            last = level;
            if degrees == 3.0 {
                assert!(day.sun.x > 2.5 * day.sun.z, "{}", day.sun);
                // The sky is brightest around the sun.
                let [to, from] =
                    [1.0, -1.0].map(|z| day.map.radiance(Vec3A::new(0.0, 0.1, z).normalize()));
                assert!(to.x > 2.0 * from.x, "{to} {from}");
            }
            if degrees < 0.0 {
                assert_eq!(day.sun, Vec3A::ZERO);
            }
        }
    }

    #[test]
    fn both_sides_of_the_sun_are_alike() {
        let day = clear().daylight(sun_at(20.0));
        for (x, y, z) in [(0.5, 0.3, 0.2), (0.9, 0.1, -0.4), (0.3, -0.5, 0.1)] {
            let [left, right] = [x, -x].map(|x| day.map.radiance(Vec3A::new(x, y, z).normalize()));
            assert!((left - right).abs().max_element() < 1e-3 * left.max_element());
        }
    }

    #[test]
    fn haze_makes_the_sky_pale() {
        let paleness = |haze: f32| {
            let day = Atmosphere::new(haze, Vec3A::splat(0.3)).daylight(sun_at(40.0));
            let seen = day.map.radiance(Vec3A::new(0.6, 0.8, 0.0));
            seen.x / seen.z
        };
        let (clear, milky) = (paleness(0.0), paleness(10.0));
        assert!(milky > 1.1 * clear, "{clear} {milky}");
    }
}
