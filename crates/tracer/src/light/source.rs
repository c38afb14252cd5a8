//! What light sets out from.

/// A light of the set or the sky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Light(usize),
    Sky,
}
