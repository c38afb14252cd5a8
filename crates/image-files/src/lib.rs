//! Reads images for textures and surroundings from the bytes of PNG, JPEG, WebP, Radiance HDR and
//! OpenEXR files. Does no I/O.
//!
//! What a file says of its size is checked against [`Limits`] before anything is allocated for it.

mod format;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use image::{DynamicImage, ImageDecoder, ImageReader};
use tracer::Texels;

pub use format::Format;

/// How much is read of a file at most: a file may be small and mean much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Pixels of the longer side.
    pub side: u32,
    /// Pixels in all. Each takes 4 bytes of an ordinary picture and 12 of one of any brightness,
    /// and, while it is read, up to 16 more.
    pub pixels: u64,
}

impl Default for Limits {
    /// 8192 on a side and 32 million pixels in all: an 8K panorama.
    fn default() -> Self {
        Self { side: 8192, pixels: 1 << 25 }
    }
}

/// What is wrong with an image file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageFault {
    /// It is larger than what is read.
    #[error(
        "the image has {width} x {height} pixels; at most {side} on a side and {pixels} in all are read"
    )]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// See [`Limits`].
        side: u32,
        /// See [`Limits`].
        pixels: u64,
    },
    /// It breaks the rules of its format.
    #[error("{0}")]
    Malformed(String),
}

impl ImageFault {
    fn malformed(what: impl std::fmt::Display) -> Self {
        /// The messages of the libraries may quote the file.
        const LONGEST: usize = 300;
        let text: String = what.to_string().chars().take(LONGEST).collect();
        Self::Malformed(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Reads an image: ordinary pictures as bytes of sRGB, HDR and EXR as linear numbers of any
/// brightness.
pub fn read(bytes: &[u8], format: Format, limits: &Limits) -> Result<Texels, ImageFault> {
    // Damaged files make some of the libraries panic: that is a fault of the file. Nothing that was
    // read by then is used any more.
    catch_unwind(AssertUnwindSafe(|| decode(bytes, format, limits)))
        .unwrap_or_else(|_| Err(ImageFault::malformed("the file is damaged beyond reading")))
}

fn decode(bytes: &[u8], format: Format, limits: &Limits) -> Result<Texels, ImageFault> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format.of_library());
    let mut room = image::Limits::default();
    // What the largest image takes in its widest form, and as much again to work with.
    room.max_alloc = Some(limits.pixels.saturating_mul(32));
    reader.limits(room);
    let decoder = reader.into_decoder().map_err(ImageFault::malformed)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > limits.side || pixels > limits.pixels {
        let Limits { side, pixels } = *limits;
        return Err(ImageFault::TooLarge { width, height, side, pixels });
    }
    let image = DynamicImage::from_decoder(decoder).map_err(ImageFault::malformed)?;
    let texels = if format.is_linear() {
        let pixels = image.into_rgb32f().into_raw();
        Texels::floats(width, height, pixels.as_chunks().0.to_vec())
    } else {
        let pixels = image.into_rgba8().into_raw();
        Texels::bytes(width, height, pixels.as_chunks().0.to_vec())
    };
    texels.map_err(ImageFault::malformed)
}
