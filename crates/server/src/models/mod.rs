//! The models sessions can choose from: those of every provider there is a key for, those that run on
//! this machine, and the built-in one.
//!
//! Models of Google bear their own names, those of others their provider's before it:
//! `openai/gpt-5.5`, `ollama/qwen3:8b`. An ending `+react`, `+json`, `+plan` or `+native` forces how a
//! model takes tools.

mod keys;
mod list;
mod prices;
mod provider;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use llm::{
    AdaptiveTools, CacheCounts, Cached, KNOWN_LOCAL, LanguageModel, Learned, Listed, ModelError,
    ModelFacts, OllamaOptions, Scripted, Table, TextProtocol, TextTools, Usage, find_local,
};
use offline::Offline;
use protocol::ModelInfo;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use crate::config::{ModelsConfig, ProviderKind, ToolSetting};
use keys::{KEYED, Keys};
use provider::{Origin, Provider, host_of, maker_of};

const OFFLINE: &str = "offline";
const MOCK: &str = "mock";

pub(crate) use self::keys::{KeyError, KeyedProvider};
pub use self::prices::Prices;

/// How often the services are asked for their lists.
const REFRESH: Duration = Duration::from_secs(600);

/// How long a provider has for its list: the list of all waits for it.
const LIST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a provider has to answer the request that tests a key.
const KEY_TEST: Duration = Duration::from_secs(15);

/// The time between two looks for servers on this machine that somebody asks for.
const LOCAL_PAUSE: Duration = Duration::from_secs(5);

/// Why the models could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// `DEBUG_MOCK_RESPONSES` is not in its form.
    #[error("DEBUG_MOCK_RESPONSES: {0}")]
    Mock(llm::ScriptError),
    /// `SCENE_LLM_MODEL` names a model that cannot be reached.
    #[error(
        "SCENE_LLM_MODEL is '{0}', but there is no key for it: set GEMINI_API_KEY, OPENAI_API_KEY or \
         ANTHROPIC_API_KEY, name its provider in the configuration file, or leave SCENE_LLM_MODEL \
         unset for the built-in offline model"
    )]
    Unreachable(String),
    /// A client could not be made.
    #[error("a model's client could not be set up: {0}")]
    Client(String),
}

/// The models there are.
pub(crate) struct Models {
    tool_use: Option<ToolSetting>,
    plan_cache: usize,
    prices: Prices,
    table: Option<Arc<Table>>,
    keys: Keys,
    finds_local: bool,
    max_local_context: Option<u64>,
    /// Every session gets its own script, from its beginning.
    mock_responses: Option<String>,
    /// Whether the user chose the default.
    is_chosen: bool,
    /// Held only to look up and replace; never across an await.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In the order in which they are found.
    providers: Vec<Arc<Provider>>,
    /// What each provider listed, by its name.
    listed: HashMap<String, Vec<Listed>>,
    list: Arc<[ModelInfo]>,
    default: String,
    /// What is known of the models of the lists, by id.
    facts: HashMap<String, ModelFacts>,
    /// What providers refused, by id: it outlives the clients.
    learned: HashMap<String, Learned>,
    /// Clients of the models, shared by all sessions with their connections.
    clients: HashMap<String, Arc<dyn LanguageModel>>,
    /// The plan caches of those clients.
    caches: Vec<Cached>,
    /// The port this server listens on, which is none of a model's.
    own_port: Option<u16>,
    /// When servers on this machine were last looked for.
    looked: Option<tokio::time::Instant>,
}

/// What testing a key came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyTest {
    /// How many models it may use; `None` where the provider could not be asked.
    pub(crate) models: Option<usize>,
    /// What went wrong, for whoever entered it.
    pub(crate) problem: Option<String>,
    /// Whether it was saved.
    pub(crate) saved: bool,
}

/// What may be told of a key.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(crate) struct KeyStatus {
    /// The provider.
    pub(crate) provider: &'static str,
    /// What people read.
    pub(crate) label: &'static str,
    /// Where its keys are had.
    pub(crate) key_page: &'static str,
    /// Whether there is one.
    pub(crate) set: bool,
    /// Whether it was entered in the page: one of the server's start can only be changed there.
    pub(crate) from_page: bool,
    /// Whether it is saved.
    pub(crate) saved: bool,
    /// Its last letters.
    pub(crate) ending: Option<String>,
}

