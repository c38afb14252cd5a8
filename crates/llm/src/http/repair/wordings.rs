//! Classifying refusals by the known wordings of providers.
//!
//! Each row has the source of its wording. Rows are tried in order, specific ones first.

use super::cause::Cause;

/// Parts of a text, in lower case, that all occur in a refusal for `cause`; and where such a refusal
/// was published.
struct Wording {
    cause: Cause,
    words: &'static [&'static str],
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for readers, and for the test that none lacks one")
    )]
    source: &'static str,
}

const fn row(cause: Cause, words: &'static [&'static str], source: &'static str) -> Wording {
    Wording { cause, words, source }
}

/// A list of overflow texts, each with its vendor: `packages/ai/src/utils/overflow.ts` there.
const OVERFLOWS: &str = "github.com/badlogic/pi-mono, overflow.ts";
const ANTHROPIC: &str = "platform.claude.com/docs/en/api/errors";
const PREFIX_CHECKS: &str =
    "platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks";

const WORDINGS: &[Wording] = &[
    // The length of the answer, which some texts mention beside the context.
    row(Cause::OutputLimit, &["max_tokens", "maximum allowed number of output tokens"], ANTHROPIC),
    row(Cause::OutputLimit, &["input length and `max_tokens` exceed context limit"], ANTHROPIC),
    row(Cause::OutputLimit, &["max_tokens is too large"], "community.openai.com"),
    row(Cause::OutputLimit, &["max_completion_tokens", "too large"], "vllm-project/vllm, serving"),
    row(Cause::OutputLimit, &["valid range of max_tokens"], "DeepSeek API"),
    row(Cause::OutputLimit, &["`max_tokens` must be less than or equal to"], "Groq API"),
    // The context.
    row(Cause::Overflow, &["prompt is too long"], OVERFLOWS),
    row(Cause::Overflow, &["input is too long for requested model"], OVERFLOWS),
    row(Cause::Overflow, &["exceeds the context window"], OVERFLOWS),
    row(Cause::Overflow, &["input token count", "exceeds the maximum"], OVERFLOWS),
    row(Cause::Overflow, &["maximum prompt length is"], OVERFLOWS),
    row(Cause::Overflow, &["reduce the length of the messages"], OVERFLOWS),
    row(Cause::Overflow, &["maximum context length"], OVERFLOWS),
    row(Cause::Overflow, &["exceeds the available context size"], OVERFLOWS),
    row(Cause::Overflow, &["exceed_context_size_error"], "ggml-org/llama.cpp, tools/server"),
    row(Cause::Overflow, &["greater than the context length"], OVERFLOWS),
    row(Cause::Overflow, &["context window exceeds limit"], OVERFLOWS),
    row(Cause::Overflow, &["exceeded model token limit"], OVERFLOWS),
    row(Cause::Overflow, &["prompt exceeds max length"], "docs.z.ai, error 1261"),
    row(Cause::Overflow, &["exceeded max context length"], "ollama/ollama"),
    row(Cause::Overflow, &["context_length_exceeded"], OVERFLOWS),
    row(Cause::Overflow, &["request too large for model", "tokens per minute"], "console.groq.com"),
    // Pictures.
    row(
        Cause::NoPictures,
        &["no endpoints found that support image"],
        "NousResearch/hermes-agent#23411",
    ),
    row(Cause::NoPictures, &["image input", "not supported"], "ggml-org/llama.cpp#13566, Kimi API"),
    row(Cause::NoPictures, &["unsupported content part type", "image"], "ggml-org/llama.cpp#12947"),
    row(Cause::NoPictures, &["does not support image"], "NousResearch/hermes-agent#23411"),
    row(Cause::NoPictures, &["image input is not enabled"], "Mistral API"),
    row(Cause::NoPictures, &["image input modality is not enabled"], "Gemini API, Gemma"),
    row(Cause::NoPictures, &["unknown variant `image_url`"], "DeepSeek API"),
    row(Cause::NoPictures, &["image_url is only supported by certain models"], "OpenAI API"),
    row(Cause::NoPictures, &["not a multimodal model"], "vllm-project/vllm"),
    row(Cause::NoPictures, &["at most 0 image"], "vllm-project/vllm"),
    row(Cause::NoPictures, &["content' : value must be a string"], "Groq API"),
    row(Cause::NoPictures, &["].content must be a string"], "Groq API"),
    row(Cause::NoPictures, &["missing data required for image input"], "ollama/ollama"),
    row(Cause::NoPictures, &["does not support vision"], "ollama/ollama"),
    row(Cause::NoPictures, &["does not support multimodal"], "ollama/ollama"),
    row(Cause::TooLarge, &["too much media"], "anthropics/claude-code#19822"),
    row(Cause::TooLarge, &["too many images"], "Groq API"),
    row(Cause::TooLarge, &["image(s) may be provided"], "vllm-project/vllm"),
    row(Cause::TooLarge, &["request_too_large"], ANTHROPIC),
    row(Cause::TooLarge, &["request exceeds the maximum"], ANTHROPIC),
    row(Cause::TooLarge, &["request payload size exceeds the limit"], "Gemini API"),
    row(
        Cause::Picture,
        &["image dimensions exceed max allowed size"],
        "anthropics/claude-code#16173",
    ),
    row(Cause::Picture, &["image exceeds", "maximum"], "Anthropic API"),
    row(Cause::Picture, &["could not process image"], "Anthropic API"),
    row(Cause::Picture, &["media type, but the image appears to be"], "Anthropic API"),
    row(Cause::Picture, &["unable to process input image"], "Gemini API"),
    row(Cause::Picture, &["provided image is not valid"], "Gemini API"),
    row(Cause::Picture, &["unsupported mime type"], "Gemini API"),
    row(Cause::Picture, &["does not represent a valid image"], "OpenAI API"),
    row(Cause::Picture, &["unsupported image"], "OpenAI API"),
    row(Cause::Picture, &["failed to load image"], "ggml-org/llama.cpp, tools/server"),
    // Thoughts of earlier answers.
    row(Cause::Thoughts, &["bound to a different conversation"], PREFIX_CHECKS),
    row(Cause::Thoughts, &["invalid", "signature", "thinking"], "anthropics/claude-code#10627"),
    row(Cause::Thoughts, &["signature", "field required"], "JohnnyZ93/oai-compatible-copilot#217"),
    row(Cause::Thoughts, &["thinking", "blocks", "cannot be modified"], ANTHROPIC),
    row(Cause::Thoughts, &["corrupted thought signature"], "google-gemini/gemini-cli#13467"),
    row(Cause::Thoughts, &["thought signature is not valid"], "decolua/9router#301"),
    row(Cause::Thoughts, &["invalid thought signature"], "lbjlaq/Antigravity-Manager#3342"),
    row(Cause::Thoughts, &["missing a thought_signature"], "lbjlaq/Antigravity-Manager#938"),
    row(Cause::Thoughts, &["encrypted content", "could not be verified"], "openai/codex, issues"),
    row(
        Cause::Thoughts,
        &["of type 'reasoning' was provided without its required following item"],
        "openai/openai-agents-python, issues",
    ),
    row(Cause::NoThoughts, &["property 'reasoning", "is unsupported"], "Groq API"),
    row(Cause::NoThoughts, &["reasoning_content", "extra inputs are not permitted"], "Mistral API"),
    // How to think.
    row(Cause::Thinking, &["must start with a thinking block"], ANTHROPIC),
    row(Cause::Thinking, &["expected `thinking` or `redacted_thinking`"], ANTHROPIC),
    row(Cause::Thinking, &["adaptive thinking is not supported"], ANTHROPIC),
    row(Cause::Thinking, &["thinking.type"], ANTHROPIC),
    row(Cause::Thinking, &["does not support the effort parameter"], ANTHROPIC),
    row(Cause::Thinking, &["output_config"], ANTHROPIC),
    row(Cause::Thinking, &["budget_tokens"], ANTHROPIC),
    row(Cause::Thinking, &["does not support thinking"], "ollama/ollama"),
    row(Cause::Thinking, &["thinking level"], "Gemini API"),
    row(Cause::Thinking, &["thinking_level"], "Gemini API"),
    row(Cause::Thinking, &["thinking budget"], "Gemini API"),
    row(Cause::Thinking, &["thinking_config"], "Gemini API"),
    row(Cause::Thinking, &["reasoning_effort"], "OpenAI API"),
    row(Cause::Thinking, &["reasoning.effort"], "OpenAI API"),
    row(Cause::Thinking, &["reasoning is mandatory"], "OpenRouter API"),
    // Tools.
    row(Cause::Setting("tool_choice"), &["does not support", "tool_choice"], "DeepSeek API"),
    row(Cause::NoTools, &["no endpoints found that support tool"], "anomalyco/opencode#1675"),
    row(Cause::NoTools, &["does not support tool"], "ollama/ollama, server/images.go"),
    row(Cause::NoTools, &["--enable-auto-tool-choice"], "vllm-project/vllm"),
    row(Cause::NoTools, &["tools param requires --jinja"], "ggml-org/llama.cpp, tools/server"),
    row(Cause::NoTools, &["tool calling", "not supported"], "Groq API"),
    row(Cause::NoTools, &["does not support function calling"], "DeepSeek API"),
    row(Cause::NoTools, &["function calling is not"], "Gemini API, Gemma"),
    row(Cause::ToolSchema, &["invalid schema for function"], "OpenAI API"),
    row(Cause::ToolSchema, &["json schema is invalid"], "Anthropic API"),
    row(Cause::ToolSchema, &["input_schema does not support"], "Anthropic API"),
    row(Cause::ToolSchema, &["function_declarations", "parameters"], "Gemini API"),
    row(Cause::ToolSchema, &["json schema conversion failed"], "ggml-org/llama.cpp, common"),
    row(Cause::ToolSchema, &["failed to parse grammar"], "ggml-org/llama.cpp, tools/server"),
    row(Cause::ToolSchema, &["invalid json schema for tool"], "Groq API"),
    row(Cause::ToolName, &["tool_use.name", "pattern"], "Anthropic API"),
    row(Cause::ToolName, &["function.name", "pattern"], "OpenAI API"),
    row(Cause::ToolName, &["input[", "].name'", "pattern"], "OpenAI API"),
    row(Cause::ToolName, &["invalid function name"], "Gemini API"),
    row(Cause::ToolName, &["function_call.name"], "Gemini API"),
    row(Cause::CallId, &["tool call id was", "length of 9"], "Mistral API"),
    row(Cause::CallId, &["tool call ids should be", "length 9"], "chat templates of Mistral"),
    row(Cause::CallId, &["tool_use.id", "pattern"], "Anthropic API"),
    row(Cause::CallId, &["tool_use_id", "pattern"], "Anthropic API"),
    row(Cause::CallId, &["].id'", "string too long"], "OpenAI API"),
    row(Cause::CallId, &["call_id'", "string too long"], "OpenAI API"),
    // Roles.
    row(Cause::RoleOrder, &["unexpected role", "after role"], "Mistral API"),
    row(Cause::RoleOrder, &["roles must alternate"], "chat templates of Gemma and Mistral"),
    row(Cause::SystemRole, &["system role not supported"], "chat template of Gemma"),
    row(Cause::SystemRole, &["developer instruction is not enabled"], "Gemini API, Gemma"),
];

