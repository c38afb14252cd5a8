//! Random numbers by hash on the integer lattice, the same in every run.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x8, u32x8};
use glam::{IVec3, Vec3A};

/// The `pcg3d` hash of a lattice point. Jarzynski and Olano 2020, "Hash Functions for GPU
/// Rendering".
#[inline]
pub(super) fn hash(at: IVec3) -> [u32; 3] {
    let [mut x, mut y, mut z] = stirred(at);
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

/// The first step of the hash, each axis by itself.
#[inline(always)]
fn stirred(at: IVec3) -> [u32; 3] {
    at.to_array().map(|part| (part as u32).wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
}

/// A number in [0, 1) from the upper bits of a hash.
#[inline]
pub(super) fn unit(hash: u32) -> f32 {
    (hash >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// The lattice cell of a point and the offset in it.
#[inline]
pub(super) fn split(point: Vec3A) -> (IVec3, Vec3A) {
    let cell = point.floor();
    (cell.as_ivec3(), point - cell)
}

/// The corners of a cell, by axis: along x the lower ones first, z fastest.
pub(super) const CORNERS: [[f32; 8]; 3] = [
    [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0],
    [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0],
    [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
];

/// The [hashes](hash) of the [`CORNERS`] of a cell.
#[inline(always)]
pub(super) fn hash_corners<S: Simd>(simd: S, cell: IVec3) -> [u32x8<S>; 3] {
    let [a, b, c] = stirred(cell);
    let [d, e, f] = stirred(cell.wrapping_add(IVec3::ONE));
    let mut x = u32x8::load_array(simd, [a, a, a, a, d, d, d, d]);
    let mut y = u32x8::load_array(simd, [b, b, e, e, b, b, e, e]);
    let mut z = u32x8::load_array(simd, [c, f, c, f, c, f, c, f]);
    x += y * z;
    y += z * x;
    z += x * y;
    x ^= x >> 16;
    y ^= y >> 16;
    z ^= z >> 16;
    x += y * z;
    y += z * x;
    z += x * y;
    [x, y, z]
}

/// See [`unit`].
#[inline(always)]
pub(super) fn units<S: Simd>(hash: u32x8<S>) -> f32x8<S> {
    let numbers: f32x8<S> = (hash >> 8).to_float();
    numbers * (1.0 / 16_777_216.0)
}

/// The offset of one of the 27 cells around and including a cell.
pub(super) fn neighbour(place: usize) -> IVec3 {
    let place = place as i32;
    IVec3::new(place / 9 - 1, place / 3 % 3 - 1, place % 3 - 1)
}

/// The feature points of a cell and its neighbours, relative to the corner of that cell.
pub(super) fn scattered_around(cell: IVec3) -> [Vec3A; 27] {
    std::array::from_fn(|place| {
        let to = neighbour(place);
        let [x, y, z] = hash(cell.wrapping_add(to));
        to.as_vec3a() + Vec3A::new(unit(x), unit(y), unit(z))
    })
}
