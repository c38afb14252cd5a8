//! The table of providers.
//!
//! Where a figure comes from stands at its row: official SDK types, vendors' guides and refusals
//! recorded in public issues, November 2026.

use super::row::{Api, EffortForm, Profile, Reasoning, Words};
use crate::http::call_ids::IdForm;
use crate::registry::PictureLimits;

/// A provider of which nothing is known but that it speaks OpenAI's form.
pub(super) const DEFAULT: Profile = Profile {
    vendor: "",
    hosts: &[],
    models: &[],
    api: Api::Chat,
    reasoning: Reasoning::AsItCame,
    ids: IdForm::Plain,
    user_after_tool: true,
    stream_options: true,
    effort: EffortForm::Field,
    levels: &[("", ["low", "low", "medium", "high", "high"])],
    effort_beside_tools: None,
    constants: &[],
    max_tokens: None,
    allow_parallel_calls: false,
    temperature: true,
    cache_key: None,
    cache_marks: false,
    details_repeat: false,
    pictures: PictureLimits::UNKNOWN,
};

/// OpenAI's reasoning levels by model: openai-python `ReasoningEffort`, models.dev, and the guide
/// "Using GPT-6" for who refuses `none`.
const OPENAI_LEVELS: &[(&str, Words)] = &[
    ("gpt-5-pro", ["high", "high", "high", "high", "high"]),
    ("gpt-5.2-pro", ["medium", "medium", "medium", "high", "xhigh"]),
    ("gpt-5.4-pro", ["medium", "medium", "medium", "high", "xhigh"]),
    ("gpt-5.5-pro", ["medium", "medium", "medium", "high", "xhigh"]),
    ("gpt-5.1-chat", ["medium", "medium", "medium", "medium", "medium"]),
    ("gpt-5.2-chat", ["medium", "medium", "medium", "medium", "medium"]),
    ("gpt-5.3-chat", ["medium", "medium", "medium", "medium", "medium"]),
    ("gpt-5-codex", ["low", "low", "medium", "high", "high"]),
    ("gpt-5.1-codex-max", ["low", "low", "medium", "high", "xhigh"]),
    ("gpt-5.1-codex", ["low", "low", "medium", "high", "high"]),
    ("gpt-5.2-codex", ["low", "low", "medium", "high", "xhigh"]),
    ("gpt-5.1", ["none", "low", "medium", "high", "high"]),
    ("gpt-5.2", ["none", "low", "medium", "high", "xhigh"]),
    ("gpt-5.3", ["none", "low", "medium", "high", "xhigh"]),
    ("gpt-5.4", ["none", "low", "medium", "high", "xhigh"]),
    ("gpt-5.5", ["none", "low", "medium", "high", "xhigh"]),
    ("gpt-5.6", ["none", "low", "medium", "high", "max"]),
    ("gpt-5", ["minimal", "low", "medium", "high", "high"]),
    ("gpt-6-sol", ["none", "low", "medium", "high", "max"]),
    ("gpt-6-luna", ["none", "low", "medium", "high", "max"]),
    ("gpt-6.1-terra", ["none", "low", "medium", "high", "max"]),
    ("gpt-", ["low", "low", "medium", "high", "max"]),
    ("", ["low", "low", "medium", "high", "high"]),
];

/// OpenAI's models without reasoning, by chat completions.
const OPENAI: Profile = Profile {
    vendor: "OpenAI",
    hosts: &["api.openai.com", ".openai.azure.com"],
    reasoning: Reasoning::Never,
    effort: EffortForm::Unsaid,
    cache_key: Some("prompt_cache_key"),
    ..DEFAULT
};

/// OpenAI's reasoning models. With tools most of them reason only in the responses API.
const OPENAI_REASONING: Profile = Profile {
    models: &["gpt-5", "gpt-6", "gpt-7", "gpt-8", "gpt-9", "o1", "o3", "o4", "codex-mini"],
    api: Api::Responses,
    effort: EffortForm::Object,
    levels: OPENAI_LEVELS,
    temperature: false,
    ..OPENAI
};

/// OpenAI's models behind an address of somebody else.
const OPENAI_PROXIED: Profile = Profile {
    hosts: &[],
    models: &["gpt-4", "gpt-3.5", "gpt-5", "chatgpt-", "o1", "o3", "o4"],
    effort: EffortForm::Field,
    levels: OPENAI_LEVELS,
    cache_key: None,
    ..OPENAI
};

