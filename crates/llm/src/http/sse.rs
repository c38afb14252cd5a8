//! Parsing server-sent events from a body in arbitrary chunks.

use std::pin::pin;

use async_stream::try_stream;
use bytes::{Buf, Bytes, BytesMut};
use eventsource_stream::{Event, EventStreamError, Eventsource};
use futures_util::{Stream, StreamExt};

/// An error of the event stream.
pub(crate) type SseError<E> = EventStreamError<LineError<E>>;

/// An error of the lines.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LineError<E> {
    /// The connection.
    #[error("{0}")]
    Transport(E),
    /// A line is longer than [`MAX_LINE_BYTES`].
    #[error("a line is too long")]
    TooLong,
}

/// The longest line in bytes: an event is one line, and the longest events hold a whole answer.
pub(crate) const MAX_LINE_BYTES: usize = 8 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses server-sent events from a body in arbitrary chunks, with CRLF or LF.
pub(crate) fn sse<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Event, SseError<E>>> {
    whole_lines(without_byte_order_mark(bytes)).eventsource()
}

/// Chunks that end with a line: `eventsource_stream` rescans an unfinished line with each chunk, which is
/// quadratic for a long line.
fn whole_lines<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Bytes, LineError<E>>> {
    try_stream! {
        let mut bytes = pin!(bytes);
        let mut line = BytesMut::new();
        while let Some(piece) = bytes.next().await {
            let piece = piece.map_err(LineError::Transport)?;
            let before = line.len();
            line.extend_from_slice(&piece);
            let end = piece.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
            if let Some(end) = end {
                yield line.split_to(before + end + 1).freeze();
            }
            if line.len() > MAX_LINE_BYTES {
                Err(LineError::TooLong)?;
            }
        }
        if !line.is_empty() {
            yield line.freeze();
        }
    }
}

/// Removes byte order marks: `eventsource_stream` 0.2 panics on them, since it cuts off one of their three
/// bytes.
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
