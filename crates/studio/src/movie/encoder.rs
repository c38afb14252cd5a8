//! Writing pictures as one file, as they come.

use super::gif::GifWriter;
use super::webp::WebPWriter;
use super::zip::ArchiveWriter;

/// A file format for animations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovieFormat {
    /// Animated WebP, lossless.
    WebP,
    /// GIF, 256 colours for each picture.
    Gif,
    /// A ZIP archive of numbered PNG files.
    Zip,
}

/// The largest file in bytes.
pub const MAX_MOVIE_BYTES: usize = 128 << 20;

impl MovieFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::WebP, Self::Gif, Self::Zip];

    /// The ending of its files, and its name in queries.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::WebP => "webp",
            Self::Gif => "gif",
            Self::Zip => "zip",
        }
    }

    /// The media type.
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
            Self::Zip => "application/zip",
        }
    }

    /// The format of files that end in `extension` (without the dot, any case).
    pub fn from_extension(extension: &str) -> Option<Self> {
        let extension = extension.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.extension() == extension)
    }

    /// The most frames a second that viewers show.
    pub const fn max_fps(self) -> u32 {
        match self {
            // Browsers show a picture for a tenth of a second that is to be shown for less than two
            // hundredths.
            Self::Gif => 50,
            Self::WebP | Self::Zip => 60,
        }
    }
}

/// Writes the frames of an animation. It holds the file and one picture.
pub struct MovieEncoder {
    writer: Writer,
    fps: u32,
    count: u32,
}

enum Writer {
    WebP(WebPWriter),
    Gif(GifWriter),
    Zip(Box<ArchiveWriter>),
}

impl MovieEncoder {
    /// An encoder of pictures of this size.
    pub fn new(format: MovieFormat, size: [u32; 2], fps: u32, loops: bool) -> Result<Self, String> {
        let writer = match format {
            MovieFormat::WebP => Writer::WebP(WebPWriter::new(size, loops)),
            MovieFormat::Gif => Writer::Gif(GifWriter::new(size, loops)?),
            MovieFormat::Zip => Writer::Zip(Box::new(ArchiveWriter::new(size))),
        };
        Ok(Self { writer, fps, count: 0 })
    }

    /// Adds a picture of three bytes per pixel, sRGB, row by row from the top left.
    pub fn push(&mut self, picture: &[u8]) -> Result<(), String> {
        let at = self.count;
        self.count += 1;
        // Rounded ends, so that the whole takes as long as it should.
        let shown = |parts: u32| {
            let end = |frame: u32| (f64::from(frame * parts) / f64::from(self.fps)).round() as u32;
            end(at + 1) - end(at)
        };
        match &mut self.writer {
            Writer::WebP(writer) => writer.push(picture, shown(1000))?,
            Writer::Gif(writer) => writer.push(picture, shown(100))?,
            Writer::Zip(writer) => writer.push(picture)?,
        }
        let bytes = match &self.writer {
            Writer::WebP(writer) => writer.len(),
            Writer::Gif(writer) => writer.len(),
            Writer::Zip(writer) => writer.len(),
        };
        if bytes > MAX_MOVIE_BYTES {
            return Err(format!(
                "the file is larger than {} MiB after {} frames; ask for smaller pictures, fewer frames a second or \
                 a shorter animation",
                MAX_MOVIE_BYTES >> 20,
                self.count
            ));
        }
        Ok(())
    }

    /// The file.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        match self.writer {
            Writer::WebP(writer) => writer.finish(),
            Writer::Gif(writer) => writer.finish(),
            Writer::Zip(writer) => writer.finish(),
        }
    }
}
