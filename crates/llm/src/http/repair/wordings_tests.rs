//! Texts of real refusals and their causes.

use super::*;

#[test]
fn each_published_refusal_is_understood() {
    let cases: &[(&str, Cause)] = &[
        ("prompt is too long: 213462 tokens > 200000 maximum", Cause::Overflow),
        (
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            Cause::Overflow,
        ),
        (
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
            Cause::Overflow,
        ),
        (
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            Cause::Overflow,
        ),
        ("Please reduce the length of the messages or completion.", Cause::Overflow),
        (
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens",
            Cause::Overflow,
        ),
        ("the request exceeds the available context size, try increasing it", Cause::Overflow),
        (
            "The number of tokens to keep from the initial prompt is greater than the context length",
            Cause::Overflow,
        ),
        ("invalid params, context window exceeds limit (2013)", Cause::Overflow),
        (
            "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)",
            Cause::Overflow,
        ),
        (
            "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            Cause::Overflow,
        ),
        (
            "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022",
            Cause::OutputLimit,
        ),
        (
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
            Cause::OutputLimit,
        ),
        (
            "max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.",
            Cause::OutputLimit,
        ),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens (32000 > 8192 - 1000).",
            Cause::OutputLimit,
        ),
        ("No endpoints found that support image input", Cause::NoPictures),
        (
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            Cause::NoPictures,
        ),
        (
            "Failed to parse messages: Unsupported content part type: \"image_url\"; messages = [",
            Cause::NoPictures,
        ),
        (
            "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`",
            Cause::NoPictures,
        ),
        ("Image input modality is not enabled for models/gemma-3-1b-it", Cause::NoPictures),
        ("At most 0 image(s) may be provided in one prompt.", Cause::NoPictures),
        ("Image input not supported for this model", Cause::NoPictures),
        ("messages[3].content must be a string", Cause::NoPictures),
        ("Too much media: 0 document pages + 102 images > 100", Cause::TooLarge),
        ("At most 4 image(s) may be provided in one prompt.", Cause::TooLarge),
        (
            "messages.41.content.31.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
            Cause::Picture,
        ),
        (
            "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
            Cause::Picture,
        ),
        ("Could not process image", Cause::Picture),
        (
            "Unable to process input image. Please retry or report in https://developers.generativeai.google",
            Cause::Picture,
        ),
        (
            "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". The `system` prompt differs from the one this block was created with.",
            Cause::Thoughts,
        ),
        ("messages.1.content.0: Invalid `signature` in `thinking` block", Cause::Thoughts),
        ("messages.2.content.1.thinking.signature: Field required", Cause::Thoughts),
        (
            "messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
            Cause::Thoughts,
        ),
        ("Corrupted thought signature.", Cause::Thoughts),
        ("Unable to submit request because Thought signature is not valid..", Cause::Thoughts),
        (
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly",
            Cause::Thoughts,
        ),
        (
            "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
            Cause::NoThoughts,
        ),
        (
            "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block",
            Cause::Thinking,
        ),
        ("adaptive thinking is not supported on this model", Cause::Thinking),
        (
            "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking behavior.",
            Cause::Thinking,
        ),
        ("This model does not support the effort parameter.", Cause::Thinking),
        ("\"llama3.2\" does not support thinking", Cause::Thinking),
        ("Thinking level MINIMAL is not supported for this model.", Cause::Thinking),
        (
            "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
            Cause::Thinking,
        ),
        (
            "No endpoints found that support tool use. Try disabling \"create_shape\". To learn more about provider routing, visit: https://openrouter.ai/docs",
            Cause::NoTools,
        ),
        ("registry.ollama.ai/library/gemma3:4b does not support tools", Cause::NoTools),
        (
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            Cause::NoTools,
        ),
        ("tools param requires --jinja flag", Cause::NoTools),
        ("Function calling is not enabled for models/gemma-3-27b-it", Cause::NoTools),
        ("`tool calling` is not supported with this model", Cause::NoTools),
        (
            "Invalid schema for function 'create_shape': In context=(), 'anyOf' is not permitted.",
            Cause::ToolSchema,
        ),
        (
            "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
            Cause::ToolSchema,
        ),
        (
            "tools.4.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
            Cause::ToolSchema,
        ),
        ("failed to parse grammar", Cause::ToolSchema),
        (
            "messages.5.content.1.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            Cause::ToolName,
        ),
        (
            "Invalid 'messages[2].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            Cause::ToolName,
        ),
        (
            "Invalid 'input[3].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            Cause::ToolName,
        ),
        ("Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.", Cause::CallId),
        (
            "Error: Jinja Exception: Tool call IDs should be alphanumeric strings with length 9!",
            Cause::CallId,
        ),
        (
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            Cause::CallId,
        ),
        (
            "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 64 instead.",
            Cause::CallId,
        ),
        ("Unexpected role 'user' after role 'tool'", Cause::RoleOrder),
        (
            "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
            Cause::RoleOrder,
        ),
        ("Value is not callable: System role not supported", Cause::SystemRole),
        ("Developer instruction is not enabled for models/gemma-3-27b-it", Cause::SystemRole),
        ("`temperature` is deprecated for this model.", Cause::Setting("temperature")),
        (
            "Unsupported parameter: 'temperature' is not supported with this model.",
            Cause::Setting("temperature"),
        ),
        (
            "Unrecognized request argument supplied: stream_options",
            Cause::Setting("stream_options"),
        ),
        ("prompt_cache_key: Extra inputs are not permitted", Cause::Setting("prompt_cache_key")),
        (
            "Invalid JSON payload received. Unknown name \"parallel_tool_calls\": Cannot find field.",
            Cause::Setting("parallel_tool_calls"),
        ),
    ];
    for (said, expected) in cases {
        assert_eq!(cause(said), Some(*expected), "{said}");
    }
}

