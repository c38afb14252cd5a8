//! The interface of integrators.

use super::bdpt::LightPaths;
use super::window::{PathResult, Window};
use crate::settings::RenderSettings;
use crate::world::World;

/// Takes one sample of a pixel. Splats of light paths are added to the light paths.
pub(crate) type SampleFn = fn(&World, &RenderSettings, &Window, &mut LightPaths) -> PathResult;
