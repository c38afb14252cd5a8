//! Pictures for clients, most of which count a picture's base64 as text.

use std::io::Cursor;

use agent::ToolOutput;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;

/// How large a picture may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The longer side in pixels.
    pub(crate) side: u32,
    /// The bytes of the file.
    pub(crate) bytes: usize,
}

/// Without a size in the call.
pub(crate) const BRIEF: Bounds = Bounds { side: 512, bytes: 40_000 };
/// With a size in the call, and for resources: clients take results of up to a megabyte.
pub(crate) const LARGE: Bounds = Bounds { side: 1_600, bytes: 600_000 };

/// A picture as clients get it.
pub(crate) struct Picture {
    /// In base64.
    pub(crate) data: String,
    pub(crate) mime_type: String,
}

/// The pictures of a result, each within `bounds`.
pub(crate) fn of(output: &ToolOutput, bounds: Bounds) -> Vec<Picture> {
    let parts = output.pictures.iter();
    parts
        .filter_map(|part| {
            let data = part.raw().get("inlineData")?;
            let (base64, mime_type) = (data["data"].as_str()?, data["mimeType"].as_str()?);
            let file = STANDARD.decode(base64).ok()?;
            Some(match fitted(&file, bounds) {
                None => Picture { data: base64.to_owned(), mime_type: mime_type.to_owned() },
                Some(jpeg) => {
                    Picture { data: STANDARD.encode(jpeg), mime_type: "image/jpeg".to_owned() }
                }
            })
        })
        .collect()
}

/// The picture as a JPEG within `bounds`; `None` if it is within them already.
fn fitted(file: &[u8], bounds: Bounds) -> Option<Vec<u8>> {
    const QUALITIES: [u8; 4] = [85, 75, 62, 50];
    let picture = image::load_from_memory(file).ok()?;
    let longest = picture.width().max(picture.height());
    if longest <= bounds.side && file.len() <= bounds.bytes {
        return None;
    }
    let mut side = bounds.side.min(longest);
    loop {
        let small = picture.resize(side, side, FilterType::CatmullRom).to_rgb8();
        for quality in QUALITIES {
            let mut jpeg = Vec::new();
            let encoder = JpegEncoder::new_with_quality(Cursor::new(&mut jpeg), quality);
            small.write_with_encoder(encoder).ok()?;
            // A picture of a few pixels is within any bounds.
            if jpeg.len() <= bounds.bytes || side <= 64 {
                return Some(jpeg);
            }
        }
        side = side * 4 / 5;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(side: u32) -> Vec<u8> {
        // Every pixel differs from its neighbours: the worst case for a JPEG.
        let picture = image::RgbImage::from_fn(side, side, |x, y| {
            let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).to_le_bytes();
            image::Rgb([mixed[0], mixed[1], mixed[2]])
        });
        let mut file = Vec::new();
        picture.write_to(&mut Cursor::new(&mut file), image::ImageFormat::Png).unwrap();
        file
    }

    #[test]
    fn pictures_are_made_to_fit_whatever_they_show() {
        let jpeg = fitted(&noise(900), BRIEF).unwrap();
        assert!(jpeg.len() <= BRIEF.bytes, "{}", jpeg.len());
        let read = image::load_from_memory(&jpeg).unwrap();
        assert!(read.width() <= BRIEF.side && read.width() >= 64, "{}", read.width());
        assert!(fitted(&noise(16), BRIEF).is_none(), "a small one stays as it is");
    }
}
