//! Vectors, frames and sampled directions of many paths in vector registers: as [`Frame`](crate::frame::Frame) and
//! [`sampling`](crate::sampling), whose functions the tests compare them with.

use std::f32::consts::{FRAC_1_PI, PI};

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x16, mask32x16, u32x16};
use glam::{Vec3A, Vec4};

use crate::ray::LANES;
use crate::ray_lanes::{Vectors, dot};

/// Numbers of many paths in memory.
pub(crate) type Stored = [f32; LANES];
/// Vectors of many paths in memory, by component.
pub(crate) type StoredVectors = [Stored; 3];

/// One of the vectors.
#[inline(always)]
pub(crate) fn vector_of(vectors: &StoredVectors, lane: usize) -> Vec3A {
    Vec3A::from_array(vectors.each_ref().map(|axis| axis[lane % LANES]))
}

/// Sets one of the vectors.
#[inline(always)]
pub(crate) fn set_vector(vectors: &mut StoredVectors, lane: usize, vector: Vec3A) {
    for (axis, component) in vectors.iter_mut().zip(vector.to_array()) {
        axis[lane % LANES] = component;
    }
}

#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, numbers: &Stored) -> f32x16<S> {
    f32x16::load_array_ref(simd, numbers)
}

#[inline(always)]
pub(crate) fn load_vectors<S: Simd>(simd: S, [x, y, z]: &StoredVectors) -> Vectors<S> {
    [load(simd, x), load(simd, y), load(simd, z)]
}

#[inline(always)]
pub(crate) fn store<S: Simd>(numbers: f32x16<S>, to: &mut Stored) {
    numbers.store_slice(to);
}

#[inline(always)]
pub(crate) fn store_vectors<S: Simd>(vectors: &Vectors<S>, to: &mut StoredVectors) {
    for axis in 0..3 {
        vectors[axis].store_slice(&mut to[axis]);
    }
}

/// Each of the vectors.
#[inline(always)]
pub(crate) fn each<S: Simd>(simd: S, [x, y, z]: &Vectors<S>) -> [Vec3A; LANES] {
    let mut interleaved = [0.0; 4 * LANES];
    let none = f32x4::splat(simd, 0.0);
    for (at, four) in interleaved.chunks_exact_mut(16).enumerate() {
        let of_four = 4 * at..4 * at + 4;
        let x = f32x4::from_slice(simd, &x.as_array()[of_four.clone()]);
        let y = f32x4::from_slice(simd, &y.as_array()[of_four.clone()]);
        let z = f32x4::from_slice(simd, &z.as_array()[of_four]);
        f32x4::store_four_interleaved([x, y, z, none], four);
    }
    let mut vectors = [Vec3A::ZERO; LANES];
    for (vector, components) in vectors.iter_mut().zip(interleaved.as_chunks().0) {
        *vector = Vec3A::from_vec4(Vec4::from_array(*components));
    }
    vectors
}

#[inline(always)]
pub(crate) fn splat<S: Simd>(simd: S, vector: Vec3A) -> Vectors<S> {
    [f32x16::splat(simd, vector.x), f32x16::splat(simd, vector.y), f32x16::splat(simd, vector.z)]
}

/// The lanes of a bit mask.
#[inline(always)]
pub(crate) fn mask_of<S: Simd>(simd: S, lanes: u32) -> mask32x16<S> {
    mask32x16::from_bitmask(simd, u64::from(lanes & 0xffff))
}

#[inline(always)]
pub(crate) fn bits_of<S: Simd>(mask: mask32x16<S>) -> u32 {
    mask.to_bitmask() as u32
}

#[inline(always)]
pub(crate) fn add<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn subtract<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The products of the components.
#[inline(always)]
pub(crate) fn multiply<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

#[inline(always)]
pub(crate) fn scale<S: Simd>(a: &Vectors<S>, factor: f32x16<S>) -> Vectors<S> {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline(always)]
pub(crate) fn negate<S: Simd>(a: &Vectors<S>) -> Vectors<S> {
    [-a[0], -a[1], -a[2]]
}

