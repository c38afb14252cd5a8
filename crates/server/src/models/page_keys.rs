//! Keys that are entered in the page.

use std::sync::Arc;
use std::time::Duration;

use llm::{KnownProvider, ModelError};
use secrecy::SecretString;

use super::keys::{self, KeyError, keyed};
use super::names::split_ending;
use super::provider::Origin;
use super::{Models, State};

/// The timeout for the request that tests a key.
const KEY_TEST: Duration = Duration::from_secs(15);

/// The result of testing a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyTest {
    /// The number of models it may use; `None` if the provider could not be reached.
    pub(crate) models: Option<usize>,
    /// The error for the user.
    pub(crate) problem: Option<String>,
    /// Whether it was saved.
    pub(crate) saved: bool,
}

/// The public status of a key.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(crate) struct KeyStatus {
    /// The provider.
    pub(crate) provider: &'static str,
    /// Its display name.
    pub(crate) label: &'static str,
    /// The page where users get keys.
    pub(crate) key_page: &'static str,
    /// Whether there is one.
    pub(crate) set: bool,
    /// Whether it was entered in the page; a key from the environment or configuration can only be changed
    /// there.
    pub(crate) from_page: bool,
    /// Whether it is saved.
    pub(crate) saved: bool,
    /// Its last letters.
    pub(crate) ending: Option<String>,
}

impl Models {
    /// The status of all keys, never a key itself.
    pub(crate) fn key_status(&self) -> Result<(Vec<KeyStatus>, bool), KeyError> {
        if !self.keys.allowed() {
            return Err(KeyError::NotAllowed);
        }
        let state = self.lock();
        let status = |known: &KnownProvider| {
            let found = state.providers.iter().find(|provider| provider.name == known.name);
            let from_page = found.is_some_and(|provider| provider.origin == Origin::Page);
            KeyStatus {
                provider: known.name,
                label: known.label,
                key_page: known.key_page.unwrap_or_default(),
                set: found.is_some(),
                from_page,
                saved: self.keys.is_saved(known.name),
                ending: found.filter(|_| from_page).and_then(|it| keys::ending(&it.api_key)),
            }
        };
        Ok((keyed().map(status).collect(), self.keys.can_save()))
    }

    /// Adds a key for the provider `name` after a cheap request (its list of models) was not refused; with
    /// `remember`, saves it.
    pub(crate) async fn set_key(
        &self,
        name: &str,
        key: &SecretString,
        remember: bool,
    ) -> Result<KeyTest, KeyError> {
        let known = self.keyed(name)?;
        let provider = self.keys.provider(known, &keys::checked(key)?);
        let listed = tokio::time::timeout(KEY_TEST, provider.list()).await;
        let (listed, problem) = match listed {
            Ok(Ok(models)) => (Some(models), None),
            Ok(Err(ModelError::Unauthorized(_))) => {
                return Err(KeyError::Refused(known.label.to_owned()));
            }
            Ok(Err(error)) => (None, Some(error.to_string())),
            Err(_) => (None, Some(format!("{} did not answer in time.", known.label))),
        };
        // The provider may be reachable later, so the key is kept.
        let saved = if remember {
            self.keys.save(name, Some(&provider.api_key))
        } else {
            self.keys.save(name, None)
        };
        let models = listed.as_ref().map(Vec::len);
        let mut state = self.lock();
        self.forget(&mut state, name);
        if let Some(listed) = listed.filter(|models| !models.is_empty()) {
            state.listed.insert(name.to_owned(), listed);
        }
        // Before local models.
        let at = state.providers.iter().position(|other| other.origin > Origin::Page);
        let at = at.unwrap_or(state.providers.len());
        state.providers.insert(at, Arc::new(provider));
        self.rebuild(&mut state);
        drop(state);
        let problem = problem.or(saved.as_ref().err().map(ToString::to_string));
        Ok(KeyTest { models, problem, saved: remember && saved.is_ok() })
    }

    /// Removes a key of the page.
    pub(crate) fn remove_key(&self, name: &str) -> Result<(), KeyError> {
        self.keyed(name)?;
        self.keys.save(name, None)?;
        let mut state = self.lock();
        self.forget(&mut state, name);
        self.rebuild(&mut state);
        Ok(())
    }

    /// The provider, if a key may be entered for it.
    fn keyed(&self, name: &str) -> Result<&'static KnownProvider, KeyError> {
        if !self.keys.allowed() || self.mock_responses.is_some() {
            return Err(KeyError::NotAllowed);
        }
        let known = keys::keyed_as(name)?;
        let state = self.lock();
        let elsewhere = state
            .providers
            .iter()
            .any(|provider| provider.name == known.name && provider.origin != Origin::Page);
        if elsewhere { Err(KeyError::SetElsewhere(known.label.to_owned())) } else { Ok(known) }
    }

    fn forget(&self, state: &mut State, name: &str) {
        let Some(at) = state.providers.iter().position(|provider| provider.name == name) else {
            return;
        };
        let provider = state.providers.remove(at);
        state.listed.remove(name);
        let is_its = |id: &String| {
            let model = split_ending(id).0;
            let rest = model.rsplit_once('/').map_or(model, |(_, rest)| rest);
            model.starts_with(&format!("{name}/")) || provider.id(rest) == *model
        };
        state.clients.retain(|id, _| !is_its(id));
    }
}
