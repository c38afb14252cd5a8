//! Files beside an imported file.

use mesh_files::MeshFileError;

/// Reads a file that an imported file refers to, by its path relative to that file.
pub type FileSource<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>;
