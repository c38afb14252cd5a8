//! Display names for messages to the user.

use super::config::ClientConfig;
use crate::providers::KnownProvider;

/// Display names of a provider and its settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    /// E.g. `The Gemini API`.
    pub(crate) provider: &'static str,
    /// The variable of the key.
    pub(crate) key: &'static str,
    /// The variable of the address.
    pub(crate) base_url: &'static str,
}

impl Names {
    /// The names of the provider `known` with its key from the environment.
    pub(crate) const fn of(known: &KnownProvider) -> Self {
        let key = match known.key_variables {
            [first, ..] => first,
            [] => "the configuration file",
        };
        let base_url = match known.address_variable {
            Some(variable) => variable,
            None => "base_url in the configuration file",
        };
        Self { provider: known.api_name, key, base_url }
    }
}

/// [`Names`] with the changes of a configuration, and known models for suggestions.
#[derive(Debug, Clone)]
pub(crate) struct ProviderNames {
    pub(crate) provider: String,
    pub(crate) key: String,
    pub(crate) base_url: String,
    pub(crate) known_models: Vec<String>,
}

impl From<Names> for ProviderNames {
    fn from(names: Names) -> Self {
        Self {
            provider: names.provider.to_owned(),
            key: names.key.to_owned(),
            base_url: names.base_url.to_owned(),
            known_models: Vec::new(),
        }
    }
}

impl ProviderNames {
    pub(super) fn of(names: Names, config: &ClientConfig) -> Self {
        let usual = Self::from(names);
        Self {
            provider: config.provider_name.clone().unwrap_or(usual.provider),
            key: config.key_name.clone().unwrap_or(usual.key),
            base_url: config.address_name.clone().unwrap_or(usual.base_url),
            known_models: config.known_models.clone(),
        }
    }
}
