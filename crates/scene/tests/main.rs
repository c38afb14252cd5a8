//! The document and its edits through the public API.

mod animation;
mod damaged;
mod edits;
mod forms;
mod kinds;
mod materials;
mod meshes;
mod revisions;
mod shapes;
mod textures;
