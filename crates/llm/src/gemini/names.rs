//! The provider's display names.

use crate::http::Names;
use crate::providers::GEMINI;

pub(super) const NAMES: Names = Names::of(&GEMINI);
