//! Animated WebP without loss: the container around pictures that `image` encodes. See "Extended File
//! Format" of the WebP container specification (RFC 9649).

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::region::Region;

/// Bytes of `RIFF`, the size, and `WEBP`.
const HEADER_BYTES: usize = 12;
/// Frames replace what is below them, and stay: bits 1 and 0 of their flags.
const REPLACES: u8 = 0b10;
/// The bit of an animation in the flags of the file.
const ANIMATED: u8 = 0b10;

pub(super) struct WebPWriter {
    size: [u32; 2],
    bytes: Vec<u8>,
    before: Option<Vec<u8>>,
}

impl WebPWriter {
    pub(super) fn new(size: [u32; 2], loops: bool) -> Self {
        let mut bytes = b"RIFF\0\0\0\0WEBP".to_vec();
        let mut canvas = vec![ANIMATED, 0, 0, 0];
        canvas.extend(size.into_iter().flat_map(|side| three_bytes(side - 1)));
        chunk(&mut bytes, *b"VP8X", &canvas);
        // A black background, and how often it plays: 0 is forever.
        let times: u16 = if loops { 0 } else { 1 };
        let mut animation = vec![0, 0, 0, 255];
        animation.extend(times.to_le_bytes());
        chunk(&mut bytes, *b"ANIM", &animation);
        Self { size, bytes, before: None }
    }

    /// Adds a picture of three bytes per pixel that is shown for so many milliseconds.
    pub(super) fn push(&mut self, picture: &[u8], milliseconds: u32) -> Result<(), String> {
        let region = match &self.before {
            Some(before) => Region::changed(before, picture, self.size),
            None => Region::whole(self.size),
        };
        let mut alone = Vec::new();
        WebPEncoder::new_lossless(&mut alone)
            .write_image(
                &region.cut(picture, self.size[0]),
                region.width,
                region.height,
                ExtendedColorType::Rgb8,
            )
            .map_err(|error| error.to_string())?;
        let image = alone.get(HEADER_BYTES..).filter(|image| image.starts_with(b"VP8L"));
        let image = image.ok_or_else(|| "a picture has an unexpected form".to_owned())?;
        let mut frame = Vec::with_capacity(image.len() + 16);
        let sides = [region.left / 2, region.top / 2, region.width - 1, region.height - 1];
        frame.extend(sides.into_iter().chain([milliseconds]).flat_map(three_bytes));
        frame.push(REPLACES);
        frame.extend_from_slice(image);
        chunk(&mut self.bytes, *b"ANMF", &frame);
        self.before = Some(picture.to_vec());
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn finish(mut self) -> Result<Vec<u8>, String> {
        let size = u32::try_from(self.bytes.len() - 8).map_err(|error| error.to_string())?;
        self.bytes[4..8].copy_from_slice(&size.to_le_bytes());
        Ok(self.bytes)
    }
}

fn three_bytes(number: u32) -> [u8; 3] {
    let [low, middle, high, _] = number.to_le_bytes();
    [low, middle, high]
}

/// Appends a chunk, padded to an even length.
fn chunk(bytes: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    bytes.extend(name);
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(content);
    if content.len() % 2 == 1 {
        bytes.push(0);
    }
}
