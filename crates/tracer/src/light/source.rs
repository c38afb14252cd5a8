//! Sources of light.

/// A light of the set, by its index, or the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Light(usize),
    Sky,
}
