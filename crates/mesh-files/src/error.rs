//! Errors of reading meshes and images of scene files.

use image_files::ImageFileError;
use media::MeshError;

/// A mesh or image file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum MeshFileError {
    /// The extension is that of no mesh format.
    #[error("the name must end in .ply, .stl, .obj, .gltf or .glb")]
    UnknownFormat,
    /// The extension is that of no image format.
    #[error("the name must end in .png, .jpg, .webp, .hdr or .exr")]
    UnknownImageFormat,
    /// The path leads out of the folder.
    #[error("the path leads out of the folder of the scene file; put the file there")]
    Outside,
    /// The file does not exist.
    #[error("there is no such file beside the scene file")]
    Missing,
    /// The path is a folder, a pipe or a device.
    #[error("this is not a regular file")]
    NoFile,
    /// Reading failed.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is too large.
    #[error("the file has {0} bytes; at most {MAX_FILE_BYTES} are read")]
    TooLarge(u64),
    /// The file is beyond the limits.
    #[error("the file has more {what} than the {max} that are read")]
    TooMuch {
        /// Such as "vertices".
        what: &'static str,
        /// The limit.
        max: usize,
    },
    /// The file has an unsupported glTF version.
    #[error("this is glTF {0}; only glTF 2.0 is read: save it as that")]
    OldGltf(String),
    /// Reading was cancelled.
    #[error("the work was cancelled")]
    Cancelled,
    /// The file is malformed.
    #[error("{0}")]
    Malformed(String),
    /// The mesh is invalid.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The image cannot be read.
    #[error(transparent)]
    Image(#[from] ImageFileError),
}

impl MeshFileError {
    pub(crate) fn malformed(what: impl std::fmt::Display) -> Self {
        /// Messages of parsers may have several lines and quote long lines of the file.
        const MAX_CHARS: usize = 300;
        let text: String = what.to_string().chars().take(MAX_CHARS).collect();
        Self::Malformed(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The maximum length of a file, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
