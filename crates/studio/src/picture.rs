//! Encoding pictures.

use std::io::Cursor;

use exr::prelude::{AnyChannel, AnyChannels, FlatSamples, SmallVec, WritableImage};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};
use tracer::{Aovs, LinearImage, ToneMap, WhiteBalance, bloom, to_srgb8};

use crate::look::luminance;

/// A file format for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lossless, 8 bit.
    Png,
    /// Quality 85, 8 bit.
    Jpeg,
    /// Lossless WebP, 8 bit.
    WebP,
    /// Linear, 32-bit float, unclamped, no tone mapping.
    Exr,
}

/// An encoding error.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the picture could not be encoded as {format:?}: {reason}")]
pub struct EncodeError {
    format: Format,
    reason: String,
}

/// The JPEG quality: previews are sharp at a tenth of PNG's size.
const JPEG_QUALITY: u8 = 85;

/// The longest side of a picture attached by the user, in pixels.
const MAX_ATTACHED_SIDE: u32 = 8192;

/// Validates an attached picture of the given media type by its header; returns its width and
/// height in pixels.
pub fn check_attachment(mime_type: &str, bytes: &[u8]) -> Result<(u32, u32), String> {
    let named = image::ImageFormat::from_mime_type(mime_type);
    let accepted = [image::ImageFormat::Png, image::ImageFormat::Jpeg, image::ImageFormat::WebP];
    let Some(named) = named.filter(|format| accepted.contains(format)) else {
        return Err("mime_type must be one of image/png, image/jpeg, image/webp".into());
    };
    let reader = image::ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let reader = reader.map_err(|error| error.to_string())?;
    if reader.format() != Some(named) {
        return Err(format!("data is not a file of type {mime_type}"));
    }
    let (width, height) = reader
        .into_dimensions()
        .map_err(|error| format!("data is not a whole picture: {error}"))?;
    if width.max(height) > MAX_ATTACHED_SIDE {
        return Err(format!(
            "the picture may have at most {MAX_ATTACHED_SIDE} pixels a side, got {width} x {height}"
        ));
    }
    Ok((width, height))
}

/// The largest absolute exposure in stops.
pub const MAX_EXPOSURE: f32 = 20.0;

/// Display settings: how radiance becomes colours of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Display {
    /// The tone mapping.
    pub tone_map: ToneMap,
    /// Exposure in stops, within ±[`MAX_EXPOSURE`].
    pub exposure: f32,
    /// White balance: the colour temperature in kelvin that looks white, within
    /// [`WhiteBalance::TEMPERATURES`]; `None` for no change.
    pub white_balance: Option<f32>,
    /// Bloom: the share of light that is spread around bright areas, from 0 to 1.
    pub bloom: f32,
}

impl Display {
    /// How a picture of `scene` is shown: with the exposure of its camera.
    pub fn of(scene: &scene::Scene) -> Self {
        Self { exposure: scene.camera.exposure.get() as f32, ..Self::default() }
    }

    /// The picture as 8-bit sRGB.
    pub(crate) fn shown(self, image: &LinearImage) -> Vec<u8> {
        if self.bloom > 0.0 {
            return Self { bloom: 0.0, ..self }.shown(&bloom(image, self.bloom));
        }
        if let Some(kelvin) = self.white_balance {
            let balanced = WhiteBalance::of_temperature(kelvin).balanced(image);
            return Self { white_balance: None, ..self }.shown(&balanced);
        }
        if self.exposure == 0.0 {
            return to_srgb8(image, self.tone_map);
        }
        to_srgb8(&exposed(image, self.exposure), self.tone_map)
    }
}

/// The picture brightened by `stops`.
pub(crate) fn exposed(image: &LinearImage, stops: f32) -> LinearImage {
    let factor = stops.exp2();
    let pixels = image.pixels.iter().map(|pixel| pixel.map(|channel| channel * factor));
    LinearImage { pixels: pixels.collect(), ..*image }
}

