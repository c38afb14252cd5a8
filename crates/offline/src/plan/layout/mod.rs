//! Where things go.

pub(in crate::plan) mod arrange;
pub(in crate::plan) mod block;
mod carriers;
mod clear;
mod edges;
mod figures;
mod fit;
mod former;
mod joined;
pub(in crate::plan) mod moves;
pub(in crate::plan) mod pattern;
pub(in crate::plan) mod place;
pub(in crate::plan) mod regions;
pub(in crate::plan) mod spot;
pub(in crate::plan) mod supports;
mod turns;
mod walls;
