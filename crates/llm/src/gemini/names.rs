//! What the service is called.

use crate::providers::GEMINI;
use crate::service::Names;

pub(super) const NAMES: Names = Names::of(&GEMINI);
