//! GIF: at most 256 colours for each picture.

use gif::{Encoder, Frame, Repeat};

use super::region::Region;

/// How carefully colours are chosen, from 1 (best) to 30: up to 10 there is no difference to see.
const SPEED: i32 = 10;

pub(super) struct GifWriter {
    size: [u32; 2],
    encoder: Encoder<Vec<u8>>,
    before: Option<Vec<u8>>,
}

impl GifWriter {
    pub(super) fn new(size: [u32; 2], loops: bool) -> Result<Self, String> {
        let [width, height] = sides(size)?;
        let mut encoder =
            Encoder::new(Vec::new(), width, height, &[]).map_err(|error| error.to_string())?;
        let repeat = if loops { Repeat::Infinite } else { Repeat::Finite(0) };
        encoder.set_repeat(repeat).map_err(|error| error.to_string())?;
        Ok(Self { size, encoder, before: None })
    }

    /// Adds a picture of three bytes per pixel that is shown for so many hundredths of a second.
    pub(super) fn push(&mut self, picture: &[u8], hundredths: u32) -> Result<(), String> {
        let region = match &self.before {
            Some(before) => Region::changed(before, picture, self.size),
            None => Region::whole(self.size),
        };
        let [width, height] = sides([region.width, region.height])?;
        let [left, top] = sides([region.left, region.top])?;
        let pixels = region.cut(picture, self.size[0]);
        let mut frame = Frame::from_rgb_speed(width, height, &pixels, SPEED);
        (frame.left, frame.top) = (left, top);
        frame.delay = u16::try_from(hundredths).map_err(|error| error.to_string())?;
        self.encoder.write_frame(&frame).map_err(|error| error.to_string())?;
        self.before = Some(picture.to_vec());
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.encoder.get_ref().len()
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, String> {
        self.encoder.into_inner().map_err(|error| error.to_string())
    }
}

fn sides(pixels: [u32; 2]) -> Result<[u16; 2], String> {
    let side = |pixels: u32| u16::try_from(pixels).map_err(|error| error.to_string());
    Ok([side(pixels[0])?, side(pixels[1])?])
}
