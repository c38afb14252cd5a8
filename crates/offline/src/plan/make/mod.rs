//! New things.

pub(in crate::plan) mod copies;
pub(in crate::plan) mod create;
pub(in crate::plan) mod lights;
pub(in crate::plan) mod objects;
mod scenery;
pub(in crate::plan) mod shapes;
pub(in crate::plan) mod stage;
mod stand;
