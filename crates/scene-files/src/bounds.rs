//! How much an export may take, and how much it will.

use crate::{Format, SceneFileFault};

/// How much a written scene may hold. What is beyond is refused before any of it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Triangles in all files together; what equal shapes share counts once.
    pub triangles: u64,
    /// Pixels of all images that are painted together.
    pub pixels: u64,
    /// Bytes of memory, for the files and all that is needed on the way.
    pub memory: u64,
}

impl Default for Bounds {
    /// For a person's own machine: some gigabytes of memory.
    fn default() -> Self {
        Self { triangles: 1 << 26, pixels: 1 << 28, memory: 1 << 33 }
    }
}

/// What an asset that a scene names takes, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssetSize {
    /// Of its file.
    pub bytes: u64,
    /// Of a mesh.
    pub vertices: u64,
    /// Of a mesh.
    pub triangles: u64,
    /// Of an image.
    pub pixels: u64,
}

/// What writing a scene will take; an upper bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Triangles in all files together.
    pub triangles: u64,
    /// Their vertices.
    pub vertices: u64,
    /// Pixels of all images that are painted.
    pub pixels: u64,
    /// Bytes of memory, for the files and all that is needed on the way.
    pub memory: u64,
}

impl Bounds {
    /// Refuses what is beyond, and says what to do.
    pub fn check(&self, estimate: &Estimate, format: Format) -> Result<(), SceneFileFault> {
        let advice = match format {
            Format::Obj => "glb and pbrt write equal shapes once",
            _ => "equal shapes are written once, whatever their size: use fewer different ones",
        };
        if estimate.triangles > self.triangles {
            return Err(SceneFileFault::TooLarge(format!(
                "the file would hold {} triangles; at most {} are written: {advice}, or export fewer \
                 shapes",
                estimate.triangles, self.triangles
            )));
        }
        if estimate.pixels > self.pixels {
            return Err(SceneFileFault::TooLarge(format!(
                "the patterns of the scene would be painted on images of {} pixels in all; at most {} \
                 are: give fewer shapes patterns or reliefs, or equal shapes equal ones, which share \
                 an image",
                estimate.pixels, self.pixels
            )));
        }
        if estimate.memory > self.memory {
            return Err(SceneFileFault::TooLarge(format!(
                "writing the file would take {} MiB of memory; at most {} are given: {advice}, or \
                 export fewer shapes and smaller images",
                estimate.memory >> 20,
                self.memory >> 20
            )));
        }
        Ok(())
    }
}
