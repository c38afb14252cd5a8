//! The available models: those of every provider with a key, local ones, and the built-in one.
//!
//! Ids of Google's models are their names; others have their provider as a prefix: `openai/gpt-5.5`,
//! `ollama/qwen3:8b`. A suffix `+react`, `+json`, `+plan` or `+native` forces how a model calls tools.

mod keys;
mod list;
mod names;
mod overview;
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
pub use self::overview::{ModelOverview, ProviderInfo, configured_providers, model_overview};
pub use self::prices::Prices;

/// An error in the configuration of models.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// `DEBUG_MOCK_RESPONSES` is malformed.
    #[error("DEBUG_MOCK_RESPONSES: {0}")]
    Mock(llm::ScriptError),
    /// `SCENE_LLM_MODEL` names a model that cannot be reached.
    #[error(
        "SCENE_LLM_MODEL is '{0}', but there is no key for it: set GEMINI_API_KEY, OPENAI_API_KEY or \
         ANTHROPIC_API_KEY, name its provider in the configuration file, or leave SCENE_LLM_MODEL \
         unset for the built-in offline model"
    )]
    Unreachable(String),
    /// A client could not be created.
    #[error("a model's client could not be set up: {0}")]
    Client(String),
}

/// The available models.
pub(crate) struct Models {
    tool_use: Option<ToolSetting>,
    plan_cache: usize,
    prices: Prices,
    table: Option<Arc<Table>>,
    keys: Keys,
    finds_local: bool,
    max_local_context: Option<u64>,
    /// Each session gets its own script, from the beginning.
    mock_responses: Option<String>,
    /// Whether the user chose the default.
    is_chosen: bool,
    /// Locked only for a lookup or a replacement; never across an await.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In order of precedence.
    providers: Vec<Arc<Provider>>,
    /// The list of each provider, by its name.
    listed: HashMap<String, Vec<Listed>>,
    list: Arc<[ModelInfo]>,
    default: String,
    /// The facts about the listed models, by id.
    facts: HashMap<String, ModelFacts>,
    /// What providers refused, by model id; kept when a client is recreated.
    learned: HashMap<String, Learned>,
    /// Clients of the models, shared by all sessions.
    clients: HashMap<String, Arc<dyn LanguageModel>>,
    /// The plan caches of those clients.
    caches: Vec<Cached>,
    /// The port this server listens on, where no model is searched for.
    own_port: Option<u16>,
    /// The time of the last search for local models.
    looked: Option<tokio::time::Instant>,
}

impl Models {
    /// Creates the models from the configuration. No provider is contacted yet: the list is the built-in one
    /// until [`Models::refresh`].
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
        // Create a client for each provider now, so that an invalid key or address is reported at
        // the start.
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

    /// The list of models.
    pub(crate) fn list(&self) -> Arc<[ModelInfo]> {
        Arc::clone(&self.lock().list)
    }

    /// The model of new sessions.
    pub(crate) fn default_id(&self) -> String {
        self.lock().default.clone()
    }

    /// Whether there is a model `id`: one of the list, or a full id with a provider that has a
    /// key for.
    pub(crate) fn contains(&self, id: &str) -> bool {
        let (name, _) = split_ending(id);
        let listed = self.lock().list.iter().any(|model| model.id == name || model.id == id);
        listed || (name.contains('/') && self.mock_responses.is_none() && self.open(id).is_some())
    }

    /// The cost of these tokens of the model `id`: by the configured prices, else by the provider's list or
    /// the table; `None` if no price is known.
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

    /// Whether each session has its own scripted model.
    pub(crate) fn is_scripted(&self) -> bool {
        self.mock_responses.is_some()
    }

    /// The model `id` for one session, if it exists.
    pub(crate) fn open(&self, id: &str) -> Option<Arc<dyn LanguageModel>> {
        if let Some(script) = &self.mock_responses {
            let (name, protocol) = split_ending(id);
            // It was parsed at the start, so parsing cannot fail.
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
            // The settings were valid for another model before.
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

    /// The hit counts of the plan cache.
    pub(crate) fn cache_counts(&self) -> CacheCounts {
        self.lock().caches.iter().map(Cached::counts).fold(CacheCounts::default(), |all, one| {
            CacheCounts { hits: all.hits + one.hits, misses: all.misses + one.misses }
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one assignment, so a poisoned lock is safe to use.
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
        // By its facts, and by text once its provider refuses tools.
        None => Arc::new(AdaptiveTools::new(model, TextProtocol::Json)),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
