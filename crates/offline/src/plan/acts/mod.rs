//! What is made, changed, moved and removed.

pub(in crate::plan) mod again;
pub(in crate::plan) mod another;
pub(in crate::plan) mod change;
pub(in crate::plan) mod create;
pub(in crate::plan) mod exchange;
pub(in crate::plan) mod hand_out;
pub(in crate::plan) mod naming;
pub(in crate::plan) mod paint;
pub(in crate::plan) mod rearrange;
pub(in crate::plan) mod relocate;
pub(in crate::plan) mod removal;
pub(in crate::plan) mod resize;
pub(in crate::plan) mod rotate;
pub(in crate::plan) mod stretch;
pub(in crate::plan) mod taper;
pub(in crate::plan) mod turning;
pub(in crate::plan) mod undo;
pub(in crate::plan) mod variant;
