//! What is wrong with a mesh file.

use image_files::ImageFileError;
use media::MeshError;

/// What is wrong with a mesh file.
#[derive(Debug, thiserror::Error)]
pub enum MeshFileError {
    /// The name does not say what it is.
    #[error("the name must end in .ply, .obj, .gltf or .glb")]
    UnknownFormat,
    /// The name does not say what kind of image it is.
    #[error("the name must end in .png, .jpg, .webp, .hdr or .exr")]
    UnknownImageFormat,
    /// It leads out of the folder.
    #[error("the path leads out of the folder of the scene file; put the file there")]
    Outside,
    /// It is not there.
    #[error("there is no such file beside the scene file")]
    Missing,
    /// It is a folder, a pipe or a device.
    #[error("this is not a regular file")]
    NoFile,
    /// It is there and cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is too large.
    #[error("the file has {0} bytes; at most {MAX_FILE_BYTES} are read")]
    TooLarge(u64),
    /// It means more than is read.
    #[error("the file has more {what} than the {most} that are read")]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How many are read.
        most: usize,
    },
    /// It is of a glTF version that is not read.
    #[error("this is glTF {0}; only glTF 2.0 is read: save it as that")]
    OldGltf(String),
    /// Nobody waits for it any more.
    #[error("the work was cancelled")]
    Cancelled,
    /// It breaks the rules of its format.
    #[error("{0}")]
    Malformed(String),
    /// It is a good file with a bad mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// It is no good image.
    #[error(transparent)]
    Image(#[from] ImageFileError),
}

impl MeshFileError {
    pub(crate) fn malformed(what: impl std::fmt::Display) -> Self {
        /// The messages of the libraries may go over several lines, and may quote a file's line of
        /// any length.
        const MAX_CHARS: usize = 300;
        let text: String = what.to_string().chars().take(MAX_CHARS).collect();
        Self::Malformed(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
