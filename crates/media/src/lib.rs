//! Images and meshes as data: what files are read into and what the tracer makes ready for rays.
//!
//! Pure: no I/O, no threads, no formats.

mod image;
mod mesh;

pub use image::{Image, ImageSizeError};
pub use mesh::{MAX_TRIANGLES, MeshData, MeshError};
