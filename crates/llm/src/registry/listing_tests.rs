//! Documented lists, with made-up models among them: the facts of a list override guesses by name.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::registry::facts;

fn only(list: &Value) -> Listed {
    let mut models = read(list).expect("a list");
    assert_eq!(models.len(), 1);
    models.remove(0)
}

#[expect(clippy::needless_pass_by_value, reason = "cases are written without borrowing")]
fn listed(value: Value) -> Listed {
    only(&json!({ "object": "list", "data": [value] }))
}

/// An entry in OpenRouter's form.
fn openrouter(
    id: &str,
    window: u64,
    output: Option<u64>,
    sees: bool,
    parameters: &[&str],
) -> Value {
    let modalities = if sees { json!(["text", "image", "file"]) } else { json!(["text"]) };
    json!({
        "id": id, "canonical_slug": id, "name": id, "created": 1_778_613_011, "context_length": window,
        "architecture": { "modality": "text->text", "input_modalities": modalities,
            "output_modalities": ["text"], "tokenizer": "Other", "instruct_type": null },
        "pricing": { "prompt": "0.0000005", "completion": "0.000002", "web_search": "0.01",
            "input_cache_read": "0.00000005" },
        "top_provider": { "context_length": window, "max_completion_tokens": output,
            "is_moderated": false },
        "per_request_limits": null, "supported_parameters": parameters,
    })
}

proptest! {
    /// OpenRouter's facts override any guess by name. Before, guesses gave vision to 75 of its 207
    /// models with tools wrongly, and less than half of the window to 125.
    #[test]
    fn a_list_counts_before_names(
        id in prop_oneof![
            "[a-z]{3,8}/[a-z0-9.-]{1,20}", Just("openai/gpt-4o".to_owned()),
            Just("anthropic/claude-sonnet-5.5:beta".to_owned()),
            Just("deepseek/deepseek-chat-v3.2".to_owned()), Just("qwen/qwen3-vl-8b".to_owned()),
        ],
        window in 4_096_u64..4_000_000, output in prop::option::of(1_u64..200_000),
        sees: bool, tools: bool, reasons: bool, temperature: bool,
    ) {
        let mut parameters = vec!["max_tokens", "stop"];
        parameters.extend(tools.then_some("tools"));
        parameters.extend(reasons.then_some("reasoning"));
        parameters.extend(temperature.then_some("temperature"));
        let facts = listed(openrouter(&id, window, output, sees, &parameters)).facts;
        prop_assert_eq!(facts.context_window, window);
        prop_assert_eq!(facts.images, sees);
        prop_assert_eq!(facts.tools == ToolUse::Native, tools);
        prop_assert_eq!(facts.reasons, reasons);
        prop_assert_eq!(facts.temperature, temperature);
        prop_assert_eq!(facts.efforts.is_empty(), !reasons);
        prop_assert_eq!(facts.source, Source::List);
        if let Some(output) = output {
            prop_assert_eq!(facts.output_limit, output.min(window));
        }
    }

    /// No list makes the reader panic.
    #[test]
    fn any_list_can_be_read(text in "[\\[\\]{}:,\"a-z0-9 ]{0,60}") {
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let _ = read(&value);
        }
    }
}

#[test]
fn openrouter_tells_prices_by_the_token_and_where_thinking_may_be_left_out() {
    let mut entry = openrouter("z-ai/glm-9", 200_000, Some(64_000), false, &["tools", "reasoning"]);
    let model = listed(entry.clone());
    assert_eq!(model.converses, Some(true));
    let prices = model.facts.prices.expect("prices");
    assert!((prices.input - 0.5).abs() < 1e-9 && (prices.output - 2.0).abs() < 1e-9);
    assert!((prices.cached_input.unwrap() - 0.05).abs() < 1e-9 && prices.cache_write.is_none());
    assert!(!model.facts.efforts.contains(Effort::Off));
    entry["reasoning"] = json!({ "mandatory": false });
    assert!(listed(entry.clone()).facts.efforts.contains(Effort::Off));
    entry["pricing"] = json!({ "prompt": "-1", "completion": "-1" });
    assert_eq!(listed(entry).facts.prices, None);
}

