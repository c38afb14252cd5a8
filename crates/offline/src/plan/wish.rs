//! What is held to the scene once all is planned.

use crate::frames::{Quality, Relation};

/// Things that were put in a relation to others.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) ids: Vec<String>,
    pub(crate) relation: Relation,
    pub(crate) targets: Vec<String>,
}

/// Whether a quality is one that is checked.
pub(in crate::plan) fn is_checked(quality: &Quality) -> bool {
    matches!(quality, Quality::Colour(_))
}
