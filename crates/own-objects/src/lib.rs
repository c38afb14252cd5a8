//! Objects of the user's own on disk: one JSON file each in a directory, with the meshes and pictures the
//! object is made of. The same file is exported and imported; `docs/protocol.md` describes its form.
//!
//! ```text
//! DATA/objects/reading-lamp.object.json ─ OwnObjectStore::open ─▶ catalogue::OwnObjects ─▶ find_objects, add_object
//!                                       ◀─ add, change, delete ──  HTTP, command line
//! ```
//!
//! A file that cannot be read stops nothing: it is left where it is and told by
//! [`OwnObjectStore::problems`]. Calls block on the disk.

mod attach;
mod error;
mod file;
mod folder;
mod limits;
mod store;

pub use attach::{attach, with_assets};
pub use error::OwnObjectError;
pub use file::{KeptAsset, ObjectFile};
pub use folder::FileProblem;
pub use limits::{MAX_FILE_BYTES, MAX_OBJECTS, MAX_TOTAL_BYTES};
pub use store::{Entry, OnTaken, OwnObjectStore};
