//! Calls that put things in their places by computation.

pub(crate) mod array;
mod axes;
pub(crate) mod copy;
mod curve;
pub(crate) mod drop_down;
pub(crate) mod group;
pub(crate) mod look;
pub(crate) mod merge;
pub(crate) mod motion;
pub(crate) mod names;
pub(crate) mod object;
pub(crate) mod object_args;
pub(crate) mod order;
pub(crate) mod own_parts;
pub(crate) mod pattern;
pub(crate) mod place;
mod resting;
mod room;
pub(crate) mod scatter;
pub(crate) mod share;
pub(crate) mod side;
pub(crate) mod spread;
