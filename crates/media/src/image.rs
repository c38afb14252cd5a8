//! Images in memory, with bilinear lookup.

use std::sync::LazyLock;

use glam::{Vec2, Vec3A, Vec4};
use scene::Wrap;

/// An image for textures and environments; its rows go from top to bottom.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Pixels,
}

#[derive(Debug, Clone, PartialEq)]
enum Pixels {
    /// sRGB with alpha, 8 bits per channel.
    Bytes(Vec<[u8; 4]>),
    /// sRGB with alpha, 16 bits per channel, so that heights and normals have no steps.
    Words(Vec<[u16; 4]>),
    /// Linear RGB, opaque, high dynamic range.
    Floats(Vec<[f32; 3]>),
}

/// The number of pixels does not match the size, or the size is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an image of {width} x {height} pixels cannot have {pixels}")]
pub struct ImageSizeError {
    width: u32,
    height: u32,
    pixels: usize,
}

impl Image {
    /// An image in sRGB with alpha, 8 bits per channel.
    pub fn bytes(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Result<Self, ImageSizeError> {
        check(width, height, pixels.len())?;
        Ok(Self::new(width, height, Pixels::Bytes(pixels)))
    }

    /// An image in sRGB with alpha, 16 bits per channel.
    pub fn words(width: u32, height: u32, pixels: Vec<[u16; 4]>) -> Result<Self, ImageSizeError> {
        check(width, height, pixels.len())?;
        Ok(Self::new(width, height, Pixels::Words(pixels)))
    }

    /// A linear image of high dynamic range. Negative numbers and NaN become 0.
    pub fn floats(
        width: u32,
        height: u32,
        mut pixels: Vec<[f32; 3]>,
    ) -> Result<Self, ImageSizeError> {
        check(width, height, pixels.len())?;
        for channel in pixels.iter_mut().flatten() {
            // `max` returns the other number for NaN.
            *channel = channel.max(0.0).min(scene::MAX_RADIANCE as f32);
        }
        Ok(Self::new(width, height, Pixels::Floats(pixels)))
    }

    fn new(width: u32, height: u32, pixels: Pixels) -> Self {
        Self { width, height, pixels }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        match &self.pixels {
            Pixels::Bytes(pixels) => size_of_val(pixels.as_slice()),
            Pixels::Words(pixels) => size_of_val(pixels.as_slice()),
            Pixels::Floats(pixels) => size_of_val(pixels.as_slice()),
        }
    }

    /// The stored channels at UV coordinates from 0 to 1, interpolated bilinearly.
    pub fn stored(&self, uv: [f32; 2]) -> [f32; 4] {
        self.at(uv.into(), Wrap::Clamp, true).to_array()
    }

    /// Red, green, blue and alpha, interpolated bilinearly; (0, 0) is the lower left corner of the image,
    /// (1, 1) the upper right one. Colours are converted to linear before, unless `as_stored`.
    pub fn at(&self, uv: Vec2, wrap: Wrap, as_stored: bool) -> Vec4 {
        self.between(uv, [wrap; 2], as_stored)
    }

    /// The radiance of an equirectangular panorama; (0, 0) is its upper left corner, (1, 1) the lower right.
    pub fn panorama(&self, at: Vec2) -> Vec3A {
        let uv = Vec2::new(at.x, 1.0 - at.y);
        Vec3A::from_vec4(self.between(uv, [Wrap::Repeat, Wrap::Clamp], false))
    }

    fn between(&self, uv: Vec2, wraps: [Wrap; 2], as_stored: bool) -> Vec4 {
        let place = |coordinate: f32, size: u32, wrap: Wrap| {
            let within = match wrap {
                Wrap::Repeat => coordinate.rem_euclid(1.0),
                Wrap::Mirror => 1.0 - (coordinate.rem_euclid(2.0) - 1.0).abs(),
                Wrap::Clamp => coordinate.clamp(0.0, 1.0),
            };
            let at = within * size as f32 - 0.5;
            let whole = at.floor();
            let index = |whole: f32| match (whole as i64, wrap) {
                (index, Wrap::Repeat) => index.rem_euclid(i64::from(size)) as u32,
                (index, Wrap::Mirror | Wrap::Clamp) => index.clamp(0, i64::from(size) - 1) as u32,
            };
            (index(whole), index(whole + 1.0), at - whole)
        };
        let (left, right, across) = place(uv.x, self.width, wraps[0]);
        let (upper, lower, down) = place(1.0 - uv.y, self.height, wraps[1]);
        let row = |y| {
            let start = self.texel(left, y, as_stored);
            start + (self.texel(right, y, as_stored) - start) * across
        };
        let start = row(upper);
        start + (row(lower) - start) * down
    }

    /// A pixel, counted from the upper left one.
    pub fn texel(&self, x: u32, y: u32, as_stored: bool) -> Vec4 {
        let at = y as usize * self.width as usize + x as usize;
        match &self.pixels {
            Pixels::Bytes(pixels) => {
                let [red, green, blue, alpha] = pixels[at];
                let opacity = f32::from(alpha) / 255.0;
                if as_stored {
                    return Vec4::new(red.into(), green.into(), blue.into(), 0.0) / 255.0
                        + Vec4::W * opacity;
                }
                let linear = &*LINEAR;
                let [red, green, blue] = [red, green, blue].map(|byte| linear[usize::from(byte)]);
                Vec4::new(red, green, blue, opacity)
            }
            Pixels::Words(pixels) => {
                let stored = Vec4::from_array(pixels[at].map(f32::from)) / f32::from(u16::MAX);
                if as_stored {
                    return stored;
                }
                let [red, green, blue, opacity] = stored.to_array();
                let [red, green, blue] = [red, green, blue].map(linear);
                Vec4::new(red, green, blue, opacity)
            }
            Pixels::Floats(pixels) => {
                let [red, green, blue] = pixels[at];
                Vec4::new(red, green, blue, 1.0)
            }
        }
    }
}

fn check(width: u32, height: u32, pixels: usize) -> Result<(), ImageSizeError> {
    let expected = u64::from(width) * u64::from(height);
    if expected == 0 || expected != pixels as u64 {
        return Err(ImageSizeError { width, height, pixels });
    }
    Ok(())
}

/// The linear value of each byte of sRGB.
static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear(byte as f32 / 255.0)));

