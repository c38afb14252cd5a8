//! How many viewers want a preview.

/// How many viewers want a preview.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Watching {
    /// Viewers that are not paused.
    pub(super) drafts: usize,
    /// Those among them that want more than drafts.
    pub(super) passes: usize,
}
