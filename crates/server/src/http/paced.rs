//! Clients that read slowly: what a client takes in a second at least of its responses.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// What a client takes in a second, in bytes, while something waits for it.
const MIN_PER_SECOND: u32 = 32 * 1024;
/// How far it may fall behind.
const PATIENCE: Duration = Duration::from_secs(30);

/// The client takes too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the client reads less than {} KiB a second", MIN_PER_SECOND / 1024)]
struct TooSlow;

/// How far a client is behind the least pace.
#[derive(Debug, Default)]
struct Pace {
    waits_since: Option<Instant>,
    behind: Duration,
}

impl Pace {
    /// Something waits for the client.
    fn waits(&mut self, now: Instant) {
        self.waits_since.get_or_insert(now);
    }

    /// The client has taken some bytes.
    fn took(&mut self, bytes: usize, now: Instant) -> Result<(), TooSlow> {
        // A client that is waited for by nobody may rest.
        let waited = self.waits_since.take().map_or(Duration::ZERO, |since| now - since);
        let due = Duration::from_secs(bytes as u64) / MIN_PER_SECOND;
        self.behind = (self.behind + waited).saturating_sub(due);
        if self.behind > PATIENCE { Err(TooSlow) } else { Ok(()) }
    }
}

/// A connection that ends when its client takes too little for long. One that takes nothing at all is for a timeout to
/// end.
#[derive(Debug)]
pub(crate) struct PacedStream<S> {
    stream: S,
    pace: Pace,
    /// Set when the connection speaks another protocol, which has limits of its own.
    upgraded: Arc<AtomicBool>,
}

impl<S> PacedStream<S> {
    pub(crate) fn new(stream: S, upgraded: Arc<AtomicBool>) -> Self {
        Self { stream, pace: Pace::default(), upgraded }
    }

    fn paced(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if self.upgraded.load(Ordering::Relaxed) {
            return written;
        }
        if written.is_pending() {
            self.pace.waits(Instant::now());
        }
        let bytes = ready!(written)?;
        self.pace.took(bytes, Instant::now()).map_err(io::Error::other)?;
        Poll::Ready(Ok(bytes))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.paced(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.paced(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// How much of a long response a client gets that takes so much, so often.
    async fn taken(bytes: usize, pause: Duration, upgraded: bool) -> usize {
        let (mut client, server) = tokio::io::duplex(4096);
        let mut stream = PacedStream::new(server, Arc::new(AtomicBool::new(upgraded)));
        let writes = async move {
            // An error ends the connection.
            let _ = stream.write_all(&vec![7; 64 * 65_536]).await;
        };
        let reads = async {
            let (mut all, mut some) = (0, vec![0; bytes]);
            while let Ok(()) = client.read_exact(&mut some).await.map(drop) {
                all += bytes;
                tokio::time::sleep(pause).await;
            }
            all
        };
        tokio::join!(writes, reads).1
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_trickles_is_cut_off_and_a_slow_one_gets_all() {
        let whole = 64 * 65_536;
        // 64 KiB in a second and a half.
        assert_eq!(taken(65_536, Duration::from_millis(1_500), false).await, whole);
        // 64 KiB in 29 seconds: no pause is long enough to be taken for a stall.
        assert!(taken(65_536, Duration::from_secs(29), false).await < 5 * 65_536);
        // A WebSocket has limits of its own.
        assert_eq!(taken(65_536, Duration::from_secs(29), true).await, whole);
    }

    #[test]
    fn a_client_may_rest_when_nothing_waits_for_it() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        assert_eq!(pace.took(10, start), Ok(()));
        assert_eq!(pace.took(10, start + Duration::from_hours(1)), Ok(()));
        pace.waits(start);
        pace.waits(start + Duration::from_secs(20));
        assert_eq!(pace.took(0, start + Duration::from_secs(31)), Err(TooSlow));
    }
}
