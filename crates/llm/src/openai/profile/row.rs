//! A row of the table of providers.

use crate::http::call_ids::IdForm;
use crate::registry::PictureLimits;

/// The words for off, low, medium, high and max; an empty one is left unsaid.
pub(in crate::openai) type Words = [&'static str; 5];

/// Where a request says how hard to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openai) enum EffortForm {
    /// Nowhere.
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
/// Which of OpenAI's two APIs is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openai) enum Api {
    /// `/chat/completions`.
    Chat,
    /// `/responses`.
    Responses,
}

/// How reasoning of earlier answers goes back in chat completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openai) enum Reasoning {
    /// Not at all.
    Never,
    /// In the field it came in, where there was some.
    AsItCame,
    /// As `reasoning_content` on every answer; this text where there was none.
    Content(&'static str),
    /// As `reasoning_details`, put together from their pieces; as `reasoning` where there are none.
    Details,
    /// As `thinking` chunks of the content.
    Chunks,
}

/// One row: how a provider, or a family of models wherever it is served, wants its requests.
#[derive(Debug, Clone, Copy)]
pub(in crate::openai) struct Profile {
    /// Who serves it; empty where that is known by its address alone.
    pub(super) vendor: &'static str,
    /// Ends of `host` or `host:port`; empty where any address may serve the models.
    pub(super) hosts: &'static [&'static str],
    /// Beginnings of model names, their maker left out; empty for all.
    pub(super) models: &'static [&'static str],
    pub(in crate::openai) api: Api,
    pub(in crate::openai) reasoning: Reasoning,
    pub(in crate::openai) ids: IdForm,
    /// Whether a message of the user may follow one of a tool.
    pub(in crate::openai) user_after_tool: bool,
    /// Whether `stream_options` are taken; usage comes without them otherwise.
    pub(in crate::openai) stream_options: bool,
    pub(in crate::openai) effort: EffortForm,
    /// The words of the levels, by beginnings of model names; the first that fits counts.
    pub(in crate::openai) levels: &'static [(&'static str, Words)],
    /// The one `reasoning_effort` that tools are taken with, whatever was chosen.
    pub(in crate::openai) effort_beside_tools: Option<&'static str>,
    /// Constant fields, each a JSON value, by beginnings of model names.
    pub(in crate::openai) constants: &'static [(&'static str, &'static str, &'static str)],
    /// The field for the length of an answer, where the provider's own limit would cut answers.
    pub(in crate::openai) max_tokens: Option<&'static str>,
    /// Whether several calls in one answer have to be allowed.
    pub(in crate::openai) allow_parallel_calls: bool,
    /// Whether a temperature is taken.
    pub(in crate::openai) temperature: bool,
    /// The field for the cache key.
    pub(in crate::openai) cache_key: Option<&'static str>,
    /// Whether the prompt cache wants `cache_control` marks.
    pub(in crate::openai) cache_marks: bool,
    /// Whether each piece of `reasoning_details` repeats the text before it.
    pub(in crate::openai) details_repeat: bool,
    /// What it takes of pictures in one request.
    pub(in crate::openai) pictures: PictureLimits,
}

#[cfg(test)]
impl Profile {
    pub(in crate::openai) fn vendor(&self) -> &'static str {
        self.vendor
    }
}

/// The name without the maker a router puts before it, in lower case.
pub(in crate::openai) fn plain(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase()
}

/// The first row of `rows` whose beginning the plain name `model` has.
pub(in crate::openai) fn by_model<'a, T>(rows: &'a [(&'a str, T)], model: &str) -> Option<&'a T> {
    let model = plain(model);
    rows.iter().find(|(start, _)| model.starts_with(start)).map(|(_, value)| value)
}