#[test]
fn anthropic_tells_thinking_effort_and_limits() {
    let supported = |supported: bool| json!({ "supported": supported });
    let entry = |adaptive: bool, effort: bool| {
        json!({ "id": "claude-newest-7", "type": "model", "display_name": "Claude Newest 7",
            "created_at": "2026-11-01T00:00:00Z", "max_input_tokens": 2_000_000, "max_tokens": 256_000,
            "capabilities": {
                "image_input": supported(false), "pdf_input": supported(true),
                "thinking": { "supported": true,
                    "types": { "adaptive": supported(adaptive), "enabled": supported(true) } },
                "effort": { "supported": effort, "low": supported(true), "medium": supported(false),
                    "high": supported(true), "max": supported(true), "xhigh": supported(true) } } })
    };
    let facts = listed(entry(true, true)).facts;
    assert_eq!((facts.context_window, facts.output_limit), (2_000_000, 256_000));
    assert!(!facts.images && facts.reasons && facts.thinking == Thinking::Adaptive);
    assert_eq!(facts.efforts, EffortLevels::of([Effort::Low, Effort::High, Effort::Max]));
    let facts = listed(entry(false, false)).facts;
    assert_eq!((facts.thinking, facts.efforts), (Thinking::Budget, EffortLevels::NONE));
}

#[test]
fn google_tells_limits_and_thinking() {
    let entry = json!({ "models": [{ "name": "models/gemini-9-flash", "displayName": "Gemini 9",
        "inputTokenLimit": 3_000_000, "outputTokenLimit": 99_000, "thinking": true,
        "supportedGenerationMethods": ["generateContent", "countTokens"] }] });
    let model = only(&entry);
    assert_eq!((model.id.as_str(), model.converses), ("gemini-9-flash", Some(true)));
    assert_eq!((model.facts.context_window, model.facts.output_limit), (3_000_000, 99_000));
    // The list is silent about pictures; the table has the family.
    assert!(model.facts.images && model.facts.thinking == Thinking::Adaptive);
}

#[test]
fn other_lists_are_read_by_their_own_fields() {
    let groq = listed(json!({ "id": "maker/new-1", "active": true, "context_window": 131_072,
        "max_completion_tokens": 40_960 }));
    assert_eq!((groq.facts.context_window, groq.facts.output_limit), (131_072, 40_960));
    assert_eq!(groq.converses, Some(true));

    let mistral = |vision: bool, chat: bool| {
        listed(json!({ "id": "new-2", "max_context_length": 65_536, "capabilities": {
            "completion_chat": chat, "function_calling": false, "vision": vision } }))
    };
    let model = mistral(true, true);
    assert!(model.facts.images && model.facts.tools == ToolUse::Text);
    assert_eq!(
        (mistral(false, false).converses, mistral(false, false).facts.images),
        (Some(false), false)
    );

    let together = only(&json!([{ "id": "new-3", "type": "chat", "context_length": 40_960,
        "pricing": { "input": 0.18, "output": 0.59, "hourly": 0, "base": 0, "finetune": 0 } }]));
    assert_eq!(
        together.facts.prices.map(|prices| (prices.input, prices.output)),
        Some((0.18, 0.59))
    );

    let studio = listed(json!({ "id": "new-4", "type": "vlm", "state": "loaded",
        "max_context_length": 131_072, "loaded_context_length": 16_384 }));
    assert!(studio.facts.images && studio.facts.context_window == 16_384);
    let embeds =
        listed(json!({ "id": "new-5", "type": "embeddings", "max_context_length": 2_048 }));
    assert_eq!(embeds.converses, Some(false));

    let vllm =
        listed(json!({ "id": "Qwen/Qwen3-8B", "owned_by": "vllm", "max_model_len": 40_960 }));
    assert_eq!(vllm.facts.context_window, 40_960);
    let llama = listed(json!({ "id": "x.gguf", "meta": { "n_ctx_train": 8_192, "n_params": 1 } }));
    assert_eq!(llama.facts.context_window, 8_192);
    let kimi =
        listed(json!({ "id": "kimi-k9", "context_length": 262_144, "supports_image_in": true,
        "supports_reasoning": true }));
    assert!(kimi.facts.images && kimi.facts.reasons);
}

#[test]
fn a_list_of_bare_names_leaves_what_the_table_knows() {
    let model = listed(json!({ "id": "gpt-5.5", "object": "model", "owned_by": "openai" }));
    assert_eq!((model.facts, model.converses), (facts("gpt-5.5"), None));
    let unknown = listed(json!({ "id": "never-heard-of" }));
    assert_eq!(unknown.facts, ModelFacts::UNKNOWN);
    assert_eq!(read(&json!({ "error": "no" })), None);
}
