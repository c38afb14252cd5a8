//! Things that are there, changed.

mod backlight;
pub(in crate::plan) mod become_other;
mod contrast;
mod daylight;
pub(in crate::plan) mod fogs;
mod light_changes;
mod missing;
pub(in crate::plan) mod moods;
pub(in crate::plan) mod names;
pub(in crate::plan) mod opposite;
pub(in crate::plan) mod properties;
pub(in crate::plan) mod remove;
pub(in crate::plan) mod resize;
mod stretch;
