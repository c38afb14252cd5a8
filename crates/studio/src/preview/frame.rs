//! A frame of a preview.

use std::time::Duration;

use bytes::Bytes;

use crate::picture::Format;

/// The format of previews: a millisecond to encode, a tenth of PNG's size.
pub const PREVIEW_FORMAT: Format = Format::Jpeg;

/// A picture of a revision, refined by later frames.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The revision it shows.
    pub revision: u64,
    /// From 0, the coarse draft.
    pub pass: u32,
    /// Samples per pixel; 0 for the coarse draft and for the first pass of a large view, which is smaller.
    pub samples: u32,
    /// Samples per pixel at the end.
    pub target_samples: u32,
    /// Pixels; fewer than the view has in the first pictures of a large one.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Since the revision was seen.
    pub elapsed: Duration,
    /// Estimated time to the last frame.
    pub remaining: Duration,
    /// Estimated relative error of a pixel, 0.02 = 2 %; 1 while nothing is known.
    pub noise: f64,
    /// The encoded picture, see [`PREVIEW_FORMAT`].
    pub image: Bytes,
}

impl Frame {
    /// Whether no better frame of this revision follows.
    pub fn is_final(&self) -> bool {
        self.samples >= self.target_samples
    }
}
