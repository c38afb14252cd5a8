//! The words that objects, scenes and their parts are found by.

mod category;
mod name_index;
mod nouns;
mod part_words;
mod stand_ins;

pub use category::Category;
pub(crate) use name_index::{MAX_NAME_WORDS, NameIndex, is_plural_of, normalised};
pub(crate) use nouns::{Nouns, StandIn};
pub(crate) use part_words::PartWords;
pub(crate) use stand_ins::StandIns;
