//! Where things go.

pub(in crate::plan) mod arrange;
pub(in crate::plan) mod block;
mod carriers;
mod clear;
mod edges;
mod figures;
mod fit;
mod former;
mod hollow;
mod joined;
pub(in crate::plan) mod moves;
mod pack;
pub(in crate::plan) mod pattern;
pub(in crate::plan) mod place;
pub(in crate::plan) mod regions;
mod settle;
pub(in crate::plan) mod spot;
mod strew;
pub(in crate::plan) mod supports;
mod turns;
mod walls;
