//! A finding, and the list of them.

use glam::DVec3;
use scene::FindingKind;
use serde_json::{Value, json};

use crate::space::{Body, Space};

/// A likely mistake.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The kind of mistake: a name of [`FindingKind`], or of the picture as a whole.
    pub check: &'static str,
    /// The ids of the objects.
    pub ids: Vec<String>,
    /// One sentence.
    pub message: String,
    /// The call `{name, args}` that fixes it.
    pub fix: Option<Value>,
}

impl Finding {
    /// The finding in the result of a tool.
    pub fn to_json(&self) -> Value {
        let mut finding = json!({ "check": self.check, "ids": self.ids, "message": self.message });
        if let Some(fix) = &self.fix {
            finding["fix"] = fix.clone();
        }
        finding
    }
}

/// Findings, and the number of those that intentional marks silence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Likely mistakes.
    pub found: Vec<Finding>,
    /// The number of findings that marks silence.
    pub silenced: usize,
}

impl Findings {
    pub(super) fn add(
        &mut self,
        kind: FindingKind,
        bodies: &[&Body<'_>],
        message: String,
        fix: Option<Value>,
    ) {
        let is_meant =
            |body: &&Body<'_>| body.shape().is_some_and(|shape| shape.intentional.contains(kind));
        if bodies.iter().any(is_meant) {
            self.silenced += 1;
            return;
        }
        /// Ids of a finding.
        const MAX_IDS: usize = 8;
        let ids = bodies.iter().take(MAX_IDS).map(|body| body.id.to_owned()).collect();
        self.found.push(Finding { check: kind.name(), ids, message, fix });
    }
}

/// What a shape is a part of: its outermost group, or itself.
pub(super) fn whole<'a>(space: &Space<'a>, body: &Body<'a>) -> &'a str {
    space.whole_of(body).unwrap_or(body.id)
}

pub(super) fn moved(id: &str, by: DVec3) -> Value {
    let by = by.to_array().map(|way| (way * 1e6).round() / 1e6 + 0.0);
    json!({ "name": "move", "args": { "ids": [id], "by": by } })
}
