//! How long an answer may be, and how the model is told to think.

use serde_json::{Value, json};

use crate::effort::Effort;
use crate::model::Request;
use crate::registry::{ModelFacts, Thinking};

/// The most tokens of one answer that are asked for; the API wants a number.
const MAX_TOKENS: u64 = 32_000;

/// The smallest budget the API takes.
const MIN_BUDGET: u64 = 1_024;

/// Models that refuse `disabled` (docs.aws.amazon.com/bedrock, adaptive thinking): they think as little
/// as they can.
const ALWAYS_THINK: [&str; 2] = ["fable", "mythos"];

/// What a request says beside its contents.
pub(super) struct Settings {
    pub(super) max_tokens: u64,
    /// Whether thoughts of earlier answers go back. With thinking turned off the API wants none.
    pub(super) shows_thoughts: bool,
    thinking: Option<Value>,
    effort: Option<&'static str>,
    temperature: Option<f64>,
}

/// The settings of `request` for a model of these abilities.
pub(super) fn of(model: &str, facts: &ModelFacts, request: &Request) -> Settings {
    let max_tokens = facts.output_limit.min(MAX_TOKENS);
    let wanted = request.settings.effort;
    let off = wanted == Some(Effort::Off) && !ALWAYS_THINK.iter().any(|name| model.contains(name));
    let thinking = match facts.thinking {
        Thinking::Unasked => None,
        Thinking::Budget => (!off).then(|| {
            // It has to leave some of the answer's tokens.
            let budget = budget(wanted).min(max_tokens / 2).max(MIN_BUDGET);
            json!({ "type": "enabled", "budget_tokens": budget })
        }),
        // Newer models think where nothing is said.
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
        // A model that thinks takes its own temperature alone; the API's goes up to 1.
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

/// `output_config.effort` knows `low`, `medium`, `high`, `xhigh` and `max`.
fn level(effort: Effort) -> &'static str {
    match effort {
        Effort::Off | Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
        Effort::Max => "max",
    }
}

impl Settings {
    /// Writes what the API is told. `messages` are those of the request.
    pub(super) fn write(&self, messages: &[Value], body: &mut Value) {
        if let Some(thinking) = self.thinking.as_ref().filter(|thinking| {
            // Thinking on a budget cannot begin in the middle of a turn that began without.
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
