//! Bounds of cosines between lights and surfaces, to estimate the importance of lights.

use glam::Vec3A;

/// The largest cosine between `normal` and the direction to a point of a sphere at `to_center`.
pub(super) fn receiver_cosine(normal: Vec3A, to_center: Vec3A, radius: f32) -> f32 {
    let distance = to_center.length();
    if distance <= radius {
        return 1.0;
    }
    ((normal.dot(to_center) + radius) / distance).clamp(0.0, 1.0)
}

/// The approximate cosine at which a flat light with this extent emits towards a point; 0 behind
/// it.
pub(super) fn flat_light_cosine(light_normal: Vec3A, to_center: Vec3A, reach: f32) -> f32 {
    let height = -light_normal.dot(to_center);
    if height <= 0.0 {
        return 0.0;
    }
    let distance = to_center.length();
    // Close to the light, parts of it are overhead even if its centre is seen at a grazing angle.
    (height / distance).max(1.0 - distance / reach)
}
