//! From bytes to events, and from an event to chunks.

use std::pin::pin;

use async_stream::try_stream;
use bytes::{Buf, Bytes, BytesMut};
use eventsource_stream::{Event, EventStreamError, Eventsource};
use futures_util::{Stream, StreamExt};
use serde::Deserialize;

use super::client::Client;
use super::errors::ServiceError;
use crate::content::Part;
use crate::model::{Chunk, ModelError, Usage};
use crate::retry::Failure;

/// Why the events broke off.
pub(super) type SseError<E> = EventStreamError<E>;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Server-sent events from a body split at any byte, with CRLF or LF.
pub(super) fn sse<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Event, SseError<E>>> {
    without_byte_order_mark(bytes).eventsource()
}

/// `eventsource_stream` 0.2 panics on a byte order mark: it cuts one byte off the three.
fn without_byte_order_mark<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Bytes, E>> {
    try_stream! {
        let mut bytes = pin!(bytes);
        let mut start = BytesMut::new();
        while BYTE_ORDER_MARK.starts_with(&start) && start.len() < BYTE_ORDER_MARK.len() {
            match bytes.next().await {
                Some(chunk) => start.extend_from_slice(&chunk?),
                None => break,
            }
        }
        if start.starts_with(BYTE_ORDER_MARK) {
            start.advance(BYTE_ORDER_MARK.len());
        }
        yield start.freeze();
        while let Some(chunk) = bytes.next().await {
            yield chunk?;
        }
    }
}

/// What one event says.
#[derive(Debug)]
pub(super) struct ResponseEvent {
    pub(super) chunks: Vec<Chunk>,
    /// Set when the answer ends with this event: whole, or why not.
    pub(super) end: Option<Result<(), End>>,
}

/// Why an answer ended before it was whole.
#[derive(Debug)]
pub(super) enum End {
    /// The model stopped, or was stopped.
    Stopped(ModelError),
    /// The service reported an error within the stream.
    Service(ServiceError),
}

impl End {
    pub(super) fn into_failure(self, client: &Client) -> Failure {
        match self {
            Self::Stopped(error) => Failure::Final(error),
            Self::Service(error) => client.failure(error),
        }
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
}

/// Reads one event's data, a `GenerateContentResponse` or an error.
pub(super) fn read(data: &str) -> Result<ResponseEvent, Failure> {
    let response: GenerateContentResponse = serde_json::from_str(data).map_err(|error| {
        Failure::passing(format!("The Gemini API's answer is unreadable ({error})."))
    })?;
    if let Some(error) = response.error {
        let error = ServiceError::from_error_object(&error);
        return Ok(ResponseEvent { chunks: Vec::new(), end: Some(Err(End::Service(error))) });
    }
    let mut chunks = Vec::new();
    if let Some(usage) = response.usage_metadata {
        chunks.push(Chunk::Usage(Usage {
            input_tokens: usage.prompt_token_count + usage.tool_use_prompt_token_count,
            output_tokens: usage.candidates_token_count + usage.thoughts_token_count,
        }));
    }
    let mut end = response.prompt_feedback.and_then(prompt_block).map(Err);
    if let Some(candidate) = response.candidates.into_iter().next() {
        let finish = candidate.finish_reason.as_deref();
        let too_long = finish == Some("MAX_TOKENS");
        end = end.or_else(|| finish_of(finish?, candidate.finish_message.as_deref()));
        let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
        chunks.extend(parts.into_iter().map(Chunk::Part));
        chunks.extend(too_long.then_some(Chunk::LengthLimit));
    }
    Ok(ResponseEvent { chunks, end })
}

fn prompt_block(feedback: PromptFeedback) -> Option<End> {
    let reason = feedback.block_reason?;
    let message = feedback.block_reason_message.map(|text| format!(" {text}")).unwrap_or_default();
    Some(End::Stopped(ModelError::Blocked(format!(
        "The Gemini API refuses this conversation ({reason}).{message} Say it in other words, or \
         start anew."
    ))))
}

fn finish_of(reason: &str, message: Option<&str>) -> Option<Result<(), End>> {
    let message = message.map(|message| format!(" {message}")).unwrap_or_default();
    let error = match reason {
        "FINISH_REASON_UNSPECIFIED" => return None,
        "STOP" | "MAX_TOKENS" => return Some(Ok(())),
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
    Some(Err(End::Stopped(error)))
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
