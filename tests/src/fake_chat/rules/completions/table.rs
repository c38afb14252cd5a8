//! What sets providers apart that speak chat completions, as a table.

use crate::fake_chat::providers::Dialect;

/// What sets a provider apart.
pub(super) struct Rules {
    /// Fields of the body; `None` where unknown ones are ignored.
    pub(super) fields: Option<&'static [&'static str]>,
    /// Fields of messages beside `role` and `content`, by role.
    pub(super) message_fields: Option<&'static [(&'static str, &'static [&'static str])]>,
    pub(super) ids: Ids,
    pub(super) thoughts: Thoughts,
    /// Whether a user message may follow a tool message.
    pub(super) user_after_tool: bool,
    /// Whether two messages of the same role may follow each other.
    pub(super) repeats: bool,
    pub(super) max_pictures: usize,
    pub(super) max_picture_bytes: usize,
}

#[derive(PartialEq)]
pub(super) enum Ids {
    /// 1 to 40 characters.
    Short,
    /// Nine letters and digits.
    Nine,
    /// As they were given out.
    AsGiven,
}

#[derive(PartialEq)]
pub(super) enum Thoughts {
    /// Unknown to the provider.
    Unknown,
    /// May come back.
    Allowed,
    /// A field on every assistant message, if only an empty one.
    OnEveryAnswer,
    /// What was thought, on every assistant message with calls; some report that an empty text is
    /// refused there, others that it is taken, which is what stands here.
    OnEveryCall,
}

const OPENAI_FIELDS: &[&str] = &[
    "audio",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "moderation",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
];

const MISTRAL_FIELDS: &[&str] = &[
    "model",
    "messages",
    "temperature",
    "top_p",
    "max_tokens",
    "stream",
    "stop",
    "random_seed",
    "metadata",
    "response_format",
    "tools",
    "tool_choice",
    "presence_penalty",
    "frequency_penalty",
    "min_tokens",
    "repetition_penalty",
    "top_k",
    "logprobs",
    "top_logprobs",
    "prompt_logprobs",
    "top_prompt_logprobs",
    "n",
    "prediction",
    "parallel_tool_calls",
    "reasoning_effort",
    "prompt_mode",
    "guardrails",
    "prompt_cache_key",
    "service_tier",
    "safe_prompt",
];

const GROQ_FIELDS: &[&str] = &[
    "messages",
    "model",
    "citation_options",
    "compound_custom",
    "disable_tool_validation",
    "documents",
    "exclude_domains",
    "frequency_penalty",
    "function_call",
    "functions",
    "include_domains",
    "include_reasoning",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "metadata",
    "n",
    "parallel_tool_calls",
    "presence_penalty",
    "reasoning_effort",
    "reasoning_format",
    "response_format",
    "search_settings",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
];

pub(super) fn rules(dialect: Dialect) -> Rules {
    let lenient = Rules {
        fields: None,
        message_fields: None,
        ids: Ids::Short,
        thoughts: Thoughts::Allowed,
        user_after_tool: true,
        repeats: true,
        max_pictures: 50,
        max_picture_bytes: 20 << 20,
    };
    match dialect {
        Dialect::Mistral => Rules {
            fields: Some(MISTRAL_FIELDS),
            message_fields: Some(&[
                ("system", &[]),
                ("user", &[]),
                ("assistant", &["tool_calls", "prefix"]),
                ("tool", &["tool_call_id", "name"]),
            ]),
            ids: Ids::Nine,
            thoughts: Thoughts::Unknown,
            user_after_tool: false,
            max_pictures: 8,
            max_picture_bytes: 10 << 20,
            ..lenient
        },
        Dialect::Groq => Rules {
            fields: Some(GROQ_FIELDS),
            message_fields: Some(&[
                ("system", &["name"]),
                ("developer", &["name"]),
                ("user", &["name"]),
                ("assistant", &["tool_calls", "function_call", "name", "reasoning"]),
                ("tool", &["tool_call_id", "name"]),
            ]),
            max_pictures: 5,
            max_picture_bytes: 4 << 20,
            ..lenient
        },
        Dialect::DeepSeek => Rules { thoughts: Thoughts::OnEveryAnswer, ..lenient },
        Dialect::Kimi => Rules { ids: Ids::AsGiven, thoughts: Thoughts::OnEveryCall, ..lenient },
        Dialect::LlamaCpp => Rules { repeats: false, ..lenient },
        Dialect::OpenRouter => lenient,
        Dialect::OpenAi | Dialect::Anthropic | Dialect::Ollama => Rules {
            fields: Some(OPENAI_FIELDS),
            message_fields: Some(&[
                ("system", &["name"]),
                ("developer", &["name"]),
                ("user", &["name"]),
                ("assistant", &["tool_calls", "function_call", "name", "refusal", "audio"]),
                ("tool", &["tool_call_id"]),
            ]),
            thoughts: Thoughts::Unknown,
            max_pictures: 500,
            max_picture_bytes: 50 << 20,
            ..lenient
        },
    }
}
