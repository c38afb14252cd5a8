//! Uploaded meshes and pictures. A file is identified by the hash of its content, validated before it
//! is stored, shared by all sessions that use it, and collected when no session refers to it.
//!
//! Metadata is in the store beside the sessions, contents are in an object store: a directory, or
//! memory.

mod blobs;
mod check;
mod facts;
mod hash;
mod library;
mod media_type;
mod read;
mod session_assets;
mod sweep;

pub use blobs::{BlobError, Blobs};
pub use check::{CheckError, Checked};
pub use facts::{Asset, Extent, Facts};
pub use hash::AssetHash;
pub use library::{Library, LibraryError, StoredAsset};
pub use media_type::MediaType;
pub use read::{MAX_TRIANGLES, MAX_VERTICES, read_image, read_mesh};
pub use session_assets::SessionAssets;
