//! Bodies of requests: counted while they are in memory, and read within a limit for each.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use super::problem::Problem;
use crate::shares::{Room, Share, ShareError};

/// A body that is counted.
struct Counted {
    bytes: usize,
    room: Room,
    /// Whether there was no room for all of it.
    is_crowded: bool,
}

/// Counts the body of each request from its arrival until the request is answered.
pub(super) async fn count_bodies(request: Request, next: Next) -> Response {
    let has_body = !request.body().is_end_stream();
    let Some(share) = request.extensions().get::<Share>().filter(|_| has_body) else {
        return next.run(request).await;
    };
    let counted = Counted { bytes: 0, room: share.room(), is_crowded: false };
    let counted = Arc::new(Mutex::new(counted));
    let counting = Arc::clone(&counted);
    let request = request.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |piece| {
            let piece = piece?;
            let mut counted = counting.lock().unwrap_or_else(PoisonError::into_inner);
            counted.bytes += piece.len();
            let bytes = counted.bytes;
            match counted.room.grow_to(bytes) {
                Ok(()) => Ok(piece),
                Err(error) => {
                    counted.is_crowded = true;
                    Err(axum::Error::new(error))
                }
            }
        }))
    });
    let response = next.run(request).await;
    if counted.lock().unwrap_or_else(PoisonError::into_inner).is_crowded {
        return Problem::from(ShareError::Arriving).into_response();
    }
    response
}

/// Reads a body of at most `most` bytes; `what` names it in errors.
pub(super) async fn whole_body(
    headers: &HeaderMap,
    body: Body,
    most: usize,
    what: &str,
) -> Result<Bytes, Problem> {
    let too_large = || {
        let detail = format!("{what} may have at most {most} bytes");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    };
    if headers.contains_key(header::CONTENT_ENCODING) {
        let detail = format!("{what} must come as it is, without Content-Encoding");
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let promised = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let promised = promised.and_then(|value| value.parse::<u64>().ok());
    if promised.is_some_and(|promised| promised > most as u64) {
        return Err(too_large());
    }
    let mut bytes = BytesMut::new();
    let mut pieces = pin!(body.into_data_stream());
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| {
            let detail = format!("{what} did not come through: {error}");
            Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
        })?;
        if bytes.len() + piece.len() > most {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.freeze())
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::post;
    use futures_util::stream;
    use tower::Service;

    use super::*;
    use crate::shares::{Shares, UNIT};

    fn body(pieces: usize, bytes: usize) -> Body {
        let piece = Bytes::from(vec![7; bytes]);
        let pieces = std::iter::repeat_n(Ok::<_, std::fmt::Error>(piece), pieces);
        Body::from_stream(stream::iter(pieces))
    }

    async fn take(body: Body, most: usize) -> Result<Bytes, Problem> {
        whole_body(&HeaderMap::new(), body, most, "a file").await
    }

    #[tokio::test]
    async fn a_body_is_taken_in_up_to_its_bound() {
        let whole = take(body(10, 100_000), 1_000_000).await.unwrap();
        assert_eq!(whole.len(), 1_000_000);
        let refused = take(body(10, 100_000), 999_999).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
        // An endless body is rejected as soon as it is too long.
        let refused = take(body(usize::MAX, 100_000), 1_000_000).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn all_bodies_together_take_no_more_than_the_room() {
        let shares = Arc::new(Shares::of(4));
        let of_handler = Arc::clone(&shares);
        let length = move |body: Bytes| async move {
            assert_eq!(of_handler.bound().used, (body.len() / UNIT * UNIT) as u64);
            body.len().to_string()
        };
        let mut router =
            Router::new().route("/", post(length)).layer(axum::middleware::from_fn(count_bodies));
        let share = shares.of_address("10.0.0.1".parse().unwrap());
        for (pieces, status) in [(3, StatusCode::OK), (4, StatusCode::TOO_MANY_REQUESTS)] {
            let request = Request::post("/").extension(share.clone()).body(body(pieces, UNIT));
            let answer = router.call(request.unwrap()).await.unwrap();
            assert_eq!(answer.status(), status);
            assert_eq!(shares.bound().used, 0, "given back");
        }
    }

    #[tokio::test]
    async fn what_is_said_before_the_body_is_believed_when_it_is_bad() {
        let with = async |name: header::HeaderName, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, header::HeaderValue::from_static(value));
            // The body itself would do.
            whole_body(&headers, body(1, 1), 10, "a file").await.unwrap_err().status()
        };
        let too_large = with(header::CONTENT_LENGTH, "11").await;
        assert_eq!(too_large, StatusCode::PAYLOAD_TOO_LARGE);
        let packed = with(header::CONTENT_ENCODING, "gzip").await;
        assert_eq!(packed, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
}
