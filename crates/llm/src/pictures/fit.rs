//! Scaling of pictures to a model's limits.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};
use serde_json::Value;

use super::{PictureEdit, change_pictures, pictures_of};
use crate::content::Content;
use crate::digest::digest;
use crate::registry::PictureLimits;

/// The longest side of sent pictures, in pixels: no provider uses more, and some refuse more.
pub(crate) const MAX_SIDE: u32 = 2_000;

/// The longest side of decodable pictures, in pixels.
const MAX_DECODED_SIDE: u32 = 16_384;
/// The memory limit of decoding one picture, in bytes.
const MAX_DECODED_BYTES: u64 = 256 << 20;

/// The characters of base64 to decode first, to find the size in a picture's header.
const HEADER_CHARS: usize = 16_384;

/// The number of cached pictures: those of some conversations, a few hundred kilobytes each.
const MAX_CACHED: usize = 64;

/// The note in place of a picture that is too large and cannot be scaled.
const TOO_LARGE: &str = "[A picture, left out: it is too large for this model.]";

/// A picture file in a format that every provider accepts.
#[derive(Debug, PartialEq)]
pub struct FittedPicture<'a> {
    /// `image/png`, `image/jpeg` or `image/webp`.
    pub mime_type: &'static str,
    /// The file.
    pub bytes: Cow<'a, [u8]>,
}

/// Scales the picture file `bytes` to at most `max_side` pixels on its longer side and at most
/// `max_bytes` bytes. Small PNG, JPEG and WebP files stay as they are, whatever their declared
/// type; others become JPEG. Decodes the whole picture. The error says why that fails.
pub fn fit_picture(
    bytes: &[u8],
    max_side: u32,
    max_bytes: usize,
) -> Result<FittedPicture<'_>, String> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_DECODED_SIDE);
    limits.max_image_height = Some(MAX_DECODED_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|error| error.to_string())?;
    let format = reader.format();
    reader.limits(limits.clone());
    let unreadable = |error| format!("it cannot be read: {error}");
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    limits.reserve(decoder.total_bytes()).map_err(unreadable)?;
    decoder.set_limits(limits).map_err(unreadable)?;
    let orientation = decoder.orientation().map_err(unreadable)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    let kind = match format {
        Some(ImageFormat::Png) => Some("image/png"),
        Some(ImageFormat::Jpeg) => Some("image/jpeg"),
        Some(ImageFormat::WebP) => Some("image/webp"),
        _ => None,
    };
    let is_small = picture.width().max(picture.height()) <= max_side && bytes.len() <= max_bytes;
    if let Some(mime_type) = kind.filter(|_| is_small) {
        return Ok(FittedPicture { mime_type, bytes: Cow::Borrowed(bytes) });
    }
    // The new file has no orientation tag.
    picture.apply_orientation(orientation);
    let mut side = max_side;
    while side > 0 {
        let fits = picture.width().max(picture.height()) <= side;
        let scaled =
            if fits { on_white(&picture) } else { on_white(&picture.thumbnail(side, side)) };
        let mut jpeg = Vec::new();
        scaled
            .write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, 85))
            .map_err(|error| format!("it cannot be scaled: {error}"))?;
        // Noise does not compress, but a small enough picture fits anyway.
        if jpeg.len() <= max_bytes {
            return Ok(FittedPicture { mime_type: "image/jpeg", bytes: Cow::Owned(jpeg) });
        }
        side = side * 2 / 3;
    }
    Err("it cannot be made small enough".into())
}

/// The picture on a white background, since JPEG has no transparency.
fn on_white(picture: &DynamicImage) -> RgbImage {
    let picture = picture.to_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [r, g, b, a] = picture.get_pixel(x, y).0.map(u32::from);
        let over = |channel: u32| ((channel * a + 255 * (255 - a)) / 255) as u8;
        Rgb([over(r), over(g), over(b)])
    })
}

/// The limits of one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size {
    side: u32,
    bytes: usize,
}

