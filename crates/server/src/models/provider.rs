//! Providers of models: their names, and how they are reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use llm::{
    Anthropic, ClientConfig, Gemini, KnownProvider, LanguageModel, Learned, Listed, ModelError,
    ModelFacts, Ollama, OllamaOptions, OpenAi, PROVIDERS, ProviderKind, Table, facts_of,
};
use secrecy::SecretString;

use crate::config::{ModelsConfig, ProviderAccess, ProviderConfig};

/// The source of a provider; earlier variants have precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A key of the environment.
    Environment,
    /// The configuration file.
    File,
    /// A key entered in the page.
    Page,
    /// It runs on this machine.
    Local,
}

/// A provider of models.
#[derive(Debug)]
pub(crate) struct Provider {
    /// The prefix of its model ids, except for Google's models.
    pub(super) name: String,
    /// Its display name.
    pub(super) label: String,
    pub(super) kind: ProviderKind,
    pub(super) base_url: String,
    /// The provider's own address, which determines the profile of OpenAI's form; differs from
    /// `base_url` behind a proxy.
    pub(super) api_of: String,
    pub(super) api_key: SecretString,
    pub(super) headers: Vec<(String, SecretString)>,
    /// The models to offer; if empty, those it lists.
    pub(super) models: Vec<String>,
    pub(super) is_default: bool,
    pub(super) origin: Origin,
    pub(super) ollama: OllamaOptions,
    /// Set if the server at an address of OpenAI's form is Ollama.
    is_ollama: AtomicBool,
    /// The usual address of the program that was recognised behind an address of OpenAI's form.
    usual_address: OnceLock<&'static str>,
}

/// The timeout for recognising a program.
const VERSION_TIMEOUT: Duration = Duration::from_secs(2);

/// Name patterns of models that are not for conversations with tools, if the list does not tell.
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

