//! The table of known providers.
//!
//! For each provider: its key variables and key page, its local port, its API and its display name.
//! The table in `openai/profile` has the differences between OpenAI-compatible providers, by
//! address.

/// The API of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderKind {
    /// OpenAI's chat completions, or the responses API where the profile says so.
    OpenAi,
    /// OpenAI's responses API.
    OpenAiResponses,
    /// Anthropic's Messages API.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's native API.
    Ollama,
}

impl ProviderKind {
    /// Their names in configuration files.
    pub const NAMES: [&str; 5] = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "openai" => Self::OpenAi,
            "openai-responses" => Self::OpenAiResponses,
            "anthropic" => Self::Anthropic,
            "gemini" => Self::Gemini,
            "ollama" => Self::Ollama,
            _ => return None,
        })
    }

    /// The provider that defined the API.
    pub fn maker(self) -> &'static KnownProvider {
        match self {
            Self::OpenAi | Self::OpenAiResponses => &OPENAI,
            Self::Anthropic => &ANTHROPIC,
            Self::Gemini => &GEMINI,
            Self::Ollama => &OLLAMA,
        }
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownProvider {
    /// The prefix of its model ids.
    pub name: &'static str,
    /// Its display name.
    pub label: &'static str,
    /// Its API.
    pub kind: ProviderKind,
    /// Its base URL.
    pub base_url: &'static str,
    /// The name of its API in error messages.
    pub api_name: &'static str,
    /// The environment variables for its key; the first that is set counts.
    pub key_variables: &'static [&'static str],
    /// The environment variable for another base URL.
    pub address_variable: Option<&'static str>,
    /// The page where users get keys; `None` if it needs no key.
    pub key_page: Option<&'static str>,
    /// Prefixes of model names that mean this provider even without its own prefix.
    pub model_starts: &'static [&'static str],
    /// Models to offer if its list is unavailable, the default first.
    pub models: &'static [&'static str],
    /// Its port on the local machine.
    pub port: Option<u16>,
}

/// Google.
pub(crate) const GEMINI: KnownProvider = KnownProvider {
    api_name: "The Gemini API",
    kind: ProviderKind::Gemini,
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    address_variable: Some("GEMINI_BASE_URL"),
    model_starts: &["gemini-", "gemma-", "models/"],
    models: &[
        "gemini-3.8-flash",
        "gemini-3.5-flash",
        "gemini-3.5-flash-lite",
        "gemini-3.1-pro-preview",
    ],
    ..hosted(
        "gemini",
        "Google Gemini",
        "https://generativelanguage.googleapis.com",
        &[],
        "https://aistudio.google.com/apikey",
    )
};

/// Anthropic.
pub(crate) const ANTHROPIC: KnownProvider = KnownProvider {
    api_name: "The Anthropic API",
    kind: ProviderKind::Anthropic,
    address_variable: Some("ANTHROPIC_BASE_URL"),
    model_starts: &["claude-"],
    models: &["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
    ..hosted(
        "anthropic",
        "Anthropic",
        "https://api.anthropic.com",
        &["ANTHROPIC_API_KEY"],
        "https://console.anthropic.com/settings/keys",
    )
};

/// OpenAI.
pub(crate) const OPENAI: KnownProvider = KnownProvider {
    api_name: "The OpenAI API",
    address_variable: Some("OPENAI_BASE_URL"),
    model_starts: &["gpt-", "chatgpt-", "o3", "o4"],
    models: &["gpt-5.5", "gpt-5.4", "gpt-5.4-mini", "gpt-5.4-nano"],
    ..hosted(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        &["OPENAI_API_KEY"],
        "https://platform.openai.com/api-keys",
    )
};

/// Ollama on this machine.
pub(crate) const OLLAMA: KnownProvider = KnownProvider {
    kind: ProviderKind::Ollama,
    ..local("ollama", "Ollama", "http://localhost:11434", 11_434)
};

/// All rows. If several keys are set, the first provider's model is the default of new sessions.
pub const PROVIDERS: &[KnownProvider] = &[
    GEMINI,
    ANTHROPIC,
    OPENAI,
    hosted(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        &["OPENROUTER_API_KEY"],
        "https://openrouter.ai/keys",
    ),
    hosted(
        "mistral",
        "Mistral",
        "https://api.mistral.ai/v1",
        &["MISTRAL_API_KEY"],
        "https://console.mistral.ai/api-keys",
    ),
    hosted(
        "groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        &["GROQ_API_KEY"],
        "https://console.groq.com/keys",
    ),
    hosted(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        &["DEEPSEEK_API_KEY"],
        "https://platform.deepseek.com/api_keys",
    ),
    hosted("xai", "xAI", "https://api.x.ai/v1", &["XAI_API_KEY"], "https://console.x.ai"),
    hosted(
        "together",
        "Together",
        "https://api.together.xyz/v1",
        &["TOGETHER_API_KEY"],
        "https://api.together.ai/settings/api-keys",
    ),
    hosted(
        "moonshot",
        "Moonshot",
        "https://api.moonshot.ai/v1",
        &["MOONSHOT_API_KEY"],
        "https://platform.moonshot.ai/console/api-keys",
    ),
    OLLAMA,
    local("lmstudio", "LM Studio", "http://localhost:1234/v1", 1_234),
    local("llamacpp", "llama.cpp", "http://localhost:8080/v1", 8_080),
    local("vllm", "vLLM", "http://localhost:8000/v1", 8_000),
    local("jan", "Jan", "http://localhost:1337/v1", 1_337),
    local("gpt4all", "GPT4All", "http://localhost:4891/v1", 4_891),
    local("koboldcpp", "KoboldCpp", "http://localhost:5001/v1", 5_001),
    local("sglang", "SGLang", "http://localhost:30000/v1", 30_000),
];

/// An OpenAI-compatible provider that requires a key.
const fn hosted(
    name: &'static str,
    label: &'static str,
    base_url: &'static str,
    key_variables: &'static [&'static str],
    key_page: &'static str,
) -> KnownProvider {
    KnownProvider {
        name,
        label,
        kind: ProviderKind::OpenAi,
        base_url,
        api_name: label,
        key_variables,
        address_variable: None,
        key_page: Some(key_page),
        model_starts: &[],
        models: &[],
        port: None,
    }
}

