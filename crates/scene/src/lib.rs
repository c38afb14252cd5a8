//! The scene document: shapes, materials, lights, camera and environment; validation that reports
//! all mistakes; edits, revisions, undo and differences; the text for models.
//!
//! Pure: no I/O, no threads, no clock.

mod asset_name;
mod asset_uses;
mod assets;
mod bounds;
mod context;
mod describe;
mod diff;
mod document;
mod edit;
pub mod form;
mod id;
mod json;
mod kind;
mod lists;
mod manager;
mod patch;
pub mod read;
mod tools;
mod values;
mod vector;
mod violations;

pub use asset_name::{AssetName, MAX_ASSET_NAME_LENGTH};
pub use assets::{Assets, NoAssets};
pub use bounds::Aabb;
pub use describe::{describe, described_names};
pub use diff::{Change, Operation, diff};
pub use document::*;
pub use edit::{AnimationUpdate, EDIT_NAMES, Edit, Objects, Order, Removed, Turntable, Update};
pub use id::{Id, MAX_ID_LENGTH, is_hidden, shown, stem, visible};
pub use kind::Kind;
pub use lists::{Heights, Holes, MAX_POINTS, Outline, Points, Profile};
pub use manager::{Applied, Draft, HistoryError, MAX_REVISIONS, Revision, SceneManager, Step};
pub use patch::{Patch, PatchMismatch};
pub use tools::{ToolSpec, brief, edit_tools};
pub use values::*;
pub use vector::{Vector, rotation_matrix};
pub use violations::Violations;
