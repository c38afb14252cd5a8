//! Whole scenes built by a scripted model through the public API.

mod living_room;
mod protocols;
mod snowman;
mod transcripts;