/// The automatic exposure in stops: it maps the geometric mean of the luminance, without black
/// pixels and lights, to middle grey. `None` if there are no other pixels.
pub(crate) fn automatic_exposure(image: &LinearImage) -> Option<f32> {
    /// The luminance of middle grey, and the range of pixels that count.
    const MIDDLE_GREY: f32 = 0.18;
    const COUNTS: std::ops::Range<f32> = 1e-4..20.0;
    let levels = image.pixels.iter().map(|pixel| luminance(*pixel));
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    for level in levels.filter(|level| COUNTS.contains(level)) {
        sum += f64::from(level.log2());
        count += 1;
    }
    let stops = f64::from(MIDDLE_GREY.log2()) - sum / f64::from(count.max(1));
    (count > 0).then_some(stops as f32)
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::WebP, Self::Exr];

    /// The media type.
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Exr => "image/x-exr",
        }
    }

    /// The format of files that end in `extension` (without the dot, any case).
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "webp" => Some(Self::WebP),
            "exr" => Some(Self::Exr),
            _ => None,
        }
    }

    /// Encodes `image`. All formats but EXR are exposed and tone mapped.
    pub fn encode(self, image: &LinearImage, display: Display) -> Result<Vec<u8>, EncodeError> {
        match self {
            Self::Exr => encode_linear(image),
            _ => self.encode_shown(&display.shown(image), [image.width, image.height]),
        }
    }

    /// Encodes a picture that is multiplied by `opacity`, from 0 to 1 for each pixel. Only EXR keeps
    /// it so; the others have the colours of what is opaque. JPEG is not supported.
    pub(crate) fn encode_transparent(
        self,
        image: &LinearImage,
        opacity: &[f32],
        display: Display,
    ) -> Result<Vec<u8>, EncodeError> {
        if self == Self::Exr {
            let color = planes(["R", "G", "B"], image).into_iter();
            return encode_channels(image, color.chain([opacity_channel(opacity)]).collect());
        }
        let pixels = image.pixels.iter().zip(opacity).map(|(pixel, opacity)| {
            let whole = if *opacity > 0.0 { opacity.recip() } else { 0.0 };
            pixel.map(|channel| channel * whole)
        });
        let shown = display.shown(&LinearImage { pixels: pixels.collect(), ..*image });
        let rgba = shown
            .chunks_exact(3)
            .zip(opacity)
            .flat_map(|(rgb, opacity)| [rgb[0], rgb[1], rgb[2], (opacity * 255.0).round() as u8]);
        let rgba: Vec<u8> = rgba.collect();
        self.encode_pixels(&rgba, [image.width, image.height], ExtendedColorType::Rgba8)
    }

    /// Encodes sRGB pixels of three bytes, row by row from the top left. EXR is not supported,
    /// since it is linear.
    pub(crate) fn encode_shown(self, rgb: &[u8], size: [u32; 2]) -> Result<Vec<u8>, EncodeError> {
        self.encode_pixels(rgb, size, ExtendedColorType::Rgb8)
    }

    fn encode_pixels(
        self,
        pixels: &[u8],
        [width, height]: [u32; 2],
        color: ExtendedColorType,
    ) -> Result<Vec<u8>, EncodeError> {
        let failed = |reason: String| EncodeError { format: self, reason };
        let mut bytes = Vec::new();
        match self {
            Self::Png => PngEncoder::new_with_quality(
                &mut bytes,
                CompressionType::Default,
                FilterType::Adaptive,
            )
            .write_image(pixels, width, height, color)
            .map_err(|error| failed(error.to_string()))?,
            Self::WebP => WebPEncoder::new_lossless(&mut bytes)
                .write_image(pixels, width, height, color)
                .map_err(|error| failed(error.to_string()))?,
            Self::Jpeg if color == ExtendedColorType::Rgba8 => {
                return Err(failed("it has no transparency".to_owned()));
            }
            Self::Jpeg => {
                let side =
                    |side: u32| u16::try_from(side).map_err(|error| failed(error.to_string()));
                jpeg_encoder::Encoder::new(&mut bytes, JPEG_QUALITY)
                    .encode(pixels, side(width)?, side(height)?, jpeg_encoder::ColorType::Rgb)
                    .map_err(|error| failed(error.to_string()))?;
            }
            Self::Exr => return Err(failed("it holds linear light".to_owned())),
        }
        Ok(bytes)
    }
}

/// With tiles in their order: the default writes each as soon as it is compressed, on several threads, so that the
/// same picture would be another file each time.
const EXR_ENCODING: exr::image::Encoding = exr::image::Encoding {
    line_order: exr::meta::attribute::LineOrder::Increasing,
    ..exr::image::Encoding::FAST_LOSSLESS
};

