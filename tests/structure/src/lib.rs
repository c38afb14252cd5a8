//! The shape of the workspace, for the tests beside it: which crate depends on which, which file of a
//! crate uses which, how many files a folder holds, and whether what the documents name exists.
//!
//! ```text
//! files ─ tokens ─▶ modules (items, imports, mentions) ─ arrows ─▶ circles
//! cargo metadata ─▶ packages (layers)
//! documents ─▶ inline code ─▶ paths, tests, metrics
//! ```
//!
//! # When a file uses a file
//!
//! File A uses file B when the code of A names an item that B defines: by `use`, or by a path in the
//! code. A name is followed through re-exports to the file that defines the item, so that a module that
//! only hands on the items of its children is no part of any arrow:
//!
//! - `mod child;` is no arrow, and neither is `use child;` of a whole module: `child::item` is.
//! - `pub use child::Item;` is an arrow only if the code of the same file also says `Item`.
//! - A child that names `super::Item` uses its parent if the parent's own file defines `Item`. The two
//!   are a circle if the parent's code names an item of the child as well.
//! - Code for tests alone (`#[cfg(test)]`, files under `tests`) has no arrows, and neither have comments,
//!   strings, attributes and visibilities.
//!
//! This reads tokens and is no compiler: methods called with a dot, and items that macros make out of
//! names of their own, are not seen. Items written out within a macro's braces are.

mod arrows;
mod circles;
pub mod documents;
mod folders;
mod modules;
mod packages;
mod tokens;

pub use arrows::{Arrow, arrows};
pub use circles::{Circle, circles};
pub use folders::crowded;
pub use modules::{Crate, Source};
pub use packages::{Package, packages, workspace};
