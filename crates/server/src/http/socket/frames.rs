//! WebSocket messages in small frames. A socket holds one frame at a time, the rest is shared with all who are sent the
//! same; and a client that reads slowly is told from one that does not read.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{Sink, SinkExt};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tungstenite::Message;
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// Bytes of a frame at most. Each socket keeps a buffer for one.
pub(super) const MAX_FRAME_SENT: usize = 16 * 1024;
/// The time limit for sending a frame.
pub(super) const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// What a client reads in a second at least, in bytes, of a message of many frames.
const MIN_PER_SECOND: usize = 16 * 1024;

/// The client is unreachable.
#[derive(Debug)]
pub(super) struct Unreachable;

/// Sends messages, each in as many frames as it needs.
pub(super) struct Frames<S> {
    sink: S,
    /// Cancelled when the client or the server leaves: what is being sent is left off then.
    gone: CancellationToken,
}

impl<S: Sink<Message> + Unpin> Frames<S> {
    pub(super) fn new(sink: S, gone: CancellationToken) -> Self {
        Self { sink, gone }
    }

    /// Sends a text in pieces.
    pub(super) async fn text(&mut self, pieces: Vec<Bytes>) -> Result<(), Unreachable> {
        self.message(Data::Text, pieces).await
    }

    /// Sends bytes.
    pub(super) async fn binary(&mut self, bytes: Bytes) -> Result<(), Unreachable> {
        self.message(Data::Binary, vec![bytes]).await
    }

    /// Sends a ping.
    pub(super) async fn ping(&mut self) -> Result<(), Unreachable> {
        self.send(Message::Ping(Bytes::new()), Instant::now() + SEND_TIMEOUT).await
    }

    /// Ends the connection, also between the frames of a message.
    pub(super) async fn end(&mut self, code: u16, reason: &'static str) {
        let farewell = CloseFrame { code: code.into(), reason: reason.into() };
        // The client may be gone already.
        let _ = self.send(Message::Close(Some(farewell)), Instant::now() + SEND_TIMEOUT).await;
        // If the client closed first, the reply to its close frame still has to be sent.
        let _ = timeout_at(Instant::now() + SEND_TIMEOUT, self.sink.close()).await;
    }

    async fn message(&mut self, kind: Data, pieces: Vec<Bytes>) -> Result<(), Unreachable> {
        let began = Instant::now();
        let (mut opcode, mut sent) = (OpCode::Data(kind), 0);
        let mut parts = pieces.into_iter().flat_map(parts_of).peekable();
        loop {
            let part = parts.next().unwrap_or_default();
            let is_last = parts.peek().is_none();
            let slowest = Duration::from_secs_f64(sent as f64 / MIN_PER_SECOND as f64);
            let deadline = (Instant::now() + SEND_TIMEOUT).min(began + SEND_TIMEOUT + slowest);
            sent += part.len();
            let frame = Message::Frame(Frame::message(part, opcode, is_last));
            let gone = self.gone.clone();
            let sending = gone.run_until_cancelled(self.send(frame, deadline));
            sending.await.unwrap_or(Err(Unreachable))?;
            if is_last {
                return Ok(());
            }
            opcode = OpCode::Data(Data::Continue);
        }
    }

    async fn send(&mut self, message: Message, deadline: Instant) -> Result<(), Unreachable> {
        match timeout_at(deadline, self.sink.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Unreachable),
        }
    }
}

/// A piece in parts that fit into frames.
fn parts_of(piece: Bytes) -> impl Iterator<Item = Bytes> {
    let starts = (0..piece.len()).step_by(MAX_FRAME_SENT);
    starts.map(move |start| piece.slice(start..piece.len().min(start + MAX_FRAME_SENT)))
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;
    use tokio_util::sync::PollSender;

    use super::*;

    /// The frames of a message: whether each is the last, its opcode and its bytes.
    async fn frames_of(pieces: Vec<Bytes>) -> Vec<(bool, OpCode, Vec<u8>)> {
        let (sink, mut sent) = mpsc::channel(8);
        let mut frames = Frames::new(PollSender::new(sink), CancellationToken::new());
        frames.text(pieces).await.unwrap();
        drop(frames);
        let frame = |message| match message {
            Message::Frame(frame) => {
                let head = frame.header();
                (head.is_final, head.opcode, frame.payload().to_vec())
            }
            other => panic!("{other:?}"),
        };
        let mut all = Vec::new();
        while let Some(message) = sent.recv().await {
            all.push(frame(message));
        }
        all
    }

    #[tokio::test]
    async fn a_message_is_small_frames_of_which_the_last_one_says_so() {
        let long: Vec<u8> = (0..2 * MAX_FRAME_SENT + 7).map(|at| at as u8).collect();
        let frames =
            frames_of(vec![Bytes::from_static(b"ab"), Bytes::new(), long.clone().into()]).await;
        let sizes: Vec<usize> = frames.iter().map(|(.., bytes)| bytes.len()).collect();
        assert_eq!(sizes, [2, MAX_FRAME_SENT, MAX_FRAME_SENT, 7]);
        let heads: Vec<_> = frames.iter().map(|(last, opcode, _)| (*last, *opcode)).collect();
        let (text, more) = (OpCode::Data(Data::Text), OpCode::Data(Data::Continue));
        assert_eq!(heads, [(false, text), (false, more), (false, more), (true, more)]);
        let all: Vec<u8> = frames.into_iter().flat_map(|(.., bytes)| bytes).collect();
        assert_eq!(all, [b"ab".as_slice(), &long].concat());
        // A small one is one frame, and so is an empty one.
        for pieces in [vec![Bytes::from_static(b"a")], Vec::new()] {
            let frames = frames_of(pieces).await;
            assert!(matches!(frames.as_slice(), [(true, opcode, _)] if *opcode == text));
        }
    }

    /// How many frames of a long message are sent to a client that takes so long for each.
    async fn sent_at(pause: Duration) -> (usize, bool) {
        let (sink, mut sent) = mpsc::channel(1);
        let long = Bytes::from(vec![b'a'; 50 * MAX_FRAME_SENT]);
        let mut frames = Frames::new(PollSender::new(sink), CancellationToken::new());
        let reads = async {
            let mut count = 0;
            while sent.recv().await.is_some() {
                count += 1;
                tokio::time::sleep(pause).await;
            }
            count
        };
        let sends = async move { frames.text(vec![long]).await.is_ok() };
        tokio::join!(reads, sends)
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_slowly_gets_all_and_one_that_trickles_is_cut_off() {
        assert_eq!(sent_at(Duration::from_millis(900)).await, (50, true));
        let (frames, whole) = sent_at(Duration::from_secs(8)).await;
        assert!(!whole && frames < 6, "{frames} frames in some seconds each");
        let (frames, whole) = sent_at(Duration::from_secs(11)).await;
        assert!(!whole && frames < 4, "{frames} frames: it stood still");
    }

    #[tokio::test]
    async fn a_message_is_left_off_when_the_client_leaves() {
        let (sink, _unread) = mpsc::channel(1);
        let gone = CancellationToken::new();
        let mut frames = Frames::new(PollSender::new(sink), gone.clone());
        let long = Bytes::from(vec![b'a'; 50 * MAX_FRAME_SENT]);
        let sends = frames.text(vec![long]);
        let (sent, ()) = tokio::join!(sends, async { gone.cancel() });
        assert!(sent.is_err());
    }
}
