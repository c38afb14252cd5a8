//! The tools over real scenes: what they see, place, measure and find.

mod checks;
mod example_scenes;
mod objects;
mod pictures;
mod seeing;
mod tools;
