//! The providers as a table: what each lists and what sets it apart.

/// Whose API is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Chat completions and responses.
    OpenAi,
    /// Messages.
    Anthropic,
    /// `/api/chat`.
    Ollama,
    /// Chat completions, the strictest.
    Mistral,
    /// Chat completions whose thoughts must come back.
    DeepSeek,
    /// Chat completions whose thoughts and ids must come back.
    Kimi,
    /// Chat completions that read the model's calls themselves.
    Groq,
    /// Chat completions of many models.
    OpenRouter,
    /// Chat completions of a local server.
    LlamaCpp,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::OpenAi,
        Self::Anthropic,
        Self::Ollama,
        Self::Mistral,
        Self::DeepSeek,
        Self::Kimi,
        Self::Groq,
        Self::OpenRouter,
        Self::LlamaCpp,
    ];

    /// The models it lists.
    pub fn models(self) -> &'static [Model] {
        match self {
            Self::OpenAi => OPENAI,
            Self::Anthropic => ANTHROPIC,
            Self::Ollama => OLLAMA,
            Self::Mistral => MISTRAL,
            Self::DeepSeek => DEEPSEEK,
            Self::Kimi => KIMI,
            Self::Groq => GROQ,
            Self::OpenRouter => OPENROUTER,
            Self::LlamaCpp => LLAMA_CPP,
        }
    }

    pub(super) fn model(self, id: &str) -> Option<&'static Model> {
        self.models().iter().find(|model| model.id == id)
    }
}

/// The form of a request's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// OpenAI's chat completions.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// Anthropic's messages.
    Messages,
    /// Ollama's chat.
    Ollama,
}

/// A model of a provider.
#[derive(Debug, Clone, Copy)]
pub struct Model {
    /// Its id.
    pub id: &'static str,
    /// Tokens of request and answer.
    pub window: u64,
    /// Tokens of an answer.
    pub max_output: u64,
    /// Whether it sees pictures.
    pub pictures: bool,
    /// Whether it calls tools.
    pub tools: bool,
    /// Whether it can chat at all.
    pub chats: bool,
    /// Levels of effort it takes; none: the field is refused.
    pub efforts: &'static [&'static str],
    /// With Anthropic the types of `thinking` it takes, elsewhere whether it thinks at all.
    pub thinking: &'static [&'static str],
    /// Whether its thoughts are bound to what stood before them (Anthropic).
    pub binds_thoughts: bool,
    /// Whether tools need the responses API unless reasoning is off (OpenAI).
    pub tools_by_responses: bool,
}

const PLAIN: Model = Model {
    id: "",
    window: 131_072,
    max_output: 32_768,
    pictures: true,
    tools: true,
    chats: true,
    efforts: &[],
    thinking: &[],
    binds_thoughts: false,
    tools_by_responses: false,
};
const BLIND: Model = Model { pictures: false, ..PLAIN };
const THINKS: &[&str] = &["on"];

const OPENAI: &[Model] = &[
    Model {
        id: "gpt-5.5",
        window: 1_050_000,
        max_output: 128_000,
        efforts: &["none", "low", "medium", "high", "xhigh"],
        thinking: THINKS,
        tools_by_responses: true,
        ..PLAIN
    },
    Model { id: "gpt-4o-mini", window: 128_000, max_output: 16_384, ..PLAIN },
    // Always thinks: refuses "none".
    Model {
        id: "gpt-6-astra",
        window: 1_050_000,
        max_output: 128_000,
        efforts: &["low", "medium", "high", "xhigh", "max"],
        thinking: THINKS,
        tools_by_responses: true,
        ..PLAIN
    },
    Model { id: "text-embedding-3-small", chats: false, ..PLAIN },
];

const CLAUDE: Model = Model {
    window: 1_000_000,
    max_output: 128_000,
    efforts: &["low", "medium", "high", "xhigh", "max"],
    binds_thoughts: true,
    ..PLAIN
};
const ANTHROPIC: &[Model] = &[
    Model { id: "claude-sonnet-5-5", thinking: &["adaptive", "between_tools"], ..CLAUDE },
    Model { id: "claude-opus-5-5", thinking: &["adaptive"], ..CLAUDE },
    Model { id: "claude-haiku-5-5", thinking: &["adaptive", "disabled"], ..CLAUDE },
    Model {
        id: "claude-haiku-4-5",
        window: 200_000,
        max_output: 64_000,
        efforts: &[],
        thinking: &["enabled", "disabled"],
        binds_thoughts: false,
        ..CLAUDE
    },
];

const OLLAMA: &[Model] = &[
    Model { id: "nomic-embed-text:latest", chats: false, tools: false, pictures: false, ..PLAIN },
    Model { id: "qwen3.5:9b", window: 262_144, thinking: THINKS, ..PLAIN },
    Model { id: "gpt-oss:20b", thinking: THINKS, ..BLIND },
    Model { id: "llama3.2:3b", ..BLIND },
    Model { id: "gemma2:2b", window: 8_192, tools: false, ..BLIND },
];

const MISTRAL: &[Model] = &[
    Model {
        id: "mistral-medium-3.5",
        window: 262_144,
        efforts: &["none", "high"],
        thinking: THINKS,
        ..PLAIN
    },
    Model { id: "mistral-large-latest", window: 262_144, ..PLAIN },
    Model { id: "devstral-latest", window: 262_144, ..BLIND },
];

/// All are taken; the middle ones count as `high`.
const DEEPSEEK_EFFORTS: &[&str] = &["minimal", "low", "medium", "high", "xhigh", "max", "ultra"];
const DEEPSEEK: &[Model] = &[
    Model {
        id: "deepseek-v4-pro",
        window: 1_000_000,
        max_output: 384_000,
        efforts: DEEPSEEK_EFFORTS,
        thinking: THINKS,
        ..BLIND
    },
    Model {
        id: "deepseek-v4-flash",
        window: 1_000_000,
        max_output: 384_000,
        efforts: DEEPSEEK_EFFORTS,
        thinking: THINKS,
        ..BLIND
    },
];

const KIMI: &[Model] = &[
    Model { id: "kimi-k2.6", window: 262_144, thinking: THINKS, ..PLAIN },
    Model { id: "kimi-k2-turbo", window: 262_144, ..BLIND },
];

const GROQ: &[Model] = &[
    Model {
        id: "openai/gpt-oss-120b",
        efforts: &["low", "medium", "high"],
        thinking: THINKS,
        ..BLIND
    },
    Model { id: "meta-llama/llama-4-scout-17b-16e-instruct", max_output: 8_192, ..PLAIN },
];

const OPENROUTER: &[Model] = &[
    Model { id: "anthropic/claude-sonnet-5.5", window: 1_000_000, thinking: THINKS, ..PLAIN },
    Model { id: "qwen/qwen3-coder", window: 262_144, ..BLIND },
    Model { id: "z-ai/glm-5", window: 202_752, thinking: THINKS, ..BLIND },
    Model { id: "gryphe/mythomax-l2-13b", window: 4_096, tools: false, ..BLIND },
];

const LLAMA_CPP: &[Model] = &[Model { id: "qwen3-8b-q4_k_m.gguf", window: 20_480, ..BLIND }];
