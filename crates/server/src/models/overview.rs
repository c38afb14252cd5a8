//! What is configured, for the operator to read: providers without their keys.

use llm::{KnownProvider, PROVIDERS};
use protocol::ModelInfo;
use secrecy::ExposeSecret;
use serde::Serialize;

use super::keys::Keys;
use super::provider::{Origin, Provider};
use super::{Models, ModelsError};
use crate::config::ModelsConfig;

/// A provider of models that is configured. It has no secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProviderInfo {
    /// What the ids of its models begin with (except for Google's).
    pub name: String,
    /// Its display name.
    pub label: String,
    /// How it is spoken to.
    pub kind: &'static str,
    /// Its address.
    pub base_url: String,
    /// Whether there is a key.
    pub has_key: bool,
    /// Where it comes from: `environment`, `file`, `page`, `local`, or `none` if it is not configured.
    pub source: &'static str,
    /// The variable of the environment for its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<&'static str>,
}

/// The models there are, as far as they are known now.
#[derive(Debug, Clone)]
pub struct ModelOverview {
    /// The model of new sessions.
    pub default: String,
    /// All models, as clients get them.
    pub models: Vec<ModelInfo>,
    /// The providers that are configured or found, then those that a key would add.
    pub providers: Vec<ProviderInfo>,
}

/// Asks every provider for its models, and looks for local ones.
pub async fn model_overview(config: ModelsConfig) -> Result<ModelOverview, ModelsError> {
    let models = Models::new(config)?;
    models.refresh().await;
    let mut providers: Vec<ProviderInfo> =
        models.lock().providers.iter().map(|provider| ProviderInfo::of(provider)).collect();
    let missing = PROVIDERS.iter().filter(|known| known.key_page.is_some());
    let missing: Vec<ProviderInfo> = missing
        .filter(|known| !providers.iter().any(|provider| provider.name == known.name))
        .map(ProviderInfo::missing)
        .collect();
    providers.extend(missing);
    let list = models.list().to_vec();
    Ok(ModelOverview { default: models.default_id(), models: list, providers })
}

/// The providers of a configuration in their order, those with a key saved in the page included. None is
/// contacted.
pub fn configured_providers(config: &ModelsConfig) -> Vec<ProviderInfo> {
    let mut providers = Provider::of_config(config);
    for saved in Keys::new(config.keys.clone()).providers() {
        if !providers.iter().any(|provider| provider.name == saved.name) {
            providers.push(saved);
        }
    }
    providers.iter().map(ProviderInfo::of).collect()
}

impl ProviderInfo {
    pub(super) fn of(provider: &Provider) -> Self {
        Self {
            name: provider.name.clone(),
            label: provider.label.clone(),
            kind: provider.kind.name(),
            base_url: without_secrets(&provider.base_url),
            has_key: !provider.api_key.expose_secret().trim().is_empty(),
            source: match provider.origin {
                Origin::Environment => "environment",
                Origin::File => "file",
                Origin::Page => "page",
                Origin::Local => "local",
            },
            key_variable: KnownProvider::named(&provider.name).and_then(key_variable),
        }
    }

    /// A known provider without a key.
    fn missing(known: &KnownProvider) -> Self {
        Self {
            name: known.name.to_owned(),
            label: known.label.to_owned(),
            kind: known.kind.name(),
            base_url: known.base_url.to_owned(),
            has_key: false,
            source: "none",
            key_variable: key_variable(known),
        }
    }
}

fn key_variable(known: &KnownProvider) -> Option<&'static str> {
    known.key_variables.first().copied()
}

/// An address without a user, a password and a query, which may be keys.
fn without_secrets(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_what_may_be_a_key() {
        for (address, shown) in [
            ("https://a.example/v1", "https://a.example/v1"),
            ("https://me:pass@a.example:8000/v1?key=k", "https://a.example:8000/v1"),
            ("http://a.example", "http://a.example"),
            ("http://a.example/v1/x@y", "http://a.example/v1/x@y"),
        ] {
            assert_eq!(without_secrets(address), shown);
        }
    }
}
