//! Helpers to sample surfaces uniformly by area.

use glam::Vec3A;

use crate::sampling::unit_circle;

/// A part chosen by `u`, in [0, 1), in proportion to its area, and `u` rescaled to [0, 1) within that part.
pub(super) fn choose_part(areas: &[f32], u: f32) -> (usize, f32) {
    let mut left = u * areas.iter().sum::<f32>();
    let mut chosen = (0, u);
    // Rounding may leave a remainder; then the last part with an area is chosen.
    for (part, &area) in areas.iter().enumerate().filter(|(_, area)| **area > 0.0) {
        chosen = (part, (left / area).min(1.0 - f32::EPSILON));
        if left < area {
            break;
        }
        left -= area;
    }
    chosen
}

/// Barycentric coordinates of a point of a triangle, uniform by area. PBR 4e, section A.5.2.
pub(super) fn even_in_triangle([u, v]: [f32; 2]) -> [f64; 3] {
    let [u, v] = [u, v].map(f64::from);
    let root = u.sqrt();
    [1.0 - root, root * (1.0 - v), root * v]
}

/// The inverse of [`even_in_triangle`].
pub(super) fn numbers_in_triangle(weights: [f64; 3]) -> [f32; 2] {
    let root = (1.0 - weights[0]).clamp(0.0, 1.0);
    let v = if root > 0.0 { weights[2] / root } else { 0.5 };
    [(root * root) as f32, v as f32]
}

/// A unit vector perpendicular to z.
pub(super) fn around(u: f32) -> Vec3A {
    let flat = unit_circle(u);
    Vec3A::new(flat.x, flat.y, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_chosen_by_area_and_numbers_stretched() {
        assert_eq!(choose_part(&[1.0, 0.0, 3.0], 0.125), (0, 0.5));
        assert_eq!(choose_part(&[1.0, 0.0, 3.0], 0.25), (2, 0.0));
        assert_eq!(choose_part(&[1.0, 0.0, 3.0], 0.625), (2, 0.5));
        assert_eq!(choose_part(&[1.0, 0.0], 1.0 - f32::EPSILON).0, 0);
    }
}
