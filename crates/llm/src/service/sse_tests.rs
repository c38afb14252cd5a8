//! Events split at every byte, with both line endings.

use std::convert::Infallible;

use futures_util::{TryStreamExt, stream};

use super::*;

const DATA: [&str; 3] =
    [r#"{"text":"Größe… 🏠"}"#, r#"{"call":{"args":{"id":"häuschen"}}}"#, "[DONE]"];

fn bytes_of(line_end: &str) -> Bytes {
    DATA.iter().map(|data| format!("data: {data}{line_end}{line_end}")).collect::<String>().into()
}

async fn data_of(pieces: Vec<Bytes>) -> Vec<String> {
    sse(stream::iter(pieces).map(Ok::<_, Infallible>))
        .map_ok(|event| event.data)
        .try_collect()
        .await
        .unwrap()
}

#[tokio::test]
async fn events_survive_a_split_at_every_byte() {
    for line_end in ["\n", "\r\n"] {
        let bytes = bytes_of(line_end);
        for at in 0..=bytes.len() {
            let pieces = vec![bytes.slice(..at), bytes.slice(at..)];
            assert_eq!(data_of(pieces).await, DATA, "split at byte {at}");
        }
        let single = (0..bytes.len()).map(|at| bytes.slice(at..=at)).collect();
        assert_eq!(data_of(single).await, DATA);
    }
}

#[tokio::test]
async fn a_byte_order_mark_comments_and_other_fields_are_skipped() {
    let mut bytes = b"\xef\xbb\xbf: hello\nevent: message\nid: 1\n".to_vec();
    bytes.extend(bytes_of("\n"));
    let bytes = Bytes::from(bytes);
    for at in 0..8 {
        let pieces = vec![bytes.slice(..at), bytes.slice(at..)];
        assert_eq!(data_of(pieces).await, DATA);
    }
}
