//! Models of all providers, behind one server.

use std::path::Path;

use secrecy::SecretString;
use serde_json::{Map, Value, json};
use server::{KeysConfig, ModelsConfig, ProviderAccess, ProviderConfig, ProviderKind};

use crate::fake_chat::{Denied, Dialect, FakeChat, KEY, Options};
use crate::fake_gemini::{self, FakeGemini};
use crate::providers::{Provider, provider};

/// A model a session can choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    /// The provider's name on the server; Gemini's models have none before theirs.
    pub service: &'static str,
    /// Whose API it is behind, but for Gemini.
    provider: Option<Provider>,
    /// The id its provider has for it.
    model: &'static str,
}

const fn seat(service: &'static str, dialect: Dialect, model: &'static str) -> Seat {
    Seat { service, provider: Some(provider(dialect, model)), model }
}

const fn gemini(model: &'static str) -> Seat {
    Seat { service: "gemini", provider: None, model }
}

/// One or more models of every provider: those that think and that do not, that see and that do not.
pub const SEATS: &[Seat] = &[
    seat("openai", Dialect::OpenAi, "gpt-4o-mini"),
    seat("responses", Dialect::OpenAi, "gpt-6-astra"),
    seat("anthropic", Dialect::Anthropic, "claude-sonnet-5-5"),
    gemini("gemini-3.8-flash"),
    seat("ollama", Dialect::Ollama, "llama3.2:3b"),
    seat("mistral", Dialect::Mistral, "mistral-large-latest"),
    seat("deepseek", Dialect::DeepSeek, "deepseek-v4-pro"),
    seat("moonshot", Dialect::Kimi, "kimi-k2.6"),
    seat("groq", Dialect::Groq, "openai/gpt-oss-120b"),
    seat("openrouter", Dialect::OpenRouter, "z-ai/glm-5"),
    seat("llamacpp", Dialect::LlamaCpp, "qwen3-8b-q4_k_m.gguf"),
    seat("openai", Dialect::OpenAi, "gpt-5.5"),
    seat("responses", Dialect::OpenAi, "gpt-5.5"),
    seat("anthropic", Dialect::Anthropic, "claude-haiku-4-5"),
    gemini("gemini-2.5-flash"),
    seat("ollama", Dialect::Ollama, "qwen3.5:9b"),
    seat("mistral", Dialect::Mistral, "mistral-medium-3.5"),
    seat("groq", Dialect::Groq, "meta-llama/llama-4-scout-17b-16e-instruct"),
    seat("openrouter", Dialect::OpenRouter, "anthropic/claude-sonnet-5.5"),
];

/// The first of each provider.
pub const FIRST_SEATS: usize = 11;

impl Seat {
    /// The id the server has for it.
    pub fn id(self) -> String {
        match self.provider {
            Some(_) => format!("{}/{}", self.service, self.model),
            None => self.model.to_owned(),
        }
    }

    /// Whose API it is behind; Gemini's when `None`.
    pub fn provider(self) -> Option<Provider> {
        self.provider
    }

    /// Whether it sees pictures.
    pub fn sees(self) -> bool {
        self.provider.is_none_or(Provider::sees)
    }

    /// Whether it thinks.
    pub fn thinks(self) -> bool {
        self.provider.is_none_or(Provider::thinks)
    }
}

/// A provider of any provider.
#[derive(Debug)]
pub enum Fake {
    /// One of chat.
    Chat(FakeChat),
    /// Gemini.
    Gemini(FakeGemini),
}

/// A request for an answer.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its body.
    pub body: Value,
    /// Whether it was refused, by the rules or by the script.
    pub is_refused: bool,
}

impl Fake {
    /// A provider as strict as it gets, which answers requests for summaries by itself.
    async fn start(dialect: Option<Dialect>, window: Option<u64>) -> Self {
        const SUMMARY: &str = "They build with balls.";
        match dialect {
            Some(dialect) => {
                let options =
                    Options { binds_thoughts: true, context_window: window, ..dialect.into() };
                let fake = FakeChat::start(options, []).await;
                fake.summarise_by(SUMMARY);
                Self::Chat(fake)
            }
            None => {
                let options = fake_gemini::Options { foreign_answers: true, ..Default::default() };
                let fake = FakeGemini::start_with(options, []).await;
                fake.summarise_by(SUMMARY);
                Self::Gemini(fake)
            }
        }
    }

