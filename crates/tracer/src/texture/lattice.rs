//! Random numbers by hash on the integer lattice, the same in every run.

use glam::{IVec3, Vec3A};

/// The `pcg3d` hash of a lattice point. Jarzynski and Olano 2020, "Hash Functions for GPU
/// Rendering".
#[inline]
pub(super) fn hash(at: IVec3) -> [u32; 3] {
    shuffled(stirred(at))
}

/// The first step of the hash, each axis by itself.
#[inline(always)]
fn stirred(at: IVec3) -> [u32; 3] {
    at.to_array().map(|part| (part as u32).wrapping_mul(1_664_525).wrapping_add(1_013_904_223))
}

/// The rest of the hash.
#[inline(always)]
fn shuffled([mut x, mut y, mut z]: [u32; 3]) -> [u32; 3] {
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

/// The lattice cell of a point and the offset in it.
#[inline]
pub(super) fn split(point: Vec3A) -> (IVec3, Vec3A) {
    let cell = point.floor();
    (cell.as_ivec3(), point - cell)
}

/// The hashes of the corners of a cell: of x, y and z the lower ones first, x fastest.
#[inline(always)]
pub(super) fn hash_corners(cell: IVec3) -> [[u32; 3]; 8] {
    let [low, high] = [cell, cell.wrapping_add(IVec3::ONE)].map(stirred);
    std::array::from_fn(|corner| {
        shuffled(std::array::from_fn(
            |axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] },
        ))
    })
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
