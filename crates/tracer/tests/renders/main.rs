//! Whole renders against what is known about the picture.

mod agreement;
mod closed_forms;
mod meshes;
mod odd_scenes;
mod passes;
mod picking;
mod support;
