//! PBRT, version 4: a text format, of which a common subset is read and written.
//!
//! Its world is left-handed. An imported scene is mirrored to be right-handed, and rotated so that y points
//! up where the camera of the file has z up.

mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::{is_exact, write};
