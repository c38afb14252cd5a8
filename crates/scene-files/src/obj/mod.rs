//! Wavefront OBJ with MTL, and PLY. Their triangles are in world space.

mod read;
mod write;

pub(crate) use read::{read, read_mesh};
pub(crate) use write::write;