impl Provider {
    /// A provider of this kind at this address, with the models it lists.
    pub(super) fn new(
        name: &str,
        label: &str,
        kind: ProviderKind,
        base_url: &str,
        api_key: SecretString,
        origin: Origin,
    ) -> Self {
        // The server at the address is treated like OpenAI itself.
        let is_openai = kind == ProviderKind::OpenAiResponses;
        let api_of = if is_openai { llm::OPENAI_BASE_URL } else { base_url };
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            kind,
            base_url: base_url.to_owned(),
            api_of: api_of.to_owned(),
            api_key,
            headers: Vec::new(),
            models: Vec::new(),
            is_default: false,
            origin,
            ollama: OllamaOptions::default(),
            is_ollama: AtomicBool::new(kind == ProviderKind::Ollama),
            usual_address: OnceLock::new(),
        }
    }

    /// The provider `known` at this address.
    pub(super) fn known(
        known: &KnownProvider,
        base_url: &str,
        api_key: SecretString,
        origin: Origin,
    ) -> Self {
        let mut provider =
            Self::new(known.name, known.label, known.kind, base_url, api_key, origin);
        // Any server that speaks OpenAI's form may be at the address.
        if known.kind == ProviderKind::OpenAi && !is_same(base_url, known.base_url) {
            provider.label = host_of(base_url);
        }
        provider
    }

    /// The providers of `config`, those of the environment first.
    pub(super) fn of_config(config: &ModelsConfig) -> Vec<Self> {
        let reached = |known: &KnownProvider| {
            let ProviderAccess { api_key, base_url } = config.access(known)?;
            Some(Self::known(known, base_url, api_key.clone(), Origin::Environment))
        };
        let mut all: Vec<Self> = PROVIDERS.iter().filter_map(reached).collect();
        for written in &config.providers {
            if all.iter().any(|provider| provider.name == written.name) {
                tracing::warn!(
                    "the environment has a key for '{}', which counts before the provider of that \
                     name in the configuration file: give that one another name",
                    written.name
                );
                continue;
            }
            all.push(Self::of_file(written));
        }
        if let Some(max_context) = config.max_local_context {
            for provider in &mut all {
                let written = config.providers.iter().find(|other| other.name == provider.name);
                if written.is_none_or(|written| written.max_context.is_none()) {
                    provider.ollama.max_context = max_context;
                }
            }
        }
        all
    }

    fn of_file(written: &ProviderConfig) -> Self {
        let ProviderConfig { name, kind, base_url, api_key, .. } = written;
        let mut provider = Self::new(name, name, *kind, base_url, api_key.clone(), Origin::File);
        provider.models.clone_from(&written.models);
        provider.headers.clone_from(&written.headers);
        provider.is_default = written.is_default;
        if let Some(max_context) = written.max_context {
            provider.ollama.max_context = max_context;
        }
        provider
    }

    /// The id in the list of this provider's model `name`.
    pub(super) fn id(&self, name: &str) -> String {
        // Google's models have no prefix.
        match self.name.as_str() {
            "gemini" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        }
    }

    /// Whether the list prices of the model's maker apply.
    fn is_makers_own(&self) -> bool {
        self.kind != ProviderKind::Ollama && is_same(&self.base_url, self.kind.maker().base_url)
    }

    /// The facts about its model `name`, if its list does not tell.
    pub(super) fn facts(&self, name: &str, table: Option<&Table>) -> ModelFacts {
        let facts = table.and_then(|table| table.get(name)).unwrap_or_else(|| facts_of(name));
        self.with_own_prices(facts)
    }

    /// `facts` without the prices of another maker.
    fn with_own_prices(&self, facts: ModelFacts) -> ModelFacts {
        let keeps = self.is_makers_own() || facts.source == llm::Source::List;
        ModelFacts { prices: facts.prices.filter(|_| keeps), ..facts }
    }

    /// A client for the model `name`; `listed` are the models of the provider.
    pub(super) fn client(
        &self,
        name: &str,
        facts: ModelFacts,
        learned: Learned,
        listed: &[Listed],
    ) -> Result<Arc<dyn LanguageModel>, ModelError> {
        let known_models = listed.iter().map(|model| model.id.clone()).collect();
        let config = ClientConfig { facts, learned, known_models, ..self.config(name) };
        if self.speaks_ollama() {
            return Ok(Arc::new(Ollama::new(config, self.ollama.clone())?));
        }
        Ok(match self.kind {
            ProviderKind::Gemini => Arc::new(Gemini::new(config)?),
            ProviderKind::Anthropic => Arc::new(Anthropic::new(config)?),
            ProviderKind::OpenAi | ProviderKind::OpenAiResponses => {
                let origin = self.usual_address.get().copied().unwrap_or(&self.api_of);
                Arc::new(OpenAi::proxy_of(origin, config)?)
            }
            ProviderKind::Ollama => Arc::new(Ollama::new(config, self.ollama.clone())?),
        })
    }

    fn config(&self, name: &str) -> ClientConfig {
        let mut config = ClientConfig::new(self.base_url.clone(), self.api_key.clone(), name);
        config.headers.clone_from(&self.headers);
        // The API form says little about another provider behind it.
        config.provider_name = (!self.has_makers_models()).then(|| self.label.clone());
        let file = || Some("the configuration file".to_owned());
        (config.key_name, config.address_name) = match self.origin {
            Origin::Environment => {
                let known = KnownProvider::named(&self.name);
                (known.and_then(|it| Some((*it.key_variables.first()?).to_owned())), None)
            }
            Origin::File => (file(), Some("base_url in the configuration file".to_owned())),
            Origin::Page => (Some("the page's settings".to_owned()), None),
            Origin::Local => (file(), Some("where it listens".to_owned())),
        };
        config
    }

    fn speaks_ollama(&self) -> bool {
        self.is_ollama.load(Ordering::Relaxed)
    }

    /// Detects the program behind an address of OpenAI's form: Ollama's own API can do more, and others have
    /// their own profiles. Returns whether the result is new.
    pub(super) async fn recognise(&self) -> bool {
        let may_be = self.kind == ProviderKind::OpenAi && !self.is_makers_own();
        if !may_be || self.speaks_ollama() || self.usual_address.get().is_some() {
            return false;
        }
        let Ok(ollama) = Ollama::new(self.config("any"), self.ollama.clone()) else { return false };
        if tokio::time::timeout(VERSION_TIMEOUT, ollama.answers()).await.unwrap_or(false) {
            self.is_ollama.store(true, Ordering::Relaxed);
            return true;
        }
        let Ok(openai) = OpenAi::new(self.config("any")) else { return false };
        let address = tokio::time::timeout(VERSION_TIMEOUT, openai.usual_address()).await;
        address.ok().flatten().is_some_and(|address| self.usual_address.set(address).is_ok())
    }

    /// Ids of the models that are known to work, the default first. None for a provider that merely speaks
    /// OpenAI's form.
    pub(super) fn built_in(&self) -> Vec<String> {
        if !self.models.is_empty() {
            return self.models.clone();
        }
        let names: &[&str] = if self.has_makers_models() { self.kind.maker().models } else { &[] };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Whether it serves its maker's models: a server that speaks OpenAI's form may serve any.
    fn has_makers_models(&self) -> bool {
        let is_openai = matches!(self.kind, ProviderKind::OpenAi | ProviderKind::OpenAiResponses);
        !is_openai || self.is_makers_own()
    }

    /// The models it lists now, as far as they support conversations.
    pub(super) async fn list(&self) -> Result<Vec<Listed>, ModelError> {
        let config = self.config("any");
        let listed = match self.kind {
            _ if self.speaks_ollama() => Ollama::new(config, self.ollama.clone())?.models().await?,
            ProviderKind::Gemini => Gemini::new(config)?.models().await?,
            ProviderKind::Anthropic => Anthropic::new(config)?.models().await?,
            ProviderKind::OpenAi | ProviderKind::OpenAiResponses => {
                OpenAi::new(config)?.models().await?
            }
            ProviderKind::Ollama => Ollama::new(config, self.ollama.clone())?.models().await?,
        };
        let fits = |model: &Listed| {
            if !self.models.is_empty() {
                return self.models.contains(&model.id);
            }
            let name = model.id.to_ascii_lowercase();
            let talks = !OTHER_PURPOSES.iter().any(|word| name.contains(word));
            let chats = ["gpt-", "chatgpt", "o1", "o3", "o4"].iter().any(|it| name.starts_with(it));
            match (self.kind, model.converses) {
                (_, Some(false)) => false,
                (ProviderKind::OpenAi | ProviderKind::OpenAiResponses, _)
                    if self.is_makers_own() =>
                {
                    talks && chats && !name.ends_with("-pro")
                }
                (ProviderKind::Gemini | ProviderKind::Anthropic, _) => talks,
                // The list has precedence over name patterns.
                (_, Some(true)) => true,
                (_, None) => !name.contains("embed"),
            }
        };
        let own_prices =
            |model: Listed| Listed { facts: self.with_own_prices(model.facts), ..model };
        Ok(listed.into_iter().filter(fits).map(own_prices).collect())
    }
}

/// `llm.example:8000` of `https://llm.example:8000/v1`.
pub(super) fn host_of(base_url: &str) -> String {
    let rest = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).trim().to_owned()
}

/// Whether two addresses are the same.
fn is_same(one: &str, other: &str) -> bool {
    one.trim().trim_end_matches('/') == other
}
