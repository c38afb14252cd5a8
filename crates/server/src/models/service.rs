//! The services models come from.

use std::sync::Arc;

use llm::{Anthropic, Gemini, LanguageModel, ModelError, OpenAi, built_in};

use crate::config::ServiceAccess;

/// A service that models come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Gemini,
    Anthropic,
    /// OpenAI, or whatever speaks like it.
    OpenAi,
}

/// Names of models of the lists that are not for conversations with tools.
const OTHER_PURPOSES: [&str; 18] = [
    "embed",
    "tts",
    "audio",
    "image",
    "realtime",
    "transcribe",
    "live",
    "robotics",
    "computer-use",
    "search",
    "instruct",
    "moderation",
    "codex",
    "-pro-2",
    "deep-research",
    "whisper",
    "dall-e",
    "sora",
];

impl Service {
    /// The id in the list of this service's model `name`.
    pub(super) fn id(self, name: &str) -> String {
        match self {
            Self::Gemini => name.to_owned(),
            Self::Anthropic => format!("anthropic/{name}"),
            Self::OpenAi => format!("openai/{name}"),
        }
    }

    /// A client for the model `name`.
    pub(super) fn client(
        self,
        access: &ServiceAccess,
        name: &str,
    ) -> Result<Arc<dyn LanguageModel>, ModelError> {
        let config = access.config(name);
        Ok(match self {
            Self::Gemini => Arc::new(Gemini::new(config)?),
            Self::Anthropic => Arc::new(Anthropic::new(config)?),
            Self::OpenAi => Arc::new(OpenAi::new(config)?),
        })
    }

    /// Ids of the models that are known to work, the default first. Nothing is known of a service
    /// that only speaks like OpenAI's.
    pub(super) fn built_in(self, access: &ServiceAccess) -> Vec<String> {
        let names: &[&str] = match self {
            Self::Gemini => &built_in::GEMINI,
            Self::Anthropic => &built_in::ANTHROPIC,
            Self::OpenAi if access.base_url.trim() == llm::OPENAI_BASE_URL => &built_in::OPENAI,
            Self::OpenAi => &[],
        };
        names.iter().map(|name| self.id(name)).collect()
    }

    /// The model of new sessions.
    pub(super) fn default(self, access: &ServiceAccess) -> Option<String> {
        self.built_in(access).into_iter().next()
    }

    /// Ids of the models the service lists now, as far as they are for conversations.
    pub(super) async fn list(self, access: &ServiceAccess) -> Result<Vec<String>, ModelError> {
        let config = access.config("any");
        let names = match self {
            Self::Gemini => Gemini::new(config)?.list_models().await?,
            Self::Anthropic => Anthropic::new(config)?.list_models().await?,
            Self::OpenAi => OpenAi::new(config)?.list_models().await?,
        };
        let is_own = access.base_url.trim() == llm::OPENAI_BASE_URL;
        let fits = |name: &String| {
            let name = name.to_ascii_lowercase();
            let talks = !OTHER_PURPOSES.iter().any(|word| name.contains(word));
            let chats = ["gpt-", "chatgpt", "o1", "o3", "o4"].iter().any(|it| name.starts_with(it));
            match self {
                Self::OpenAi if is_own => talks && chats && !name.ends_with("-pro"),
                // Of a service that only speaks like OpenAI's nothing is known but its names.
                Self::OpenAi => !name.contains("embed"),
                Self::Gemini | Self::Anthropic => talks,
            }
        };
        Ok(names.into_iter().filter(fits).map(|name| self.id(&name)).collect())
    }
}

/// The service that a name tells, and the name there.
pub(super) fn split(name: &str) -> (Option<Service>, &str) {
    let prefixes = [
        ("openai/", Service::OpenAi),
        ("anthropic/", Service::Anthropic),
        ("gemini/", Service::Gemini),
        ("google/", Service::Gemini),
    ];
    for (prefix, service) in prefixes {
        if let Some(rest) = name.strip_prefix(prefix) {
            return (Some(service), rest);
        }
    }
    let starts = [
        ("gemini-", Service::Gemini),
        ("gemma-", Service::Gemini),
        ("models/", Service::Gemini),
        ("claude-", Service::Anthropic),
        ("gpt-", Service::OpenAi),
        ("chatgpt-", Service::OpenAi),
        ("o3", Service::OpenAi),
        ("o4", Service::OpenAi),
    ];
    let service = starts.iter().find(|(start, _)| name.starts_with(start));
    (service.map(|(_, service)| *service), name)
}
