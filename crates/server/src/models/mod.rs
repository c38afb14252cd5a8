//! The models sessions can choose from: those of every service there is a key for, and the built-in
//! one.
//!
//! Models of Google bear their own names, those of others their service's before it:
//! `openai/gpt-5.5`, `anthropic/claude-sonnet-5-5`. An ending `+react`, `+json`, `+plan` or
//! `+native` forces how a model takes tools.

mod list;
mod prices;
mod service;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use llm::{CacheCounts, Cached, LanguageModel, Scripted, TextProtocol, TextTools, ToolUse};
use offline::Offline;
use protocol::ModelInfo;
use tokio_util::sync::CancellationToken;

use crate::config::{ModelsConfig, ServiceAccess, ToolSetting};
use service::{Service, split};

const OFFLINE: &str = "offline";
const MOCK: &str = "mock";

pub use self::prices::Prices;

/// How often the services are asked for their lists.
const REFRESH: Duration = Duration::from_secs(600);

/// Why the models could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// `DEBUG_MOCK_RESPONSES` is not in its form.
    #[error("DEBUG_MOCK_RESPONSES: {0}")]
    Mock(llm::ScriptError),
    /// `SCENE_LLM_MODEL` names a model that cannot be reached.
    #[error(
        "SCENE_LLM_MODEL is '{0}', but there is no key for it: set GEMINI_API_KEY, OPENAI_API_KEY or \
         ANTHROPIC_API_KEY, or leave SCENE_LLM_MODEL unset for the built-in offline model"
    )]
    Unreachable(String),
    /// A client could not be made.
    #[error("a model's client could not be set up: {0}")]
    Client(String),
}

/// The models there are.
pub(crate) struct Models {
    services: Vec<(Service, ServiceAccess)>,
    tool_use: Option<ToolSetting>,
    plan_cache: usize,
    prices: Prices,
    /// Every session gets its own script, from its beginning.
    mock_responses: Option<String>,
    /// Whether the user chose the default.
    is_chosen: bool,
    /// Held only to look up and replace; never across an await.
    state: Mutex<State>,
}

struct State {
    list: Arc<[ModelInfo]>,
    default: String,
    /// Clients of the models' services, shared by all sessions with their connections.
    clients: HashMap<String, Arc<dyn LanguageModel>>,
    /// The plan caches of those clients.
    caches: Vec<Cached>,
}

impl Models {
    /// Sets the models up; says what is wrong with the configuration. Asks no service yet: the list
    /// is the built-in one until [`Models::refresh`].
    pub(crate) fn new(config: ModelsConfig) -> Result<Self, ModelsError> {
        let services: Vec<(Service, ServiceAccess)> = [
            (Service::Gemini, config.gemini),
            (Service::Anthropic, config.anthropic),
            (Service::OpenAi, config.openai),
        ]
        .into_iter()
        .filter_map(|(service, access)| Some((service, access?)))
        .collect();
        let chosen = config.model.filter(|_| config.mock_responses.is_none());
        let state = State {
            list: Arc::from([]),
            default: OFFLINE.into(),
            clients: HashMap::new(),
            caches: Vec::new(),
        };
        let models = Self {
            services,
            tool_use: config.tool_use,
            plan_cache: config.plan_cache,
            prices: config.prices,
            mock_responses: config.mock_responses,
            is_chosen: chosen.is_some(),
            state: Mutex::new(state),
        };
        if let Some(script) = &models.mock_responses {
            Scripted::from_json(script).map_err(ModelsError::Mock)?;
            let mut state = models.lock();
            state.list = Arc::from([list::mock(MOCK)]);
            state.default = MOCK.into();
            drop(state);
            return Ok(models);
        }
        // A client for each service now, so that a key or an address that cannot be used is told
        // at the start.
        for (service, access) in &models.services {
            service
                .client(access, "any")
                .map_err(|error| ModelsError::Client(error.to_string()))?;
        }
        let default = match &chosen {
            None => models.services.iter().find_map(|(service, access)| service.default(access)),
            Some(name) => {
                Some(models.full_name(name).ok_or_else(|| ModelsError::Unreachable(name.clone()))?)
            }
        };
        let built_in =
            models.services.iter().flat_map(|(service, access)| service.built_in(access));
        let list = list::of(built_in.collect(), default.as_deref());
        let mut state = models.lock();
        state.list = list;
        state.default = default.unwrap_or_else(|| OFFLINE.into());
        drop(state);
        Ok(models)
    }

