//! The answer's length limit and the thinking settings.

use serde_json::{Value, json};

use crate::effort::Effort;
use crate::model::Request;
use crate::registry::{ModelFacts, Thinking};

/// The default `max_tokens`, a field that the API requires.
const MAX_TOKENS: u64 = 32_000;

/// The smallest thinking budget that the API accepts.
const MIN_BUDGET: u64 = 1_024;

/// Models that refuse `thinking: disabled` (docs.aws.amazon.com/bedrock, adaptive thinking). They
/// get the lowest effort instead.
const ALWAYS_THINK: [&str; 2] = ["fable", "mythos"];

/// The settings of a request.
pub(super) struct Settings {
    pub(super) max_tokens: u64,
    /// Whether thoughts of earlier answers are sent back. The API refuses them if thinking is
    /// disabled.
    pub(super) shows_thoughts: bool,
    thinking: Option<Value>,
    effort: Option<&'static str>,
    temperature: Option<f64>,
}

/// The settings of `request` for a model with these facts.
pub(super) fn of(model: &str, facts: &ModelFacts, request: &Request) -> Settings {
    let max_tokens = facts.output_limit.min(MAX_TOKENS);
    let wanted = request.settings.effort;
    let off = wanted == Some(Effort::Off) && !ALWAYS_THINK.iter().any(|name| model.contains(name));
    let thinking = match facts.thinking {
        Thinking::Unasked => None,
        Thinking::Budget => (!off).then(|| {
            // The budget is part of `max_tokens`, so it must leave room for text.
            let budget = budget(wanted).min(max_tokens / 2).max(MIN_BUDGET);
            json!({ "type": "enabled", "budget_tokens": budget })
        }),
        // Newer models think by default.
        Thinking::Adaptive if off => Some(json!({ "type": "disabled" })),
        Thinking::Adaptive => Some(json!({ "type": "adaptive", "display": "summarized" })),
    };
    let thinks = thinking.is_some() && !off;
    Settings {
        max_tokens,
        shows_thoughts: thinks,
        effort: wanted
            .filter(|_| facts.thinking == Thinking::Adaptive && thinks)
            .and_then(|wanted| facts.efforts.nearest(wanted))
            .map(level),
        // The API refuses a temperature together with thinking, and its maximum is 1.
        temperature: request.settings.temperature.filter(|_| !thinks).map(|it| it.clamp(0.0, 1.0)),
        thinking,
    }
}

fn budget(effort: Option<Effort>) -> u64 {
    match effort {
        Some(Effort::Off | Effort::Low) => 2_000,
        Some(Effort::Medium) | None => 4_000,
        Some(Effort::High) => 12_000,
        Some(Effort::Max) => 24_000,
    }
}

/// The value of `output_config.effort`: `low`, `medium`, `high`, `xhigh` or `max`.
fn level(effort: Effort) -> &'static str {
    match effort {
        Effort::Off | Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
        Effort::Max => "max",
    }
}

impl Settings {
    /// Writes the settings to `body`. `messages` are those of the request.
    pub(super) fn write(&self, messages: &[Value], body: &mut Value) {
        if let Some(thinking) = self.thinking.as_ref().filter(|thinking| {
            // Budgeted thinking cannot start in the middle of a turn that began without it.
            thinking["type"] != "enabled"
                || !messages.last().is_some_and(has_results)
                || turn_thinks(messages)
        }) {
            body["thinking"] = thinking.clone();
        }
        if let Some(effort) = self.effort {
            body["output_config"] = json!({ "effort": effort });
        }
        if let Some(temperature) = self.temperature {
            body["temperature"] = temperature.into();
        }
    }
}

fn has_results(message: &Value) -> bool {
    message["role"] == "user" && message["content"][0]["type"] == "tool_result"
}

/// Whether the last answer begins with a thought.
fn turn_thinks(messages: &[Value]) -> bool {
    let last = messages.iter().rfind(|message| message["role"] == "assistant");
    last.is_some_and(|message| {
        matches!(message["content"][0]["type"].as_str(), Some("thinking" | "redacted_thinking"))
    })
}
