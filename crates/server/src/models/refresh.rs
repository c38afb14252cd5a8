//! Refreshing the list of models: the lists of providers, and local models.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use llm::{Listed, ModelError, ModelFacts, OllamaOptions, PROVIDERS, find_local};
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::names::{find, split_ending};
use super::provider::{Origin, Provider, host_of};
use super::{Models, OFFLINE, State, list};

/// The interval between refreshes.
const REFRESH: Duration = Duration::from_secs(600);

/// The most models of one provider that are listed; the largest have some hundreds.
const MAX_LISTED: usize = 2_000;
/// The longest name of a listed model, in bytes.
const MAX_NAME: usize = 200;
/// The timeout for the list of a provider.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);

/// The least time between two requested searches for local models.
const LOCAL_PAUSE: Duration = Duration::from_secs(5);

impl Models {
    /// Refreshes the list periodically until `cancel`.
    pub(crate) async fn keep_fresh(self: Arc<Self>, cancel: CancellationToken) {
        loop {
            if cancel.run_until_cancelled(self.refresh()).await.is_none()
                || cancel.run_until_cancelled(tokio::time::sleep(REFRESH)).await.is_none()
            {
                return;
            }
        }
    }

    /// Whether the models are known only from a provider's list.
    pub(crate) fn needs_list(&self) -> bool {
        let state = self.lock();
        state.providers.iter().any(|provider| {
            provider.origin != Origin::Local
                && provider.built_in().is_empty()
                && !state.listed.contains_key(&provider.name)
        })
    }

    /// The port this server listens on, which is skipped in the search for local models.
    pub(crate) fn listens_on(&self, port: u16) {
        self.lock().own_port = Some(port);
    }

    /// Requests the list of every provider and searches for local models. A provider that does not answer
    /// keeps its list.
    pub(crate) async fn refresh(&self) {
        if self.mock_responses.is_some() {
            return;
        }
        let providers: Vec<Arc<Provider>> =
            self.lock().providers.iter().filter(|it| it.origin != Origin::Local).cloned().collect();
        let asked = providers.into_iter().map(|provider| async move {
            let is_news = provider.recognise().await;
            let listed = list_in_time(&provider).await;
            (provider, is_news, listed)
        });
        let (answers, ()) =
            tokio::join!(futures_util::future::join_all(asked), self.refresh_local());
        let mut state = self.lock();
        for (provider, is_news, listed) in answers {
            if is_news {
                let prefix = format!("{}/", provider.name);
                state.clients.retain(|id, _| !id.starts_with(&prefix));
            }
            match listed {
                Ok(models) if !models.is_empty() => {
                    state.listed.insert(provider.name.clone(), models);
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(provider = provider.name, %error, "the models could not be listed");
                }
            }
        }
        self.rebuild(&mut state);
    }

    /// Searches for local models, unless that was just done.
    pub(crate) async fn look_around(&self) {
        let now = tokio::time::Instant::now();
        if self.lock().looked.is_some_and(|looked| now - looked < LOCAL_PAUSE) {
            return;
        }
        self.refresh_local().await;
        let mut state = self.lock();
        self.rebuild(&mut state);
    }

    async fn refresh_local(&self) {
        if !self.finds_local || self.mock_responses.is_some() {
            return;
        }
        let (own_port, taken) = {
            let mut state = self.lock();
            state.looked = Some(tokio::time::Instant::now());
            let others = state.providers.iter().filter(|it| it.origin != Origin::Local);
            let taken: Vec<(String, Option<u16>)> =
                others.map(|it| (it.name.clone(), loopback_port(&it.base_url))).collect();
            (state.own_port, taken)
        };
        let programs = PROVIDERS.iter().copied().filter(|program| {
            let is_free = |port| {
                Some(port) != own_port && !taken.iter().any(|(_, other)| *other == Some(port))
            };
            program.port.is_some_and(is_free)
        });
        let mut found = Vec::new();
        for server in find_local(programs).await {
            let is_taken = taken.iter().any(|(name, _)| name == server.program.name);
            // The configuration file has a provider of that name.
            let name = match is_taken {
                true => format!("local-{}", server.program.name),
                false => server.program.name.to_owned(),
            };
            let label = format!("{} on this computer", server.program.label);
            let no_key = SecretString::from("");
            let mut provider = Provider::new(
                &name,
                &label,
                server.program.kind,
                &server.base_url,
                no_key,
                Origin::Local,
            );
            if let Some(max_context) = self.max_local_context {
                provider.ollama = OllamaOptions { max_context, ..provider.ollama };
            }
            let models = match server.models {
                Some(models) => models,
                None => list_in_time(&provider).await.unwrap_or_default(),
            };
            if !models.is_empty() {
                found.push((Arc::new(provider), models));
            }
        }
        let mut state = self.lock();
        for gone in
            state.providers.extract_if(.., |it| it.origin == Origin::Local).collect::<Vec<_>>()
        {
            state.listed.remove(&gone.name);
        }
        for (provider, models) in found {
            state.listed.insert(provider.name.clone(), models);
            state.providers.push(provider);
        }
    }

