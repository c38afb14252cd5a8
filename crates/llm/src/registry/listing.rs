//! Parsing of providers' model lists.
//!
//! Most lists have OpenAI's outer form with additional fields. All known fields are read from any
//! list; missing facts come from the table.

use serde_json::Value;

use super::facts::{EffortLevels, ModelFacts, Source, Thinking, TokenPrices, ToolUse};
use crate::effort::Effort;

/// A listed model.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its id in the list.
    pub id: String,
    /// What it can do.
    pub facts: ModelFacts,
    /// Whether it is a chat model; `None` if the list does not say.
    pub converses: Option<bool>,
}

/// Parses a list: `{"data": [..]}`, `{"models": [..]}` or an array. `None` for anything else.
pub(crate) fn read(list: &Value) -> Option<Vec<Listed>> {
    let entries = list["data"].as_array().or(list["models"].as_array()).or(list.as_array())?;
    Some(entries.iter().filter_map(entry).collect())
}

/// Parses an entry. Google's prefix `models/` is removed from the id.
pub(crate) fn entry(entry: &Value) -> Option<Listed> {
    let id = ["id", "model", "name"].iter().find_map(|field| entry[*field].as_str())?;
    let id = id.strip_prefix("models/").unwrap_or(id);
    Some(Listed {
        id: id.to_owned(),
        facts: Known::of(entry).over(super::facts(id)),
        converses: converses(entry),
    })
}

/// The facts in one entry; `None` where it is silent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Known {
    pub(crate) tools: Option<bool>,
    pub(crate) images: Option<bool>,
    pub(crate) reasons: Option<bool>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) efforts: Option<EffortLevels>,
    pub(crate) temperature: Option<bool>,
    pub(crate) context_window: Option<u64>,
    pub(crate) output_limit: Option<u64>,
    pub(crate) prices: Option<TokenPrices>,
}

impl Known {
    fn of(entry: &Value) -> Self {
        Self {
            tools: tools(entry),
            images: images(entry),
            reasons: reasons(entry),
            thinking: thinking(entry),
            efforts: efforts(entry),
            temperature: parameter(entry, "temperature"),
            context_window: tokens(entry, &CONTEXT_FIELDS),
            output_limit: tokens(entry, &OUTPUT_FIELDS),
            prices: prices(&entry["pricing"]),
        }
    }

    /// The known facts, completed by `base`.
    pub(crate) fn over(self, base: ModelFacts) -> ModelFacts {
        if self == Self::default() {
            return base;
        }
        let native = |native| if native { ToolUse::Native } else { ToolUse::Text };
        let reasons = self.reasons.unwrap_or(base.reasons);
        let efforts = self.efforts.unwrap_or(base.efforts);
        let context_window = self.context_window.unwrap_or(base.context_window);
        ModelFacts {
            tools: self.tools.map_or(base.tools, native),
            images: self.images.unwrap_or(base.images),
            reasons,
            thinking: match reasons {
                true => self.thinking.unwrap_or(base.thinking),
                false => Thinking::Unasked,
            },
            efforts: if reasons { efforts } else { EffortLevels::NONE },
            temperature: self.temperature.unwrap_or(base.temperature),
            context_window,
            output_limit: self.output_limit.unwrap_or(base.output_limit).min(context_window),
            // The table's prices are the maker's, and this list may be another provider's.
            prices: self.prices,
            source: Source::List,
            ..base
        }
    }
}

/// Fields for the context window; the first that is present counts: as loaded (LM Studio), as
/// served (vLLM, llama.cpp), as trained.
const CONTEXT_FIELDS: [&str; 11] = [
    "/loaded_context_length",
    "/max_model_len",
    "/meta/n_ctx",
    "/context_length",
    "/context_window",
    "/max_context_length",
    "/context_size",
    "/inputTokenLimit",
    "/max_input_tokens",
    "/top_provider/context_length",
    "/meta/n_ctx_train",
];

/// Fields for the answer's length limit.
const OUTPUT_FIELDS: [&str; 7] = [
    "/top_provider/max_completion_tokens",
    "/max_completion_tokens",
    "/max_output_tokens",
    "/max_output_length",
    "/outputTokenLimit",
    "/max_tokens",
    "/completion_token_limit",
];

fn tokens(entry: &Value, fields: &[&str]) -> Option<u64> {
    let number = |field: &&str| {
        let value = entry.pointer(field)?;
        let whole = value.as_u64().or_else(|| value.as_f64().map(|number| number as u64));
        whole.filter(|tokens| *tokens > 0)
    };
    fields.iter().find_map(number)
}

/// Whether `name` is among the supported parameters, if they are listed (OpenRouter).
fn parameter(entry: &Value, name: &str) -> Option<bool> {
    holds(&entry["supported_parameters"], &[name])
}

/// Whether an array contains one of `names`; `None` if it is no array.
fn holds(list: &Value, names: &[&str]) -> Option<bool> {
    let list = list.as_array()?;
    Some(list.iter().filter_map(Value::as_str).any(|text| names.contains(&text)))
}

/// The first of `fields` with a boolean, also as `{"supported": ..}`.
fn flag(entry: &Value, fields: &[&str]) -> Option<bool> {
    fields.iter().find_map(|field| {
        let value = entry.pointer(field)?;
        value.as_bool().or(value["supported"].as_bool())
    })
}