fn encode_linear(image: &LinearImage) -> Result<Vec<u8>, EncodeError> {
    let pixel = |at: exr::math::Vec2<usize>| {
        let [red, green, blue] = image.pixels[at.y() * image.width as usize + at.x()];
        (red, green, blue)
    };
    let mut bytes = Vec::new();
    exr::image::Image::from_encoded_channels(
        (image.width as usize, image.height as usize),
        EXR_ENCODING,
        exr::image::SpecificChannels::rgb(pixel),
    )
    .write()
    .to_buffered(Cursor::new(&mut bytes))
    .map_err(|error| EncodeError { format: Format::Exr, reason: error.to_string() })?;
    Ok(bytes)
}

/// Encodes `image` as EXR with the layers `albedo` (R, G, B), `normal` (X, Y, Z), `depth` (Z) and
/// `object` (id: 0 for the sky, otherwise the index in the document plus 1, shapes first, then
/// lights), and its opacity (A) if there is one.
pub(crate) fn encode_layers(
    image: &LinearImage,
    opacity: Option<&[f32]>,
    aovs: &Aovs,
) -> Result<Vec<u8>, EncodeError> {
    let objects = aovs.object.iter().map(|object| object.map_or(0, |place| place + 1)).collect();
    let channels = planes(["R", "G", "B"], image)
        .into_iter()
        .chain(opacity.map(opacity_channel))
        .chain(planes(["albedo.R", "albedo.G", "albedo.B"], &aovs.albedo))
        .chain(planes(["normal.X", "normal.Y", "normal.Z"], &aovs.normal))
        .chain([
            AnyChannel::new("depth.Z", FlatSamples::F32(aovs.depth.clone())),
            AnyChannel::new("object.id", FlatSamples::U32(objects)),
        ]);
    encode_channels(image, channels.collect())
}

fn planes(names: [&str; 3], image: &LinearImage) -> [AnyChannel<FlatSamples>; 3] {
    std::array::from_fn(|at| {
        let plane = image.pixels.iter().map(|pixel| pixel[at]).collect();
        AnyChannel::new(names[at], FlatSamples::F32(plane))
    })
}

fn opacity_channel(opacity: &[f32]) -> AnyChannel<FlatSamples> {
    AnyChannel::new("A", FlatSamples::F32(opacity.to_vec()))
}

fn encode_channels(
    image: &LinearImage,
    channels: SmallVec<[AnyChannel<FlatSamples>; 4]>,
) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    exr::image::Image::from_encoded_channels(
        (image.width as usize, image.height as usize),
        EXR_ENCODING,
        AnyChannels::sort(channels),
    )
    .write()
    .to_buffered(Cursor::new(&mut bytes))
    .map_err(|error| EncodeError { format: Format::Exr, reason: error.to_string() })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_picture_is_the_same_file() {
        let (width, height) = (400, 300);
        let pixels = (0..width * height).map(|at| [at as f32, (at % 7) as f32, 0.5]).collect();
        let image = LinearImage { width, height, pixels };
        let first = encode_linear(&image).unwrap();
        for _ in 0..20 {
            assert!(encode_linear(&image).unwrap() == first);
        }
    }

    #[test]
    fn a_stop_of_exposure_doubles_the_light_on_screens_only() {
        let even = |value: f32| LinearImage { width: 2, height: 1, pixels: vec![[value; 3]; 2] };
        for tone_map in [ToneMap::AgX, ToneMap::Neutral, ToneMap::Srgb] {
            let plain = Display { tone_map, ..Display::default() };
            let (twice, half) =
                (Display { exposure: 1.0, ..plain }, Display { exposure: -1.0, ..plain });
            let png = |image: &LinearImage, display| Format::Png.encode(image, display).unwrap();
            assert_eq!(png(&even(0.1), twice), png(&even(0.2), plain));
            assert_eq!(png(&even(0.1), half), png(&even(0.05), plain));
            assert_ne!(png(&even(0.1), twice), png(&even(0.1), plain));
            let exr = |display| Format::Exr.encode(&even(0.1), display).unwrap();
            assert_eq!(exr(twice), exr(plain));
            let balanced = Display { white_balance: Some(3000.0), ..plain };
            assert_ne!(png(&even(0.1), balanced), png(&even(0.1), plain));
            assert_eq!(exr(balanced), exr(plain));
            let (width, height) = (64, 64);
            let mut lamp = LinearImage { width, height, pixels: vec![[0.01; 3]; 64 * 64] };
            lamp.pixels[32 * 64 + 32] = [30.0; 3];
            let glowing = Display { bloom: 0.2, ..plain };
            assert_ne!(png(&lamp, glowing), png(&lamp, plain));
            assert_eq!(Format::Exr.encode(&lamp, glowing), Format::Exr.encode(&lamp, plain));
        }
    }
}
