//! Models of all providers, and answers as each of them gives.

use crate::calls;
use crate::fake_chat::{Dialect, Options, Reply};

/// A model of a provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Provider {
    /// Whose API it is behind.
    pub dialect: Dialect,
    /// The id its provider has for it.
    pub model: &'static str,
}

/// A model of a provider.
pub const fn provider(dialect: Dialect, model: &'static str) -> Provider {
    Provider { dialect, model }
}

/// Models of all providers that are spoken to by OpenAI's or Anthropic's form.
pub const PROVIDERS: &[Provider] = &[
    provider(Dialect::OpenAi, "gpt-5.5"),
    provider(Dialect::OpenAi, "gpt-6-astra"),
    provider(Dialect::OpenAi, "gpt-4o-mini"),
    provider(Dialect::Anthropic, "claude-sonnet-5-5"),
    provider(Dialect::Anthropic, "claude-opus-5-5"),
    provider(Dialect::Anthropic, "claude-haiku-4-5"),
    provider(Dialect::Mistral, "mistral-large-latest"),
    provider(Dialect::DeepSeek, "deepseek-v4-pro"),
    provider(Dialect::Kimi, "kimi-k2.6"),
    provider(Dialect::Groq, "openai/gpt-oss-120b"),
    provider(Dialect::OpenRouter, "z-ai/glm-5"),
    provider(Dialect::LlamaCpp, "qwen3-8b-q4_k_m.gguf"),
];

/// A provider as strict as it gets.
pub fn strict(dialect: Dialect) -> Options {
    Options { binds_thoughts: true, ..Options::from(dialect) }
}

impl Provider {
    /// The name the server knows the model by.
    pub fn id(self) -> String {
        let service = if self.dialect == Dialect::Anthropic { "anthropic" } else { "openai" };
        format!("{service}/{}", self.model)
    }

    /// Where its provider is, for a client that treats a stand-in as that provider.
    pub fn origin(self) -> &'static str {
        match self.dialect {
            Dialect::OpenAi => "https://api.openai.com/v1",
            Dialect::Anthropic => "https://api.anthropic.com",
            Dialect::Ollama => "http://localhost:11434",
            Dialect::Mistral => "https://api.mistral.ai/v1",
            Dialect::DeepSeek => "https://api.deepseek.com",
            Dialect::Kimi => "https://api.moonshot.ai/v1",
            Dialect::Groq => "https://api.groq.com/openai/v1",
            Dialect::OpenRouter => "https://openrouter.ai/api/v1",
            Dialect::LlamaCpp => "http://localhost:8080/v1",
        }
    }

    /// Whether it sees pictures.
    pub fn sees(self) -> bool {
        self.dialect.models().iter().any(|model| model.id == self.model && model.pictures)
    }

    /// An id as this provider gives them to calls.
    pub fn call_id(self, number: usize) -> String {
        match self.dialect {
            Dialect::Anthropic => format!("toolu_{number:04}"),
            Dialect::Mistral => format!("callID{number:03}"),
            Dialect::Kimi => format!("create_shape:{number}"),
            _ => format!("call_{number:04}"),
        }
    }

    /// Whether it thinks.
    pub fn thinks(self) -> bool {
        self.dialect.models().iter().any(|it| it.id == self.model && !it.thinking.is_empty())
    }

    /// An answer that begins with a thought, where the model thinks.
    pub fn thinking(self, number: usize) -> Reply {
        let signature = format!("c2lnbmF0dXJl{number:04}");
        if self.thinks() { Reply::new().thought("Let me see.", &signature) } else { Reply::new() }
    }

    /// An answer that creates spheres of these numbers.
    pub fn creating(self, numbers: std::ops::Range<usize>) -> Reply {
        let first = numbers.start;
        numbers.fold(self.thinking(first).text("I build."), |reply, number| {
            let sphere = calls::sphere(&format!("s{number}"), 1.0)["args"].clone();
            reply.call(&self.call_id(number), "create_shape", sphere)
        })
    }
}
