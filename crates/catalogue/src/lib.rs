//! Ready-made objects and themed scenes, as data: `data/objects/` and `data/scenes/`, one file each,
//! compiled in and read once. `data/README.md` describes the form of a file.
//!
//! ```text
//! catalogue().find("pine trees") ─▶ &Object ─ build(group, &ObjectParameters) ─▶ Vec<Shape>
//! catalogue().theme("living room") ─▶ &Theme ─ build(&Mood) ─▶ Scene
//! ```
//!
//! Deterministic: the same parameters and the same seed give the same shapes. Metres, degrees, y up;
//! objects stand on y = 0 around the origin and face +z. Pure: no I/O, no threads.

mod build;
mod catalogue;
pub mod colour;
mod error;
mod files;
mod info;
mod library;
mod object;
mod own;
mod portrait;
mod search;
mod theme;
mod words;

pub use catalogue::{Catalogue, Nearest, catalogue};
pub use error::CatalogueError;
pub use files::Carries;
pub use info::{ObjectInfo, OptionInfo};
pub use object::{Natural, Object, ObjectParameters, ObjectSize, PartPaint};
pub use own::{About, MAX_OWN_SHAPES, OwnObject, OwnObjects};
pub use search::{Found, Match};
pub use theme::{Mood, Theme};
pub use words::Category;

#[cfg(test)]
mod tests;
