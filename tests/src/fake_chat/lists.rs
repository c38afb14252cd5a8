//! How the providers list their models.

use serde_json::{Value, json};

use super::providers::{Dialect, Model};

/// An entry of the list of `dialect`.
pub(super) fn entry(dialect: Dialect, model: &Model) -> Value {
    let Model { id, window, max_output, pictures, tools, chats, .. } = *model;
    let thinks = !model.thinking.is_empty();
    match dialect {
        Dialect::Anthropic => {
            let takes = |list: &[&str], name: &str| json!({ "supported": list.contains(&name) });
            let types = ["adaptive", "between_tools", "disabled", "enabled"];
            let levels = ["low", "medium", "high", "xhigh", "max"];
            let by = |list: &[&str], names: &[&str]| -> serde_json::Map<String, Value> {
                names.iter().map(|name| ((*name).to_owned(), takes(list, name))).collect()
            };
            let mut effort = by(model.efforts, &levels);
            effort.insert("supported".into(), (!model.efforts.is_empty()).into());
            json!({ "type": "model", "id": id, "display_name": id, "created_at": "2026-09-01T00:00:00Z",
                "lifecycle": "active", "max_input_tokens": window, "max_tokens": max_output,
                "capabilities": { "image_input": { "supported": pictures }, "effort": effort,
                    "thinking": { "supported": thinks, "types": by(model.thinking, &types) } } })
        }
        Dialect::OpenRouter => {
            let inputs: &[&str] = if pictures { &["text", "image"] } else { &["text"] };
            let mut takes = vec!["max_tokens", "temperature", "stop"];
            takes.extend(tools.then_some(["tools", "tool_choice"]).into_iter().flatten());
            takes
                .extend(thinks.then_some(["reasoning", "include_reasoning"]).into_iter().flatten());
            json!({ "id": id, "name": id, "created": 1, "context_length": window,
                "architecture": { "input_modalities": inputs, "output_modalities": ["text"],
                                  "modality": "text->text" },
                "pricing": { "prompt": "0.000001", "completion": "0.000002" },
                "top_provider": { "context_length": window, "max_completion_tokens": max_output },
                "supported_parameters": takes })
        }
        Dialect::Mistral => json!({ "id": id, "object": "model", "max_context_length": window,
            "capabilities": { "completion_chat": chats, "function_calling": tools, "vision": pictures,
                              "reasoning": thinks } }),
        Dialect::Groq => {
            json!({ "id": id, "object": "model", "active": true, "context_window": window,
                                 "max_completion_tokens": max_output })
        }
        Dialect::Kimi => json!({ "id": id, "object": "model", "context_length": window,
            "supports_image_in": pictures, "supports_video_in": false, "supports_reasoning": thinks }),
        Dialect::LlamaCpp => json!({ "id": id, "object": "model", "owned_by": "llamacpp",
            "meta": { "n_ctx_train": 40_960, "n_ctx": window, "n_vocab": 151_936, "n_params": 8_000_000_000_u64 } }),
        Dialect::OpenAi | Dialect::DeepSeek | Dialect::Ollama => {
            json!({ "id": id, "object": "model", "created": 1, "owned_by": "system" })
        }
    }
}

/// Ollama's `/api/tags`.
pub(super) fn tags() -> Value {
    let tag = |model: &Model| {
        json!({ "name": model.id, "model": model.id, "modified_at": "2026-11-01T00:00:00Z", "size": 1,
                "digest": "0", "details": { "format": "gguf", "family": "any", "families": ["any"],
                "parameter_size": "9B", "quantization_level": "Q4_K_M" } })
    };
    json!({ "models": Dialect::Ollama.models().iter().map(tag).collect::<Vec<_>>() })
}

/// Ollama's `/api/show`.
pub(super) fn show(model: &Model) -> Value {
    let mut capabilities = vec![if model.chats { "completion" } else { "embedding" }];
    capabilities.extend(model.tools.then_some("tools"));
    capabilities.extend(model.pictures.then_some("vision"));
    capabilities.extend((!model.thinking.is_empty()).then_some("thinking"));
    json!({ "modelfile": "", "parameters": "", "template": "", "details": { "family": "any" },
            "model_info": { "general.architecture": "any", "any.context_length": model.window,
                            "any.embedding_length": 4096 },
            "capabilities": capabilities })
}

/// llama.cpp's `/props`.
pub(super) fn props() -> Value {
    let model = Dialect::LlamaCpp.models()[0];
    json!({ "default_generation_settings": { "n_ctx": model.window }, "total_slots": 1,
            "model_path": model.id, "modalities": { "vision": model.pictures, "audio": false } })
}
