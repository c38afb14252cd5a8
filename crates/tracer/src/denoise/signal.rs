//! The filter's signal and its edge-stopping features.

use super::planes::Planes;

/// The filtered planes: light over albedo, and the variance of its luminance.
pub(super) type Signal = Planes<4>;
pub(super) const VARIANCE: usize = 3;

/// The edge-stopping features: six planes of mean normals and albedos, scaled so that a difference
/// of 1 divides the weight by e, then the planes below.
pub(super) type Borders = Planes<10>;
/// The reciprocal of the distance, which is linear in image space on a plane.
pub(super) const NEARNESS: usize = 6;
/// The slope of the nearness along x and along y, per pixel.
pub(super) const SLOPE: usize = 7;
/// The reciprocal of the squared deviation of nearness from the slope's prediction that divides the
/// weight by e.
pub(super) const SHARPNESS: usize = 9;

/// The luminance of a row.
pub(super) fn luminance(red: &[f32], green: &[f32], blue: &[f32], into: &mut [f32]) {
    let colors = red.iter().zip(green).zip(blue);
    for (into, ((red, green), blue)) in into.iter_mut().zip(colors) {
        *into = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
}
