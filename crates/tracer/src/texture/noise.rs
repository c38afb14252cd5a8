//! Random functions of space, the same in every run.

use glam::{IVec3, Vec3A};

/// A hash of a place of the lattice: every bit depends on all of it. Jarzynski and Olano 2020, "Hash
/// Functions for GPU Rendering", `pcg3d`.
#[inline]
pub(super) fn hash(at: IVec3) -> [u32; 3] {
    let [mut x, mut y, mut z] =
        at.to_array().map(|part| (part as u32).wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    x = x.wrapping_add(y.wrapping_mul(z));
    y = y.wrapping_add(z.wrapping_mul(x));
    z = z.wrapping_add(x.wrapping_mul(y));
    x ^= x >> 16;
    y ^= y >> 16;
    z ^= z >> 16;
    x = x.wrapping_add(y.wrapping_mul(z));
    y = y.wrapping_add(z.wrapping_mul(x));
    z = z.wrapping_add(x.wrapping_mul(y));
    [x, y, z]
}

/// A number in [0, 1) from the upper bits of a hash.
#[inline]
pub(super) fn unit(hash: u32) -> f32 {
    (hash >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// The cell of the lattice a point lies in, and where in it.
#[inline]
pub(super) fn split(point: Vec3A) -> (IVec3, Vec3A) {
    let cell = point.floor();
    (cell.as_ivec3(), point - cell)
}

/// The corners of a cell.
const CORNERS: [IVec3; 8] = [
    IVec3::new(0, 0, 0),
    IVec3::new(1, 0, 0),
    IVec3::new(0, 1, 0),
    IVec3::new(1, 1, 0),
    IVec3::new(0, 0, 1),
    IVec3::new(1, 0, 1),
    IVec3::new(0, 1, 1),
    IVec3::new(1, 1, 1),
];

/// A mixture of a value at each corner of the cell, smooth up to the second derivative.
#[inline]
fn mixed(point: Vec3A, at_corner: impl Fn([u32; 3], Vec3A) -> f32) -> f32 {
    let (cell, within) = split(point);
    let eased = within * within * within * (within * (within * 6.0 - 15.0) + 10.0);
    let values = CORNERS
        .map(|corner| at_corner(hash(cell.wrapping_add(corner)), within - corner.as_vec3a()));
    let along_x = |at: usize| values[at] + (values[at + 1] - values[at]) * eased.x;
    let along_y = |at: usize| along_x(at) + (along_x(at + 2) - along_x(at)) * eased.y;
    along_y(0) + (along_y(4) - along_y(0)) * eased.z
}

/// Gradient noise, about -1 to 1 and 0 on average. Perlin 2002, "Improving Noise"; gradients from a
/// hash.
pub(super) fn perlin(point: Vec3A) -> f32 {
    let noise = mixed(point, |[x, y, z], offset| {
        let gradient = Vec3A::new(unit(x), unit(y), unit(z)) * 2.0 - 1.0;
        gradient.dot(offset)
    });
    noise * 1.5
}

/// Random values at the lattice, -1 to 1, smooth between.
pub(super) fn value(point: Vec3A) -> f32 {
    mixed(point, |[x, ..], _| unit(x) * 2.0 - 1.0)
}

/// The sum of `octaves` layers of `noise`, each of half the size and strength of the one before,
/// over the sum of their strengths.
pub(super) fn layered(point: Vec3A, octaves: u32, noise: impl Fn(Vec3A) -> f32) -> f32 {
    let (mut sum, mut strength, mut total, mut place) = (0.0, 1.0, 0.0, point);
    for _ in 0..octaves {
        sum += noise(place) * strength;
        total += strength;
        strength *= 0.5;
        // Slightly off 2 and moved, so that the lattices of the layers never meet.
        place = place * 2.03 + Vec3A::new(17.3, -9.1, 4.7);
    }
    sum / total
}

/// Three independent sums of layers, each about -1 to 1: how far a point is carried by turbulence.
pub(super) fn carried(point: Vec3A, octaves: u32) -> Vec3A {
    let shifts = [Vec3A::ZERO, Vec3A::new(31.4, 15.9, -26.5), Vec3A::new(-35.8, 97.9, 32.3)];
    Vec3A::from_array(shifts.map(|shift| layered(point + shift, octaves, perlin)))
}

/// What lies around a point among scattered ones, one in each cell of the lattice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scattered {
    /// Distance to the nearest.
    pub(super) nearest: f32,
    /// Distance to the border between the nearest and the next.
    pub(super) border: f32,
    /// A number in [0, 1) of the nearest.
    pub(super) number: f32,
}

/// Worley 1996, "A Cellular Texture Basis Function"; the border by Quilez, "Voronoi borders".
pub(super) fn scattered(point: Vec3A) -> Scattered {
    let (cell, within) = split(point);
    let neighbours = |radius: i32| {
        let range = move || -radius..=radius;
        range()
            .flat_map(move |x| range().flat_map(move |y| range().map(move |z| IVec3::new(x, y, z))))
    };
    let offset = |to: IVec3| {
        let [x, y, z] = hash(cell.wrapping_add(to));
        to.as_vec3a() + Vec3A::new(unit(x), unit(y), unit(z)) - within
    };
    let mut nearest = (f32::INFINITY, IVec3::ZERO, Vec3A::ZERO);
    for to in neighbours(1) {
        let way = offset(to);
        let squared = way.length_squared();
        if squared < nearest.0 {
            nearest = (squared, to, way);
        }
    }
    let (squared, at, way) = nearest;
    let mut border = f32::INFINITY;
    for to in neighbours(1).filter(|to| *to != at) {
        let other = offset(to);
        if let Some(across) = (other - way).try_normalize() {
            border = border.min(0.5 * (other + way).dot(across));
        }
    }
    let [.., number] = hash(cell.wrapping_add(at).wrapping_add(IVec3::splat(7919)));
    Scattered { nearest: squared.sqrt(), border, number: unit(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::Random;

    fn somewhere(random: &mut Random) -> Vec3A {
        random.direction() * random.between(0.0, 50.0)
    }

    #[test]
    fn noise_is_smooth_and_even_on_both_sides_of_zero() {
        let mut random = Random(3);
        for (noise, name) in [(perlin as fn(Vec3A) -> f32, "perlin"), (value, "value")] {
            let (mut sum, mut squares, mut steepest) = (0.0, 0.0, 0.0_f32);
            let count = 20_000;
            for _ in 0..count {
                let point = somewhere(&mut random);
                let here = noise(point);
                assert!(here.abs() <= 1.5, "{name}: {here} at {point}");
                sum += here;
                squares += here * here;
                let step = random.direction() * 1e-3;
                steepest = steepest.max((noise(point + step) - here).abs() / 1e-3);
            }
            assert!((sum / count as f32).abs() < 0.02, "{name}: mean {sum}");
            assert!(squares / count as f32 > 0.03, "{name} is too flat");
            assert!(steepest < 6.0, "{name} jumps: {steepest}");
        }
    }

    #[test]
    fn gradient_noise_is_zero_on_the_lattice_and_random_beside_it() {
        assert_eq!(perlin(Vec3A::new(3.0, -7.0, 11.0)), 0.0);
        let mut random = Random(4);
        let values: Vec<f32> = (0..50).map(|_| perlin(somewhere(&mut random))).collect();
        assert!(values.iter().any(|value| *value > 0.3));
        assert!(values.iter().any(|value| *value < -0.3));
    }

    #[test]
    fn every_point_has_a_nearest_and_its_border_is_nearer_than_the_next() {
        let mut random = Random(5);
        for _ in 0..5000 {
            let point = somewhere(&mut random);
            let found = scattered(point);
            assert!(found.nearest <= 3.0_f32.sqrt() && (0.0..1.0).contains(&found.number));
            // Up to the border every point belongs to the same cell.
            let inside = point + random.direction() * (0.98 * found.border).min(0.4);
            assert_eq!(scattered(inside).number, found.number, "{point} {found:?}");
        }
    }
}
