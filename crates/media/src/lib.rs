//! Images and meshes in memory: the result of reading files, and the input of the tracer.
//!
//! Pure: no I/O, no threads, no formats.

mod image;
mod mesh;

pub use image::{Image, ImageSizeError};
pub use mesh::{MAX_TRIANGLES, MeshData, MeshError};
