//! Vectors of the document in the precision of the tracer.

pub(crate) mod lanes;

use glam::{DVec3, Vec3A};

/// A point of the document, still in double precision.
pub(crate) fn point(point: scene::Point) -> DVec3 {
    point.get().into()
}

/// A point or vector in single precision.
pub(crate) fn single(vector: DVec3) -> Vec3A {
    vector.as_vec3a()
}

/// `vector` as a unit vector; the fallback is for vectors too short to have a direction.
pub(crate) fn unit_or(vector: Vec3A, fallback: Vec3A) -> Vec3A {
    vector.try_normalize().unwrap_or(fallback)
}
