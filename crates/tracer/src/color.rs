//! Linear RGB colours.

use glam::Vec3A;

/// A colour of the document in single precision.
pub(crate) fn channels(channels: [f64; 3]) -> Vec3A {
    Vec3A::from_array(channels.map(|channel| channel as f32))
}

/// The luminance of a colour: the Y of linear sRGB.
pub(crate) fn luminance(color: Vec3A) -> f32 {
    color.dot(Vec3A::new(0.2126, 0.7152, 0.0722))
}
