//! Uploaded meshes and pictures. A file is named by the hash of its content, checked before anything
//! of it is kept, shared by all sessions that show it, and collected when none refers to it any more.
//!
//! What is known of files is in the store beside the sessions, their bytes in an object store:
//! a directory, or memory.

mod blobs;
mod check;
mod facts;
mod hash;
mod library;
mod media_type;
mod session_assets;
mod sweep;

pub use blobs::{BlobError, Blobs};
pub use check::{CheckError, Checked};
pub use facts::{Asset, Extent, Facts};
pub use hash::AssetHash;
pub use library::{Library, LibraryError, MAX_TRIANGLES, MAX_VERTICES, StoredAsset};
pub use media_type::MediaType;
pub use session_assets::SessionAssets;