impl Size {
    fn of(limits: PictureLimits) -> Self {
        let bytes = limits.max_bytes.and_then(|bytes| usize::try_from(bytes).ok());
        Self {
            side: limits.max_side.map_or(MAX_SIDE, |side| side.min(MAX_SIDE)),
            bytes: bytes.unwrap_or(usize::MAX),
        }
    }

    /// Whether the picture `data`, in base64, is within the limits. A picture of an unknown format
    /// is left to the provider unless it has too many bytes.
    fn holds(self, data: &str) -> bool {
        if data.len() / 4 * 3 > self.bytes {
            return false;
        }
        side(data).is_none_or(|side| side <= self.side)
    }
}

/// The longer side of a picture in base64, in pixels.
fn side(data: &str) -> Option<u32> {
    let side = |base64: &[u8]| {
        let bytes = STANDARD.decode(base64).ok()?;
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
        let (width, height) = reader.into_dimensions().ok()?;
        Some(width.max(height))
    };
    // Camera files have long metadata before the size.
    let header = data.as_bytes().get(..HEADER_CHARS).and_then(side);
    header.or_else(|| side(data.as_bytes()))
}

/// The replacement of a picture that is too large, or `None` if there is none.
type Fitted = Option<Arc<Value>>;

/// Scales pictures of requests, and caches the results, since the next request of a conversation
/// contains the same pictures.
#[derive(Debug, Default)]
pub(crate) struct PictureFitter {
    /// By digest of the picture, the oldest first. The lock is shared by sessions and held for a
    /// lookup.
    kept: Mutex<VecDeque<(u64, Size, Fitted)>>,
}

impl PictureFitter {
    /// `contents` with the pictures of users and tools scaled to `limits`. The result for a picture
    /// is always the same.
    pub(crate) async fn fit(&self, contents: Vec<Content>, limits: PictureLimits) -> Vec<Content> {
        let size = Size::of(limits);
        let is_large = |data: &Value| {
            let is_picture =
                data["mimeType"].as_str().is_some_and(|kind| kind.starts_with("image/"));
            is_picture && data["data"].as_str().is_some_and(|data| !size.holds(data))
        };
        let large: Vec<Value> = pictures_of(&contents).filter(|it| is_large(it)).cloned().collect();
        if large.is_empty() {
            return contents;
        }
        let mut fitted = VecDeque::with_capacity(large.len());
        for data in large {
            fitted.push_back(self.fitted(data, size).await);
        }
        change_pictures(contents, |data| match is_large(data) {
            false => PictureEdit::Keep,
            true => match fitted.pop_front().flatten() {
                Some(smaller) => PictureEdit::Replace((*smaller).clone()),
                None => PictureEdit::Note(TOO_LARGE),
            },
        })
    }

