//! Surfaces without relief.

use crate::document::texture::Textured;
use crate::values::Height;

/// No relief.
pub(super) const FLAT: Textured<Height> = Textured::Even(Height::known(0.0));
