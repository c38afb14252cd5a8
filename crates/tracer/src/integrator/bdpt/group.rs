//! Groups of samples.

use std::ops::Range;

use crate::integrator::batch::Batch;
use crate::integrator::window::Window;

/// Some samples of a batch, whose light subpaths are traced before their camera subpaths.
pub(super) struct Group<'a, 'world> {
    pub(super) batch: &'a Batch<'world>,
    /// Their places in the batch.
    pub(super) samples: Range<usize>,
}

impl Group<'_, '_> {
    /// The window of a sample of the group.
    pub(super) fn window(&self, sample: usize) -> Window {
        self.batch.window(self.samples.start + sample)
    }
}
