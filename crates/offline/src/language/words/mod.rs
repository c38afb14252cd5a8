//! Words: the lexicon, tokens, names and slips of the keyboard.

pub(in crate::language) mod foreign;
pub(in crate::language) mod formation;
pub(in crate::language) mod lexicon;
pub(in crate::language) mod likeness;
pub(in crate::language) mod names;
pub(in crate::language) mod reader;
pub(in crate::language) mod rewording;
pub(in crate::language) mod short_forms;
pub(in crate::language) mod slips;
pub(in crate::language) mod tokens;
pub(in crate::language) mod vocabulary;
pub(in crate::language) mod ways_of_speaking;