    fn base_url(&self) -> String {
        match self {
            Self::Chat(fake) => fake.base_url(),
            Self::Gemini(fake) => fake.base_url(),
        }
    }

    /// All requests for answers so far.
    pub fn asked(&self) -> Vec<Asked> {
        match self {
            Self::Chat(fake) => {
                let asked = |it: crate::fake_chat::Recorded| Asked {
                    is_refused: !it.answered,
                    body: it.body,
                };
                fake.recorded().into_iter().map(asked).collect()
            }
            Self::Gemini(fake) => {
                let asked = |it: fake_gemini::RecordedRequest| Asked {
                    is_refused: matches!(it.outcome, fake_gemini::Outcome::Error(_)),
                    body: it.body,
                };
                fake.requests().into_iter().map(asked).collect()
            }
        }
    }

    /// Why requests were refused so far.
    pub fn refusals(&self) -> Vec<String> {
        match self {
            Self::Chat(fake) => fake.refusals(),
            Self::Gemini(fake) => fake.refusals(),
        }
    }

    /// From now on refuses what `denied` says.
    ///
    /// # Panics
    /// With Gemini, which refuses by its script.
    pub fn deny(&self, denied: Option<Denied>) {
        match self {
            Self::Chat(fake) => fake.deny(denied),
            Self::Gemini(_) => panic!("the fake Gemini refuses by its script"),
        }
    }

    /// Forgets the answers that were not asked for.
    pub fn clear(&self) {
        match self {
            Self::Chat(fake) => fake.clear(),
            Self::Gemini(fake) => fake.clear(),
        }
    }
}

/// Starts a provider for each provider of `seats`.
pub(super) async fn start(seats: &[Seat], window: Option<u64>) -> Vec<(&'static str, Fake)> {
    let mut fakes: Vec<(&'static str, Fake)> = Vec::new();
    for seat in seats {
        if !fakes.iter().any(|(service, _)| *service == seat.service) {
            let dialect = seat.provider.map(|provider| provider.dialect);
            fakes.push((seat.service, Fake::start(dialect, window).await));
        }
    }
    fakes
}

/// What makes a server ask `fakes`: by keys of the environment, of the configuration file and of the
/// page, which are kept in `directory`.
///
/// # Panics
/// When they cannot be kept there.
pub(super) fn config(fakes: &[(&'static str, Fake)], directory: &Path) -> ModelsConfig {
    let key = || SecretString::from(KEY);
    let mut config = ModelsConfig::default();
    let mut keys = Map::new();
    for (service, fake) in fakes {
        let base_url = fake.base_url();
        let access = Some(ProviderAccess { api_key: key(), base_url: base_url.clone() });
        let written = |kind| ProviderConfig {
            name: (*service).to_owned(),
            kind,
            base_url: base_url.clone(),
            api_key: key(),
            models: Vec::new(),
            headers: Vec::new(),
            is_default: false,
            max_context: None,
        };
        match *service {
            "openai" => config.openai = access,
            "anthropic" => config.anthropic = access,
            "gemini" => config.gemini = access,
            "responses" => config.providers.push(written(ProviderKind::OpenAiResponses)),
            "ollama" => config.providers.push(written(ProviderKind::Ollama)),
            "llamacpp" => config.providers.push(written(ProviderKind::OpenAi)),
            other => {
                keys.insert(other.to_owned(), json!(KEY));
                config.keys.addresses.insert(other.to_owned(), base_url);
            }
        }
    }
    let file = directory.join("keys.json");
    std::fs::write(&file, Value::Object(keys).to_string()).expect("a file of keys");
    config.keys = KeysConfig { allowed: true, file: Some(file), ..config.keys };
    config
}
