//! How images lie: where they are by our [`Placement`](scene::Placement), and how the coordinates
//! change that look them up.

use glam::{DMat2, DVec2};
use scene::Placement;

/// How coordinates with v upwards become those of the image: `linear uv + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Transform {
    pub(crate) linear: DMat2,
    pub(crate) offset: DVec2,
}

/// What `KHR_texture_transform` says, whose v goes down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Khronos {
    pub(crate) offset: DVec2,
    /// Radians.
    pub(crate) rotation: f64,
    pub(crate) scale: DVec2,
}

/// Angles and shares below this are what single precision leaves of nothing.
const NOTHING: f64 = 1e-6;

impl Transform {
    pub(crate) const NONE: Self = Self { linear: DMat2::IDENTITY, offset: DVec2::ZERO };

    /// `None` where an image does not lie flat on u and v: turned about another axis than z, or turned
    /// and scaled unevenly, which coordinates of other programs cannot be.
    pub(crate) fn of(placement: &Placement) -> Option<Self> {
        let [about_x, about_y, about_z] = placement.rotation.get();
        let [across, up, _] = placement.scale.get();
        if about_x != 0.0 || about_y != 0.0 || (about_z != 0.0 && across != up) {
            return None;
        }
        let scale = DMat2::from_diagonal(DVec2::new(across, up).recip());
        let linear = scale * DMat2::from_angle(-about_z.to_radians());
        let [x, y, _] = placement.offset.get();
        Some(Self { linear, offset: -(linear * DVec2::new(x, y)) })
    }

    /// The offset and the scale of the placement, and its angle about z in degrees; `None` where there
    /// is none, or its lengths are beyond what scenes know.
    pub(crate) fn placement(&self) -> Option<([f64; 2], [f64; 2], f64)> {
        // The rows are those of a turn back, over the lengths.
        let lengths = [self.linear.row(0).length().recip(), self.linear.row(1).length().recip()];
        let turned = DMat2::from_diagonal(lengths.into()) * self.linear;
        let square = turned.row(0).dot(turned.row(1)).abs() < NOTHING && turned.determinant() > 0.0;
        let known = lengths.iter().all(|length| (1e-6..=1e6).contains(length));
        let at = -(self.linear.inverse() * self.offset);
        let degrees = f64::atan2(-turned.x_axis.y, turned.x_axis.x).to_degrees();
        (square && known).then_some((at.to_array(), lengths, degrees))
    }

    pub(crate) fn to_khronos(self) -> Khronos {
        let flip = DMat2::from_diagonal(DVec2::new(1.0, -1.0));
        let linear = flip * self.linear * flip;
        let offset = flip * (self.linear * DVec2::Y + self.offset) + DVec2::Y;
        // Its columns are those of a turn, times the scale.
        let scale = DVec2::new(linear.x_axis.length(), linear.y_axis.length());
        let rotation = f64::atan2(-linear.x_axis.y, linear.x_axis.x);
        Khronos { offset, rotation, scale }
    }

    pub(crate) fn of_khronos(khronos: Khronos) -> Self {
        let flip = DMat2::from_diagonal(DVec2::new(1.0, -1.0));
        // Seen with v down, the turn goes the other way.
        let linear = DMat2::from_angle(-khronos.rotation) * DMat2::from_diagonal(khronos.scale);
        Self {
            linear: flip * linear * flip,
            offset: flip * (linear * DVec2::Y + khronos.offset) + DVec2::Y,
        }
    }
}

#[cfg(test)]
mod tests {
    use scene::{Displacement, Rotation, Scale};

    use super::*;

    fn placement(scale: [f64; 2], degrees: f64, offset: [f64; 2]) -> Placement {
        Placement {
            mapping: None,
            scale: Scale::new([scale[0], scale[1], scale[0]]).unwrap(),
            offset: Displacement::new([offset[0], offset[1], 0.0]).unwrap(),
            rotation: Rotation::new([0.0, 0.0, degrees]).unwrap(),
        }
    }

    #[test]
    fn an_image_lies_where_it_lay_after_the_way_through_khronos() {
        for (scale, degrees, offset) in [
            ([1.0, 1.0], 0.0, [0.0, 0.0]),
            ([0.5, 0.25], 0.0, [0.3, -0.7]),
            ([0.4, 0.4], 30.0, [0.1, 0.2]),
            ([2.0, 2.0], -135.0, [-1.0, 0.5]),
        ] {
            let before = Transform::of(&placement(scale, degrees, offset)).unwrap();
            let after = Transform::of_khronos(before.to_khronos());
            assert!((before.linear - after.linear).abs_diff_eq(DMat2::ZERO, 1e-12));
            assert!((before.offset - after.offset).length() < 1e-12);
            let (at, lengths, turned) = after.placement().unwrap();
            for (found, expected) in [(at, offset), (lengths, scale), ([turned; 2], [degrees; 2])] {
                assert!(
                    (0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-9),
                    "{found:?}"
                );
            }
        }
    }

    #[test]
    fn an_image_turned_counter_clockwise_looks_up_as_khronos_says() {
        // A quarter turn of the image about its left lower corner: what was to the right is above.
        let turned = Transform::of(&placement([1.0; 2], 90.0, [0.0; 2])).unwrap();
        assert!((turned.linear * DVec2::Y + turned.offset - DVec2::X).length() < 1e-12);
        // The coordinates turn the other way, and with v down the angle's sign is the other again.
        let khronos = turned.to_khronos();
        assert!((khronos.rotation + std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        let matrix = [khronos.rotation.cos(), khronos.rotation.sin()];
        // u' = cos u + sin v + offset, as the sample of Khronos is rendered.
        let (u, v) = (0.25, 0.75);
        let found = matrix[0] * u + matrix[1] * v + khronos.offset.x;
        let expected = (turned.linear * DVec2::new(u, 1.0 - v) + turned.offset).x;
        assert!((found - expected).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_said_is_not_said() {
        assert!(Transform::of(&placement([1.0, 2.0], 45.0, [0.0; 2])).is_none());
        let mirrored = Khronos { offset: DVec2::ZERO, rotation: 0.0, scale: DVec2::new(-1.0, 1.0) };
        assert!(Transform::of_khronos(mirrored).placement().is_none());
        let nothing = Khronos { offset: DVec2::ZERO, rotation: 0.0, scale: DVec2::ZERO };
        assert!(Transform::of_khronos(nothing).placement().is_none());
    }
}
