//! Conversion of events to chunks.

use serde::Deserialize;

use super::errors;
use super::names::NAMES;
use crate::content::Part;
use crate::http::{AnswerEvent, End, EventReader};
use crate::model::{Chunk, ModelError};
use crate::retry::Failure;
use crate::usage::Usage;

/// The reader of one answer's events.
pub(super) struct Events {
    /// The requested model, for error messages.
    pub(super) model: String,
}

impl EventReader for Events {
    fn read(&mut self, data: &str) -> Result<AnswerEvent, Failure> {
        read(data, &self.model)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GenerateContentResponse {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<PromptFeedback>,
    usage_metadata: Option<UsageMetadata>,
    error: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<CandidateContent>,
    finish_reason: Option<String>,
    finish_message: Option<String>,
}

#[derive(Deserialize)]
struct CandidateContent {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: Option<String>,
    block_reason_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct UsageMetadata {
    prompt_token_count: u64,
    tool_use_prompt_token_count: u64,
    candidates_token_count: u64,
    thoughts_token_count: u64,
    cached_content_token_count: u64,
}

/// Reads one event: a `GenerateContentResponse` or an error.
fn read(data: &str, model: &str) -> Result<AnswerEvent, Failure> {
    let response: GenerateContentResponse = serde_json::from_str(data).map_err(|error| {
        Failure::passing(format!("The Gemini API's answer is unreadable ({error})."))
    })?;
    if let Some(error) = response.error {
        let failure = errors::from_error_object(&error).into_failure(NAMES, model);
        return Ok(AnswerEvent { chunks: Vec::new(), end: Some(End::Failed(failure)) });
    }
    let mut chunks = Vec::new();
    if let Some(usage) = response.usage_metadata {
        chunks.push(Chunk::Usage(Usage {
            input_tokens: usage.prompt_token_count + usage.tool_use_prompt_token_count,
            output_tokens: usage.candidates_token_count + usage.thoughts_token_count,
            cached_tokens: usage.cached_content_token_count,
            cache_write_tokens: 0,
        }));
    }
    let mut end = response.prompt_feedback.and_then(prompt_block);
    if let Some(candidate) = response.candidates.into_iter().next() {
        let finish = candidate.finish_reason.as_deref();
        let too_long = finish == Some("MAX_TOKENS");
        end = end.or_else(|| finish_of(finish?, candidate.finish_message.as_deref()));
        let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
        chunks.extend(parts.into_iter().map(Chunk::Part));
        chunks.extend(too_long.then_some(Chunk::LengthLimit));
    }
    Ok(AnswerEvent { chunks, end })
}

fn prompt_block(feedback: PromptFeedback) -> Option<End> {
    let reason = feedback.block_reason?;
    let message = feedback.block_reason_message.map(|text| format!(" {text}")).unwrap_or_default();
    let text = format!(
        "The Gemini API refuses this conversation ({reason}).{message} Say it in other words, or \
         start anew."
    );
    Some(ModelError::Blocked(text).into())
}

fn finish_of(reason: &str, message: Option<&str>) -> Option<End> {
    let message = message.map(|message| format!(" {message}")).unwrap_or_default();
    let error = match reason {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" | "MAX_TOKENS" => return Some(End::Whole),
        "MALFORMED_FUNCTION_CALL" => ModelError::MalformedCall(format!(
            "The last function call could not be read ({reason}).{message} Call the function \
             again: a JSON object of arguments that fits its schema, nothing else."
        )),
        "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" => ModelError::MalformedCall(format!(
            "The last function call was not possible ({reason}).{message} Call only the functions \
             that are declared."
        )),
        "MALFORMED_RESPONSE" => ModelError::MalformedCall(format!(
            "The last answer could not be read ({reason}).{message} Answer again."
        )),
        "MISSING_THOUGHT_SIGNATURE" => ModelError::Rejected(format!(
            "The Gemini API misses a thought signature in the conversation ({reason}).{message}"
        )),
        _ => ModelError::Blocked(format!(
            "The Gemini API broke its answer off ({reason}).{message} Say it in other words and \
             try again."
        )),
    };
    Some(error.into())
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
