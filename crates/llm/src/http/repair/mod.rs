//! Repairing refused requests: what a provider refuses is left out, and the request is sent again, once
//! for each cause.
//!
//! A refusal is classified by its wording ([`wordings`]). What it names is left out of the request
//! ([`request`]) or of the body. What was [`Learned`] about the model is kept, so that later requests leave
//! it out at once and begin with the same bytes.

mod cause;
mod learned;
mod rejection;
mod request;
mod wordings;

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

pub(crate) use cause::Cause;
pub use learned::Learned;
pub(crate) use rejection::Rejection;
pub(crate) use request::plain_name;

use super::client::Client;
use crate::model::Request;
use crate::pictures;
use crate::registry::PictureLimits;

/// The most repairs of one request.
const MAX_REPAIRS: usize = 3;

/// One request as it is sent, with its repairs.
pub(crate) struct Repairs<'a> {
    learned: &'a Learned,
    /// The provider's limits of pictures.
    limits: PictureLimits,
    /// The original request.
    whole: Request,
    /// The causes repaired so far.
    tried: BTreeSet<Cause>,
    /// The limit of the answer for this request alone.
    output_limit: Option<u64>,
}

impl<'a> Repairs<'a> {
    pub(crate) fn new(client: &'a Client, whole: Request) -> Self {
        Self::with(client.learned(), client.facts().picture_limits, whole)
    }

    fn with(learned: &'a Learned, limits: PictureLimits, whole: Request) -> Self {
        Self { learned, limits, whole, tried: BTreeSet::new(), output_limit: None }
    }

    /// The number of repairs.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.tried.len()).unwrap_or(u32::MAX)
    }

    /// The body to send, written by `write`, without what is known to be refused.
    pub(crate) fn body(&self, write: impl Fn(&Request) -> Value) -> Value {
        let refused = self.learned.so_far();
        let mut request = self.whole.clone();
        let left_out: HashSet<u64> = refused.left_out.iter().copied().collect();
        request::leave_out(&mut request, &left_out);
        for cause in &refused.never {
            request::without(&mut request, *cause);
        }
        let counts = [self.limits.max_count, refused.max_pictures];
        if let Some(count) = counts.into_iter().flatten().min() {
            let contents = std::mem::take(&mut request.contents);
            request.contents = pictures::limit_pictures(contents, usize::MAX, count as usize);
        }
        let mut body = write(&request);
        for cause in &refused.never {
            body_without(&mut body, *cause);
        }
        let limits = [refused.output_limit, self.output_limit];
        if let Some(limit) = limits.into_iter().flatten().min() {
            limit_answer(&mut body, limit);
        }
        body
    }

    /// Leaves out what was refused in the body `sent`, and returns a line for the user; `None` if that was done
    /// before, or if there is nothing to leave out.
    pub(crate) fn repair(
        &mut self,
        rejection: &Rejection,
        sent: &Value,
        write: impl Fn(&Request) -> Value,
    ) -> Option<String> {
        if self.tried.len() >= MAX_REPAIRS || !self.tried.insert(rejection.cause) {
            return None;
        }
        self.learn(rejection, sent);
        // These are repaired elsewhere: by compaction, or by a text protocol.
        let is_ours = !matches!(rejection.cause, Cause::Overflow | Cause::NoTools);
        (is_ours && self.body(write) != *sent).then(|| message_for_user(rejection.cause))
    }

    fn learn(&mut self, rejection: &Rejection, sent: &Value) {
        let learned = self.learned;
        match rejection.cause {
            Cause::Overflow => {
                if let Some(window) = wordings::window(&rejection.said) {
                    learned.limit_window(window);
                }
            }
            Cause::Thoughts => learned.leave_out(request::thoughts(&self.whole)),
            Cause::Picture => learned.leave_out(request::pictures(&self.whole)),
            Cause::TooLarge => {
                let all: Vec<u64> = request::pictures(&self.whole).collect();
                match wordings::picture_limit(&rejection.said, all.len()) {
                    Some(limit) => learned.limit_pictures(limit),
                    None => {
                        let older = all.len().div_ceil(2);
                        learned.leave_out(all.into_iter().take(older));
                    }
                }
            }
            Cause::OutputLimit => {
                let asked = answer_limit(sent).unwrap_or(u64::MAX);
                let limit = wordings::output_limit(&rejection.said, asked);
                // The rest of the window differs from request to request.
                if rejection.said.contains("context") {
                    self.output_limit = limit;
                } else if let Some(limit) = limit {
                    learned.limit_output(limit);
                }
            }
            cause => learned.never(cause),
        }
    }
}

