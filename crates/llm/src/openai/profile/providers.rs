//! The table of providers.
//!
//! Sources are named at each row: official SDK types, vendors' guides and errors in public issues,
//! November 2026.

use super::row::{Api, EffortForm, Profile, Reasoning, Words};
use crate::http::call_ids::IdForm;
use crate::registry::PictureLimits;

/// An unknown OpenAI-compatible provider.
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
/// "Using GPT-6" for the models that refuse `none`.
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

/// OpenAI's reasoning models. Most of them can reason with tools only in the responses API.
const OPENAI_REASONING: Profile = Profile {
    models: &["gpt-5", "gpt-6", "gpt-7", "gpt-8", "gpt-9", "o1", "o3", "o4", "codex-mini"],
    api: Api::Responses,
    effort: EffortForm::Object,
    levels: OPENAI_LEVELS,
    temperature: false,
    ..OPENAI
};

/// OpenAI's models served by another provider.
const OPENAI_PROXIED: Profile = Profile {
    hosts: &[],
    models: &["gpt-4", "gpt-3.5", "gpt-5", "chatgpt-", "o1", "o3", "o4"],
    effort: EffortForm::Field,
    levels: OPENAI_LEVELS,
    cache_key: None,
    ..OPENAI
};

/// DeepSeek. Thoughts of every answer in a conversation with tools must be sent back; `none` is
/// `thinking: disabled` (api-docs.deepseek.com/guides/thinking_mode).
const DEEPSEEK: Profile = Profile {
    vendor: "DeepSeek",
    hosts: &["api.deepseek.com"],
    reasoning: Reasoning::Content(""),
    effort: EffortForm::Switch,
    levels: &[("", ["", "low", "high", "high", "max"])],
    ..DEFAULT
};

/// Kimi. Thoughts must be sent back on answers with calls, and `keep: all` makes the server use
/// them; ids are `name:number`; only one temperature is accepted; some models always think
/// (platform.kimi.ai). Empty thoughts count as missing, so a space replaces them
/// (theopenco/llmgateway#2093, earendil-works/pi#4179).
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

/// Kimi models whose thinking can be disabled.
const KIMI_K2: Profile = Profile {
    models: &["kimi-k2.5", "kimi-k2.6"],
    effort: EffortForm::Switch,
    levels: &[],
    ..KIMI
};

/// Kimi models with levels of effort.
const KIMI_K3: Profile = Profile {
    models: &["kimi-k3"],
    effort: EffortForm::Field,
    levels: &[("", ["low", "low", "high", "high", "max"])],
    ..KIMI
};

/// Mistral's limits of pictures: eight a request, 10 MB each (docs.mistral.ai, vision).
const MISTRAL_PICTURES: PictureLimits =
    PictureLimits { max_count: Some(8), max_bytes: Some(7_500_000), ..PictureLimits::UNKNOWN };

/// Mistral. Its SDK's `ChatCompletionStreamRequest` has neither `stream_options` nor a cache key,
/// and the API refuses unknown fields; ids are nine letters and digits; no user message may follow
/// a tool message (error 3230).
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

/// Groq. It has no `stream_options` (usage comes under `x_groq`) and accepts `reasoning` on
/// assistant messages (groq-python); five pictures a request, 4 MB each with base64
/// (console.groq.com/docs/vision).
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

/// MiniMax. With `reasoning_split`, thoughts come as `reasoning_details`, which must be sent back
/// complete; each chunk repeats the text before it (platform.minimax.io, text-openai-api).
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

/// Alibaba's Model Studio. Parallel calls are off by default; Qwen 3.6 and later use earlier
/// thoughts only on request.
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

/// Zhipu. Thoughts are sent back unchanged, and `clear_thinking: false` makes the server use them;
/// `tool_stream` streams long calls (docs.z.ai, thinking mode).
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

/// xAI. Chat completions have no field for reasoning; grok-4.20 models refuse a level (docs.x.ai).
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

/// OpenRouter. It maps `reasoning.effort` to each model's settings; `reasoning_details` are sent
/// back complete and in order; `session_id` routes a conversation to one provider's cache
/// (openrouter.ai/docs).
const OPENROUTER: Profile = Profile {
    vendor: "OpenRouter",
    hosts: &["openrouter.ai"],
    reasoning: Reasoning::Details,
    effort: EffortForm::Object,
    levels: &[("", ["none", "low", "medium", "high", "max"])],
    cache_key: Some("session_id"),
    ..DEFAULT
};

/// OpenRouter for models whose caches need breakpoints.
const OPENROUTER_MARKED: Profile =
    Profile { models: &["claude", "gemini", "qwen"], cache_marks: true, ..OPENROUTER };

/// OpenRouter for Mistral's models, whose restrictions still apply.
const OPENROUTER_MISTRAL: Profile = Profile {
    models: MISTRAL_MODELS,
    ids: IdForm::Nine,
    user_after_tool: false,
    pictures: MISTRAL_PICTURES,
    ..OPENROUTER
};

/// Fireworks. Its default answer limit is 2,048 tokens.
const FIREWORKS: Profile = Profile {
    vendor: "Fireworks",
    hosts: &["api.fireworks.ai"],
    max_tokens: Some("max_tokens"),
    pictures: PictureLimits { max_count: Some(30), ..PictureLimits::UNKNOWN },
    ..DEFAULT
};

const TOGETHER: Profile =
    Profile { vendor: "Together", hosts: &["api.together.xyz", "api.together.ai"], ..DEFAULT };

/// Ollama's OpenAI-compatible API (docs.ollama.com/api/openai-compatibility).
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

/// llama.cpp. The chat template reads the effort.
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

/// All rows; the first match counts: providers by address, then families of models at any address.
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
    // These accept tools only with effort `none`, or in the responses API.
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
