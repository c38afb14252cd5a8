//! The interface of integrators.

use super::batch::{Batch, Taken};
use super::bdpt::LightPaths;

/// Takes all samples of a batch; `None` when it was cancelled. Splats of light paths are added to the light
/// paths.
pub(crate) type SampleFn = fn(&Batch<'_>, &mut LightPaths, &mut Taken) -> Option<()>;
