//! Entries of the list of models.

use llm::{ModelFacts, ToolUse, facts_of};
use protocol::{ModelInfo, ModelPrices};

use super::names::OFFLINE;
use super::provider::{Origin, Provider};
use crate::wire::effort_name;

/// The entry of the mock model.
pub(super) fn mock(id: &str) -> ModelInfo {
    ModelInfo {
        id: id.into(),
        label: "Mock responses".into(),
        note: Some("answers from DEBUG_MOCK_RESPONSES".into()),
        sees_images: true,
        native_tools: true,
        ..ModelInfo::default()
    }
}

/// The entry of the built-in model; `alone` if there is no other model.
pub(super) fn offline(alone: bool) -> ModelInfo {
    let advice = "Built in, no key needed. Set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY \
                  for a model that understands more.";
    let note = if alone { advice } else { "Built in, no key needed." };
    ModelInfo {
        id: OFFLINE.into(),
        label: "Offline".into(),
        note: Some(note.into()),
        sees_images: facts_of(OFFLINE).images,
        native_tools: true,
        ..ModelInfo::default()
    }
}

/// The entry of the model `id` of `provider`.
pub(super) fn entry(id: String, facts: &ModelFacts, provider: &Provider) -> ModelInfo {
    let mut notes = Vec::new();
    if provider.origin == Origin::Local {
        notes.push(provider.label.as_str());
    }
    if facts.tools == ToolUse::Text {
        notes.push("takes tools in its text");
    }
    if !facts.images {
        notes.push("sees no pictures");
    }
    let limit = |tokens: u64| Some(tokens).filter(|tokens| *tokens < u64::MAX);
    ModelInfo {
        label: id.clone(),
        id,
        note: (!notes.is_empty()).then(|| notes.join(", ")),
        sees_images: facts.images,
        context_window: limit(facts.context_window),
        output_limit: limit(facts.output_limit),
        provider: Some(provider.label.clone()),
        local: provider.origin == Origin::Local,
        native_tools: facts.tools == ToolUse::Native,
        thinks: facts.reasons,
        efforts: facts.efforts.iter().map(effort_name).collect(),
        takes_temperature: facts.temperature,
        prices: facts.prices.map(|prices| ModelPrices {
            input: prices.input,
            output: prices.output,
            cached_input: prices.cached_input,
            cache_write: prices.cache_write,
        }),
    }
}
