//! Server-sent events from a body split at any byte.

use std::pin::pin;

use async_stream::try_stream;
use bytes::{Buf, Bytes, BytesMut};
use eventsource_stream::{Event, EventStreamError, Eventsource};
use futures_util::{Stream, StreamExt};

/// Why the events broke off.
pub(crate) type SseError<E> = EventStreamError<E>;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Server-sent events from a body split at any byte, with CRLF or LF.
pub(crate) fn sse<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Event, SseError<E>>> {
    without_byte_order_mark(bytes).eventsource()
}

/// `eventsource_stream` 0.2 panics on a byte order mark: it cuts one byte off the three. However many
/// there are, none may reach it.
fn without_byte_order_mark<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Bytes, E>> {
    try_stream! {
        let mut bytes = pin!(bytes);
        let mut start = BytesMut::new();
        loop {
            if start.starts_with(BYTE_ORDER_MARK) {
                start.advance(BYTE_ORDER_MARK.len());
            } else if BYTE_ORDER_MARK.starts_with(&start) {
                match bytes.next().await {
                    Some(chunk) => start.extend_from_slice(&chunk?),
                    None => break,
                }
            } else {
                break;
            }
        }
        yield start.freeze();
        while let Some(chunk) = bytes.next().await {
            yield chunk?;
        }
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