#[test]
fn refusals_that_nothing_can_be_left_out_for_name_no_cause() {
    for said in [
        "The reasoning_content in the thinking mode must be passed back to the API.",
        "Your credit balance is too low to access the Anthropic API.",
        "model: claude-x",
        "The model `gpt-9` does not exist or you do not have access to it.",
        "Something in the store went wrong.",
        "",
    ] {
        assert_eq!(cause(said), None, "{said}");
    }
}

#[test]
fn every_row_has_a_source_and_is_in_lower_case() {
    for row in WORDINGS {
        assert!(!row.source.is_empty() && !row.words.is_empty());
        for word in row.words {
            assert_eq!(*word, word.to_lowercase());
        }
    }
}

#[test]
fn the_limit_of_an_answer_is_read_from_the_text() {
    let check = |said, expected| assert_eq!(output_limit(said, 32_000), expected, "{said}");
    check(
        "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022",
        Some(8_192),
    );
    check(
        "max_tokens is too large: 32000. This model supports at most 16384 completion tokens",
        Some(16_384),
    );
    check("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Some(8_192));
    check(
        "input length and `max_tokens` exceed context limit: 188240 + 32000 > 200000, decrease",
        Some(11_696),
    );
    check(
        "input length and `max_tokens` exceed context limit: 199990 + 32000 > 200000, decrease",
        None,
    );
    check(
        "'max_completion_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens (32000 > 8192 - 1000).",
        Some(7_128),
    );
    check("max_tokens is too large", None);
    assert_eq!(
        picture_limit("Too much media: 0 document pages + 102 images > 100", 102),
        Some(100)
    );
    assert_eq!(picture_limit("This model supports up to 5 images", 7), Some(5));
    assert_eq!(picture_limit("Request exceeds the maximum size", 7), None);
}

#[test]
fn the_window_is_read_from_the_text() {
    for (said, expected) in [
        ("prompt is too long: 213462 tokens > 200000 maximum", Some(200_000)),
        ("maximum prompt length is 131072 but the request contains 537812 tokens.", Some(131_072)),
        (
            "maximum context length is 32768 tokens. However, you requested about 40000 tokens (8000 of text input, 32000 in the output)",
            Some(32_768),
        ),
        (
            "the request exceeds the available context size (8192 tokens), try increasing it",
            Some(8_192),
        ),
        ("invalid params, context window exceeds limit (2013)", None),
        ("prompt too long; exceeded max context length by 5000 tokens", None),
        ("Please reduce the length of the messages or completion.", None),
    ] {
        assert_eq!(window(said), expected, "{said}");
    }
}