    /// Asks the services for their lists until `cancel`, now and then again.
    pub(crate) async fn keep_fresh(self: Arc<Self>, cancel: CancellationToken) {
        loop {
            if cancel.run_until_cancelled(self.refresh()).await.is_none()
                || cancel.run_until_cancelled(tokio::time::sleep(REFRESH)).await.is_none()
            {
                return;
            }
        }
    }

    /// Asks every service for its list; one that does not answer keeps its built-in one.
    pub(crate) async fn refresh(&self) {
        if self.mock_responses.is_some() {
            return;
        }
        let asked = self.services.iter().map(|(service, access)| async move {
            match service.list(access).await {
                Ok(names) if !names.is_empty() => names,
                Ok(_) => service.built_in(access),
                Err(error) => {
                    tracing::warn!(?service, %error, "the models could not be listed");
                    service.built_in(access)
                }
            }
        });
        let names: Vec<String> = futures_util::future::join_all(asked).await.concat();
        let mut state = self.lock();
        if state.default == OFFLINE && !self.is_chosen {
            // A service whose models only its own list tells.
            state.default = names.first().cloned().unwrap_or_else(|| OFFLINE.into());
        }
        let default = state.default.clone();
        state.list = list::of(names, Some(&default));
    }

    /// What to choose from.
    pub(crate) fn list(&self) -> Arc<[ModelInfo]> {
        Arc::clone(&self.lock().list)
    }

    /// The model of new sessions.
    pub(crate) fn default_id(&self) -> String {
        self.lock().default.clone()
    }

    /// Whether there is a model `id`: one of the list, or one named in full of a service there is a
    /// key for.
    pub(crate) fn contains(&self, id: &str) -> bool {
        let (name, _) = split_ending(id);
        let listed = self.lock().list.iter().any(|model| model.id == name || model.id == id);
        listed || (name.contains('/') && self.mock_responses.is_none() && self.open(id).is_some())
    }

    /// What models cost.
    pub(crate) fn prices(&self) -> &Prices {
        &self.prices
    }

