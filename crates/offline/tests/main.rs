//! The model through its public face: dialogues held to expectations, and what every request keeps to.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod account;
mod answers;
mod asked_for;
mod composed;
mod dialogues;
mod film;
mod light_and_looks;
mod measures;
mod motion;
mod placed;
mod properties;
mod recovery;
mod references;
mod rules;
mod selection;
mod stage;
mod viewpoints;
mod whole_messages;
mod words;