impl Models {
    /// Sets the models up; says what is wrong with the configuration. Asks no provider yet: the list
    /// is the built-in one until [`Models::refresh`].
    pub(crate) fn new(config: ModelsConfig) -> Result<Self, ModelsError> {
        let mut providers = Provider::of_config(&config);
        let keys = Keys::new(config.keys.clone());
        for saved in keys.providers() {
            if !providers.iter().any(|provider| provider.name == saved.name) {
                providers.push(saved);
            }
        }
        let chosen = config.model.filter(|_| config.mock_responses.is_none());
        let models = Self {
            tool_use: config.tool_use,
            plan_cache: config.plan_cache,
            prices: config.prices,
            table: config.model_table,
            keys,
            finds_local: config.local_models,
            max_local_context: config.max_local_context,
            mock_responses: config.mock_responses,
            is_chosen: chosen.is_some(),
            state: Mutex::new(State { default: OFFLINE.into(), ..State::default() }),
        };
        if let Some(script) = &models.mock_responses {
            Scripted::from_json(script).map_err(ModelsError::Mock)?;
            let mut state = models.lock();
            state.list = Arc::from([list::mock(MOCK)]);
            state.default = MOCK.into();
            drop(state);
            return Ok(models);
        }
        // A client for each provider now, so that a key or an address that cannot be used is told
        // at the start.
        for provider in &providers {
            provider
                .client("any", ModelFacts::UNKNOWN, Learned::default())
                .map_err(|error| ModelsError::Client(error.to_string()))?;
        }
        let mut state = models.lock();
        state.providers = providers.into_iter().map(Arc::new).collect();
        if let Some(name) = &chosen {
            let full = full_name(&state.providers, name);
            state.default = full.ok_or_else(|| ModelsError::Unreachable(name.clone()))?;
        }
        models.rebuild(&mut state);
        drop(state);
        Ok(models)
    }

    /// Asks the providers for their lists until `cancel`, now and then again.
    pub(crate) async fn keep_fresh(self: Arc<Self>, cancel: CancellationToken) {
        loop {
            if cancel.run_until_cancelled(self.refresh()).await.is_none()
                || cancel.run_until_cancelled(tokio::time::sleep(REFRESH)).await.is_none()
            {
                return;
            }
        }
    }

    /// Whether only a provider's own list tells which models there are.
    pub(crate) fn needs_list(&self) -> bool {
        let state = self.lock();
        state.providers.iter().any(|provider| {
            provider.origin != Origin::Local
                && provider.built_in().is_empty()
                && !state.listed.contains_key(&provider.name)
        })
    }

    /// The port this server listens on: no model is looked for there.
    pub(crate) fn listens_on(&self, port: u16) {
        self.lock().own_port = Some(port);
    }

    /// Asks every provider for its list, and looks for models on this machine; a provider that does
    /// not answer keeps the list it has.
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

