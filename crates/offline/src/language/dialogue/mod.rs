//! What refers to the dialogue: follow-ups, corrections, questions, small talk.

pub(in crate::language) mod asked;
pub(in crate::language) mod colon;
pub(in crate::language) mod complaint;
pub(in crate::language) mod correcting;
pub(in crate::language) mod courtesy;
pub(in crate::language) mod follow_up;
pub(in crate::language) mod fragments;
pub(in crate::language) mod gist;
pub(in crate::language) mod hearing;
pub(in crate::language) mod number_anew;
pub(in crate::language) mod question;
pub(in crate::language) mod small_talk;
pub(in crate::language) mod unfinished;