/// Phrases for an unsupported setting.
const NOT_TAKEN: &[&str] = &[
    "unsupported",
    "not supported",
    "unknown",
    "unrecognized",
    "unexpected",
    "not permitted",
    "extra_forbidden",
    "deprecated",
    "does not support",
    "not allowed",
    "no longer supported",
    "not available",
    "only the default",
    "invalid value",
];

/// Optional settings by their names in requests; the first one in the text counts. OpenAI writes
/// "Unsupported parameter: 'temperature' is not supported with this model" or "Unrecognized request
/// argument supplied: stream_options", Anthropic "`temperature` is deprecated for this model" or
/// "foo: Extra inputs are not permitted" (inspect_ai#3721), Gemini `Unknown name "foo"`, providers
/// with pydantic `extra_forbidden` and the path.
const SETTINGS: &[&str] = &[
    "temperature",
    "stream_options",
    "cache_control",
    "prompt_cache_key",
    "prompt_cache_retention",
    "parallel_tool_calls",
    "tool_choice",
    "max_completion_tokens",
    "service_tier",
    "verbosity",
    "truncation",
    "include",
    "store",
    "top_p",
    "top_k",
    "strict",
];

/// The cause that a refusal names, if it can be left out of a request.
pub(super) fn cause(said: &str) -> Option<Cause> {
    let said = said.to_lowercase().replace("doesn't", "does not");
    let known = WORDINGS.iter().find(|row| row.words.iter().all(|word| said.contains(word)));
    known.map(|row| row.cause).or_else(|| {
        let named = |name: &&&str| {
            said.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == **name)
        };
        let refused = NOT_TAKEN.iter().any(|word| said.contains(word));
        SETTINGS.iter().find(named).filter(|_| refused).map(|name| Cause::Setting(name))
    })
}