/// An OpenAI-compatible server program on this machine, on its documented port.
const fn local(
    name: &'static str,
    label: &'static str,
    base_url: &'static str,
    port: u16,
) -> KnownProvider {
    KnownProvider { key_page: None, port: Some(port), ..hosted(name, label, base_url, &[], "") }
}

impl KnownProvider {
    /// The row named `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROVIDERS.iter().find(|known| known.name == name)
    }

    /// The provider of the model `name`, if the name alone tells it.
    pub fn of_model(name: &str) -> Option<&'static Self> {
        let begins = |known: &&Self| known.model_starts.iter().any(|it| name.starts_with(it));
        PROVIDERS.iter().find(begins)
    }

    /// Whether it may have no key: only the provider that defined its API requires one.
    pub fn may_be_keyless(&self) -> bool {
        matches!(
            self.kind,
            ProviderKind::OpenAi | ProviderKind::OpenAiResponses | ProviderKind::Ollama
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::openai::vendor_of;

    #[test]
    fn rows_are_told_apart_and_hosted_ones_have_keys_and_a_profile() {
        let names: HashSet<&str> = PROVIDERS.iter().map(|known| known.name).collect();
        let addresses: HashSet<&str> = PROVIDERS.iter().map(|known| known.base_url).collect();
        assert_eq!((names.len(), addresses.len()), (PROVIDERS.len(), PROVIDERS.len()));
        for known in PROVIDERS {
            let keyed = (known.key_variables.is_empty(), known.key_page.is_none());
            let is_local = known.port.is_some();
            assert_eq!(keyed, (is_local, is_local), "{}", known.name);
            assert!(known.models.is_empty() || !known.model_starts.is_empty(), "{}", known.name);
            if known.kind == ProviderKind::OpenAi && !is_local {
                assert_ne!(vendor_of(known.base_url), "", "{}", known.name);
            }
        }
    }

    #[test]
    fn every_kind_has_a_name_and_a_maker_of_that_kind() {
        for name in ProviderKind::NAMES {
            let kind = ProviderKind::named(name).unwrap();
            let same = |of: ProviderKind| match of {
                ProviderKind::OpenAiResponses => ProviderKind::OpenAi,
                other => other,
            };
            assert_eq!(kind.maker().kind, same(kind));
            assert_eq!(KnownProvider::named(kind.maker().name), Some(kind.maker()));
        }
        let of = |name| KnownProvider::of_model(name).map(|known| known.name);
        assert_eq!(
            (of("claude-9"), of("gemma-4"), of("o3")),
            (Some("anthropic"), Some("gemini"), Some("openai"))
        );
        assert_eq!(of("llama-4"), None);
    }
}
