//! One connection to a session: what comes in typed, what goes out in time.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use protocol::{ClientMessage, PROTOCOL_VERSION, ServerMessage, Welcome};
use serde_json::Value;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::error::ClientError;
use crate::handshake::{Socket, upgrade};
use crate::preview::Preview;
use crate::server::Server;

/// The server pings every 25 s: silence of twice that long is a dead line.
const MAX_SILENCE: Duration = Duration::from_secs(55);
/// The time of one message on its way out.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Where to come back to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cursor {
    /// The session; `None` for a new one.
    pub(crate) session: Option<String>,
    /// The epoch and the number of the last event; `None` asks for a fresh welcome.
    pub(crate) position: Option<(String, u64)>,
}

impl Cursor {
    fn query(&self) -> Vec<(&'static str, String)> {
        let mut query = Vec::new();
        query.extend(self.session.clone().map(|session| ("session", session)));
        if let Some((epoch, after)) = &self.position {
            query.extend([("epoch", epoch.clone()), ("after", after.to_string())]);
        }
        query
    }
}

/// What came.
pub(crate) enum Incoming {
    Message(Box<ServerMessage>),
    Preview(Preview),
    /// A message of a type that this client does not know, which may be a numbered event.
    Unknown {
        seq: Option<u64>,
    },
    /// A frame that means nothing to a client.
    Nothing,
}

pub(crate) struct Connection {
    socket: Socket,
}

impl Connection {
    /// Connects and waits for the welcome.
    pub(crate) async fn open(
        server: &Server,
        cursor: &Cursor,
    ) -> Result<(Self, Box<Welcome>), ClientError> {
        let socket = upgrade(server, &cursor.query()).await?;
        let mut connection = Self { socket };
        loop {
            match connection.next().await {
                Ok(Incoming::Message(message)) => {
                    let ServerMessage::Welcome(welcome) = *message else { continue };
                    if welcome.protocol != PROTOCOL_VERSION {
                        return Err(ClientError::Protocol { found: welcome.protocol });
                    }
                    return Ok((connection, welcome));
                }
                Ok(_) => {}
                Err(reason) => {
                    let address = server.address().to_string();
                    return Err(ClientError::Unreachable { address, reason });
                }
            }
        }
    }

    /// What comes next, or why nothing does any more. May be dropped while it waits.
    pub(crate) async fn next(&mut self) -> Result<Incoming, String> {
        let frame = match timeout(MAX_SILENCE, self.socket.next()).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(error.to_string()),
            Ok(None) => return Err("the connection ended".into()),
            Err(_) => return Err("the server is silent".into()),
        };
        Ok(match frame {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(message) => Incoming::Message(Box::new(message)),
                Err(_) => {
                    let value: Value = serde_json::from_str(&text).unwrap_or_default();
                    Incoming::Unknown { seq: value["seq"].as_u64() }
                }
            },
            Message::Binary(bytes) => match Preview::decode(&bytes) {
                Some(preview) => Incoming::Preview(preview),
                None => Incoming::Nothing,
            },
            Message::Close(Some(close)) if !close.reason.is_empty() => {
                return Err(close.reason.to_string());
            }
            Message::Close(_) => return Err("the server closed the connection".into()),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Incoming::Nothing,
        })
    }

    /// Sends messages together.
    pub(crate) async fn send(&mut self, messages: &[ClientMessage]) -> Result<(), String> {
        let sending = async {
            for message in messages {
                let text = serde_json::to_string(message).map_err(|error| error.to_string())?;
                let fed = self.socket.feed(Message::text(text)).await;
                fed.map_err(|error| error.to_string())?;
            }
            self.socket.flush().await.map_err(|error| error.to_string())
        };
        match timeout(SEND_TIMEOUT, sending).await {
            Ok(sent) => sent,
            Err(_) => Err("the server takes nothing".into()),
        }
    }

    /// Says goodbye; the server may be gone already.
    pub(crate) async fn close(mut self) {
        let _ = timeout(SEND_TIMEOUT, self.socket.close(None)).await;
    }
}
