//! Anthropic's messages.

mod blocks;
mod thoughts;

use serde_json::Value;

use super::asked::Asked;
use super::common::{is_blank, is_name, list, text, unknown_fields};
use crate::fake_chat::providers::Model;
use crate::fake_chat::wording::RequestError;

pub(in crate::fake_chat) use thoughts::bound_prefix;

/// Allows `thinking.*.block_binding`.
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";

const FIELDS: &[&str] = &[
    "model",
    "max_tokens",
    "messages",
    "cache_control",
    "container",
    "diagnostics",
    "inference_geo",
    "metadata",
    "output_config",
    "service_tier",
    "speed",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];
const TOOL_FIELDS: &[&str] = &[
    "name",
    "description",
    "input_schema",
    "cache_control",
    "type",
    "strict",
    "eager_input_streaming",
    "allowed_callers",
    "defer_loading",
    "input_examples",
];

pub(super) fn check(asked: Asked<'_>, model: &Model, errors: &mut Vec<RequestError>) {
    let body = asked.body;
    unknown_fields(body, "", FIELDS, errors);
    let max_tokens = body["max_tokens"].as_u64();
    match max_tokens {
        None => errors.push(RequestError::Other("max_tokens: Field required".into())),
        Some(wanted) if wanted > model.max_output => errors.push(RequestError::Other(format!(
            "max_tokens: {wanted} > {}, which is the maximum allowed number of output tokens for {}",
            model.max_output, model.id
        ))),
        Some(_) => {}
    }
    check_thinking(asked, model, max_tokens.unwrap_or(0), errors);
    check_effort(body, model, errors);
    check_tools(body, errors);
    check_system(&body["system"], errors);
    check_cache_marks(body, errors);
    blocks::check(asked, model, errors);
    thoughts::check(asked, model, errors);
}

fn check_thinking(
    asked: Asked<'_>,
    model: &Model,
    max_tokens: u64,
    errors: &mut Vec<RequestError>,
) {
    let thinking = &asked.body["thinking"];
    let mut error = |text: String| errors.push(RequestError::Other(text));
    let kind = text(&thinking["type"]);
    if !thinking.is_null() && !model.thinking.contains(&kind) {
        let instead = match kind {
            "enabled" => {
                " Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior."
            }
            _ => "",
        };
        error(format!("\"thinking.type.{kind}\" is not supported for this model.{instead}"));
    }
    if let Some(budget) = thinking.get("budget_tokens") {
        if kind != "enabled" {
            error(format!("thinking.{kind}.budget_tokens: Extra inputs are not permitted"));
        }
        let budget = budget.as_u64().unwrap_or(0);
        if budget < 1_024 {
            error(
                "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
                    .into(),
            );
        }
        if budget >= max_tokens {
            error("`max_tokens` must be greater than `thinking.budget_tokens`.".into());
        }
    } else if kind == "enabled" {
        error("thinking.enabled.budget_tokens: Field required".into());
    }
    if thinking.get("block_binding").is_some() && !asked.betas.contains(BINDING_BETA) {
        error(format!("thinking.{kind}.block_binding: Extra inputs are not permitted"));
    }
    let thinks =
        matches!(kind, "enabled" | "adaptive") || (thinking.is_null() && model.binds_thoughts);
    if thinks && asked.body.get("temperature").is_some_and(|it| *it != 1 && *it != 1.0) {
        error("`temperature` may only be set to 1 when thinking is enabled.".into());
    }
    let forced = ["any", "tool"].contains(&text(&asked.body["tool_choice"]["type"]));
    if thinks && forced {
        error("Thinking may not be enabled when tool_choice forces tool use.".into());
    }
}

fn check_effort(body: &Value, model: &Model, errors: &mut Vec<RequestError>) {
    let Some(config) = body.get("output_config") else { return };
    unknown_fields(config, "output_config", &["effort", "format"], errors);
    if let Some(effort) = config.get("effort").filter(|effort| !effort.is_null())
        && !model.efforts.contains(&text(effort))
    {
        let (field, value) = ("output_config.effort", text(effort).to_owned());
        errors.push(RequestError::Effort { field, value, takes: model.efforts });
    }
}

fn check_tools(body: &Value, errors: &mut Vec<RequestError>) {
    let tools = list(&body["tools"]);
    for (index, tool) in tools.iter().enumerate() {
        unknown_fields(tool, &format!("tools.{index}.custom"), TOOL_FIELDS, errors);
        let mut error =
            |text: String| errors.push(RequestError::Other(format!("tools.{index}.custom.{text}")));
        if !is_name(&tool["name"], 128) {
            error("name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'".into());
        }
        let schema = &tool["input_schema"];
        if schema["type"] != "object" {
            error("input_schema.type: Field required".into());
        }
        if ["oneOf", "anyOf", "allOf"].iter().any(|word| schema.get(word).is_some()) {
            error("input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level".into());
        }
        if tools[..index].iter().any(|other| other["name"] == tool["name"]) {
            errors.push(RequestError::Other("tools: Tool names must be unique.".into()));
        }
    }
}

fn check_system(system: &Value, errors: &mut Vec<RequestError>) {
    if system.as_str().is_some_and(str::is_empty) {
        errors.push(RequestError::Other("system: text content blocks must be non-empty".into()));
    }
    for (index, block) in list(system).iter().enumerate() {
        if block["type"] != "text" || is_blank(&block["text"]) {
            errors.push(RequestError::Other(format!(
                "system.{index}: text content blocks must be non-empty"
            )));
        }
    }
}

/// Where `cache_control` stands, how often, and in what order of lifetimes.
fn check_cache_marks(body: &Value, errors: &mut Vec<RequestError>) {
    let mut marks: Vec<&Value> = Vec::new();
    let contents = list(&body["messages"]).iter().flat_map(|message| list(&message["content"]));
    let nested = contents.clone().flat_map(|block| list(&block["content"]));
    for (at, block) in contents.clone().enumerate() {
        let kind = text(&block["type"]);
        if block.get("cache_control").is_some() && ["thinking", "redacted_thinking"].contains(&kind)
        {
            errors.push(RequestError::UnknownField(format!(
                "messages.content.{at}.{kind}.cache_control"
            )));
        }
    }
    for block in
        list(&body["tools"]).iter().chain(list(&body["system"])).chain(contents).chain(nested)
    {
        let Some(mark) = block.get("cache_control").filter(|mark| !mark.is_null()) else {
            continue;
        };
        if block["type"] == "text" && is_blank(&block["text"]) {
            errors.push(RequestError::Other(
                "cache_control cannot be set for empty text blocks".into(),
            ));
        }
        marks.push(mark);
    }
    marks.extend(body.get("cache_control").filter(|mark| !mark.is_null()));
    if marks.len() > 4 {
        errors.push(RequestError::Other(format!(
            "A maximum of 4 blocks with cache_control may be provided. Found {}.",
            marks.len()
        )));
    }
    let mut short_before = false;
    for mark in marks {
        unknown_fields(mark, "cache_control", &["type", "ttl"], errors);
        if mark["type"] != "ephemeral" || !["", "5m", "1h"].contains(&text(&mark["ttl"])) {
            errors.push(RequestError::Other(format!(
                "cache_control: Input should be 'ephemeral': {mark}"
            )));
        }
        if mark["ttl"] == "1h" && short_before {
            errors.push(RequestError::Other(
                "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.".into(),
            ));
        }
        short_before |= mark["ttl"] != "1h";
    }
}
