//! How much is read of an image file.

use crate::error::ImageFileError;

/// How much is read of a file at most: a file may be small and mean much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Pixels of the longer side.
    pub side: u32,
    /// Pixels in all. Each takes 4 bytes of an ordinary picture, 8 of one of 16 bits a channel and 12 of
    /// one of any brightness,
    /// and, while it is read, up to 16 more.
    pub pixels: u64,
}

impl Limits {
    /// Whether an image of this size is read.
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
    /// 8192 on a side and 32 million pixels in all: an 8K panorama.
    fn default() -> Self {
        Self { side: 8192, pixels: 1 << 25 }
    }
}
