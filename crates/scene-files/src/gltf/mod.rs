//! glTF 2.0, as JSON or as GLB.
//!
//! glTF has photometric units for light: candela and nits where a scene has W/sr and W/(sr m^2). They
//! are converted one to one, since both show white for an emission of 1.

mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

/// The extra of a material that holds the material of the scene it was written from.
const ORIGINAL: &str = "scene_llm_material";
/// The extra of a scene that holds its environment.
const ENVIRONMENT: &str = "scene_llm_environment";

// Wrap modes of samplers.
const REPEAT: u32 = 10_497;
const CLAMP_TO_EDGE: u32 = 33_071;
const MIRRORED_REPEAT: u32 = 33_648;