#[inline(always)]
pub(crate) fn normalize<S: Simd>(a: &Vectors<S>) -> Vectors<S> {
    scale(a, 1.0 / dot(a, a).sqrt())
}

#[inline(always)]
pub(crate) fn select<S: Simd>(mask: mask32x16<S>, a: &Vectors<S>, b: &Vectors<S>) -> Vectors<S> {
    [mask.select(a[0], b[0]), mask.select(a[1], b[1]), mask.select(a[2], b[2])]
}

#[inline(always)]
pub(crate) fn max_element<S: Simd>(a: &Vectors<S>) -> f32x16<S> {
    a[0].max(a[1]).max(a[2])
}

/// The components without their signs.
#[inline(always)]
pub(crate) fn abs<S: Simd>(a: &Vectors<S>) -> Vectors<S> {
    [a[0].abs(), a[1].abs(), a[2].abs()]
}

/// Where two vectors are equal.
#[inline(always)]
pub(crate) fn equal<S: Simd>(a: &Vectors<S>, b: &Vectors<S>) -> mask32x16<S> {
    a[0].simd_eq(b[0]) & a[1].simd_eq(b[1]) & a[2].simd_eq(b[2])
}

/// See [`Frame`](crate::frame::Frame).
pub(crate) struct Frames<S: Simd> {
    x: Vectors<S>,
    y: Vectors<S>,
    z: Vectors<S>,
}

impl<S: Simd> Frames<S> {
    /// The frames around the unit vectors `z`.
    #[inline(always)]
    pub(crate) fn around(simd: S, z: &Vectors<S>) -> Self {
        let one = f32x16::splat(simd, 1.0);
        let sign = one.copysign(z[2]);
        let a = -one / (sign + z[2]);
        let b = z[0] * z[1] * a;
        Self {
            x: [one + sign * z[0] * z[0] * a, sign * b, -sign * z[0]],
            y: [b, sign + z[1] * z[1] * a, -z[1]],
            z: *z,
        }
    }

    #[inline(always)]
    pub(crate) fn to_world(&self, local: &Vectors<S>) -> Vectors<S> {
        let xy = add(&scale(&self.x, local[0]), &scale(&self.y, local[1]));
        add(&xy, &scale(&self.z, local[2]))
    }

    #[inline(always)]
    pub(crate) fn to_local(&self, world: &Vectors<S>) -> Vectors<S> {
        [dot(&self.x, world), dot(&self.y, world), dot(&self.z, world)]
    }
}

/// See [`unit_disc`](crate::sampling::unit_disc).
#[inline(always)]
fn unit_disc<S: Simd>(simd: S, [u, v]: [f32x16<S>; 2]) -> [f32x16<S>; 2] {
    let zero = f32x16::splat(simd, 0.0);
    let (x, y) = (u * 2.0 - 1.0, v * 2.0 - 1.0);
    let upright = y.abs().simd_ge(x.abs());
    let (radius, across) = (upright.select(y, x), upright.select(x, y));
    let middle = radius.simd_eq(zero);
    let (sin, cos) = sin_cos_of_eighth(middle.select(zero, across / radius) * (PI / 4.0));
    [radius * upright.select(sin, cos), radius * upright.select(cos, sin)]
}

/// See [`unit_circle`](crate::sampling::unit_circle).
#[inline(always)]
pub(crate) fn unit_circle<S: Simd>(simd: S, turn: f32x16<S>) -> [f32x16<S>; 2] {
    let none = u32x16::splat(simd, 0);
    let quarters = (turn * 4.0 + 0.5).floor();
    let which: u32x16<S> = quarters.to_int();
    let (sin, cos) = sin_cos_of_eighth((turn * 4.0 - quarters) * (PI / 2.0));
    let is_even = (which & 1).simd_eq(none);
    let is_first = (which & 2).simd_eq(none);
    let (x, y) = (is_even.select(cos, -sin), is_even.select(sin, cos));
    [is_first.select(x, -x), is_first.select(y, -y)]
}

