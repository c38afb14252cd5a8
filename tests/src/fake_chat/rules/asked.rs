//! A request as the rules see it.

use serde_json::Value;

use super::super::issued::Issued;
use super::super::providers::{Dialect, Form, Model};
use super::common;

/// A request as the rules see it.
#[derive(Debug, Clone, Copy)]
pub(in crate::fake_chat) struct Asked<'a> {
    pub(in crate::fake_chat) dialect: Dialect,
    pub(in crate::fake_chat) form: Form,
    pub(in crate::fake_chat) body: &'a Value,
    /// The value of `anthropic-beta`.
    pub(in crate::fake_chat) betas: &'a str,
    /// What this server gave out so far.
    pub(in crate::fake_chat) issued: &'a Issued,
    /// Whether thoughts are bound to what stood before them.
    pub(in crate::fake_chat) binds_thoughts: bool,
    /// A window that replaces the model's.
    pub(in crate::fake_chat) window: Option<u64>,
}

impl Asked<'_> {
    pub(super) fn model(&self) -> Option<&'static Model> {
        self.dialect.model(common::text(&self.body["model"]))
    }
}
