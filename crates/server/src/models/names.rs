//! Parsing model names.

use std::sync::Arc;

use llm::KnownProvider;

use super::provider::{Origin, Provider};
use crate::config::ToolSetting;

/// The built-in model.
pub(crate) const OFFLINE: &str = "offline";

/// A model name, and the tool setting of its suffix.
pub(super) fn split_ending(id: &str) -> (&str, Option<ToolSetting>) {
    match id.rsplit_once('+') {
        Some((name, ending)) => match ToolSetting::named(ending) {
            Some(setting) => (name, Some(setting)),
            None => (id, None),
        },
        None => (id, None),
    }
}

/// The provider of the model `name`, and the model's name at that provider.
pub(super) fn find(providers: &[Arc<Provider>], name: &str) -> Option<(Arc<Provider>, String)> {
    let named = |wanted: &str| providers.iter().find(|provider| provider.name == wanted).cloned();
    if let Some((prefix, rest)) = name.split_once('/') {
        let prefix = if prefix == "google" { "gemini" } else { prefix };
        if let Some(provider) = named(prefix) {
            return Some((provider, rest.to_owned()));
        }
        // Names with a maker as a prefix belong to no other provider.
        if KnownProvider::named(prefix).is_some_and(|known| !known.model_starts.is_empty()) {
            return None;
        }
    }
    if let Some(maker) = KnownProvider::of_model(name) {
        return Some((named(maker.name)?, name.to_owned()));
    }
    // An unknown name belongs to the provider that serves any model.
    let any = named("openai").or_else(|| {
        providers.iter().find(|provider| provider.origin == Origin::Environment).cloned()
    })?;
    Some((any, name.to_owned()))
}

/// The list id of the model that the user calls `name`.
pub(super) fn full_name(providers: &[Arc<Provider>], name: &str) -> Option<String> {
    let (plain, _) = split_ending(name);
    if plain == OFFLINE {
        return Some(name.to_owned());
    }
    let (provider, rest) = find(providers, plain)?;
    Some(format!("{}{}", provider.id(&rest), &name[plain.len()..]))
}
