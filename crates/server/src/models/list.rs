//! What a model's entry in the list says.

use std::sync::Arc;

use llm::{ToolUse, facts_of};
use protocol::ModelInfo;

use super::OFFLINE;

/// The entries of these models, the chosen one among them, and of the built-in one at the end.
pub(super) fn of(names: Vec<String>, chosen: Option<&str>) -> Arc<[ModelInfo]> {
    let only_offline = names.is_empty();
    let chosen = chosen.filter(|id| *id != OFFLINE && !names.iter().any(|name| name == id));
    let all = chosen.map(str::to_owned).into_iter().chain(names);
    all.map(entry).chain([offline(only_offline)]).collect()
}

/// The entry of the mock model.
pub(super) fn mock(id: &str) -> ModelInfo {
    let note = Some("answers from DEBUG_MOCK_RESPONSES".into());
    ModelInfo {
        id: id.into(),
        label: "Mock responses".into(),
        note,
        sees_images: true,
        context_window: None,
    }
}

fn offline(alone: bool) -> ModelInfo {
    let advice = "Built in, no key needed. Set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY \
                  for a model that understands more.";
    let note = if alone { advice } else { "Built in, no key needed." };
    ModelInfo {
        id: OFFLINE.into(),
        label: "Offline".into(),
        note: Some(note.into()),
        sees_images: facts_of(OFFLINE).images,
        context_window: None,
    }
}

fn entry(id: String) -> ModelInfo {
    let name = id.split_once('+').map_or(id.as_str(), |(name, _)| name);
    let facts = facts_of(name);
    let mut notes = Vec::new();
    if facts.tools == ToolUse::Text {
        notes.push("takes tools in its text");
    }
    if !facts.images {
        notes.push("sees no pictures");
    }
    let note = (!notes.is_empty()).then(|| notes.join(", "));
    ModelInfo {
        label: id.clone(),
        id,
        note,
        sees_images: facts.images,
        context_window: Some(facts.context_window).filter(|window| *window < u64::MAX),
    }
}
