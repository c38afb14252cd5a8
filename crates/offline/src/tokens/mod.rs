//! Text to a lattice of words: every way to read each stretch of words, with what it costs.

mod derived;
mod edge;
mod foreign;
mod forms;
mod kelvin;
mod lattice;
mod lexicon;
mod names;
mod nearest;
mod numbers;
mod preferences;
mod queries;
mod scan;
mod scene_names;
mod slips;
mod sound;
mod symbols;
mod vocabulary;

pub(crate) use forms::plural;
pub(crate) use lattice::{Lattice, Skip};
pub(crate) use lexicon::Feature;
pub(crate) use scan::TokenKind;
pub(crate) use scene_names::{SceneNames, without_shape, words_of};
pub(crate) use symbols::{Features, Symbol, Symbols};
pub(crate) use vocabulary::{ENDINGS, lexicon, singular};