/// The linear value of an sRGB channel from 0 to 1. IEC 61966-2-1.
fn linear(encoded: f32) -> f32 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: [u8; 4] = [0, 0, 0, 255];
    const WHITE: [u8; 4] = [255; 4];

    /// White at the left upper corner, else black.
    fn corner() -> Image {
        Image::bytes(2, 2, vec![WHITE, BLACK, BLACK, BLACK]).unwrap()
    }

    #[test]
    fn the_first_row_is_the_upper_one_and_values_between_pixels_are_between() {
        let red = |u, v| corner().at(Vec2::new(u, v), Wrap::Clamp, false).x;
        assert_eq!(red(0.25, 0.75), 1.0);
        assert_eq!(red(0.75, 0.75), 0.0);
        assert_eq!(red(0.25, 0.25), 0.0);
        assert_eq!(red(0.5, 0.75), 0.5);
        assert_eq!(red(0.5, 0.5), 0.25);
    }

    #[test]
    fn what_lies_beyond_the_edges_is_as_asked() {
        let red = |u, wrap| corner().at(Vec2::new(u, 0.75), wrap, false).x;
        for turns in [-3.0, 0.0, 1.0, 1000.0] {
            assert_eq!(red(0.25 + turns, Wrap::Repeat), 1.0, "{turns}");
            assert_eq!(red(0.75 + turns, Wrap::Repeat), 0.0, "{turns}");
        }
        // Half way from the last pixel to the first.
        assert_eq!(red(0.0, Wrap::Repeat), 0.5);
        assert_eq!([-0.25, 0.0, 2.25].map(|u| red(u, Wrap::Mirror)), [1.0; 3]);
        assert_eq!(red(1.25, Wrap::Mirror), 0.0);
        assert_eq!([-7.0, 0.0, 0.25].map(|u| red(u, Wrap::Clamp)), [1.0; 3]);
        assert_eq!(red(7.0, Wrap::Clamp), 0.0);
    }

    #[test]
    fn colours_are_made_linear_and_other_numbers_are_left() {
        let grey = Image::bytes(1, 1, vec![[188, 0, 255, 51]]).unwrap();
        let at = |as_stored| grey.at(Vec2::splat(0.3), Wrap::Repeat, as_stored);
        assert!((at(false) - Vec4::new(0.502_886_5, 0.0, 1.0, 0.2)).length() < 1e-5);
        assert!((at(true) - Vec4::new(188.0 / 255.0, 0.0, 1.0, 0.2)).length() < 1e-6);
    }

    #[test]
    fn two_bytes_mean_the_same_as_one_in_finer_steps() {
        let byte = [188_u8, 0, 255, 51];
        let coarse = Image::bytes(1, 1, vec![byte]).unwrap();
        let same = Image::words(1, 1, vec![byte.map(|byte| u16::from(byte) * 257)]).unwrap();
        for as_stored in [false, true] {
            let at = |image: &Image| image.at(Vec2::splat(0.5), Wrap::Repeat, as_stored);
            assert!((at(&coarse) - at(&same)).abs().max_element() < 1e-6, "{as_stored}");
        }
        let step = Image::words(1, 1, vec![[1, 0, 0, u16::MAX]]).unwrap();
        let red = step.texel(0, 0, true).x;
        assert!((red - 1.0 / 65_535.0).abs() < 1e-9, "{red}");
        assert_eq!(step.memory(), 8);
    }

    #[test]
    fn odd_numbers_do_no_harm() {
        let odd = vec![[f32::NAN, -1.0, f32::INFINITY]];
        let bright = Image::floats(1, 1, odd).unwrap();
        assert_eq!(bright.texel(0, 0, false).to_array(), [0.0, 0.0, 1e9, 1.0]);
        for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
            for odd in [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN, -0.0] {
                assert!(!corner().at(Vec2::splat(odd), wrap, false).x.is_infinite());
            }
        }
        assert!(Image::bytes(2, 2, vec![WHITE; 3]).is_err());
        assert!(Image::floats(0, 2, Vec::new()).is_err());
        assert!(Image::bytes(u32::MAX, u32::MAX, Vec::new()).is_err());
    }
}
