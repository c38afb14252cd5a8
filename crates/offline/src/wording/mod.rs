//! How things, numbers and lists are told to people: "the red ball", "four chairs", "1.5 m". No ids.

mod names;
mod numbers;

pub(crate) use names::{Names, capital, indefinite, joined, the};
pub(crate) use numbers::{counted, metres};