/// api-docs.deepseek.com/guides/thinking_mode: thoughts of every answer of a conversation with tools
/// must come back; `none` is `thinking: disabled`.
const DEEPSEEK: Profile = Profile {
    vendor: "DeepSeek",
    hosts: &["api.deepseek.com"],
    reasoning: Reasoning::Content(""),
    effort: EffortForm::Switch,
    levels: &[("", ["", "low", "high", "high", "max"])],
    ..DEFAULT
};

/// platform.kimi.ai: thoughts must come back on answers with calls, `keep: all` makes the server use
/// them; ids are `name:number`; only one temperature is taken; some always think. Empty thoughts count
/// as missing (theopenco/llmgateway#2093, earendil-works/pi#4179): a space stands for none.
const KIMI: Profile = Profile {
    vendor: "Moonshot",
    hosts: &["api.moonshot.ai", "api.moonshot.cn", "api.kimi.com"],
    reasoning: Reasoning::Content(" "),
    ids: IdForm::AsGiven,
    effort: EffortForm::Unsaid,
    constants: &[
        ("kimi-k2.6", "thinking", r#"{"type":"enabled","keep":"all"}"#),
        ("kimi-k2.7", "thinking", r#"{"type":"enabled","keep":"all"}"#),
    ],
    temperature: false,
    cache_key: Some("prompt_cache_key"),
    ..DEFAULT
};

/// Those that can be switched.
const KIMI_K2: Profile = Profile {
    models: &["kimi-k2.5", "kimi-k2.6"],
    effort: EffortForm::Switch,
    levels: &[],
    ..KIMI
};

/// Those that have levels.
const KIMI_K3: Profile = Profile {
    models: &["kimi-k3"],
    effort: EffortForm::Field,
    levels: &[("", ["low", "low", "high", "high", "max"])],
    ..KIMI
};

/// docs.mistral.ai, vision: eight pictures a request, of 10 MB each.
const MISTRAL_PICTURES: PictureLimits =
    PictureLimits { max_count: Some(8), max_bytes: Some(7_500_000), ..PictureLimits::UNKNOWN };

/// Its SDK's `ChatCompletionStreamRequest` knows neither `stream_options` nor a cache key, and what it
/// does not know is refused; ids are nine letters and digits; error 3230: no user after a tool.
const MISTRAL: Profile = Profile {
    vendor: "Mistral",
    hosts: &["api.mistral.ai", "codestral.mistral.ai"],
    reasoning: Reasoning::Chunks,
    ids: IdForm::Nine,
    user_after_tool: false,
    stream_options: false,
    effort: EffortForm::Field,
    levels: &[
        ("mistral-large-4", ["none", "low", "medium", "high", "high"]),
        ("mistral-medium-3-5", ["none", "high", "high", "high", "high"]),
        ("mistral-medium-3.5", ["none", "high", "high", "high", "high"]),
        ("mistral-medium-2604", ["none", "high", "high", "high", "high"]),
        ("mistral-medium-latest", ["none", "high", "high", "high", "high"]),
        ("mistral-small-2603", ["none", "high", "high", "high", "high"]),
        ("mistral-small-latest", ["none", "high", "high", "high", "high"]),
    ],
    pictures: MISTRAL_PICTURES,
    ..DEFAULT
};

/// groq-python: no `stream_options` (usage comes under `x_groq`), `reasoning` on assistant messages;
/// five pictures a request, of 4 MB with base64 (console.groq.com/docs/vision).
const GROQ: Profile = Profile {
    vendor: "Groq",
    hosts: &["api.groq.com"],
    stream_options: false,
    levels: &[
        ("gpt-oss", ["low", "low", "medium", "high", "high"]),
        ("qwen3", ["none", "default", "default", "default", "default"]),
    ],
    pictures: PictureLimits {
        max_count: Some(5),
        max_bytes: Some(3_000_000),
        ..PictureLimits::UNKNOWN
    },
    ..DEFAULT
};

/// platform.minimax.io, text-openai-api: with `reasoning_split` thoughts come as
/// `reasoning_details`, which must come back whole; in a stream each piece repeats the text before.
const MINIMAX: Profile = Profile {
    vendor: "MiniMax",
    hosts: &["api.minimax.io", "api.minimaxi.com", "api.minimax.chat"],
    reasoning: Reasoning::Details,
    effort: EffortForm::Adaptive,
    levels: &[("minimax-m3", ["", "low", "medium", "high", "high"])],
    constants: &[("", "reasoning_split", "true")],
    details_repeat: true,
    ..DEFAULT
};

/// Model Studio: parallel calls are off by default; 3.6 and later keep earlier thoughts if asked to.
const QWEN: Profile = Profile {
    vendor: "Alibaba",
    hosts: &[".aliyuncs.com"],
    effort: EffortForm::Enable,
    levels: &[("", ["", "low", "medium", "high", "high"])],
    constants: &[
        ("qwen3.6", "preserve_thinking", "true"),
        ("qwen3.7", "preserve_thinking", "true"),
        ("qwen3.8", "preserve_thinking", "true"),
    ],
    allow_parallel_calls: true,
    ..DEFAULT
};

/// docs.z.ai, thinking mode: thoughts come back unchanged, and `clear_thinking: false` makes the
/// server use them; `tool_stream` keeps the stream from being silent during a long call.
const GLM: Profile = Profile {
    vendor: "Zhipu",
    hosts: &["api.z.ai", "open.bigmodel.cn"],
    effort: EffortForm::Switch,
    levels: &[
        ("glm-5.3", ["low", "low", "high", "high", "max"]),
        ("glm-5.2", ["", "high", "high", "high", "max"]),
    ],
    constants: &[
        ("glm-4.7", "thinking", r#"{"type":"enabled","clear_thinking":false}"#),
        ("glm-5", "thinking", r#"{"type":"enabled","clear_thinking":false}"#),
        ("glm-4.6", "tool_stream", "true"),
        ("glm-4.7", "tool_stream", "true"),
        ("glm-5", "tool_stream", "true"),
    ],
    ..DEFAULT
};

/// docs.x.ai: chat completions have no place for reasoning; grok-4.20's models refuse a level.
const XAI: Profile = Profile {
    vendor: "xAI",
    hosts: &["api.x.ai"],
    reasoning: Reasoning::Never,
    levels: &[
        ("grok-4.20-multi", ["low", "low", "medium", "high", "high"]),
        ("grok-4.20", ["", "", "", "", ""]),
        ("grok-4.6", ["low", "low", "medium", "high", "xhigh"]),
        ("grok-4.3", ["none", "low", "medium", "high", "high"]),
        ("grok-latest", ["low", "low", "medium", "high", "high"]),
        ("grok-3-mini", ["low", "low", "high", "high", "high"]),
        ("grok-4.1", ["", "", "", "", ""]),
        ("grok-4-", ["", "", "", "", ""]),
        ("grok-4.", ["low", "low", "medium", "high", "high"]),
        ("grok-5", ["low", "low", "medium", "high", "high"]),
    ],
    ..DEFAULT
};

/// openrouter.ai/docs: `reasoning.effort` is mapped to what each model takes, `reasoning_details` come
/// back whole and in order, `session_id` keeps a conversation with one provider's cache.
const OPENROUTER: Profile = Profile {
    vendor: "OpenRouter",
    hosts: &["openrouter.ai"],
    reasoning: Reasoning::Details,
    effort: EffortForm::Object,
    levels: &[("", ["none", "low", "medium", "high", "max"])],
    cache_key: Some("session_id"),
    ..DEFAULT
};

/// The same for models whose caches want marks.
const OPENROUTER_MARKED: Profile =
    Profile { models: &["claude", "gemini", "qwen"], cache_marks: true, ..OPENROUTER };

/// The same for Mistral's models, whose rules reach through.
const OPENROUTER_MISTRAL: Profile = Profile {
    models: MISTRAL_MODELS,
    ids: IdForm::Nine,
    user_after_tool: false,
    pictures: MISTRAL_PICTURES,
    ..OPENROUTER
};

/// Its answers end after 2,048 tokens where nothing else is said.
const FIREWORKS: Profile = Profile {
    vendor: "Fireworks",
    hosts: &["api.fireworks.ai"],
    max_tokens: Some("max_tokens"),
    pictures: PictureLimits { max_count: Some(30), ..PictureLimits::UNKNOWN },
    ..DEFAULT
};

const TOGETHER: Profile =
    Profile { vendor: "Together", hosts: &["api.together.xyz", "api.together.ai"], ..DEFAULT };

/// docs.ollama.com/api/openai-compatibility.
const OLLAMA: Profile = Profile {
    vendor: "Ollama",
    hosts: &[":11434", "ollama.com"],
    levels: &[("", ["none", "low", "medium", "high", "high"])],
    ..DEFAULT
};

const LM_STUDIO: Profile = Profile {
    vendor: "LM Studio",
    hosts: &[":1234"],
    levels: &[("", ["none", "low", "medium", "high", "high"])],
    ..DEFAULT
};

/// Effort reaches the model by its template.
const LLAMA_CPP: Profile = Profile {
    vendor: "llama.cpp",
    hosts: &[":8080"],
    effort: EffortForm::Template,
    levels: &[("", ["", "low", "medium", "high", "high"])],
    ..DEFAULT
};

const VLLM: Profile = Profile { vendor: "vLLM", hosts: &[":8000"], ..LLAMA_CPP };

const MISTRAL_MODELS: &[&str] =
    &["mistral", "ministral", "magistral", "devstral", "codestral", "pixtral", "open-mistral"];

/// All rows, the first that fits counts: providers by address, then families of models wherever they
/// are served.
pub(super) const PROFILES: &[Profile] = &[
    Profile { models: &["gpt-5-chat", "o1-mini", "o1-preview"], ..OPENAI },
    OPENAI_REASONING,
    OPENAI,
    DEEPSEEK,
    KIMI_K2,
    KIMI_K3,
    KIMI,
    MISTRAL,
    GROQ,
    MINIMAX,
    QWEN,
    GLM,
    XAI,
    OPENROUTER_MISTRAL,
    OPENROUTER_MARKED,
    OPENROUTER,
    FIREWORKS,
    TOGETHER,
    Profile { models: MISTRAL_MODELS, ids: IdForm::Nine, user_after_tool: false, ..OLLAMA },
    OLLAMA,
    Profile { models: MISTRAL_MODELS, ids: IdForm::Nine, user_after_tool: false, ..LM_STUDIO },
    LM_STUDIO,
    Profile { models: MISTRAL_MODELS, ids: IdForm::Nine, user_after_tool: false, ..LLAMA_CPP },
    Profile { models: &["kimi"], ids: IdForm::AsGiven, ..LLAMA_CPP },
    LLAMA_CPP,
    Profile { models: MISTRAL_MODELS, ids: IdForm::Nine, user_after_tool: false, ..VLLM },
    Profile { models: &["kimi"], ids: IdForm::AsGiven, ..VLLM },
    VLLM,
    // Without `none` these take tools nowhere but in the responses API.
    Profile { models: &["gpt-6.1-terra"], effort_beside_tools: Some("none"), ..OPENAI_PROXIED },
    Profile { models: &["gpt-6-sol"], effort_beside_tools: Some("none"), ..OPENAI_PROXIED },
    Profile { models: &["gpt-6-luna"], effort_beside_tools: Some("none"), ..OPENAI_PROXIED },
    Profile {
        hosts: &[],
        models: &["gpt-6", "gpt-7", "gpt-8", "gpt-9"],
        cache_key: None,
        ..OPENAI_REASONING
    },
    Profile {
        models: &["gpt-5.4", "gpt-5.5", "gpt-5.6"],
        effort_beside_tools: Some("none"),
        temperature: false,
        ..OPENAI_PROXIED
    },
    Profile { models: &["gpt-5", "o1", "o3", "o4"], temperature: false, ..OPENAI_PROXIED },
    Profile { effort: EffortForm::Unsaid, ..OPENAI_PROXIED },
    Profile { models: &["deepseek"], reasoning: Reasoning::Content(""), ..DEFAULT },
    Profile {
        models: &["kimi"],
        reasoning: Reasoning::Content(" "),
        ids: IdForm::AsGiven,
        ..DEFAULT
    },
    Profile { models: MISTRAL_MODELS, ids: IdForm::Nine, user_after_tool: false, ..DEFAULT },
    DEFAULT,
];
