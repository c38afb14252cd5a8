//! What refers to the dialogue: corrections, repetitions, questions.

pub(in crate::plan) mod corrected;
pub(in crate::plan) mod difference;
pub(in crate::plan) mod differently;
pub(in crate::plan) mod inquire;
pub(in crate::plan) mod memory;
pub(in crate::plan) mod other_way;
pub(in crate::plan) mod part_way;
pub(in crate::plan) mod problem;
pub(in crate::plan) mod recall;
pub(in crate::plan) mod reference;
pub(in crate::plan) mod reply;
pub(in crate::plan) mod unfinished;
