//! The text of PBRT, version 4: the subset that makes sense here.
//!
//! Its world is left-handed. What comes out is right-handed with y up: a scene whose camera says that
//! z is up is turned.

mod imagemap;
mod images;
mod lexer;
mod light;
mod material;
mod parameters;
mod read;
mod shape;
mod spectrum;
mod state;
mod write;

pub(crate) use read::read;
pub(crate) use write::{is_exact, write};