/// The answer's token limit in the text of a refusal, if it is less than `asked`.
pub(super) fn output_limit(said: &str, asked: u64) -> Option<u64> {
    let said = said.to_lowercase();
    let numbers: Vec<u64> = said
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect();
    // Where the text states the request's share of the window, the rest remains: Anthropic writes
    // `188240 + 21333 > 200000`, vLLM `32000 > 8192 - 1000`.
    let window = if said.contains("exceed context limit") {
        numbers.windows(3).find(|three| three[1] == asked).map(|three| (three[2], three[0]))
    } else if said.contains("maximum context length") {
        let at = numbers.iter().position(|number| *number == asked);
        let rest: Vec<u64> = numbers.iter().copied().filter(|number| *number != asked).collect();
        at.and(rest.first().copied().zip(rest.get(1).copied()))
    } else {
        None
    };
    if let Some((window, request)) = window {
        // A margin, since the provider also counts the tokens of its template.
        return window.checked_sub(request + 64).filter(|left| *left >= MIN_ANSWER);
    }
    numbers.into_iter().filter(|number| (MIN_ANSWER..asked).contains(number)).max()
}

/// The context window in the text of an overflow: the second largest length, since the largest is
/// that of the request. A single length is the window.
pub(super) fn window(said: &str) -> Option<u64> {
    if said.contains("context length by") {
        // Ollama's text has the excess, not the window.
        return None;
    }
    let numbers = said.split(|c: char| !c.is_ascii_digit()).filter_map(|it| it.parse().ok());
    let mut lengths: Vec<u64> = numbers.filter(|it| WINDOWS.contains(it)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths.len().checked_sub(2).or(lengths.len().checked_sub(1)).map(|at| lengths[at])
}

/// The range of windows and of request lengths; error codes are smaller, dates in names larger.
const WINDOWS: std::ops::RangeInclusive<u64> = 4_000..=12_000_000;

/// The smallest useful limit of an answer.
const MIN_ANSWER: u64 = 256;

/// The picture limit in the text of a refusal, if it is less than `sent`.
pub(super) fn picture_limit(said: &str, sent: usize) -> Option<u32> {
    said.split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse::<u32>().ok())
        .filter(|number| (1..sent).contains(&(*number as usize)))
        .max()
}

#[cfg(test)]
#[path = "wordings_tests.rs"]
mod tests;
