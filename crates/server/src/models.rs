//! The models sessions can choose from.

use std::sync::Arc;

use llm::{Gemini, LanguageModel, Scripted};
use offline::Offline;

use protocol::ModelInfo;

use crate::config::{DEFAULT_GEMINI_MODEL, ModelsConfig};

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
    Mock(#[from] llm::ScriptError),
    /// `SCENE_LLM_MODEL` names a model that cannot be reached.
    #[error("SCENE_LLM_MODEL is '{name}', but {hint}")]
    Unreachable {
        /// The name.
        name: String,
        /// What to do.
        hint: &'static str,
    },
    /// The HTTP client could not be made.
    #[error("the Gemini client could not be set up: {0}")]
    Client(String),
}

/// The models there are.
#[derive(Debug, Clone)]
pub(crate) struct Models {
    config: ModelsConfig,
    list: Vec<ModelInfo>,
    default: String,
}

impl Models {
    /// Sets the models up; says what is wrong with the configuration.
    pub(crate) fn new(config: ModelsConfig) -> Result<Self, ModelsError> {
        if let Some(script) = &config.mock_responses {
            Scripted::from_json(script)?;
            let note = "answers from DEBUG_MOCK_RESPONSES";
            let list = vec![info(MOCK, "Mock responses", note)];
            return Ok(Self { config, list, default: MOCK.into() });
        }
        let mut list = Vec::new();
        let mut default = OFFLINE.to_owned();
        if config.gemini.is_some() {
            let chosen = config.model.clone().filter(|name| name != OFFLINE);
            default = config.model.clone().unwrap_or_else(|| DEFAULT_GEMINI_MODEL.into());
            let known = GEMINI_MODELS.into_iter().map(str::to_owned);
            for name in chosen.into_iter().chain(known) {
                if !list.iter().any(|known: &ModelInfo| known.id == name) {
                    list.push(ModelInfo { label: name.clone(), id: name, note: None });
                }
            }
        } else if let Some(name) = config.model.clone().filter(|name| name != OFFLINE) {
            let hint = "there is no key for it: set GEMINI_API_KEY, or leave SCENE_LLM_MODEL unset \
                        for the built-in offline model";
            return Err(ModelsError::Unreachable { name, hint });
        }
        let note = "Built in, no key needed. Set GEMINI_API_KEY for a model that understands more.";
        list.push(info(OFFLINE, "Offline", note));
        Ok(Self { config, list, default })
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

    /// A client of the model `id`.
    pub(crate) fn open(&self, id: &str) -> Result<Arc<dyn LanguageModel>, ModelsError> {
        match (id, &self.config.mock_responses, &self.config.gemini) {
            (_, Some(script), _) => Ok(Arc::new(Scripted::from_json(script)?)),
            (OFFLINE, None, _) => Ok(Arc::new(Offline)),
            (model, None, Some(access)) => Gemini::new(access.config(model))
                .map(|gemini| Arc::new(gemini) as Arc<dyn LanguageModel>)
                .map_err(|error| ModelsError::Client(error.to_string())),
            (model, None, None) => Err(ModelsError::Unreachable {
                name: model.to_owned(),
                hint: "there is no key for it: set GEMINI_API_KEY",
            }),
        }
    }
}

fn info(id: &str, label: &str, note: &str) -> ModelInfo {
    ModelInfo { id: id.into(), label: label.into(), note: Some(note.into()) }
}
