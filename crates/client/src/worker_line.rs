//! The WebSocket of a render worker: binary frames in both directions, whose content is not read here.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::{Method, header};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::connection::Closed;
use crate::error::ClientError;
use crate::handshake::{Socket, upgrade};
use crate::server::Server;

/// The server pings every few seconds: silence of this length is a dead line.
const MAX_SILENCE: Duration = Duration::from_secs(40);
/// The time of one message on its way out.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// The time of an asset on its way.
const ASSET_TIMEOUT: Duration = Duration::from_secs(300);

/// What a server sends to a worker. Must be read all the time, or the server gives the worker up.
#[derive(Debug)]
pub struct WorkerReader(SplitStream<Socket>);

/// What a worker sends to a server.
#[derive(Debug)]
pub struct WorkerWriter(SplitSink<Socket, Message>);

impl Server {
    /// Opens the WebSocket of a render worker with this query.
    pub async fn connect_worker(
        &self,
        query: &[(&str, String)],
    ) -> Result<(WorkerReader, WorkerWriter), ClientError> {
        let socket = upgrade(self, &["api", "workers"], query).await?;
        let (writer, reader) = socket.split();
        Ok((WorkerReader(reader), WorkerWriter(writer)))
    }

    /// The content of an uploaded file, and its media type.
    pub async fn asset(&self, hash: &str) -> Result<(String, Bytes), ClientError> {
        let request = self.request(Method::GET, &["api", "assets", hash], &[]);
        let answer = self.answer(request.timeout(ASSET_TIMEOUT)).await?;
        let kind = answer.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_owned();
        let content = answer.bytes().await.map_err(|error| self.lost(&error))?;
        Ok((kind, content))
    }
}

impl WorkerReader {
    /// The next binary frame. May be dropped while it waits.
    pub async fn next(&mut self) -> Result<Bytes, Closed> {
        let closed = |reason: &str| Closed { code: None, reason: reason.to_owned() };
        loop {
            match timeout(MAX_SILENCE, self.0.next()).await {
                Ok(Some(Ok(Message::Binary(bytes)))) => return Ok(bytes),
                Ok(Some(Ok(Message::Close(Some(close))))) => {
                    let reason = close.reason.to_string();
                    return Err(Closed { code: Some(close.code.into()), reason });
                }
                Ok(Some(Ok(Message::Close(None))) | None) => {
                    return Err(closed("the server closed the connection"));
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => return Err(closed(&error.to_string())),
                Err(_) => return Err(closed("the server is silent")),
            }
        }
    }
}

impl WorkerWriter {
    /// Sends a binary frame.
    pub async fn send(&mut self, frame: Vec<u8>) -> Result<(), String> {
        match timeout(SEND_TIMEOUT, self.0.send(Message::binary(frame))).await {
            Ok(sent) => sent.map_err(|error| error.to_string()),
            Err(_) => Err("the server takes nothing".into()),
        }
    }

    /// Says goodbye; the server may be gone already.
    pub async fn close(mut self) {
        let _ = timeout(Duration::from_secs(1), self.0.close()).await;
    }
}
