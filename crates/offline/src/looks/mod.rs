//! Colours and materials: what they are called, and what a word makes of them.

mod colour;
mod material;
mod pattern;

pub(crate) use colour::{Family, family_names, palette, rgb_of};
pub(crate) use material::{
    colour_of, ground_of, in_tone, is_made_of, kind_name, of_quality, recoloured, with_shine,
};
