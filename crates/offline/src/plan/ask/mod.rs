//! Questions, the user's and ours.

pub(in crate::plan) mod described;
mod measures;
pub(in crate::plan) mod questions;
mod sight;
pub(in crate::plan) mod which;
