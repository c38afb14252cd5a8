//! One connection: frames in and out, in time. What they say is not read here, so that tests can look at every
//! letter and send what no client would.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::error::ClientError;
use crate::handshake::{Socket, upgrade};
use crate::preview::Preview;
use crate::server::Server;

/// The server pings every 25 s: silence of twice that long is a dead line.
const MAX_SILENCE: Duration = Duration::from_secs(55);
/// The time of one message on its way out.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// An open WebSocket of a server. Dropping it ends it without a goodbye, as a lost network does.
#[derive(Debug)]
pub struct Connection {
    socket: Socket,
}

/// What came.
#[derive(Debug, Clone, PartialEq)]
pub enum Frame {
    /// A message in JSON.
    Text(Utf8Bytes),
    /// A picture.
    Preview(Preview),
    /// A frame that means nothing to a client.
    Other,
}

/// Why nothing comes any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The code of the server's close frame, if it sent one.
    pub code: Option<u16>,
    /// The reason.
    pub reason: String,
}

impl Server {
    /// Opens a WebSocket with this query: `session`, `epoch` and `after`.
    pub async fn connect(&self, query: &[(&str, String)]) -> Result<Connection, ClientError> {
        Ok(Connection { socket: upgrade(self, &["ws"], query).await? })
    }
}

impl Connection {
    /// The next frame. May be dropped while it waits.
    pub async fn next(&mut self) -> Result<Frame, Closed> {
        let closed = |reason: String| Closed { code: None, reason };
        let frame = match timeout(MAX_SILENCE, self.socket.next()).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(closed(error.to_string())),
            Ok(None) => return Err(closed("the connection ended".into())),
            Err(_) => return Err(closed("the server is silent".into())),
        };
        Ok(match frame {
            Message::Text(text) => Frame::Text(text),
            Message::Binary(bytes) => Preview::decode(&bytes).map_or(Frame::Other, Frame::Preview),
            Message::Close(Some(close)) => {
                let reason = match &*close.reason {
                    "" => "the server closed the connection".to_owned(),
                    reason => reason.to_owned(),
                };
                return Err(Closed { code: Some(close.code.into()), reason });
            }
            Message::Close(None) => return Err(closed("the server closed the connection".into())),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Frame::Other,
        })
    }

    /// Sends texts together.
    pub async fn send(&mut self, texts: Vec<String>) -> Result<(), String> {
        self.send_frames(texts.into_iter().map(Message::text)).await
    }

    /// Sends a binary frame, which no server of ours takes.
    pub async fn send_binary(&mut self, bytes: Bytes) -> Result<(), String> {
        self.send_frames([Message::binary(bytes)]).await
    }

    async fn send_frames(
        &mut self,
        frames: impl IntoIterator<Item = Message>,
    ) -> Result<(), String> {
        let sending = async {
            for frame in frames {
                self.socket.feed(frame).await?;
            }
            self.socket.flush().await
        };
        match timeout(SEND_TIMEOUT, sending).await {
            Ok(sent) => sent.map_err(|error| error.to_string()),
            Err(_) => Err("the server takes nothing".into()),
        }
    }

    /// Says goodbye; the server may be gone already.
    pub async fn close(mut self) {
        let _ = timeout(SEND_TIMEOUT, self.socket.close(None)).await;
    }
}
