//! Streaming one answer, with retries.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_stream::{stream, try_stream};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::time::{sleep, timeout};

use super::bounds::{self, Bounds};
use super::client::Provider;
use super::lines::lines_as_events;
use super::reader::{End, EventReader};
use super::repair::Repairs;
use super::sse::{LineError, MAX_LINE_BYTES, SseError, sse};
use crate::model::{Chunk, ModelError, Request};
use crate::retry::{Failure, Retries, Retry};

/// How long the provider may take to close a stream after a complete answer.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// Streams the answer to `request`. All waiting happens inside, so dropping the stream drops the
/// connection.
pub(crate) fn stream<P: Provider>(
    provider: Arc<P>,
    request: Request,
) -> impl Stream<Item = Result<Chunk, ModelError>> + Send + use<P> {
    stream! {
        let client = provider.client();
        let write = |request: &Request| provider.body(request);
        let mut retries = Retries::new(client.retry_policy());
        let mut repairs = Repairs::new(client, client.fit_pictures(request).await);
        let mut body = repairs.body(write);
        // Serialised once: retries share the bytes.
        let mut bytes = Bytes::from(body.to_string());
        loop {
            let mut parts_streamed = false;
            let failure = {
                let reader = provider.events_for(&body);
                let mut chunks = pin!(attempt(&*provider, reader, bytes.clone()));
                loop {
                    match chunks.next().await {
                        None => return,
                        Some(Ok(chunk)) => {
                            parts_streamed |= matches!(chunk, Chunk::Part(_));
                            yield Ok(chunk);
                        }
                        Some(Err(failure)) => break client.without_key(failure),
                    }
                }
            };
            let repaired = match &failure {
                Failure::Refused { rejection, .. } => repairs.repair(rejection, &body, write),
                _ => None,
            };
            let retry = if let Some(reason) = repaired {
                body = repairs.body(write);
                bytes = Bytes::from(body.to_string());
                Ok(Retry { attempt: 0, delay: Duration::ZERO, reason })
            } else {
                retries.after(failure, rand::random::<f64>())
            };
            match retry {
                Ok(retry) => {
                    let attempt = repairs.count() + retries.count();
                    tracing::warn!(
                        model = client.model(), attempt, reason = retry.reason,
                        "asking the model again"
                    );
                    yield Ok(Chunk::Retrying {
                        attempt,
                        delay: retry.delay,
                        reason: retry.reason,
                        discard_text: parts_streamed,
                    });
                    sleep(retry.delay).await;
                }
                Err(error) => {
                    yield Err(error);
                    return;
                }
            }
        }
    }
}

/// One attempt: ends without an error when the answer is complete.
fn attempt<P: Provider>(
    provider: &P,
    mut reader: P::Events,
    body: Bytes,
) -> impl Stream<Item = Result<Chunk, Failure>> + Send {
    try_stream! {
        let client = provider.client();
        let response = client.post(provider, body).await?;
        let bytes = response.bytes_stream();
        let mut events = pin!(sse(if provider.answers_in_lines() {
            lines_as_events(bytes).left_stream()
        } else {
            bytes.right_stream()
        }));
        let mut bounds = Bounds::default();
        let mut whole = false;
        loop {
            let patience = if whole { CLOSING_TIME } else { client.idle_timeout() };
            let data = match timeout(patience, events.next()).await {
                Ok(Some(Ok(event))) => event.data,
                // Errors of the connection after the end are ignored.
                _ if whole => return,
                Ok(None) => Err(client.broken("ended too early"))?,
                Ok(Some(Err(SseError::Transport(LineError::Transport(error))))) => {
                    Err(client.unreachable(error))?
                }
                Ok(Some(Err(SseError::Transport(LineError::TooLong)))) => {
                    Err(bounds::too_large(client.provider(), &format!(
                        "has an event of more than {} MiB", MAX_LINE_BYTES >> 20
                    )))?
                }
                Ok(Some(Err(error))) => Err(client.broken(&format!("is unreadable ({error})")))?,
                Err(_) => Err(client.idle())?,
            };
            let event = reader.read(&data)?;
            bounds.check(client.provider(), &event.chunks, reader.held())?;
            for chunk in event.chunks {
                yield chunk;
            }
            match event.end {
                None => {}
                Some(End::Whole) => whole = true,
                Some(End::Closed) => return,
                Some(End::Failed(failure)) => Err(failure)?,
            }
        }
    }
}
