//! Whole scenes built by a scripted model through the public API.

mod living_room;
mod snowman;
mod transcripts;
