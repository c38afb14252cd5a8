//! What sets the services apart that speak OpenAI's form: one row each, found by address and model.

mod services;

use reqwest::Url;
use serde_json::{Value, json};

use super::FIELD;
use super::effort::{EffortForm, Words};
use crate::content::Part;
use crate::registry::ModelFacts;
use crate::service::call_ids::IdForm;
use services::{DEFAULT, PROFILES};

/// Which of OpenAI's two APIs is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    /// `/chat/completions`.
    Chat,
    /// `/responses`.
    Responses,
}

/// How reasoning of earlier answers goes back in chat completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// Not at all.
    Never,
    /// In the field it came in, where there was some.
    AsItCame,
    /// As `reasoning_content` on every answer, empty where there was none.
    Content,
    /// As `reasoning_details`, put together from their pieces; as `reasoning` where there are none.
    Details,
    /// As `thinking` chunks of the content.
    Chunks,
}

/// One row: how a service, or a family of models wherever it is served, wants its requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct Profile {
    /// Who serves it; empty where that is known by its address alone.
    vendor: &'static str,
    /// Ends of `host` or `host:port`; empty where any address may serve the models.
    hosts: &'static [&'static str],
    /// Beginnings of model names, their maker left out; empty for all.
    models: &'static [&'static str],
    pub(super) api: Api,
    pub(super) reasoning: Reasoning,
    pub(super) ids: IdForm,
    /// Whether a message of the user may follow one of a tool.
    pub(super) user_after_tool: bool,
    /// Whether `stream_options` are taken; usage comes without them otherwise.
    pub(super) stream_options: bool,
    pub(super) effort: EffortForm,
    /// The words of the levels, by beginnings of model names; the first that fits counts.
    pub(super) levels: &'static [(&'static str, Words)],
    /// The one `reasoning_effort` that tools are taken with, whatever was chosen.
    pub(super) effort_beside_tools: Option<&'static str>,
    /// Constant fields, each a JSON value, by beginnings of model names.
    pub(super) constants: &'static [(&'static str, &'static str, &'static str)],
    /// The field for the length of an answer, where the service's own limit would cut answers.
    pub(super) max_tokens: Option<&'static str>,
    /// Whether several calls in one answer have to be allowed.
    pub(super) allow_parallel_calls: bool,
    /// Whether a temperature is taken.
    pub(super) temperature: bool,
    /// The field for the cache key.
    pub(super) cache_key: Option<&'static str>,
    /// Whether the prompt cache wants `cache_control` marks.
    pub(super) cache_marks: bool,
    /// Whether each piece of `reasoning_details` repeats the text before it.
    pub(super) details_repeat: bool,
    /// The most pictures of one request.
    pub(super) max_pictures: Option<usize>,
}

/// The model that is asked and how its service wants that.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) model: String,
    pub(super) facts: ModelFacts,
    pub(super) profile: Profile,
    /// Who made the ids and the reasoning: they go back to nobody else.
    pub(super) owner: String,
}

impl Target {
    /// The model `model` of the service at `base_url`.
    pub(super) fn new(base_url: &str, model: &str, facts: ModelFacts) -> Self {
        let host = host_of(base_url);
        let name = plain(model);
        let fits = |profile: &&Profile| {
            let (hosts, models) = (profile.hosts, profile.models);
            (hosts.is_empty() || hosts.iter().any(|end| is_host(&host, end)))
                && (models.is_empty() || models.iter().any(|start| name.starts_with(start)))
        };
        let profile = *PROFILES.iter().find(fits).unwrap_or(&DEFAULT);
        let owner = if profile.vendor.is_empty() { host } else { profile.vendor.to_owned() };
        Self { model: model.to_owned(), facts, profile, owner }
    }

    /// The mark of what this model made, with `more` fields.
    pub(super) fn mark(&self, more: Value) -> Value {
        let mut mark = json!({ "owner": self.owner, "model": self.model });
        if let (Some(mark), Value::Object(more)) = (mark.as_object_mut(), more) {
            mark.extend(more);
        }
        mark
    }

    /// The mark of `part`, if this model made it.
    pub(super) fn own<'a>(&self, part: &'a Part) -> Option<&'a Value> {
        self.of_owner(part).filter(|mark| mark["model"] == self.model.as_str())
    }

    /// The mark of `part`, if a model of this owner made it.
    pub(super) fn of_owner<'a>(&self, part: &'a Part) -> Option<&'a Value> {
        part.raw().get(FIELD).filter(|mark| mark["owner"] == self.owner.as_str())
    }
}

/// The name without the maker a router puts before it, in lower case.
pub(super) fn plain(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase()
}

/// The first row of `rows` whose beginning the plain name `model` has.
pub(super) fn by_model<'a, T>(rows: &'a [(&'a str, T)], model: &str) -> Option<&'a T> {
    let model = plain(model);
    rows.iter().find(|(start, _)| model.starts_with(start)).map(|(_, value)| value)
}

fn host_of(base_url: &str) -> String {
    let Ok(url) = Url::parse(base_url.trim()) else {
        return String::new();
    };
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// Whether `host` is `end`, or ends with it at a dot or a port.
fn is_host(host: &str, end: &str) -> bool {
    host.strip_suffix(end).is_some_and(|before| {
        before.is_empty() || end.starts_with(['.', ':']) || before.ends_with('.')
    })
}

#[cfg(test)]
mod tests;
