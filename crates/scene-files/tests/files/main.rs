//! Imports and exports of files of other programs.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod axes;
mod damaged;
mod gltf;
mod khronos;
mod many;
mod obj;
mod pbrt;
mod round_trips;
mod support;
mod textured;
