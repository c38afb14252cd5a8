//! What is known while a schema is mended.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

pub(super) struct Mender<'a> {
    pub(super) root: &'a Value,
    /// How many more nodes there may be.
    pub(super) nodes: usize,
    pub(super) names: BTreeSet<String>,
    pub(super) renamed: HashMap<String, String>,
}

/// The references on the way to a node: one that comes again would never end.
pub(super) type Path = Vec<String>;

/// Branches of one alternative.
pub(super) const MAX_BRANCHES: usize = 8;
