//! Whole renders against what is known about the picture.

mod adaptive;
mod agreement;
mod cameras;
mod closed_forms;
mod denoising;
mod emissive;
mod foggy;
mod images;
mod meshes;
mod odd_scenes;
mod passes;
mod picking;
mod principled;
mod skies;
mod support;
mod textured;
