//! The interface of integrators.

use super::batch::{Batch, Taken};
use super::bdpt::Splat;

/// Takes all samples of a batch; `None` when it was cancelled. Splats of light subpaths are added to the
/// list.
pub(crate) type SampleFn = fn(&Batch<'_>, &mut Vec<Splat>, &mut Taken) -> Option<()>;
