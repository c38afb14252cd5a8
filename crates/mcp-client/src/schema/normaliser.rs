//! The state of a schema's normalisation.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

pub(super) struct Normaliser<'a> {
    pub(super) root: &'a Value,
    /// The remaining number of nodes.
    pub(super) nodes: usize,
    pub(super) names: BTreeSet<String>,
    pub(super) renamed: HashMap<String, String>,
}

/// The references on the way to a node, which detect cycles.
pub(super) type Path = Vec<String>;

/// The most branches of one alternative.
pub(super) const MAX_BRANCHES: usize = 8;
