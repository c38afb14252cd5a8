//! New things.

mod company;
pub(in crate::plan) mod composed;
pub(in crate::plan) mod copies;
pub(in crate::plan) mod create;
mod items;
mod labels;
pub(in crate::plan) mod lights;
mod measures;
pub(in crate::plan) mod objects;
mod outline;
mod plain;
mod scenery;
pub(in crate::plan) mod shapes;
mod single;
pub(in crate::plan) mod stage;
mod stand;
mod stars;
mod weigh;
