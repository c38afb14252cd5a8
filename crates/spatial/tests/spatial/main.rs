//! The spatial tools over real scenes: every tool, every kind of shape, turned, scaled and grouped.

#![expect(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a test stops at the first surprise, and tables read best by value"
)]

mod arrays;
mod camera;
mod composed;
mod dropping;
mod floating;
mod groups;
mod hints;
mod joints;
mod mirrored_arrays;
mod moving;
mod objects;
mod own_objects;
mod patterns;
mod placing;
mod questions;
mod solids;
mod stage;
