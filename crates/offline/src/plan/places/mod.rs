//! Where things go.

pub(in crate::plan) mod arrange;
pub(in crate::plan) mod beside;
pub(in crate::plan) mod company;
pub(in crate::plan) mod coordinate;
pub(in crate::plan) mod edges;
pub(in crate::plan) mod furnish;
pub(in crate::plan) mod ground;
pub(in crate::plan) mod joined;
pub(in crate::plan) mod opposite;
pub(in crate::plan) mod place;
pub(in crate::plan) mod placed;
pub(in crate::plan) mod pose;
pub(in crate::plan) mod room;
pub(in crate::plan) mod support;
pub(in crate::plan) mod surround;
