//! Large request bodies, read in chunks within a limit for each and one for all together.

use std::pin::pin;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::problem::Problem;

/// The most bytes of all bodies in memory.
const ROOM: usize = 512 * 1024 * 1024;
/// Bytes per permit.
const UNIT: usize = 64 * 1024;

/// The memory budget for large bodies.
pub(crate) struct Intake(Arc<Semaphore>);

impl Default for Intake {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(ROOM / UNIT)))
    }
}

/// A complete body. Dropping it frees its share of the budget.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) bytes: Bytes,
    _room: OwnedSemaphorePermit,
}

impl Intake {
    /// Reads a body of at most `most` bytes; `what` names it in errors. A body reserves only what has
    /// arrived, so slow bodies do not block others.
    pub(crate) async fn take(
        &self,
        headers: &HeaderMap,
        body: Body,
        most: usize,
        what: &str,
    ) -> Result<Held, Problem> {
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
        let mut room = self.more(1)?;
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
            let missing =
                (bytes.len() + piece.len()).div_ceil(UNIT).saturating_sub(room.num_permits());
            if missing > 0 {
                room.merge(self.more(missing)?);
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(Held { bytes: bytes.freeze(), _room: room })
    }

    fn more(&self, units: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        Arc::clone(&self.0).try_acquire_many_owned(units).map_err(|_| {
            let detail = "other uploads fill the room there is; try again in a few seconds";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    fn body(pieces: usize, bytes: usize) -> Body {
        let piece = Bytes::from(vec![7; bytes]);
        let pieces = std::iter::repeat_n(Ok::<_, std::fmt::Error>(piece), pieces);
        Body::from_stream(stream::iter(pieces))
    }

    async fn take(intake: &Intake, body: Body, most: usize) -> Result<Held, Problem> {
        intake.take(&HeaderMap::new(), body, most, "a file").await
    }

    #[tokio::test]
    async fn a_body_is_taken_in_up_to_its_bound() {
        let intake = Intake::default();
        let held = take(&intake, body(10, 100_000), 1_000_000).await.unwrap();
        assert_eq!(held.bytes.len(), 1_000_000);
        let refused = take(&intake, body(10, 100_000), 999_999).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
        // An endless body is rejected as soon as it is too long.
        let refused = take(&intake, body(usize::MAX, 100_000), 1_000_000).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[tokio::test]
    async fn all_bodies_together_take_no_more_than_the_room() {
        let intake = Intake(Arc::new(Semaphore::new(3)));
        let one = take(&intake, body(1, 2 * UNIT), usize::MAX).await.unwrap();
        let refused = take(&intake, body(1, 2 * UNIT), usize::MAX).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        drop(one);
        assert!(take(&intake, body(1, 2 * UNIT), usize::MAX).await.is_ok());
        assert_eq!(intake.0.available_permits(), 3, "given back");
    }

    #[tokio::test]
    async fn what_is_said_before_the_body_is_believed_when_it_is_bad() {
        let intake = Intake::default();
        let with = async |name: header::HeaderName, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, header::HeaderValue::from_static(value));
            // The body itself would do.
            intake.take(&headers, body(1, 1), 10, "a file").await.unwrap_err().status()
        };
        let too_large = with(header::CONTENT_LENGTH, "11").await;
        assert_eq!(too_large, StatusCode::PAYLOAD_TOO_LARGE);
        let packed = with(header::CONTENT_ENCODING, "gzip").await;
        assert_eq!(packed, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
}