    /// Rebuilds the list from the lists of the providers. Clients whose facts changed are recreated on next
    /// use.
    pub(super) fn rebuild(&self, state: &mut State) {
        let mut entries = Vec::new();
        let mut facts = HashMap::new();
        for provider in &state.providers {
            match state.listed.get(&provider.name) {
                Some(models) => {
                    let named = models.iter().filter(|listed| is_name(&listed.id));
                    for Listed { id: name, facts: listed, .. } in named.take(MAX_LISTED) {
                        let own = self.table.as_ref().and_then(|table| table.get(name));
                        let known = own.filter(|_| listed.source != llm::Source::List);
                        let mut known = known.unwrap_or(*listed);
                        known.prices = known.prices.or(self.facts_by_name(provider, name).prices);
                        facts.insert(provider.id(name), known);
                        entries.push((provider.id(name), Arc::clone(provider)));
                    }
                }
                None => {
                    for name in provider.built_in() {
                        facts.insert(provider.id(&name), self.facts_by_name(provider, &name));
                        entries.push((provider.id(&name), Arc::clone(provider)));
                    }
                }
            }
        }
        if !self.is_chosen {
            state.default = default_of(&state.providers, &entries);
        }
        let changed = |id: &String| {
            let name = split_ending(id).0;
            state.facts.get(name) != facts.get(name)
        };
        let stale: Vec<String> = state.clients.keys().filter(|id| changed(id)).cloned().collect();
        for id in stale {
            state.clients.remove(&id);
        }
        let default = state.default.clone();
        if default != OFFLINE && !entries.iter().any(|(id, _)| *id == default) {
            let (name, _) = split_ending(&default);
            if let Some((provider, rest)) = find(&state.providers, name) {
                facts
                    .entry(name.to_owned())
                    .or_insert_with(|| self.facts_by_name(&provider, &rest));
                entries.insert(0, (default, provider));
            }
        }
        let only_offline = entries.is_empty();
        let entry = |(id, provider): (String, Arc<Provider>)| {
            let known = facts.get(split_ending(&id).0).copied().unwrap_or(ModelFacts::UNKNOWN);
            list::entry(id, &known, &provider)
        };
        let list = entries.into_iter().map(entry).chain([list::offline(only_offline)]).collect();
        state.list = list;
        state.facts = facts;
    }

    pub(super) fn facts_by_name(&self, provider: &Provider, name: &str) -> ModelFacts {
        provider.facts(name, self.table.as_deref())
    }
}

/// Whether a model may be listed under this name: every client gets the list, and people choose from it.
fn is_name(id: &str) -> bool {
    let hides = |letter: char| letter.is_control() || scene::is_hidden(letter);
    !id.is_empty() && id.len() <= MAX_NAME && !id.contains(hides)
}

async fn list_in_time(provider: &Provider) -> Result<Vec<Listed>, ModelError> {
    let late = || ModelError::Unavailable(format!("{} gave no list in time.", provider.label));
    tokio::time::timeout(LIST_TIMEOUT, provider.list()).await.unwrap_or_else(|_| Err(late()))
}

/// The default model: of the provider marked as default in the configuration file, else the first of the
/// first provider. Local models are never the default unless chosen by the user.
fn default_of(providers: &[Arc<Provider>], entries: &[(String, Arc<Provider>)]) -> String {
    let first_of = |provider: &Arc<Provider>| {
        let mut own = entries.iter().filter(|(_, other)| Arc::ptr_eq(other, provider));
        // The order of a provider's list does not tell which model is best.
        let known = provider.built_in().first().map(|name| provider.id(name));
        known.or_else(|| own.next().map(|(id, _)| id.clone()))
    };
    let marked = providers.iter().filter(|provider| provider.is_default).find_map(first_of);
    let mut others = providers.iter().filter(|provider| provider.origin != Origin::Local);
    marked.or_else(|| others.find_map(first_of)).unwrap_or_else(|| OFFLINE.into())
}

/// The port of a local address.
pub(super) fn loopback_port(base_url: &str) -> Option<u16> {
    let host = host_of(base_url);
    let (name, port) = host.rsplit_once(':')?;
    let is_loopback = matches!(name, "localhost" | "[::1]") || name.starts_with("127.");
    port.parse().ok().filter(|_| is_loopback)
}
