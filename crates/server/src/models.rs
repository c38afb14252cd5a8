//! The models sessions can choose from.

use std::collections::HashMap;
use std::sync::Arc;

use llm::{Gemini, LanguageModel, Scripted};
use offline::Offline;

use protocol::ModelInfo;

use crate::config::{DEFAULT_GEMINI_MODEL, GeminiAccess, ModelsConfig};

/// Gemini models known to work, offered beside the configured one.
const GEMINI_MODELS: [&str; 4] =
    ["gemini-3.8-flash", "gemini-3.5-flash", "gemini-3.5-flash-lite", "gemini-3.1-pro-preview"];

const OFFLINE: &str = "offline";
const MOCK: &str = "mock";

/// Why the models could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    /// `DEBUG_MOCK_RESPONSES` is not in its form.
    #[error("DEBUG_MOCK_RESPONSES: {0}")]
    Mock(llm::ScriptError),
    /// `SCENE_LLM_MODEL` names a model that cannot be reached.
    #[error(
        "SCENE_LLM_MODEL is '{0}', but there is no key for it: set GEMINI_API_KEY, or leave \
         SCENE_LLM_MODEL unset for the built-in offline model"
    )]
    Unreachable(String),
    /// The HTTP client could not be made.
    #[error("the Gemini client could not be set up: {0}")]
    Client(String),
}

/// The models there are.
pub(crate) struct Models {
    list: Vec<ModelInfo>,
    default: String,
    /// Clients of the models' services, shared by all sessions with their connections.
    clients: HashMap<String, Arc<dyn LanguageModel>>,
    /// Every session gets its own script, from its beginning.
    mock_responses: Option<String>,
}

impl Models {
    /// Sets the models up; says what is wrong with the configuration.
    pub(crate) fn new(config: ModelsConfig) -> Result<Self, ModelsError> {
        let mut models = Self {
            list: Vec::new(),
            default: OFFLINE.into(),
            clients: HashMap::new(),
            mock_responses: None,
        };
        if let Some(script) = config.mock_responses {
            Scripted::from_json(&script).map_err(ModelsError::Mock)?;
            models.list.push(info(MOCK, "Mock responses", "answers from DEBUG_MOCK_RESPONSES"));
            models.default = MOCK.into();
            models.mock_responses = Some(script);
            return Ok(models);
        }
        let chosen = config.model.clone().filter(|name| name != OFFLINE);
        if let Some(access) = &config.gemini {
            models.default = config.model.unwrap_or_else(|| DEFAULT_GEMINI_MODEL.into());
            for name in chosen.into_iter().chain(GEMINI_MODELS.map(str::to_owned)) {
                models.add_gemini(name, access)?;
            }
        } else if let Some(name) = chosen {
            return Err(ModelsError::Unreachable(name));
        }
        let note = "Built in, no key needed. Set GEMINI_API_KEY for a model that understands more.";
        models.list.push(info(OFFLINE, "Offline", note));
        models.clients.insert(OFFLINE.into(), Arc::new(Offline));
        Ok(models)
    }

    fn add_gemini(&mut self, name: String, access: &GeminiAccess) -> Result<(), ModelsError> {
        if self.contains(&name) {
            return Ok(());
        }
        let client = Gemini::new(access.config(&name))
            .map_err(|error| ModelsError::Client(error.to_string()))?;
        self.clients.insert(name.clone(), Arc::new(client));
        self.list.push(ModelInfo { label: name.clone(), id: name, note: None });
        Ok(())
    }

    /// What to choose from.
    pub(crate) fn list(&self) -> &[ModelInfo] {
        &self.list
    }

    /// The model of new sessions.
    pub(crate) fn default_id(&self) -> &str {
        &self.default
    }

    /// Whether there is a model `id`.
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.list.iter().any(|model| model.id == id)
    }

    /// The model `id` for one session, if there is one.
    pub(crate) fn open(&self, id: &str) -> Option<Arc<dyn LanguageModel>> {
        match &self.mock_responses {
            // Read once before, so it can be read again.
            Some(script) if id == MOCK => {
                Scripted::from_json(script).ok().map(|model| Arc::new(model) as _)
            }
            _ => self.clients.get(id).map(Arc::clone),
        }
    }
}

fn info(id: &str, label: &str, note: &str) -> ModelInfo {
    ModelInfo { id: id.into(), label: label.into(), note: Some(note.into()) }
}
