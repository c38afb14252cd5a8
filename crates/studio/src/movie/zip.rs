//! An archive of numbered PNG files.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::picture::Format;

pub(super) struct ArchiveWriter {
    size: [u32; 2],
    archive: ZipWriter<Cursor<Vec<u8>>>,
    count: u32,
    bytes: usize,
}

impl ArchiveWriter {
    pub(super) fn new(size: [u32; 2]) -> Self {
        Self { size, archive: ZipWriter::new(Cursor::new(Vec::new())), count: 0, bytes: 0 }
    }

    /// Adds a picture of three bytes per pixel.
    pub(super) fn push(&mut self, picture: &[u8]) -> Result<(), String> {
        let png =
            Format::Png.encode_shown(picture, self.size).map_err(|error| error.to_string())?;
        self.count += 1;
        // PNG is compressed already.
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let name = format!("frame_{:04}.png", self.count);
        self.archive.start_file(name, options).map_err(|error| error.to_string())?;
        self.archive.write_all(&png).map_err(|error| error.to_string())?;
        self.bytes += png.len();
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.bytes
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, String> {
        Ok(self.archive.finish().map_err(|error| error.to_string())?.into_inner())
    }
}
