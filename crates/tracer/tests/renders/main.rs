//! Whole renders, compared with known images.

mod adaptive;
mod agreement;
mod cameras;
mod closed_forms;
mod denoising;
mod emissive;
mod foggy;
mod hidden_lights;
mod images;
mod instructions;
mod kinds;
mod meshes;
mod odd_scenes;
mod passes;
mod picking;
mod principled;
mod skies;
mod support;
mod textured;
