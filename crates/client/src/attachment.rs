//! A connection that is attached to a session: what comes in typed.

use protocol::{ClientMessage, PROTOCOL_VERSION, ServerMessage, Welcome};
use serde_json::Value;

use crate::connection::{Connection, Frame};
use crate::error::ClientError;
use crate::preview::Preview;
use crate::server::Server;

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

pub(crate) struct Attachment {
    connection: Connection,
}

impl Attachment {
    /// Connects and waits for the welcome.
    pub(crate) async fn open(
        server: &Server,
        cursor: &Cursor,
    ) -> Result<(Self, Box<Welcome>), ClientError> {
        let mut attachment = Self { connection: server.connect(&cursor.query()).await? };
        loop {
            match attachment.next().await {
                Ok(Incoming::Message(message)) => {
                    let ServerMessage::Welcome(welcome) = *message else { continue };
                    if welcome.protocol != PROTOCOL_VERSION {
                        return Err(ClientError::Protocol { found: welcome.protocol });
                    }
                    return Ok((attachment, welcome));
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
        Ok(match self.connection.next().await.map_err(|closed| closed.reason)? {
            Frame::Text(text) => match serde_json::from_str(&text) {
                Ok(message) => Incoming::Message(Box::new(message)),
                Err(_) => {
                    let value: Value = serde_json::from_str(&text).unwrap_or_default();
                    Incoming::Unknown { seq: value["seq"].as_u64() }
                }
            },
            Frame::Preview(preview) => Incoming::Preview(preview),
            Frame::Other => Incoming::Nothing,
        })
    }

    /// Sends messages together.
    pub(crate) async fn send(&mut self, messages: &[ClientMessage]) -> Result<(), String> {
        let texts: Result<Vec<String>, _> = messages.iter().map(serde_json::to_string).collect();
        self.connection.send(texts.map_err(|error| error.to_string())?).await
    }

    /// Says goodbye; the server may be gone already.
    pub(crate) async fn close(self) {
        self.connection.close().await;
    }
}
