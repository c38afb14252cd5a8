//! Bodies of requests: counted while they are in memory, and read within a limit for each.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use tokio_util::sync::CancellationToken;

use super::problem::Problem;
use crate::shares::{Room, Share, ShareError};

/// A body that is counted.
struct Counted {
    bytes: usize,
    room: Room,
    /// Why not all of it was taken.
    refusal: Option<Refusal>,
}

/// Why the rest of a body is not taken.
#[derive(Debug, Clone, Copy, thiserror::Error)]
enum Refusal {
    #[error(transparent)]
    Crowded(#[from] ShareError),
    #[error("the server is stopping")]
    Stopping,
}

impl Counted {
    fn take(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.bytes += bytes;
        Ok(self.room.grow_to(self.bytes)?)
    }
}

/// Counts the body of each request from its arrival until the request is answered. One that is not whole when the
/// server stops is not waited for.
pub(super) async fn count_bodies(
    State(stop): State<CancellationToken>,
    request: Request,
    next: Next,
) -> Response {
    let has_body = !request.body().is_end_stream();
    let Some(share) = request.extensions().get::<Share>().filter(|_| has_body) else {
        return next.run(request).await;
    };
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        let detail = "a body must come as it is, without Content-Encoding";
        return Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).into_response();
    }
    let counted = Counted { bytes: 0, room: share.room(), refusal: None };
    let counted = Arc::new(Mutex::new(counted));
    let counting = Arc::clone(&counted);
    let request = request.map(|body| {
        let mut pieces = body.into_data_stream();
        Body::from_stream(async_stream::stream! {
            loop {
                let taken = match stop.run_until_cancelled(pieces.next()).await {
                    Some(None) => return,
                    Some(Some(Err(broken))) => {
                        yield Err(broken);
                        return;
                    }
                    Some(Some(Ok(piece))) => lock(&counting).take(piece.len()).map(|()| piece),
                    None => Err(Refusal::Stopping),
                };
                match taken {
                    Ok(piece) => yield Ok(piece),
                    Err(refusal) => {
                        lock(&counting).refusal = Some(refusal);
                        yield Err(axum::Error::new(refusal));
                        return;
                    }
                }
            }
        })
    });
    let response = next.run(request).await;
    let refusal = lock(&counted).refusal;
    match refusal {
        None => response,
        Some(Refusal::Crowded(error)) => Problem::from(error).into_response(),
        Some(Refusal::Stopping) => Problem::stopping().into_response(),
    }
}

fn lock(counted: &Mutex<Counted>) -> MutexGuard<'_, Counted> {
    // A panic cannot leave the count inconsistent, so a poisoned lock is safe to use.
    counted.lock().unwrap_or_else(PoisonError::into_inner)
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
    use axum::routing::post;
    use axum::{Router, middleware};
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
        let shares = Arc::new(Shares::of_units(4));
        let of_handler = Arc::clone(&shares);
        let length = move |body: Bytes| async move {
            assert_eq!(of_handler.bound().used, (body.len() / UNIT * UNIT) as u64);
            body.len().to_string()
        };
        let counting = middleware::from_fn_with_state(CancellationToken::new(), count_bodies);
        let mut router = Router::new().route("/", post(length)).layer(counting);
        let share = shares.of_address("10.0.0.1".parse().unwrap());
        for (pieces, status) in [(3, StatusCode::OK), (4, StatusCode::TOO_MANY_REQUESTS)] {
            let request = Request::post("/").extension(share.clone()).body(body(pieces, UNIT));
            let answer = router.call(request.unwrap()).await.unwrap();
            assert_eq!(answer.status(), status);
            assert_eq!(shares.bound().used, 0, "given back");
        }
    }

    #[tokio::test]
    async fn a_body_is_not_waited_for_when_the_server_stops() {
        let (shares, stop) = (Shares::of_units(4), CancellationToken::new());
        let counting = middleware::from_fn_with_state(stop.clone(), count_bodies);
        let read = async |body: Body| whole_body(&HeaderMap::new(), body, 10, "a file").await;
        let read = post(move |body: Body| async move { read(body).await.map(drop) });
        let mut router = Router::new().route("/", read).layer(counting);
        let half = Body::from_stream(
            stream::once(async { Ok::<_, std::fmt::Error>("half") }).chain(stream::pending()),
        );
        let share = shares.of_address("10.0.0.1".parse().unwrap());
        let request = Request::post("/").extension(share).body(half).unwrap();
        let (answer, ()) = tokio::join!(router.call(request), async { stop.cancel() });
        assert_eq!(answer.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
    }

    #[tokio::test]
    async fn a_length_is_believed_when_it_is_too_large() {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_LENGTH, header::HeaderValue::from_static("11"));
        // The body itself would do.
        let refused = whole_body(&headers, body(1, 1), 10, "a file").await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn a_packed_body_is_not_taken_for_what_it_holds() {
        let counting = middleware::from_fn_with_state(CancellationToken::new(), count_bodies);
        let taken = post(|body: Bytes| async move { body.len().to_string() });
        let mut router = Router::new().route("/", taken).layer(counting);
        let share = Shares::of_units(4).of_address("10.0.0.1".parse().unwrap());
        let request = Request::post("/").extension(share).header("content-encoding", "gzip");
        let answer = router.call(request.body(body(1, 1)).unwrap()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
}
