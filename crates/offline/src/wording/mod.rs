//! How things, numbers and lists are told to people: "the red ball", "four chairs", "1.5 m". No ids.

mod errors;
mod names;
mod numbers;

pub(crate) use errors::in_plain_words;
pub(crate) use names::{Names, capital, indefinite, joined, the};
pub(crate) use numbers::{counted, metres};