    /// Looks for models on this machine, unless that was just done.
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
        let programs = KNOWN_LOCAL.into_iter().filter(|program| {
            Some(program.port) != own_port
                && !taken.iter().any(|(_, port)| *port == Some(program.port))
        });
        let mut found = Vec::new();
        for server in find_local(programs).await {
            let is_taken = taken.iter().any(|(name, _)| name == server.program.name);
            // Next to a provider of that name in the configuration file.
            let name = match is_taken {
                true => format!("local-{}", server.program.name),
                false => server.program.name.to_owned(),
            };
            let kind = match server.program.is_ollama {
                true => ProviderKind::Ollama,
                false => ProviderKind::OpenAi,
            };
            let label = format!("{} on this computer", server.program.label);
            let no_key = SecretString::from("");
            let mut provider =
                Provider::new(&name, &label, kind, &server.base_url, no_key, Origin::Local);
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

    /// Makes the list anew from what the providers listed. Clients whose model turned out to be
    /// another are made anew when they are next asked for.
    fn rebuild(&self, state: &mut State) {
        let mut entries = Vec::new();
        let mut facts = HashMap::new();
        for provider in &state.providers {
            match state.listed.get(&provider.name) {
                Some(models) => {
                    for Listed { id: name, facts: listed, .. } in models {
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

    fn facts_by_name(&self, provider: &Provider, name: &str) -> ModelFacts {
        provider.facts(name, self.table.as_deref())
    }

    /// What to choose from.
    pub(crate) fn list(&self) -> Arc<[ModelInfo]> {
        Arc::clone(&self.lock().list)
    }

    /// The model of new sessions.
    pub(crate) fn default_id(&self) -> String {
        self.lock().default.clone()
    }

    /// Whether there is a model `id`: one of the list, or one named in full of a provider there is a
    /// key for.
    pub(crate) fn contains(&self, id: &str) -> bool {
        let (name, _) = split_ending(id);
        let listed = self.lock().list.iter().any(|model| model.id == name || model.id == id);
        listed || (name.contains('/') && self.mock_responses.is_none() && self.open(id).is_some())
    }

    /// What these tokens of the model `id` cost: by the prices the server was started with, else by
    /// its list or the table; `None` where no price is known.
    pub(crate) fn cost(&self, id: &str, usage: &Usage) -> Option<f64> {
        if let Some(cost) = self.prices.cost(id, usage) {
            return Some(cost);
        }
        let name = split_ending(id).0;
        let state = self.lock();
        let listed = state.facts.get(name).copied();
        let facts = listed.or_else(|| {
            let (provider, rest) = find(&state.providers, name)?;
            Some(self.facts_by_name(&provider, &rest))
        });
        Some(facts?.prices?.cost(usage))
    }

    /// Whether every session has a model of its own, which answers from a script.
    pub(crate) fn is_scripted(&self) -> bool {
        self.mock_responses.is_some()
    }

    /// The model `id` for one session, if there is one.
    pub(crate) fn open(&self, id: &str) -> Option<Arc<dyn LanguageModel>> {
        if let Some(script) = &self.mock_responses {
            let (name, protocol) = split_ending(id);
            // Read once before, so it can be read again.
            let model = Scripted::from_json(script).ok().filter(|_| name == MOCK)?;
            return Some(with_tools(id, Arc::new(model), protocol));
        }
        let mut state = self.lock();
        if let Some(model) = state.clients.get(id) {
            return Some(Arc::clone(model));
        }
        let (name, ending) = split_ending(id);
        let model: Arc<dyn LanguageModel> = if name == OFFLINE {
            Arc::new(Offline)
        } else {
            let (provider, rest) = find(&state.providers, name)?;
            let full = provider.id(&rest);
            let known = state.facts.get(&full).copied();
            let facts = known.unwrap_or_else(|| self.facts_by_name(&provider, &rest));
            let learned = state.learned.entry(full).or_default().clone();
            // The settings were good for another name before.
            let client = provider.client(&rest, facts, learned).ok()?;
            with_tools(id, client, ending.or(self.tool_use))
        };
        let model: Arc<dyn LanguageModel> = if self.plan_cache > 0 {
            let cached = Cached::new(model, self.plan_cache);
            state.caches.push(cached.clone());
            Arc::new(cached)
        } else {
            model
        };
        Some(Arc::clone(state.clients.entry(id.to_owned()).or_insert(model)))
    }

    /// How often plans were found in the cache.
    pub(crate) fn cache_counts(&self) -> CacheCounts {
        self.lock().caches.iter().map(Cached::counts).fold(CacheCounts::default(), |all, one| {
            CacheCounts { hits: all.hits + one.hits, misses: all.misses + one.misses }
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one assignment, so a panic elsewhere leaves nothing half-done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keys of the page.
impl Models {
    /// What may be told of keys: never a key.
    pub(crate) fn key_status(&self) -> Result<(Vec<KeyStatus>, bool), KeyError> {
        if !self.keys.allowed() {
            return Err(KeyError::NotAllowed);
        }
        let state = self.lock();
        let status = |known: &KeyedProvider| {
            let found = state.providers.iter().find(|provider| provider.name == known.name);
            let from_page = found.is_some_and(|provider| provider.origin == Origin::Page);
            KeyStatus {
                provider: known.name,
                label: known.label,
                key_page: known.key_page,
                set: found.is_some(),
                from_page,
                saved: self.keys.is_saved(known.name),
                ending: found.filter(|_| from_page).and_then(|it| keys::ending(&it.api_key)),
            }
        };
        Ok((KEYED.iter().map(status).collect(), self.keys.can_save()))
    }

    /// Takes a key for the provider `name` once one cheap request, its list of models, was not
    /// refused; with `remember`, saves it.
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
        // What could not be asked now may answer later: the key is kept.
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
        // Before what runs on this machine.
        let at = state.providers.iter().position(|other| other.origin > Origin::Page);
        let at = at.unwrap_or(state.providers.len());
        state.providers.insert(at, Arc::new(provider));
        self.rebuild(&mut state);
        drop(state);
        let problem = problem.or(saved.as_ref().err().map(ToString::to_string));
        Ok(KeyTest { models, problem, saved: remember && saved.is_ok() })
    }

    /// Forgets a key of the page.
    pub(crate) fn remove_key(&self, name: &str) -> Result<(), KeyError> {
        self.keyed(name)?;
        self.keys.save(name, None)?;
        let mut state = self.lock();
        self.forget(&mut state, name);
        self.rebuild(&mut state);
        Ok(())
    }

    /// The provider that a key may be entered for.
    fn keyed(&self, name: &str) -> Result<&'static KeyedProvider, KeyError> {
        if !self.keys.allowed() || self.mock_responses.is_some() {
            return Err(KeyError::NotAllowed);
        }
        let known = KeyedProvider::named(name)?;
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

async fn list_in_time(provider: &Provider) -> Result<Vec<Listed>, ModelError> {
    let late = || ModelError::Unavailable(format!("{} gave no list in time.", provider.label));
    tokio::time::timeout(LIST_TIMEOUT, provider.list()).await.unwrap_or_else(|_| Err(late()))
}

/// The model of new sessions where nobody chose one: of a provider marked so in the configuration
/// file, else the first of the first provider. What runs on this machine is chosen by people only.
fn default_of(providers: &[Arc<Provider>], entries: &[(String, Arc<Provider>)]) -> String {
    let first_of = |provider: &Arc<Provider>| {
        let mut own = entries.iter().filter(|(_, other)| Arc::ptr_eq(other, provider));
        // The list of a maker is in no order that says which model is good.
        let known = provider.built_in().first().map(|name| provider.id(name));
        known.or_else(|| own.next().map(|(id, _)| id.clone()))
    };
    let marked = providers.iter().filter(|provider| provider.is_default).find_map(first_of);
    let mut others = providers.iter().filter(|provider| provider.origin != Origin::Local);
    marked.or_else(|| others.find_map(first_of)).unwrap_or_else(|| OFFLINE.into())
}

/// The provider of the model `name`, and the name there.
fn find(providers: &[Arc<Provider>], name: &str) -> Option<(Arc<Provider>, String)> {
    let named = |wanted: &str| providers.iter().find(|provider| provider.name == wanted).cloned();
    if let Some((prefix, rest)) = name.split_once('/') {
        let prefix = if prefix == "google" { "gemini" } else { prefix };
        if let Some(provider) = named(prefix) {
            return Some((provider, rest.to_owned()));
        }
        // Names with one of these before them are of no other provider.
        if ["openai", "anthropic", "gemini"].contains(&prefix) {
            return None;
        }
    }
    if let Some(maker) = maker_of(name) {
        return Some((named(maker)?, name.to_owned()));
    }
    // A name that tells nothing belongs to the provider that takes any name.
    let any = named("openai").or_else(|| {
        providers.iter().find(|provider| provider.origin == Origin::Environment).cloned()
    })?;
    Some((any, name.to_owned()))
}

/// The id in the list of the model that the user calls `name`.
fn full_name(providers: &[Arc<Provider>], name: &str) -> Option<String> {
    let (plain, _) = split_ending(name);
    if plain == OFFLINE {
        return Some(name.to_owned());
    }
    let (provider, rest) = find(providers, plain)?;
    Some(format!("{}{}", provider.id(&rest), &name[plain.len()..]))
}

/// The port of an address on this machine.
fn loopback_port(base_url: &str) -> Option<u16> {
    let host = host_of(base_url);
    let (name, port) = host.rsplit_once(':')?;
    let is_loopback = matches!(name, "localhost" | "[::1]") || name.starts_with("127.");
    port.parse().ok().filter(|_| is_loopback)
}

/// A name and how its ending says that tools are taken.
fn split_ending(id: &str) -> (&str, Option<ToolSetting>) {
    match id.rsplit_once('+') {
        Some((name, ending)) => match ToolSetting::named(ending) {
            Some(setting) => (name, Some(setting)),
            None => (id, None),
        },
        None => (id, None),
    }
}

fn with_tools(
    id: &str,
    model: Arc<dyn LanguageModel>,
    setting: Option<ToolSetting>,
) -> Arc<dyn LanguageModel> {
    match setting {
        Some(ToolSetting::Text(protocol)) => Arc::new(TextTools::new(id, model, protocol)),
        Some(ToolSetting::Native) => model,
        // As is known of it, and otherwise once its provider refuses tools.
        None => Arc::new(AdaptiveTools::new(model, TextProtocol::Json)),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
