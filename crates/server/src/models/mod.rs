//! The models sessions can choose from: those of every provider there is a key for, those that run on
//! this machine, and the built-in one.
//!
//! Models of Google bear their own names, those of others their provider's before it:
//! `openai/gpt-5.5`, `ollama/qwen3:8b`. An ending `+react`, `+json`, `+plan` or `+native` forces how a
//! model takes tools.

mod keys;
mod list;
mod names;
mod page_keys;
mod prices;
mod provider;
mod refresh;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use llm::{
    AdaptiveTools, CacheCounts, Cached, LanguageModel, Learned, Listed, ModelFacts, Scripted,
    Table, TextProtocol, TextTools, Usage,
};
use offline::Offline;
use protocol::ModelInfo;

use crate::config::{ModelsConfig, ToolSetting};
use keys::Keys;
pub(crate) use names::OFFLINE;
use names::{find, full_name, split_ending};
use provider::Provider;

const MOCK: &str = "mock";

pub(crate) use self::keys::KeyError;
pub use self::prices::Prices;

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
                .client("any", ModelFacts::UNKNOWN, Learned::default(), &[])
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
            let listed = state.listed.get(&provider.name).map_or(&[][..], Vec::as_slice);
            let client = provider.client(&rest, facts, learned, listed).ok()?;
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
