//! Limits on images.

use crate::error::ImageFileError;

/// Limits on the size of a decoded image. A small file may contain a large image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum width and height in pixels.
    pub side: u32,
    /// Maximum number of pixels. A pixel takes 4 bytes with 8 bits per channel, 8 with 16 bits and 12 with
    /// floats, and up to 16 more while it is decoded.
    pub pixels: u64,
}

impl Limits {
    /// Checks a size.
    pub(crate) fn check(&self, width: u32, height: u32) -> Result<(), ImageFileError> {
        let Self { side, pixels } = *self;
        let is_larger = u64::from(width) * u64::from(height) > pixels;
        if width.max(height) > side || is_larger {
            return Err(ImageFileError::TooLarge { width, height, side, pixels });
        }
        Ok(())
    }
}

impl Default for Limits {
    /// 8192 pixels wide or high, 32 million pixels in all: an 8K panorama.
    fn default() -> Self {
        Self { side: 8192, pixels: 1 << 25 }
    }
}
