//! From data files to shapes, lights and cameras of the document.

mod bounds;
mod builder;
mod built_shape;
mod copies;
mod framing;
mod light;
mod palette;
mod placement;
mod primitives;
mod random;

pub(crate) use bounds::Bounds;
pub(crate) use builder::Builder;
pub(crate) use built_shape::{BuiltShape, bounds_of, moved, turned_off};
pub(crate) use framing::Viewpoint;
pub(crate) use light::{light, rounded};
pub(crate) use palette::{Palette, recoloured};
pub(crate) use placement::PlacedParts;
pub(crate) use primitives::sample;
pub(crate) use random::Random;
