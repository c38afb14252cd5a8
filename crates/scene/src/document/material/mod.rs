//! Materials of surfaces.

mod aliases;
mod flat;
mod kinds;
mod principled;
mod queries;
mod shorthand;
mod surfaces;

pub use kinds::{
    MAX_MIX_DEPTH, Material, Mix, MixPart, NamedMaterial, Preset, PresetName, presets,
};
pub use principled::Principled;
pub use shorthand::MaterialChange;
pub(crate) use shorthand::spelled_out;
pub use surfaces::{Dielectric, Emissive, Lambertian, Metal};