fn tools(entry: &Value) -> Option<bool> {
    parameter(entry, "tools").or_else(|| {
        flag(entry, &["/capabilities/function_calling", "/supports_tools", "/supports_tool_use"])
    })
}

fn images(entry: &Value) -> Option<bool> {
    let listed = ["/architecture/input_modalities", "/input_modalities", "/modalities/input"];
    let listed = listed.iter().find_map(|field| holds(entry.pointer(field)?, &["image"]));
    listed
        .or_else(|| {
            // "text+image->text"
            let modality = entry["architecture"]["modality"].as_str()?;
            Some(modality.split("->").next()?.contains("image"))
        })
        .or_else(|| {
            let flags = [
                "/capabilities/vision",
                "/capabilities/image_input",
                "/supports_image_in",
                "/supports_image_input",
                "/supports_vision",
            ];
            flag(entry, &flags)
        })
        .or_else(|| match entry["type"].as_str()? {
            "vlm" => Some(true),
            "llm" => Some(false),
            _ => None,
        })
        .or_else(|| {
            // A list of capabilities without vision proves nothing: some name only special ones.
            holds(&entry["capabilities"], &["vision", "multimodal", "image"]).filter(|sees| *sees)
        })
}

fn reasons(entry: &Value) -> Option<bool> {
    let parameters = &entry["supported_parameters"];
    holds(parameters, &["reasoning", "include_reasoning", "reasoning_effort"]).or_else(|| {
        let flags = [
            "/capabilities/thinking",
            "/capabilities/reasoning",
            "/supports_reasoning",
            "/thinking",
        ];
        flag(entry, &flags)
    })
}

/// The thinking control in the lists of Anthropic and Google.
fn thinking(entry: &Value) -> Option<Thinking> {
    if let Some(types) = entry.pointer("/capabilities/thinking/types") {
        let takes = |name: &str| flag(types, &[&format!("/{name}")]).unwrap_or(false);
        return Some(match (takes("adaptive"), takes("enabled")) {
            (true, _) => Thinking::Adaptive,
            (_, true) => Thinking::Budget,
            _ => Thinking::Unasked,
        });
    }
    let google = entry.get("inputTokenLimit").is_some();
    flag(entry, &["/thinking"]).filter(|_| google).map(|thinks| match thinks {
        true => Thinking::Adaptive,
        false => Thinking::Unasked,
    })
}

fn efforts(entry: &Value) -> Option<EffortLevels> {
    // Anthropic: `{"supported", "low": {"supported"}, ..}`.
    if let Some(effort) = entry.pointer("/capabilities/effort") {
        let takes = |name: &str| flag(effort, &[&format!("/{name}")]).unwrap_or(false);
        let all = takes("supported");
        let named = ["low", "medium", "high", "xhigh", "max"];
        return Some(EffortLevels::of(
            named.into_iter().filter(|name| all && takes(name)).filter_map(level),
        ));
    }
    // OpenRouter
    let reasoning = &entry["reasoning"];
    if let Some(levels) = reasoning["supported_efforts"].as_array() {
        let levels = levels.iter().filter_map(Value::as_str).filter_map(level);
        return Some(EffortLevels::of(levels));
    }
    if parameter(entry, "reasoning") == Some(true) {
        let levels = EffortLevels::of([Effort::Low, Effort::Medium, Effort::High]);
        let optional = reasoning["mandatory"] == false;
        return Some(if optional { levels.with(Effort::Off) } else { levels });
    }
    None
}

/// The level that a provider names `name`.
fn level(name: &str) -> Option<Effort> {
    Some(match name {
        "none" => Effort::Off,
        "xhigh" => Effort::Max,
        _ => return Effort::named(name),
    })
}

/// Token prices: OpenRouter's are strings per token, Together's are numbers per million tokens.
fn prices(pricing: &Value) -> Option<TokenPrices> {
    let of_one = |field: &str| Some(pricing[field].as_str()?.parse::<f64>().ok()? * 1e6);
    let of_million = |field: &str| pricing[field].as_f64();
    let price = |one: &str, million: &str| {
        let price = of_one(one).or_else(|| of_million(million))?;
        // Routers that choose the model themselves list -1.
        Some(price).filter(|price| price.is_finite() && *price >= 0.0)
    };
    Some(TokenPrices {
        input: price("prompt", "input")?,
        output: price("completion", "output")?,
        cached_input: price("input_cache_read", "cached_input"),
        cache_write: price("input_cache_write", "cache_write"),
    })
}

/// Whether the entry is a chat model.
fn converses(entry: &Value) -> Option<bool> {
    let outputs = ["/architecture/output_modalities", "/output_modalities", "/modalities/output"];
    let by_output = outputs.iter().find_map(|field| holds(entry.pointer(field)?, &["text"]));
    let by_method = || holds(&entry["supportedGenerationMethods"], &["generateContent"]);
    let by_flag = || flag(entry, &["/capabilities/completion_chat", "/supports_chat", "/active"]);
    let by_kind = || match entry["type"].as_str()? {
        "chat" | "llm" | "vlm" | "language" => Some(true),
        "embedding" | "embeddings" | "image" | "audio" | "video" | "moderation" | "rerank"
        | "transcribe" => Some(false),
        _ => None,
    };
    by_output.or_else(by_method).or_else(by_flag).or_else(by_kind)
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;
