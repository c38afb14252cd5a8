//! Facts from llama.cpp's `/props`: its model list has only the trained context length.

use serde_json::Value;

use crate::effort::Effort;
use crate::registry::{EffortLevels, Listed, Thinking, ToolUse};

/// Adds the facts of `/props` to a listed model.
pub(crate) fn read_props(model: &mut Listed, props: &Value) {
    let facts = &mut model.facts;
    // A router server, which loads models on demand, says 0.
    let context = props["default_generation_settings"]["n_ctx"].as_u64();
    if let Some(context) = context.filter(|context| *context > 0) {
        facts.context_window = context;
        facts.output_limit = facts.output_limit.min(context);
    }
    if let Some(sees) = props["modalities"]["vision"].as_bool() {
        facts.images = sees;
    }
    // A chat template without tools drops them.
    match props["chat_template_caps"]["supports_tools"].as_bool() {
        Some(true) => facts.tools = ToolUse::Native,
        Some(false) => facts.tools = ToolUse::Text,
        None => {}
    }
    if let Some(efforts) = props["chat_template"].as_str().and_then(efforts) {
        facts.reasons = true;
        facts.thinking = Thinking::Unasked;
        facts.efforts = efforts;
    }
}

/// The levels of effort that a chat template distinguishes, by the variables it reads.
fn efforts(template: &str) -> Option<EffortLevels> {
    let levels = match template.contains("reasoning_effort") {
        true => EffortLevels::of([Effort::Low, Effort::Medium, Effort::High]),
        false => EffortLevels::NONE,
    };
    let switched = EffortLevels::of([Effort::Off, Effort::High]);
    let all = match template.contains("enable_thinking") {
        true => switched.iter().fold(levels, EffortLevels::with),
        false => levels,
    };
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::registry::ModelFacts;

    fn read(props: &Value) -> ModelFacts {
        let facts = ModelFacts::UNKNOWN;
        let mut model = Listed { id: "m.gguf".into(), facts, converses: None };
        read_props(&mut model, props);
        model.facts
    }

    #[test]
    fn the_template_tells_what_a_model_takes() {
        let facts = read(&json!({
            "default_generation_settings": { "n_ctx": 4_096 },
            "modalities": { "vision": true },
            "chat_template_caps": { "supports_tools": false },
            "chat_template": "{% if enable_thinking %}<think>{% endif %}",
        }));
        assert_eq!((facts.context_window, facts.output_limit), (4_096, 4_096));
        assert!(facts.images && facts.reasons && facts.tools == ToolUse::Text);
        assert_eq!(facts.efforts, EffortLevels::of([Effort::Off, Effort::High]));
        let levels = read(&json!({ "chat_template": "{{ reasoning_effort }}" })).efforts;
        assert!(levels.contains(Effort::Medium) && !levels.contains(Effort::Off));
    }

    /// The response of a server without a loaded model.
    #[test]
    fn what_is_not_known_changes_nothing() {
        let props = json!({ "default_generation_settings": { "n_ctx": 0 }, "chat_template": "" });
        assert_eq!(read(&props), ModelFacts::UNKNOWN);
    }
}
