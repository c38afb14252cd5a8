//! Decodes PNG, JPEG, WebP, Radiance HDR and OpenEXR images for textures and environments, and encodes
//! PNG. Does no I/O.
//!
//! The size that a file states is checked against [`Limits`] before memory is allocated for it.

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

/// Bytes that decoders may allocate besides the pixels.
const SPARE: u64 = 1 << 22;

/// Decodes an image: HDR and EXR as linear floats, all others as sRGB with the 8 or 16 bits per channel
/// that they have.
pub fn read(bytes: &[u8], format: Format, limits: &Limits) -> Result<Image, ImageFileError> {
    // Some decoders panic on damaged files, which is an error of the file. Their state is dropped.
    catch_unwind(AssertUnwindSafe(|| decode(bytes, format, limits)))
        .unwrap_or_else(|_| Err(ImageFileError::malformed("the file is damaged beyond reading")))
}

/// Encodes RGBA pixels as PNG, without alpha if all of them are opaque. Rows go from top to bottom. The
/// result is empty if the number of pixels does not match `size`.
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
    // Writing to memory does not fail.
    if written.is_some_and(|written| written.is_ok()) { bytes.into_inner() } else { Vec::new() }
}

fn decode(bytes: &[u8], format: Format, limits: &Limits) -> Result<Image, ImageFileError> {
    let bytes = bombs::defused(bytes, format, limits)?;
    let mut reader = ImageReader::with_format(Cursor::new(&*bytes), format.of_library());
    let mut allocation = image::Limits::default();
    // The largest image at 16 bytes per pixel, twice.
    allocation.max_alloc = Some(limits.pixels.saturating_mul(32));
    reader.limits(allocation);
    let mut decoder = reader.into_decoder().map_err(ImageFileError::malformed)?;
    let (width, height) = decoder.dimensions();
    limits.check(width, height)?;
    bombs::check_packing(bytes.len(), format, [width, height])?;
    let mut allocation = image::Limits::default();
    // 16 bytes per pixel, twice.
    let pixels = u64::from(width) * u64::from(height);
    allocation.max_alloc = Some(pixels.saturating_mul(32).saturating_add(SPARE));
    decoder.set_limits(allocation).map_err(ImageFileError::malformed)?;
    let image = DynamicImage::from_decoder(decoder).map_err(ImageFileError::malformed)?;
    let texels = if format.is_linear() {
        let pixels = image.into_rgb32f().into_raw();
        Image::floats(width, height, pixels.as_chunks().0.to_vec())
    } else if image.color().bytes_per_pixel() == 2 * image.color().channel_count() {
        // With 8 bits per channel heights and normals would have steps.
        let pixels = image.into_rgba16().into_raw();
        Image::words(width, height, pixels.as_chunks().0.to_vec())
    } else {
        let pixels = image.into_rgba8().into_raw();
        Image::bytes(width, height, pixels.as_chunks().0.to_vec())
    };
    texels.map_err(ImageFileError::malformed)
}