    /// The model `id` for one session, if there is one.
    pub(crate) fn open(&self, id: &str) -> Option<Arc<dyn LanguageModel>> {
        if let Some(script) = &self.mock_responses {
            let (name, protocol) = split_ending(id);
            // Read once before, so it can be read again.
            let model = Scripted::from_json(script).ok().filter(|_| name == MOCK)?;
            return Some(with_tools(id, Arc::new(model), protocol));
        }
        if let Some(model) = self.lock().clients.get(id) {
            return Some(Arc::clone(model));
        }
        let (name, ending) = split_ending(id);
        let model: Arc<dyn LanguageModel> = if name == OFFLINE {
            Arc::new(Offline)
        } else {
            let (service, access, name) = self.find(name)?;
            // The settings were good for another name before.
            let client = service.client(access, &name).ok()?;
            let setting = ending.or(self.tool_use);
            let by_facts = (client.facts().tools == ToolUse::Text)
                .then_some(ToolSetting::Text(TextProtocol::Json));
            with_tools(id, client, setting.or(by_facts))
        };
        let mut state = self.lock();
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

    /// The service of the model `name`, and the name there.
    fn find(&self, name: &str) -> Option<(Service, &ServiceAccess, String)> {
        let of = |wanted: Service| {
            self.services.iter().find(|(service, _)| *service == wanted).map(|(_, access)| access)
        };
        match split(name) {
            (Some(service), rest) => Some((service, of(service)?, rest.to_owned())),
            // A name that tells nothing belongs to the service that takes any name.
            (None, _) => {
                let service = match of(Service::OpenAi) {
                    Some(_) => Service::OpenAi,
                    None => self.services.first()?.0,
                };
                Some((service, of(service)?, name.to_owned()))
            }
        }
    }

    /// The id in the list of the model that the user calls `name`.
    fn full_name(&self, name: &str) -> Option<String> {
        let (plain, _) = split_ending(name);
        if plain == OFFLINE {
            return Some(name.to_owned());
        }
        let (service, _, rest) = self.find(plain)?;
        Some(format!("{}{}", service.id(&rest), &name[plain.len()..]))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one assignment, so a panic elsewhere leaves nothing half-done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        Some(ToolSetting::Native) | None => model,
    }
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    fn access(base_url: &str) -> Option<ServiceAccess> {
        Some(ServiceAccess { api_key: SecretString::from("k"), base_url: base_url.into() })
    }

    fn all() -> ModelsConfig {
        ModelsConfig {
            gemini: access(llm::GEMINI_BASE_URL),
            openai: access(llm::OPENAI_BASE_URL),
            anthropic: access(llm::ANTHROPIC_BASE_URL),
            ..ModelsConfig::default()
        }
    }

    #[test]
    fn every_key_brings_its_models_and_names_find_their_service() {
        let models = Models::new(all()).unwrap();
        let list = models.list();
        let ids: Vec<&str> = list.iter().map(|model| model.id.as_str()).collect();
        assert_eq!(models.default_id(), "gemini-3.8-flash");
        for id in ["gemini-3.8-flash", "openai/gpt-5.5", "anthropic/claude-sonnet-5-5", "offline"] {
            assert!(ids.contains(&id), "{ids:?}");
        }
        for (id, name) in [
            ("openai/gpt-9", "gpt-9"),
            ("anthropic/claude-9", "claude-9"),
            ("gemini/gemini-9", "gemini-9"),
            ("openai/meta-llama/llama-4", "meta-llama/llama-4"),
            ("openai/gpt-5.5+react", "openai/gpt-5.5+react"),
        ] {
            assert!(models.contains(id), "{id}");
            assert_eq!(models.open(id).unwrap().name(), name);
        }
        assert!(!models.contains("gpt-nonsense") && !models.contains("offline+nonsense"));
        let react = models.open("openai/gpt-5.5+react").unwrap();
        assert_eq!(react.facts().tools, ToolUse::Text);
    }

    #[test]
    fn the_model_of_the_environment_is_the_default_whatever_it_is_called() {
        for (name, id) in [
            ("gpt-5.4-mini", "openai/gpt-5.4-mini"),
            ("claude-opus-5-5", "anthropic/claude-opus-5-5"),
            ("gemini-2.5-flash", "gemini-2.5-flash"),
            ("offline", "offline"),
            ("llama3.3+json", "openai/llama3.3+json"),
        ] {
            let models = Models::new(ModelsConfig { model: Some(name.into()), ..all() }).unwrap();
            assert_eq!(models.default_id(), id);
            assert!(models.list().iter().any(|model| model.id == id), "{id}");
            assert!(models.open(id).is_some());
        }
        let none = ModelsConfig { model: Some("gpt-5.5".into()), ..ModelsConfig::default() };
        assert!(matches!(Models::new(none), Err(ModelsError::Unreachable(_))));
        let other = ModelsConfig {
            model: Some("gpt-5.5".into()),
            gemini: access(llm::GEMINI_BASE_URL),
            ..ModelsConfig::default()
        };
        assert!(matches!(Models::new(other), Err(ModelsError::Unreachable(_))));
    }
}
