//! What a clause asks to be done.

pub(in crate::language) mod changes;
pub(in crate::language) mod clause;
pub(in crate::language) mod commands;
pub(in crate::language) mod copying;
pub(in crate::language) mod creations;
pub(in crate::language) mod giving;
pub(in crate::language) mod handing_out;
pub(in crate::language) mod intent;
pub(in crate::language) mod parting;
pub(in crate::language) mod passing;
pub(in crate::language) mod staging;
pub(in crate::language) mod taking_back;