/// The message to the user about a repair.
fn message_for_user(cause: Cause) -> String {
    match cause {
        Cause::NoPictures => "This model does not accept pictures: they are left out.".into(),
        Cause::Picture => {
            "The provider refused a picture: all earlier pictures are left out.".into()
        }
        Cause::TooLarge => "The request was too large: older pictures are left out.".into(),
        Cause::Thoughts => {
            "The provider refused earlier thoughts of the model: they are left out.".into()
        }
        Cause::NoThoughts => {
            "This model does not accept earlier thoughts: they are left out.".into()
        }
        Cause::Thinking => {
            "This model has no setting for thinking: the setting is left out.".into()
        }
        Cause::Setting(name) => {
            format!("This model does not accept the setting {name}: it is left out.")
        }
        Cause::OutputLimit => {
            "The provider refused so long an answer: a shorter one is requested.".into()
        }
        Cause::ToolName => "The provider refused a tool's name: names are simplified.".into(),
        Cause::CallId => "The provider refused a call's id: ids are simplified.".into(),
        Cause::RoleOrder => "The provider refused the order of messages: it is repaired.".into(),
        Cause::SystemRole => {
            "This model does not accept a system message: the first user message holds it.".into()
        }
        Cause::ToolSchema => "The provider refused a tool's schema: schemas are simplified.".into(),
        Cause::NoTools | Cause::Overflow => "The request was refused.".into(),
    }
}

/// The body fields for the limit of an answer.
const ANSWER_LIMITS: [&str; 6] = [
    "/max_tokens",
    "/max_completion_tokens",
    "/max_output_tokens",
    "/generationConfig/maxOutputTokens",
    "/options/num_predict",
    "/thinking/budget_tokens",
];

fn answer_limit(body: &Value) -> Option<u64> {
    ANSWER_LIMITS.iter().find_map(|path| body.pointer(path)?.as_u64())
}

fn limit_answer(body: &mut Value, limit: u64) {
    for path in ANSWER_LIMITS {
        // Thoughts are part of the answer, so their budget must leave room for text.
        let limit = if path.starts_with("/thinking") { limit / 2 } else { limit };
        if let Some(value) = body.pointer_mut(path)
            && value.as_u64().is_some_and(|asked| asked > limit)
        {
            *value = limit.into();
        }
    }
    // Anthropic's smallest budget.
    if body.pointer("/thinking/budget_tokens").and_then(Value::as_u64).is_some_and(|b| b < 1_024) {
        remove(body, &["thinking"]);
    }
}

/// Body fields that the writer adds to a request.
fn body_without(body: &mut Value, cause: Cause) {
    match cause {
        Cause::Thinking => {
            let names = [
                "thinking",
                "output_config",
                "reasoning",
                "reasoning_effort",
                "think",
                "enable_thinking",
                "chat_template_kwargs",
            ];
            remove(body, &names);
            if let Some(config) = body.get_mut("generationConfig") {
                remove(config, &["thinkingConfig"]);
            }
        }
        Cause::Setting("cache_control") => remove_everywhere(body, "cache_control"),
        Cause::Setting(name) => {
            remove(body, &[name]);
            for inside in ["generationConfig", "options"] {
                if let Some(settings) = body.get_mut(inside) {
                    remove(settings, &[name]);
                }
            }
        }
        _ => {}
    }
}

fn remove(object: &mut Value, names: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|name, _| !names.contains(&name.as_str()));
    }
}

fn remove_everywhere(value: &mut Value, name: &str) {
    match value {
        Value::Object(fields) => {
            fields.retain(|field, _| field != name);
            fields.values_mut().for_each(|value| remove_everywhere(value, name));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| remove_everywhere(item, name)),
        _ => {}
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