    async fn fitted(&self, data: Value, size: Size) -> Fitted {
        let key = digest([data["data"].as_str().unwrap_or_default()]);
        let known = |(of, for_size, _): &&(u64, Size, Fitted)| *of == key && *for_size == size;
        if let Some((_, _, fitted)) = self.kept().iter().find(known) {
            return fitted.clone();
        }
        // Decoding takes a while.
        let scaled = tokio::task::spawn_blocking(move || scaled(data, size)).await;
        let fitted = scaled.ok().flatten().map(Arc::new);
        let mut kept = self.kept();
        kept.push_back((key, size, fitted.clone()));
        if kept.len() > MAX_CACHED {
            kept.pop_front();
        }
        fitted
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(u64, Size, Fitted)>> {
        // A panic elsewhere cannot leave the list inconsistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The `inlineData` of a scaled picture; `None` if scaling fails.
fn scaled(mut data: Value, size: Size) -> Option<Value> {
    let bytes = STANDARD.decode(data["data"].as_str()?).ok()?;
    let fitted = fit_picture(&bytes, size.side, size.bytes).ok()?;
    data["mimeType"] = fitted.mime_type.into();
    data["data"] = STANDARD.encode(&fitted.bytes).into();
    Some(data)
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use serde_json::json;

    use super::*;
    use crate::content::Part;

    /// A picture of noise, which does not compress, in base64.
    fn png(width: u32, height: u32) -> String {
        let mut state = 1_u32;
        let picture = image::RgbaImage::from_fn(width, height, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [r, g, b, _] = state.to_be_bytes();
            Rgba([r, g, b, 255])
        });
        let mut bytes = Vec::new();
        picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        STANDARD.encode(bytes)
    }

    fn history(pictures: [&str; 2]) -> Vec<Content> {
        let mut first = Content::user("like this");
        first.parts.push(Part::inline_data("image/png", pictures[0]));
        let inside = vec![Part::inline_data("image/png", pictures[1])];
        let result = Part::response(Some("a"), "look", json!({ "success": true }), inside);
        let call = Part::call(Some("a"), "look", json!({}));
        vec![first, Content::model(vec![call]), Content::function(vec![result])]
    }

    fn sizes(contents: &[Content]) -> Vec<(u32, u32, usize)> {
        let read = |data: &Value| {
            let bytes = STANDARD.decode(data["data"].as_str().unwrap()).unwrap();
            let picture = image::load_from_memory(&bytes).unwrap();
            (picture.width(), picture.height(), bytes.len())
        };
        pictures_of(contents).map(read).collect()
    }

    #[tokio::test]
    async fn large_pictures_are_scaled_and_always_to_the_same_bytes() {
        let fitter = PictureFitter::default();
        let (small, large) = (png(30, 20), png(40, 3_000));
        let whole = history([&small, &large]);
        let fitted = fitter.fit(whole.clone(), PictureLimits::UNKNOWN).await;
        let sides: Vec<(u32, u32)> = sizes(&fitted).iter().map(|(w, h, _)| (*w, *h)).collect();
        assert_eq!(sides, [(30, 20), (27, 2_000)]);
        assert_eq!(fitted[..2], whole[..2]);
        assert_eq!(crate::history_errors(&fitted), Vec::<String>::new());
        assert_eq!(fitter.fit(whole.clone(), PictureLimits::UNKNOWN).await, fitted);
        let other = PictureFitter::default();
        assert_eq!(other.fit(whole, PictureLimits::UNKNOWN).await, fitted);
    }

    #[tokio::test]
    async fn pictures_have_no_more_bytes_than_a_provider_takes() {
        let limits =
            PictureLimits { max_side: Some(100), max_bytes: Some(4_000), ..PictureLimits::UNKNOWN };
        let whole = history([&png(90, 90), &png(20, 20)]);
        let fitted = PictureFitter::default().fit(whole.clone(), limits).await;
        for (width, height, bytes) in sizes(&fitted) {
            assert!(width.max(height) <= 100 && bytes <= 4_000, "{width} x {height}, {bytes}");
        }
        assert_ne!(fitted[0], whole[0]);
        assert_eq!(fitted[1..], whole[1..]);
        // An unknown format is removed if it has too many bytes, and sent otherwise.
        let (long, short) = ("x".repeat(8_000), "AAAA");
        let fitted = PictureFitter::default().fit(history([&long, short]), limits).await;
        assert_eq!(fitted[0].parts[1], Part::text(TOO_LARGE));
        assert_eq!(pictures_of(&fitted).count(), 1);
    }

    #[test]
    fn what_is_transparent_stands_on_white() {
        let clear = image::RgbaImage::from_pixel(300, 300, Rgba([0, 0, 0, 0]));
        let mut bytes = Vec::new();
        clear.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        let fitted = fit_picture(&bytes, 100, 100_000).unwrap();
        assert_eq!(fitted.mime_type, "image/jpeg");
        let pixel = image::load_from_memory(&fitted.bytes).unwrap().to_rgb8().get_pixel(50, 50).0;
        assert!(pixel.iter().all(|channel| *channel > 250), "{pixel:?}");
        assert!(fit_picture(b"GIF89a", 100, 100).is_err());
    }
}
