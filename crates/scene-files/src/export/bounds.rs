//! Limits of exports, and estimates to compare with them.

use crate::{Format, SceneFileError};

/// Limits of an export. One that would exceed them is refused before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Triangles in all files; those that equal shapes share count once.
    pub triangles: u64,
    /// Pixels of all baked textures.
    pub pixels: u64,
    /// The memory of the files and of intermediate results, in bytes.
    pub memory: u64,
}

impl Default for Bounds {
    /// Limits for the user's own machine: some gigabytes of memory.
    fn default() -> Self {
        Self { triangles: 1 << 26, pixels: 1 << 28, memory: 1 << 33 }
    }
}

/// The size of an asset, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssetSize {
    /// Length of its file.
    pub bytes: u64,
    /// Vertices of a mesh.
    pub vertices: u64,
    /// Triangles of a mesh.
    pub triangles: u64,
    /// Pixels of an image.
    pub pixels: u64,
}

/// An upper bound of an export's size and memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Triangles in all files.
    pub triangles: u64,
    /// Vertices in all files.
    pub vertices: u64,
    /// Pixels of all baked textures.
    pub pixels: u64,
    /// The memory of the files and of intermediate results, in bytes.
    pub memory: u64,
}

impl Bounds {
    /// Fails with advice for an estimate beyond the limits.
    pub fn check(&self, estimate: &Estimate, format: Format) -> Result<(), SceneFileError> {
        let advice = match format {
            Format::Obj => "glb and pbrt write equal shapes once",
            _ => "equal shapes are written once, whatever their size: use fewer different ones",
        };
        if estimate.triangles > self.triangles {
            return Err(SceneFileError::TooLarge(format!(
                "the file would hold {} triangles; at most {} are written: {advice}, or export fewer \
                 shapes",
                estimate.triangles, self.triangles
            )));
        }
        if estimate.pixels > self.pixels {
            return Err(SceneFileError::TooLarge(format!(
                "the patterns of the scene would be painted on images of {} pixels in all; at most {} \
                 are: give fewer shapes patterns or reliefs, or equal shapes equal ones, which share \
                 an image",
                estimate.pixels, self.pixels
            )));
        }
        if estimate.memory > self.memory {
            return Err(SceneFileError::TooLarge(format!(
                "writing the file would take {} MiB of memory; at most {} are given: {advice}, or \
                 export fewer shapes and smaller images",
                estimate.memory >> 20,
                self.memory >> 20
            )));
        }
        Ok(())
    }
}
