//! Reading of valid, damaged and forbidden mesh files.

mod folder;
mod formats;
mod gltf;
mod limits;
mod samples;
