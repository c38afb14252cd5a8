//! The installed models.

use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::endpoint::{Endpoint, OllamaOptions};
use crate::effort::Effort;
use crate::http::{Provider, as_error};
use crate::model::ModelError;
use crate::registry::listing::Known;
use crate::registry::{EffortLevels, Listed, facts};

/// The most models to query, since each takes a request.
const MAX_MODELS: usize = 100;
/// Concurrent queries.
const AT_ONCE: usize = 4;

#[derive(Deserialize)]
struct Tags {
    #[serde(default)]
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
}

/// The used fields of an `/api/show` response.
#[derive(Deserialize)]
struct Shown {
    /// Missing in older versions.
    capabilities: Option<Vec<String>>,
    #[serde(default)]
    model_info: Value,
    /// The parameters of the Modelfile, one per line.
    #[serde(default)]
    parameters: String,
}

/// The version of the server at the address.
pub(super) async fn version(endpoint: &Endpoint) -> Option<String> {
    let client = endpoint.client();
    let bytes = client.get(endpoint, client.url(&["api", "version"])).await.ok()?;
    let answer: Value = serde_json::from_slice(&bytes).ok()?;
    answer["version"].as_str().map(str::to_owned)
}

pub(super) async fn list(
    endpoint: &Endpoint,
    options: &OllamaOptions,
) -> Result<Vec<Listed>, ModelError> {
    let client = endpoint.client();
    let bytes = client.get(endpoint, client.url(&["api", "tags"])).await.map_err(as_error)?;
    let tags: Tags = serde_json::from_slice(&bytes).map_err(|error| {
        ModelError::Unavailable(format!("Ollama's list is unreadable ({error})."))
    })?;
    let names = tags.models.into_iter().map(|tag| tag.name).take(MAX_MODELS);
    let shown = stream::iter(names).map(|name| show(endpoint, name)).buffered(AT_ONCE);
    let models: Vec<Listed> = shown.collect().await;
    let bounded = models.into_iter().filter(|model| model.converses != Some(false));
    Ok(bounded
        .map(|mut model| {
            model.facts.context_window = model.facts.context_window.min(options.max_context);
            model
        })
        .collect())
}

/// The facts of one model. If `/api/show` fails, the model is listed with default facts.
async fn show(endpoint: &Endpoint, name: String) -> Listed {
    let client = endpoint.client();
    let question = json!({ "model": name });
    let bytes = client.ask(endpoint, client.url(&["api", "show"]), &question).await;
    let shown = bytes.ok().and_then(|bytes| serde_json::from_slice::<Shown>(&bytes).ok());
    listed(name, shown)
}

fn listed(name: String, shown: Option<Shown>) -> Listed {
    // Without capabilities, the name tells embedding models apart.
    let embeds = ["embed", "bge-", "minilm"].iter().any(|word| name.contains(word));
    let mut base = facts(&name);
    base.prices = None;
    let Some(shown) = shown else {
        return Listed { id: name, facts: base, converses: embeds.then_some(false) };
    };
    let can = |what: &str| {
        let capabilities = shown.capabilities.as_ref()?;
        Some(capabilities.iter().any(|capability| capability == what))
    };
    let reasons = can("thinking");
    let known = Known {
        tools: can("tools"),
        images: can("vision"),
        reasons,
        // Only gpt-oss has levels of effort; other models have on and off.
        efforts: Some(if name.contains("gpt-oss") {
            EffortLevels::of([Effort::Low, Effort::Medium, Effort::High])
        } else {
            EffortLevels::NONE
        }),
        temperature: Some(true),
        context_window: set_context(&shown.parameters).or_else(|| context(&shown.model_info)),
        ..Known::default()
    };
    let converses = can("completion").or(embeds.then_some(false));
    Listed { id: name, facts: known.over(base), converses }
}

/// The context length the model was trained with: `llama.context_length` and the like.
fn context(model_info: &Value) -> Option<u64> {
    let fields = model_info.as_object()?;
    let field = fields.iter().find(|(name, _)| name.ends_with(".context_length"))?;
    field.1.as_u64().filter(|tokens| *tokens > 0)
}

/// The context size set in the Modelfile: `num_ctx 8192`.
fn set_context(parameters: &str) -> Option<u64> {
    let line = parameters.lines().find_map(|line| line.trim().strip_prefix("num_ctx"))?;
    line.trim().parse().ok().filter(|tokens| *tokens > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Source, ToolUse};

    fn shown(value: Value) -> Option<Shown> {
        serde_json::from_value(value).ok()
    }

    #[test]
    fn what_ollama_shows_counts() {
        let model = listed(
            "qwen3:8b".into(),
            shown(json!({ "capabilities": ["completion", "tools", "thinking"],
                "model_info": { "general.architecture": "qwen3", "qwen3.context_length": 40_960 } })),
        );
        assert_eq!((model.facts.context_window, model.converses), (40_960, Some(true)));
        assert!(!model.facts.images && model.facts.reasons && model.facts.source == Source::List);
        let small = listed(
            "mine".into(),
            shown(json!({ "capabilities": ["completion", "vision"],
                "parameters": "stop \"<|im_end|>\"\nnum_ctx                        8192",
                "model_info": { "llama.context_length": 131_072 } })),
        );
        assert_eq!((small.facts.context_window, small.facts.tools), (8_192, ToolUse::Text));
        assert!(small.facts.images);
    }

    #[test]
    fn models_that_only_embed_are_told_by_what_they_can_or_by_their_name() {
        let embeds = shown(json!({ "capabilities": ["embedding"], "model_info": {} }));
        assert_eq!(listed("odd-name".into(), embeds).converses, Some(false));
        assert_eq!(listed("nomic-embed-text".into(), shown(json!({}))).converses, Some(false));
        assert_eq!(listed("nomic-embed-text".into(), None).converses, Some(false));
        assert_eq!(listed("llama3.1".into(), shown(json!({}))).converses, None);
    }
}
