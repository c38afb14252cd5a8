//! Events split at every byte, with both line endings.

use std::convert::Infallible;

use futures_util::{TryStreamExt, stream};
use proptest::prelude::*;

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
    let mut bytes = b"\xef\xbb\xbf\xef\xbb\xbf: hello\nevent: message\nid: 1\n".to_vec();
    bytes.extend(bytes_of("\n"));
    let bytes = Bytes::from(bytes);
    for at in 0..12 {
        let pieces = vec![bytes.slice(..at), bytes.slice(at..)];
        assert_eq!(data_of(pieces).await, DATA);
    }
}

#[tokio::test]
async fn a_long_line_is_read_once_and_an_endless_one_ends_in_an_error() {
    let long = format!("data: {}\n\n", "x".repeat(MAX_LINE_BYTES - 100));
    let pieces: Vec<Bytes> = long.as_bytes().chunks(1000).map(Bytes::copy_from_slice).collect();
    assert_eq!(data_of(pieces).await[0].len(), MAX_LINE_BYTES - 100);
    let endless = stream::repeat(Bytes::from(vec![b'x'; 1 << 16])).map(Ok::<_, Infallible>);
    let mut events = std::pin::pin!(sse(endless));
    let end = events.next().await.unwrap();
    assert!(matches!(end, Err(SseError::Transport(LineError::TooLong))), "{end:?}");
}

proptest! {
    /// No bytes make the parser panic, and their chunks do not change the result.
    #[test]
    fn cuts_never_matter(
        pieces in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..6),
            Just(b"data: ".to_vec()), Just(b"data:".to_vec()), Just(b"\n".to_vec()), Just(b"\r\n".to_vec()),
            Just(b"\r".to_vec()), Just(b"event: x".to_vec()), Just(b": note".to_vec()), Just(b"retry: 1".to_vec()),
            Just("\u{feff}".as_bytes().to_vec()), Just("\u{1f3e0}".as_bytes().to_vec()),
        ], 0..10),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let whole = Bytes::from(pieces.concat());
        let mut places: Vec<usize> =
            cuts.iter().map(|cut| cut.index(whole.len() + 1)).chain([0, whole.len()]).collect();
        places.sort_unstable();
        let cut: Vec<Bytes> = places.windows(2).map(|ends| whole.slice(ends[0]..ends[1])).collect();
        let read = |pieces: Vec<Bytes>| {
            let events = sse(stream::iter(pieces).map(Ok::<_, Infallible>));
            futures_util::FutureExt::now_or_never(events.map_ok(|event| event.data).collect::<Vec<_>>())
        };
        let is_text = std::str::from_utf8(&whole).is_ok();
        let (at_once, in_pieces) = (read(vec![whole.clone()]).unwrap(), read(cut).unwrap());
        // Invalid UTF-8 ends in an error, after the complete events before it.
        if is_text {
            prop_assert_eq!(format!("{at_once:?}"), format!("{in_pieces:?}"));
        }
    }
}
