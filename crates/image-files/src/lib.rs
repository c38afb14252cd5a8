//! Reads images for textures and surroundings from the bytes of PNG, JPEG, WebP, Radiance HDR and
//! OpenEXR files. Does no I/O.
//!
//! What a file says of its size is checked against [`Limits`] before anything is allocated for it.

mod bombs;
mod error;
mod format;
mod limits;

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use image::{DynamicImage, ImageDecoder, ImageReader};
use media::Image;

pub use error::ImageFileError;
pub use format::Format;
pub use limits::Limits;

/// Bytes that decoders may take besides what the pixels need.
const SPARE: u64 = 1 << 22;

/// Reads an image: ordinary pictures as sRGB of 8 bits a channel, or 16 where they have them, HDR and EXR as linear numbers of any
/// brightness.
pub fn read(bytes: &[u8], format: Format, limits: &Limits) -> Result<Image, ImageFileError> {
    // Damaged files make some of the libraries panic: that is a error of the file. Nothing that was
    // read by then is used any more.
    catch_unwind(AssertUnwindSafe(|| decode(bytes, format, limits)))
        .unwrap_or_else(|_| Err(ImageFileError::malformed("the file is damaged beyond reading")))
}

/// Writes a picture of red, green, blue and opacity, rows from the top, as PNG: without the opacity
/// where all of it is opaque. `pixels` are as many as `size` says, across times down; nothing is
/// written of others.
pub fn write_png(size: [u32; 2], pixels: &[[u8; 4]]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let [width, height] = size;
    let opaque = pixels.iter().all(|pixel| pixel[3] == u8::MAX);
    let written = if opaque {
        let colors = pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]);
        image::RgbImage::from_raw(width, height, colors.collect())
            .map(|image| image.write_to(&mut bytes, image::ImageFormat::Png))
    } else {
        image::RgbaImage::from_raw(width, height, pixels.as_flattened().to_vec())
            .map(|image| image.write_to(&mut bytes, image::ImageFormat::Png))
    };
    // Memory takes all that is written.
    if written.is_some_and(|written| written.is_ok()) { bytes.into_inner() } else { Vec::new() }
}

fn decode(bytes: &[u8], format: Format, limits: &Limits) -> Result<Image, ImageFileError> {
    let bytes = bombs::defused(bytes, format, limits)?;
    let mut reader = ImageReader::with_format(Cursor::new(&*bytes), format.of_library());
    let mut room = image::Limits::default();
    // What the largest image takes in its widest form, and as much again to work with.
    room.max_alloc = Some(limits.pixels.saturating_mul(32));
    reader.limits(room);
    let mut decoder = reader.into_decoder().map_err(ImageFileError::malformed)?;
    let (width, height) = decoder.dimensions();
    limits.check(width, height)?;
    bombs::check_packing(bytes.len(), format, [width, height])?;
    let mut room = image::Limits::default();
    // Each pixel in its widest form, once and to work with.
    let pixels = u64::from(width) * u64::from(height);
    room.max_alloc = Some(pixels.saturating_mul(32).saturating_add(SPARE));
    decoder.set_limits(room).map_err(ImageFileError::malformed)?;
    let image = DynamicImage::from_decoder(decoder).map_err(ImageFileError::malformed)?;
    let texels = if format.is_linear() {
        let pixels = image.into_rgb32f().into_raw();
        Image::floats(width, height, pixels.as_chunks().0.to_vec())
    } else if image.color().bytes_per_pixel() == 2 * image.color().channel_count() {
        // Heights and normals of 16 bits a channel would have steps otherwise.
        let pixels = image.into_rgba16().into_raw();
        Image::words(width, height, pixels.as_chunks().0.to_vec())
    } else {
        let pixels = image.into_rgba8().into_raw();
        Image::bytes(width, height, pixels.as_chunks().0.to_vec())
    };
    texels.map_err(ImageFileError::malformed)
}
