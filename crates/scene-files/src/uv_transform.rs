//! Transforms of UV coordinates, and how scenes and glTF write them.
//!
//! A scene places the image on the surface ([`scene::Placement`]); glTF, OBJ and PBRT transform the
//! coordinates that look it up, which is the inverse.

use glam::{DMat2, DVec2};
use scene::Placement;

/// An affine transform of UV coordinates whose v points up: `linear * uv + offset` looks up the image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct UvTransform {
    pub(crate) linear: DMat2,
    pub(crate) offset: DVec2,
}

/// The properties of `KHR_texture_transform`, where v points down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KhrTextureTransform {
    pub(crate) offset: DVec2,
    /// In radians.
    pub(crate) rotation: f64,
    pub(crate) scale: DVec2,
}

/// Rounding errors of single precision: smaller numbers count as 0.
const EPSILON: f64 = 1e-6;

impl UvTransform {
    pub(crate) const IDENTITY: Self = Self { linear: DMat2::IDENTITY, offset: DVec2::ZERO };

    /// The transform of a placement. `None` for what other programs cannot apply to UV coordinates: a
    /// rotation about another axis than z, or a rotation with a non-uniform scale.
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

    /// Offset, scale and angle about z in degrees of the placement. `None` for a mirrored or sheared
    /// transform, and for a scale beyond the limits of a scene.
    pub(crate) fn placement(&self) -> Option<([f64; 2], [f64; 2], f64)> {
        // Each row is one of the inverse rotation, divided by the scale.
        let scale = [self.linear.row(0).length().recip(), self.linear.row(1).length().recip()];
        let turned = DMat2::from_diagonal(scale.into()) * self.linear;
        let square = turned.row(0).dot(turned.row(1)).abs() < EPSILON && turned.determinant() > 0.0;
        let in_range = scale.iter().all(|factor| (1e-6..=1e6).contains(factor));
        let at = -(self.linear.inverse() * self.offset);
        let degrees = f64::atan2(-turned.x_axis.y, turned.x_axis.x).to_degrees();
        (square && in_range).then_some((at.to_array(), scale, degrees))
    }

    pub(crate) fn to_khr(self) -> KhrTextureTransform {
        let flip = DMat2::from_diagonal(DVec2::new(1.0, -1.0));
        let linear = flip * self.linear * flip;
        let offset = flip * (self.linear * DVec2::Y + self.offset) + DVec2::Y;
        // Each column is one of a rotation, multiplied by the scale.
        let scale = DVec2::new(linear.x_axis.length(), linear.y_axis.length());
        let rotation = f64::atan2(-linear.x_axis.y, linear.x_axis.x);
        KhrTextureTransform { offset, rotation, scale }
    }

    pub(crate) fn of_khr(khr: KhrTextureTransform) -> Self {
        let flip = DMat2::from_diagonal(DVec2::new(1.0, -1.0));
        // Where v points down, the rotation has the other sign.
        let linear = DMat2::from_angle(-khr.rotation) * DMat2::from_diagonal(khr.scale);
        Self {
            linear: flip * linear * flip,
            offset: flip * (linear * DVec2::Y + khr.offset) + DVec2::Y,
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
    fn a_round_trip_through_khr_texture_transform_keeps_the_transform() {
        for (scale, degrees, offset) in [
            ([1.0, 1.0], 0.0, [0.0, 0.0]),
            ([0.5, 0.25], 0.0, [0.3, -0.7]),
            ([0.4, 0.4], 30.0, [0.1, 0.2]),
            ([2.0, 2.0], -135.0, [-1.0, 0.5]),
        ] {
            let before = UvTransform::of(&placement(scale, degrees, offset)).unwrap();
            let after = UvTransform::of_khr(before.to_khr());
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
    fn a_rotation_has_the_sign_of_khr_texture_transform() {
        // A rotation of the image by 90 degrees about its lower left corner: right becomes up.
        let turned = UvTransform::of(&placement([1.0; 2], 90.0, [0.0; 2])).unwrap();
        assert!((turned.linear * DVec2::Y + turned.offset - DVec2::X).length() < 1e-12);
        // The coordinates turn the other way, and with v down the angle's sign is the other again.
        let khr = turned.to_khr();
        assert!((khr.rotation + std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        let matrix = [khr.rotation.cos(), khr.rotation.sin()];
        // u' = cos u + sin v + offset, as the sample of Khronos is rendered.
        let (u, v) = (0.25, 0.75);
        let found = matrix[0] * u + matrix[1] * v + khr.offset.x;
        let expected = (turned.linear * DVec2::new(u, 1.0 - v) + turned.offset).x;
        assert!((found - expected).abs() < 1e-12);
    }

    #[test]
    fn transforms_that_scenes_or_uv_coordinates_cannot_have_are_refused() {
        assert!(UvTransform::of(&placement([1.0, 2.0], 45.0, [0.0; 2])).is_none());
        let mirrored = KhrTextureTransform {
            offset: DVec2::ZERO,
            rotation: 0.0,
            scale: DVec2::new(-1.0, 1.0),
        };
        assert!(UvTransform::of_khr(mirrored).placement().is_none());
        let nothing =
            KhrTextureTransform { offset: DVec2::ZERO, rotation: 0.0, scale: DVec2::ZERO };
        assert!(UvTransform::of_khr(nothing).placement().is_none());
    }
}
