//! What the providers say when they refuse a request. Texts follow recorded ones.

use serde_json::{Value, json};

use super::providers::Dialect;

/// What is wrong with a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RequestError {
    /// The key or a header of the provider's own is missing.
    Access(u16, &'static str, String),
    /// A field the provider does not know, with the place it stands in.
    UnknownField(String),
    /// No such model, or one that does not chat.
    UnknownModel(String),
    /// The model calls no tools.
    NoTools(String),
    /// The model sees no pictures; the message that has one.
    NoPictures(String, usize),
    /// More tokens than the window.
    Overflow { tokens: u64, window: u64 },
    /// A level of effort the model does not take, with those it takes.
    Effort { field: &'static str, value: String, takes: &'static [&'static str] },
    /// A role after another that it cannot follow.
    Order { role: String, after: String },
    /// An id of a call that the provider does not read.
    CallId(String),
    /// An assistant message without the thought it had.
    ThoughtMissing(usize),
    /// Anything else, in the provider's words.
    Other(String),
}

/// How a provider answers a request that it refuses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ErrorResponse {
    pub(super) status: u16,
    pub(super) code: Value,
    pub(super) message: String,
}

fn refusal(status: u16, code: &str, message: impl Into<String>) -> ErrorResponse {
    ErrorResponse { status, code: code.into(), message: message.into() }
}

impl RequestError {
    /// The provider's answer.
    pub(super) fn refusal(&self, dialect: Dialect) -> ErrorResponse {
        let plain = "invalid_request_error";
        match self {
            Self::Access(status, code, message) => refusal(*status, code, message),
            Self::UnknownField(at) => match dialect {
                Dialect::Anthropic => {
                    refusal(400, plain, format!("{at}: Extra inputs are not permitted"))
                }
                Dialect::Mistral => {
                    refusal(422, "extra_forbidden", format!("{at}: Extra inputs are not permitted"))
                }
                Dialect::Groq => refusal(400, plain, format!("property '{at}' is unsupported")),
                _ => refusal(400, "unknown_parameter", format!("Unknown parameter: '{at}'.")),
            },
            Self::UnknownModel(model) => match dialect {
                Dialect::Anthropic => refusal(404, "not_found_error", format!("model: {model}")),
                Dialect::Ollama => refusal(404, plain, format!("model '{model}' not found")),
                Dialect::OpenRouter => ErrorResponse {
                    status: 400,
                    code: json!(400),
                    message: format!("{model} is not a valid model ID"),
                },
                Dialect::Mistral => {
                    refusal(400, "invalid_model", format!("Invalid model: {model}"))
                }
                _ => refusal(
                    404,
                    "model_not_found",
                    format!("The model `{model}` does not exist or you do not have access to it."),
                ),
            },
            Self::NoTools(model) => match dialect {
                Dialect::Ollama => refusal(
                    400,
                    plain,
                    format!("registry.ollama.ai/library/{model} does not support tools"),
                ),
                Dialect::OpenRouter => ErrorResponse {
                    status: 404,
                    code: json!(404),
                    message:
                        "No endpoints found that support tool use. To learn more about provider \
                              routing, visit: https://openrouter.ai/docs/provider-routing"
                            .into(),
                },
                _ => refusal(
                    400,
                    plain,
                    format!("`tool calling` is not supported with model {model}"),
                ),
            },
            Self::NoPictures(model, index) => no_pictures(dialect, model, *index),
            Self::Overflow { tokens, window } => overflow(dialect, *tokens, *window),
            Self::Effort { field, value, takes } => match takes {
                [] if dialect == Dialect::Anthropic => {
                    refusal(400, plain, "This model does not support the effort parameter.")
                }
                [] if dialect == Dialect::Groq => {
                    refusal(400, plain, format!("`{field}` is not supported with this model"))
                }
                [] => refusal(
                    400,
                    "unsupported_parameter",
                    format!("Unsupported parameter: '{field}' is not supported with this model."),
                ),
                _ => refusal(
                    400,
                    "unsupported_value",
                    format!(
                        "Unsupported value: '{field}' does not support '{value}' with this model. \
                         Supported values are: {}.",
                        takes.iter().map(|it| format!("'{it}'")).collect::<Vec<_>>().join(", ")
                    ),
                ),
            },
            Self::Order { role, after } => match dialect {
                Dialect::LlamaCpp => refusal(
                    500,
                    "server_error",
                    "Conversation roles must alternate user/assistant/user/assistant/...",
                ),
                _ => refusal(
                    400,
                    "invalid_request_message_order",
                    format!("Unexpected role '{role}' after role '{after}'"),
                ),
            },
            Self::CallId(id) => match dialect {
                Dialect::Mistral => refusal(
                    400,
                    "invalid_function_call",
                    format!("Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."),
                ),
                _ => refusal(400, "invalid_value", format!("tool_call_id {id} is not found")),
            },
            Self::ThoughtMissing(index) => match dialect {
                Dialect::Kimi => refusal(
                    400,
                    plain,
                    format!(
                        "thinking is enabled but reasoning_content is missing in assistant tool call \
                         message at index {index}"
                    ),
                ),
                _ => refusal(
                    400,
                    plain,
                    "The `reasoning_content` in the thinking mode must be passed back to the API.",
                ),
            },
            Self::Other(message) => refusal(400, plain, message),
        }
    }
}

fn no_pictures(dialect: Dialect, model: &str, index: usize) -> ErrorResponse {
    let plain = "invalid_request_error";
    match dialect {
        Dialect::OpenRouter => ErrorResponse {
            status: 404,
            code: json!(404),
            message: "No endpoints found that support image input".into(),
        },
        Dialect::LlamaCpp => refusal(
            500,
            "server_error",
            "image input is not supported - hint: if this is unexpected, you may need to provide the \
             mmproj",
        ),
        Dialect::DeepSeek => refusal(
            400,
            plain,
            format!(
                "Failed to deserialize the JSON body into the target type: messages[{index}]: unknown \
                 variant `image_url`, expected `text` at line 1 column 4711"
            ),
        ),
        Dialect::Groq => refusal(400, plain, format!("messages[{index}].content must be a string")),
        Dialect::Mistral => {
            refusal(400, plain, format!("Image input is not enabled for model {model}"))
        }
        Dialect::Kimi => refusal(400, plain, "Image input not supported for this model"),
        Dialect::Ollama => {
            refusal(500, plain, "this model is missing data required for image input")
        }
        _ => refusal(
            400,
            plain,
            format!("Invalid content type. {model} does not support image input."),
        ),
    }
}

fn overflow(dialect: Dialect, tokens: u64, window: u64) -> ErrorResponse {
    let plain = "invalid_request_error";
    match dialect {
        Dialect::Anthropic => {
            refusal(400, plain, format!("prompt is too long: {tokens} tokens > {window} maximum"))
        }
        Dialect::LlamaCpp => refusal(
            400,
            "exceed_context_size_error",
            format!(
                "request ({tokens} tokens) exceeds the available context size ({window} tokens), try \
                 increasing it"
            ),
        ),
        Dialect::Mistral => refusal(
            400,
            plain,
            format!(
                "Prompt contains {tokens} tokens, too large for model with {window} maximum context \
                 length"
            ),
        ),
        Dialect::Ollama => refusal(
            400,
            plain,
            format!(
                "prompt too long; exceeded max context length by {} tokens",
                tokens.saturating_sub(window)
            ),
        ),
        Dialect::Kimi => {
            refusal(400, plain, "Invalid request: Your request exceeded model token limit: 262144")
        }
        Dialect::Groq => refusal(
            400,
            "context_length_exceeded",
            "Please reduce the length of the messages or completion.",
        ),
        Dialect::OpenRouter => ErrorResponse {
            status: 400,
            code: json!(400),
            message: format!(
                "This endpoint's maximum context length is {window} tokens. However, you requested \
                 about {tokens} tokens."
            ),
        },
        _ => refusal(
            400,
            "context_length_exceeded",
            format!(
                "This model's maximum context length is {window} tokens. However, your messages resulted \
                 in {tokens} tokens. Please reduce the length of the messages."
            ),
        ),
    }
}

/// The body of an error as `dialect` writes it.
pub(super) fn body(dialect: Dialect, refusal: &ErrorResponse, extra: &Value) -> Value {
    let ErrorResponse { status, code, message } = refusal;
    let mut body = match dialect {
        Dialect::Anthropic => {
            json!({ "type": "error", "error": { "type": code, "message": message } })
        }
        Dialect::Ollama => return json!({ "error": message }),
        Dialect::Mistral if *status == 422 => {
            let (at, text) = message.split_once(": ").unwrap_or(("body", message));
            let place: Vec<&str> = std::iter::once("body").chain(at.split('.')).collect();
            return json!({ "detail": [{ "type": code, "loc": place, "msg": text, "input": null }] });
        }
        Dialect::Mistral => {
            json!({ "object": "error", "message": message, "type": code, "param": null, "code": "3000" })
        }
        Dialect::OpenRouter => json!({ "error": { "message": message, "code": code } }),
        Dialect::LlamaCpp => {
            json!({ "error": { "code": status, "message": message, "type": code } })
        }
        _ => json!({ "error": { "message": message, "type": "invalid_request_error", "param": null,
                                "code": code } }),
    };
    if let (Some(error), Some(extra)) = (body["error"].as_object_mut(), extra.as_object()) {
        error.extend(extra.clone());
    }
    body
}
