//! Questions, the user's and ours.

pub(in crate::plan) mod questions;
pub(in crate::plan) mod which;
