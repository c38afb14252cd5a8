//! Noun phrases and what can be said of a thing.

pub(in crate::language) mod age;
pub(in crate::language) mod bare;
pub(in crate::language) mod company;
pub(in crate::language) mod counting;
pub(in crate::language) mod headless;
pub(in crate::language) mod noun_phrase;
pub(in crate::language) mod owner;
pub(in crate::language) mod pattern;
pub(in crate::language) mod phrase;
pub(in crate::language) mod portion;
pub(in crate::language) mod printing;
pub(in crate::language) mod property;
pub(in crate::language) mod relative;
pub(in crate::language) mod size;
pub(in crate::language) mod tail;
