//! Messages that are arriving over WebSockets, which count until they are whole.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::shares::{Room, Share, ShareError};

/// The time in which a message has to arrive as a whole.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(60);

/// Bytes before the payload of a ping or pong: two, and the mask.
const CONTROL_HEAD: usize = 6;

/// Why a message may not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ArrivalError {
    /// There is no room for it.
    #[error(transparent)]
    Crowded(#[from] ShareError),
    /// It takes too long.
    #[error("a message has to arrive within {} seconds", MESSAGE_TIMEOUT.as_secs())]
    Slow,
}

/// The message that is arriving over a WebSocket. The connection counts bytes, and the socket says which
/// of them were whole frames.
#[derive(Debug, Clone)]
pub(crate) struct Arriving(Arc<Mutex<Unfinished>>);

#[derive(Debug)]
struct Unfinished {
    /// Whether the connection is a WebSocket by now.
    counts: bool,
    bytes: usize,
    since: Option<Instant>,
    room: Room,
}

impl Arriving {
    pub(crate) fn new(share: &Share) -> Self {
        let room = share.room();
        Self(Arc::new(Mutex::new(Unfinished { counts: false, bytes: 0, since: None, room })))
    }

    /// Counts for another share from now on.
    pub(super) fn count_for(&self, share: &Share) {
        self.lock().room = share.room();
    }

    /// From now on messages arrive.
    pub(super) fn begin(&self) {
        self.lock().counts = true;
    }

    /// A ping or pong has arrived. It may come between the frames of a message.
    pub(super) fn control(&self, payload: usize) {
        let mut unfinished = self.lock();
        unfinished.bytes = unfinished.bytes.saturating_sub(CONTROL_HEAD + payload);
        if unfinished.bytes == 0 {
            unfinished.since = None;
        }
    }

    /// A message has arrived as a whole.
    pub(super) fn whole(&self) {
        let mut unfinished = self.lock();
        unfinished.bytes = 0;
        unfinished.since = None;
        unfinished.room.clear();
    }

    fn arrived(&self, bytes: usize) -> Result<(), ArrivalError> {
        let mut unfinished = self.lock();
        if !unfinished.counts || bytes == 0 {
            return Ok(());
        }
        let since = *unfinished.since.get_or_insert_with(Instant::now);
        if since.elapsed() > MESSAGE_TIMEOUT {
            return Err(ArrivalError::Slow);
        }
        unfinished.bytes += bytes;
        let bytes = unfinished.bytes;
        Ok(unfinished.room.grow_to(bytes)?)
    }

    fn lock(&self) -> MutexGuard<'_, Unfinished> {
        // A panic cannot leave the counts inconsistent, so a poisoned lock is safe to use.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection whose incoming bytes are counted.
#[derive(Debug)]
pub(crate) struct CountedStream<S> {
    stream: S,
    arriving: Arriving,
}

impl<S> CountedStream<S> {
    pub(crate) fn new(stream: S, arriving: Arriving) -> Self {
        Self { stream, arriving }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for CountedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let arrived = self.arriving.arrived(buffer.filled().len() - before);
        Poll::Ready(arrived.map_err(io::Error::other))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CountedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
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
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::shares::{Shares, UNIT};

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn a_message_counts_until_it_is_whole_whatever_comes_between() {
        let shares = Shares::of_units(8);
        let arriving = Arriving::new(&shares.of_address(ADDRESS));
        arriving.arrived(100 * UNIT).unwrap();
        assert_eq!(shares.bound().used, 0, "not a WebSocket yet");
        arriving.begin();
        for _ in 0..3 {
            arriving.arrived(UNIT).unwrap();
            arriving.arrived(CONTROL_HEAD + 2).unwrap();
            arriving.control(2);
        }
        assert_eq!(shares.bound().used, 3 * UNIT as u64);
        assert_eq!(arriving.arrived(8 * UNIT), Err(ShareError::Arriving.into()));
        arriving.whole();
        assert_eq!(shares.bound().used, 0);
        // Pings alone are no message, however long they come.
        for _ in 0..3 {
            arriving.arrived(CONTROL_HEAD + 2).unwrap();
            assert!(arriving.lock().since.is_some());
            arriving.control(2);
            assert!(arriving.lock().since.is_none());
        }
        arriving.arrived(1).unwrap();
        let long_ago = Instant::now().checked_sub(MESSAGE_TIMEOUT + Duration::from_secs(1));
        arriving.lock().since = long_ago;
        assert_eq!(arriving.arrived(1), Err(ArrivalError::Slow));
    }
}
