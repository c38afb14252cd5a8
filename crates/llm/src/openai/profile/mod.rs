//! Profiles of OpenAI-compatible providers: one table row each, found by address and model.

mod providers;
mod row;

use reqwest::Url;
use serde_json::{Value, json};

use super::fields::{FIELD, NAMES};
use crate::content::Part;
use crate::http::ProviderNames;
use crate::registry::ModelFacts;
use providers::{DEFAULT, PROFILES};
use row::plain;
pub(super) use row::{Api, EffortForm, Profile, Reasoning, by_model};

/// The requested model with its provider's profile.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) model: String,
    pub(super) facts: ModelFacts,
    pub(super) profile: Profile,
    /// The owner of ids and reasoning, which are sent back only to it.
    pub(super) owner: String,
    /// The provider's names in messages to the user.
    pub(super) names: ProviderNames,
}

impl Target {
    /// The target for `model` of the provider at `base_url`.
    pub(super) fn new(base_url: &str, model: &str, facts: ModelFacts) -> Self {
        let host = host_of(base_url);
        let name = plain(model);
        let fits = |profile: &&Profile| {
            let (hosts, models) = (profile.hosts, profile.models);
            (hosts.is_empty() || hosts.iter().any(|end| is_host(&host, end)))
                && (models.is_empty() || models.iter().any(|start| name.starts_with(start)))
        };
        let profile = *PROFILES.iter().find(fits).unwrap_or(&DEFAULT);
        let owner = if profile.vendor.is_empty() { host } else { profile.vendor.to_owned() };
        let facts = facts.with_picture_limits(profile.pictures);
        Self { model: model.to_owned(), facts, profile, owner, names: NAMES.into() }
    }

    /// The mark of a part made by this model, with additional fields.
    pub(super) fn mark(&self, more: Value) -> Value {
        let mut mark = json!({ "owner": self.owner, "model": self.model });
        if let (Some(mark), Value::Object(more)) = (mark.as_object_mut(), more) {
            mark.extend(more);
        }
        mark
    }

    /// The mark of `part`, if this model made it.
    pub(super) fn own<'a>(&self, part: &'a Part) -> Option<&'a Value> {
        self.of_owner(part).filter(|mark| mark["model"] == self.model.as_str())
    }

    /// The mark of `part`, if a model of this owner made it.
    pub(super) fn of_owner<'a>(&self, part: &'a Part) -> Option<&'a Value> {
        part.raw().get(FIELD).filter(|mark| mark["owner"] == self.owner.as_str())
    }
}

fn host_of(base_url: &str) -> String {
    let Ok(url) = Url::parse(base_url.trim()) else {
        return String::new();
    };
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// Whether `host` is `end`, or ends with it at a dot or a port.
fn is_host(host: &str, end: &str) -> bool {
    host.strip_suffix(end).is_some_and(|before| {
        before.is_empty() || end.starts_with(['.', ':']) || before.ends_with('.')
    })
}

#[cfg(test)]
mod tests;
