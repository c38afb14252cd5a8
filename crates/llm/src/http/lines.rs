//! Answers with one JSON value per line (NDJSON), as events.

use std::pin::pin;

use async_stream::try_stream;
use bytes::{BufMut, Bytes, BytesMut};
use futures_util::{Stream, StreamExt};

/// Converts each line of a body to a server-sent event, so that one reader handles both forms. JSON has
/// no line breaks within a value.
pub(crate) fn lines_as_events<E>(
    bytes: impl Stream<Item = Result<Bytes, E>>,
) -> impl Stream<Item = Result<Bytes, E>> {
    try_stream! {
        let mut bytes = pin!(bytes);
        let mut at_start = true;
        while let Some(chunk) = bytes.next().await {
            let mut events = BytesMut::new();
            for byte in chunk? {
                if at_start && byte != b'\n' && byte != b'\r' {
                    events.put_slice(b"data: ");
                    at_start = false;
                }
                if byte == b'\n' && !at_start {
                    events.put_slice(b"\n\n");
                    at_start = true;
                } else if byte != b'\r' && byte != b'\n' {
                    events.put_u8(byte);
                }
            }
            yield events.freeze();
        }
        // The last line may lack a line break.
        yield Bytes::from_static(b"\n\n");
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::{TryStreamExt, stream};

    use super::super::sse::sse;
    use super::*;

    #[tokio::test]
    async fn lines_survive_a_split_at_every_byte_and_a_missing_end() {
        let whole = Bytes::from("{\"a\":\"h\u{e4}us\"}\r\n\n{\"b\":1}\n{\"c\":2}");
        for at in 0..=whole.len() {
            let pieces = [whole.slice(..at), whole.slice(at..)];
            let bytes = stream::iter(pieces.map(Ok::<_, Infallible>));
            let events = sse(lines_as_events(bytes)).map_ok(|event| event.data);
            let data: Vec<String> = events.try_collect().await.unwrap();
            assert_eq!(data, ["{\"a\":\"h\u{e4}us\"}", "{\"b\":1}", "{\"c\":2}"], "split at {at}");
        }
    }
}
