//! Levels of effort in the terms of each provider.

use serde_json::{Map, Value, json};

use super::profile::{EffortForm, Profile, by_model};
use crate::effort::Effort;

/// The level of `profile` for `effort` with `model`; `None` if the model has none.
pub(super) fn word(profile: &Profile, model: &str, effort: Effort) -> Option<&'static str> {
    let words = by_model(profile.levels, model)?;
    let index = match effort {
        Effort::Off => 0,
        Effort::Low => 1,
        Effort::Medium => 2,
        Effort::High => 3,
        Effort::Max => 4,
    };
    Some(words[index]).filter(|word| !word.is_empty())
}

/// Writes the effort for `model` to `body`.
pub(super) fn say(profile: &Profile, model: &str, effort: Effort, body: &mut Map<String, Value>) {
    let word = word(profile, model, effort);
    // A model with a level for no thinking is not disabled as well.
    let thinks = effort != Effort::Off || word.is_some();
    match profile.effort {
        EffortForm::Unsaid => {}
        EffortForm::Field => {
            if let Some(word) = word {
                body.insert("reasoning_effort".into(), word.into());
            }
        }
        EffortForm::Object => {
            if let Some(word) = word {
                let reasoning = body.entry("reasoning").or_insert_with(|| json!({}));
                reasoning["effort"] = word.into();
            }
        }
        EffortForm::Switch | EffortForm::Adaptive => {
            let on = if profile.effort == EffortForm::Switch { "enabled" } else { "adaptive" };
            if thinks {
                body.entry("thinking").or_insert_with(|| json!({}))["type"] = on.into();
            } else {
                body.insert("thinking".into(), json!({ "type": "disabled" }));
            }
            if let (EffortForm::Switch, Some(word)) = (profile.effort, word) {
                body.insert("reasoning_effort".into(), word.into());
            }
        }
        EffortForm::Enable => {
            body.insert("enable_thinking".into(), thinks.into());
        }
        EffortForm::Template => {
            let mut variables = json!({ "enable_thinking": thinks });
            if let Some(word) = word {
                variables["reasoning_effort"] = word.into();
            }
            body.insert("chat_template_kwargs".into(), variables);
        }
    }
}
