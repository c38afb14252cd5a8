//! Mappings from the unit square to directions and discs, with their pdfs.

use std::f32::consts::{FRAC_1_PI, PI};

use glam::{Vec2, Vec3A};

/// A point of the unit disc, uniform by area. Shirley and Chiu 1997; PBR 4e, section A.5.1.
pub(crate) fn unit_disc(u: [f32; 2]) -> Vec2 {
    let [x, y] = u.map(|u| 2.0 * u - 1.0);
    if x == 0.0 && y == 0.0 {
        return Vec2::ZERO;
    }
    // A select instead of a branch, which would be unpredictable.
    let upright = y.abs() >= x.abs();
    let (radius, across) = if upright { (y, x) } else { (x, y) };
    let (sin, cos) = sin_cos_of_eighth(PI / 4.0 * (across / radius));
    let (along_x, along_y) = if upright { (sin, cos) } else { (cos, sin) };
    radius * Vec2::new(along_x, along_y)
}

/// The point of the unit circle at `turn`, in [0, 1), of a full turn from +x towards +y.
pub(crate) fn unit_circle(turn: f32) -> Vec2 {
    let quarters = (4.0 * turn + 0.5) as i32;
    let (sin, cos) = sin_cos_of_eighth(PI / 2.0 * (4.0 * turn - quarters as f32));
    let point = if quarters & 1 == 0 { Vec2::new(cos, sin) } else { Vec2::new(-sin, cos) };
    if quarters & 2 == 0 { point } else { -point }
}

/// Sine and cosine of an angle in -pi/4..=pi/4, accurate to a rounding error or two and several
/// times as fast as for any angle. The polynomials are those of the Cephes library (Moshier 1989).
fn sin_cos_of_eighth(angle: f32) -> (f32, f32) {
    let squared = angle * angle;
    let sin = ((-1.951_529_6e-4 * squared + 8.332_161e-3) * squared - 1.666_665_5e-1) * squared;
    let cos = ((2.443_315_7e-5 * squared - 1.388_731_6e-3) * squared + 4.166_664_6e-2) * squared;
    (angle + angle * sin, 1.0 - 0.5 * squared + cos * squared)
}

/// A direction around +z with the pdf cos / pi. PBR 4e, section A.5.3.
pub(crate) fn cosine_hemisphere(u: [f32; 2]) -> Vec3A {
    let flat = unit_disc(u);
    Vec3A::new(flat.x, flat.y, (1.0 - flat.length_squared()).max(0.0).sqrt())
}

/// The pdf of [`cosine_hemisphere`], per steradian. Zero below the horizon.
pub(crate) fn cosine_hemisphere_pdf(cos_theta: f32) -> f32 {
    cos_theta.max(0.0) * FRAC_1_PI
}

/// A direction around +z, uniform in the cone whose half-angle has 1 - cos = `one_minus_cos_max`.
/// The complement is accurate for narrow cones.
pub(crate) fn cone(u: [f32; 2], one_minus_cos_max: f32) -> Vec3A {
    let one_minus_cos = u[0] * one_minus_cos_max;
    let sin = (one_minus_cos * (2.0 - one_minus_cos)).max(0.0).sqrt();
    let flat = sin * unit_circle(u[1]);
    Vec3A::new(flat.x, flat.y, 1.0 - one_minus_cos)
}

/// The pdf of [`cone`], per steradian, inside the cone.
pub(crate) fn cone_pdf(one_minus_cos_max: f32) -> f32 {
    1.0 / (2.0 * PI * one_minus_cos_max)
}

/// The MIS weight of a sample with `pdf`, where the other strategy has the pdf `other`: the power
/// heuristic with exponent 2. Veach 1997, section 9.2.4.
pub(crate) fn power_heuristic(pdf: f32, other: f32) -> f32 {
    // The ratio instead of the squares, since pdfs of narrow lobes overflow when squared.
    let ratio = other / pdf;
    1.0 / (1.0 + ratio * ratio)
}

/// The MIS weight of a sample with `pdf`, where the other strategy has the pdf `other`: the balance heuristic. Veach
/// 1997, section 9.2.2.
pub(crate) fn balance_heuristic(pdf: f32, other: f32) -> f32 {
    1.0 / (1.0 + other / pdf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::check_directions;
    use crate::frame::Frame;

    #[test]
    fn cosine_hemisphere_has_its_density() {
        check_directions(
            "cosine hemisphere",
            |u| Some(cosine_hemisphere(u)),
            |direction| cosine_hemisphere_pdf(direction.z),
        );
    }

    #[test]
    fn cones_have_their_density() {
        for one_minus_cos in [2.0, 1.0, 0.25] {
            check_directions(
                "cone",
                |u| Some(cone(u, one_minus_cos)),
                |direction| {
                    let inside = 1.0 - direction.z < one_minus_cos;
                    if inside { cone_pdf(one_minus_cos) } else { 0.0 }
                },
            );
        }
    }

    #[test]
    fn sine_and_cosine_are_exact_to_a_rounding_or_two() {
        for step in -1000..=1000 {
            let angle = PI / 4.0 * step as f32 / 1000.0;
            let (sin, cos) = sin_cos_of_eighth(angle);
            let (exact_sin, exact_cos) = f64::from(angle).sin_cos();
            assert!((f64::from(sin) - exact_sin).abs() < 1.2e-7, "{angle}: {sin}");
            assert!((f64::from(cos) - exact_cos).abs() < 1.2e-7, "{angle}: {cos}");
        }
    }

    #[test]
    fn points_of_the_circle_are_exact_to_a_rounding_or_two() {
        for step in 0..8000 {
            let turn = step as f32 / 8000.0;
            let point = unit_circle(turn).as_dvec2();
            let exact = glam::DVec2::from_angle(std::f64::consts::TAU * f64::from(turn));
            assert!((point - exact).abs().max_element() < 2e-7, "{turn}: {point}");
        }
    }

    #[test]
    fn narrow_cones_do_not_collapse() {
        let limit = 1e-10;
        let widest = cone([0.999, 0.0], limit).x;
        assert!((f64::from(widest) / (2.0 * 0.999e-10_f64).sqrt() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn disc_points_are_even_by_area() {
        // The cosine-weighted hemisphere above a disc projects to the uniform disc.
        let lift = |u| {
            let flat = unit_disc(u);
            let up = (1.0 - flat.length_squared()).max(0.0).sqrt();
            Some(Frame::around(Vec3A::Y).to_world(Vec3A::new(flat.x, flat.y, up)))
        };
        check_directions("disc", lift, |direction| cosine_hemisphere_pdf(direction.y));
    }

    #[test]
    fn the_two_weights_of_a_direction_sum_to_one() {
        for (a, b) in [(1.0, 1.0), (3.0, 0.2), (1e30, 1e-30), (0.5, 0.0)] {
            let sum = power_heuristic(a, b) + power_heuristic(b, a);
            assert!((sum - 1.0).abs() < 1e-6, "{a} {b}: {sum}");
        }
    }
}
