//! Wavefront OBJ with MTL, and PLY: triangles without a place of their own.

mod map;
mod material;
mod read;
mod write;

pub(crate) use read::{read, read_ply};
pub(crate) use write::write;
