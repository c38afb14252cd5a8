//! Render workers: processes on other machines that render parts of pictures.
//!
//! A picture that takes long is posted as a [`Board`]: its film, from which threads of this process and
//! workers take tiles and to which they bring them back. Sums of a tile depend on nothing but scene,
//! settings, tile and samples, so the film is the same whoever renders what, in whatever order, and
//! however often: the first result for a tile counts.
//!
//! A [`Worker`] is a worker's place here; a [`TaskRenderer`] is what renders in the worker's process.
//! Between them travel the messages of `wire`.

mod board;
mod fingerprint;
mod registry;
mod task_renderer;
#[cfg(test)]
mod tests;
mod tiles;
mod wire;

pub(crate) use board::SceneText;
pub(crate) use fingerprint::fingerprint;
pub(crate) use registry::Posted;
pub use registry::{Task, Worker, Workers};
pub use task_renderer::{TaskAssets, TaskRenderer};
pub use wire::{
    FromWorker, MAX_WORKER_FRAME, TaskHeader, TaskResult, TaskSettings, ToWorker, WireError,
    decode_frame, encode_frame,
};