/// See [`sampling`](crate::sampling).
#[inline(always)]
fn sin_cos_of_eighth<S: Simd>(angle: f32x16<S>) -> (f32x16<S>, f32x16<S>) {
    let squared = angle * angle;
    let sin = ((squared * -1.951_529_6e-4 + 8.332_161e-3) * squared - 1.666_665_5e-1) * squared;
    let cos = ((squared * 2.443_315_7e-5 - 1.388_731_6e-3) * squared + 4.166_664_6e-2) * squared;
    (angle + angle * sin, 1.0 - squared * 0.5 + cos * squared)
}

/// See [`cosine_hemisphere`](crate::sampling::cosine_hemisphere).
#[inline(always)]
pub(crate) fn cosine_hemisphere<S: Simd>(simd: S, u: [f32x16<S>; 2]) -> Vectors<S> {
    let [x, y] = unit_disc(simd, u);
    [x, y, (1.0 - (x * x + y * y)).max(f32x16::splat(simd, 0.0)).sqrt()]
}

/// See [`cosine_hemisphere_pdf`](crate::sampling::cosine_hemisphere_pdf).
#[inline(always)]
pub(crate) fn cosine_hemisphere_pdf<S: Simd>(simd: S, cos_theta: f32x16<S>) -> f32x16<S> {
    cos_theta.max(f32x16::splat(simd, 0.0)) * FRAC_1_PI
}

/// See [`power_heuristic`](crate::sampling::power_heuristic).
#[inline(always)]
pub(crate) fn power_heuristic<S: Simd>(pdf: f32x16<S>, other: f32x16<S>) -> f32x16<S> {
    let ratio = other / pdf;
    1.0 / (ratio * ratio + 1.0)
}

/// See [`balance_heuristic`](crate::sampling::balance_heuristic).
#[inline(always)]
pub(crate) fn balance_heuristic<S: Simd>(pdf: f32x16<S>, other: f32x16<S>) -> f32x16<S> {
    1.0 / (other / pdf + 1.0)
}

#[cfg(test)]
mod tests {
    use fearless_simd::dispatch;

    use super::*;
    use crate::chi_square::Random;
    use crate::frame::Frame;
    use crate::instructions::InstructionSet;
    use crate::sampling;

    fn assert_near(a: Vec3A, b: Vec3A) {
        assert!(a.abs_diff_eq(b, 3e-6), "{a} {b}");
    }

    #[test]
    fn directions_and_frames_are_those_of_each() {
        let mut random = Random(61);
        for level in InstructionSet::available().into_iter().map(InstructionSet::level) {
            for _ in 0..200 {
                let [mut axes, mut local, mut world] = [[[0.0; LANES]; 3]; 3];
                let mut circle = [[0.0; LANES]; 2];
                let u: [Stored; 2] =
                    std::array::from_fn(|_| std::array::from_fn(|_| random.next()));
                let z: [Vec3A; LANES] = std::array::from_fn(|_| random.direction());
                for (lane, z) in z.iter().enumerate() {
                    set_vector(&mut axes, lane, *z);
                }
                dispatch!(level, simd => {
                    let frames = Frames::around(simd, &load_vectors(simd, &axes));
                    let u = [load(simd, &u[0]), load(simd, &u[1])];
                    let sampled = cosine_hemisphere(simd, u);
                    store_vectors(&frames.to_world(&sampled), &mut world);
                    store_vectors(&frames.to_local(&frames.to_world(&sampled)), &mut local);
                    let [x, y] = unit_circle(simd, u[0]);
                    store(x, &mut circle[0]);
                    store(y, &mut circle[1]);
                });
                for lane in 0..LANES {
                    let [a, b] = [u[0][lane], u[1][lane]];
                    let expected = sampling::cosine_hemisphere([a, b]);
                    assert_near(vector_of(&local, lane), expected);
                    assert_near(vector_of(&world, lane), Frame::around(z[lane]).to_world(expected));
                    let point = sampling::unit_circle(a);
                    let found = Vec3A::new(circle[0][lane], circle[1][lane], 0.0);
                    assert_near(found, point.extend(0.0).into());
                }
            }
        }
    }
}
