//! A row of the table of providers.

use crate::http::call_ids::IdForm;
use crate::registry::PictureLimits;

/// The provider's names of the levels off, low, medium, high and max; an empty one is not sent.
pub(in crate::openai) type Words = [&'static str; 5];

/// The request field for the effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openai) enum EffortForm {
    /// None.
    Unsaid,
    /// `reasoning_effort`.
    Field,
    /// `reasoning: {"effort"}`.
    Object,
    /// `thinking: {"type": "enabled" | "disabled"}`, and `reasoning_effort` beside it.
    Switch,
    /// `thinking: {"type": "adaptive" | "disabled"}`.
    Adaptive,
    /// `enable_thinking`.
    Enable,
    /// `chat_template_kwargs: {"enable_thinking", "reasoning_effort"}`.
    Template,
}
/// One of OpenAI's two APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openai) enum Api {
    /// `/chat/completions`.
    Chat,
    /// `/responses`.
    Responses,
}

/// How chat completions send the reasoning of earlier answers back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openai) enum Reasoning {
    /// Not at all.
    Never,
    /// In the field it came in, if there was reasoning.
    AsItCame,
    /// As `reasoning_content` on every answer; this text is the default.
    Content(&'static str),
    /// As merged `reasoning_details`; without details, as `reasoning`.
    Details,
    /// As `thinking` items of the content.
    Chunks,
}

/// A row: the request format of a provider, or of a family of models at any address.
#[derive(Debug, Clone, Copy)]
pub(in crate::openai) struct Profile {
    /// The vendor; empty for a row without an address.
    pub(super) vendor: &'static str,
    /// Suffixes of `host` or `host:port`; empty for any address.
    pub(super) hosts: &'static [&'static str],
    /// Prefixes of model names without their maker; empty for all models.
    pub(super) models: &'static [&'static str],
    pub(in crate::openai) api: Api,
    pub(in crate::openai) reasoning: Reasoning,
    pub(in crate::openai) ids: IdForm,
    /// Whether a user message may follow a tool message.
    pub(in crate::openai) user_after_tool: bool,
    /// Whether `stream_options` are supported; otherwise usage comes without them.
    pub(in crate::openai) stream_options: bool,
    pub(in crate::openai) effort: EffortForm,
    /// The levels of effort, by prefix of the model name; the first match counts.
    pub(in crate::openai) levels: &'static [(&'static str, Words)],
    /// The only `reasoning_effort` that is accepted together with tools.
    pub(in crate::openai) effort_beside_tools: Option<&'static str>,
    /// Constant fields as JSON, by prefix of the model name.
    pub(in crate::openai) constants: &'static [(&'static str, &'static str, &'static str)],
    /// The field for the answer's length limit, if the provider's default limit is too small.
    pub(in crate::openai) max_tokens: Option<&'static str>,
    /// Whether parallel calls must be enabled.
    pub(in crate::openai) allow_parallel_calls: bool,
    /// Whether a temperature is accepted.
    pub(in crate::openai) temperature: bool,
    /// The field for the cache key.
    pub(in crate::openai) cache_key: Option<&'static str>,
    /// Whether the prompt cache needs `cache_control` breakpoints.
    pub(in crate::openai) cache_marks: bool,
    /// Whether each chunk of `reasoning_details` repeats the text before it.
    pub(in crate::openai) details_repeat: bool,
    /// The limits of pictures in one request.
    pub(in crate::openai) pictures: PictureLimits,
}

#[cfg(test)]
impl Profile {
    pub(in crate::openai) fn vendor(&self) -> &'static str {
        self.vendor
    }
}

/// The model name in lower case, without a router's prefix for the maker.
pub(in crate::openai) fn plain(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase()
}

/// The first of `rows` whose prefix matches the plain name `model`.
pub(in crate::openai) fn by_model<'a, T>(rows: &'a [(&'a str, T)], model: &str) -> Option<&'a T> {
    let model = plain(model);
    rows.iter().find(|(start, _)| model.starts_with(start)).map(|(_, value)| value)
}
