//! The tools on real scenes.

mod batches;
mod checks;
mod example_scenes;
mod movies;
mod objects;
mod order;
mod panics;
mod pictures;
mod seeing;
mod tools;
mod views;
