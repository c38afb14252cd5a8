//! A client of the protocol: a session over WebSocket that comes back after a lost connection without
//! losing or doubling an event, and over HTTP what is asked once: models, scenes, pictures.
//!
//! ```no_run
//! # async fn example() -> Result<(), client::ClientError> {
//! let server = client::Server::new("http://127.0.0.1:8080", None)?;
//! let mut session = server.open(None).await?;
//! session.ask(client::say("a red ball on a wooden table")).await?;
//! while let Some(update) = session.next().await {
//!     if let client::Update::Message(protocol::ServerMessage::RunFinished { .. }) = update {
//!         break;
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod address;
mod attachment;
mod connection;
mod driver;
mod error;
mod handshake;
mod pending;
mod preview;
mod server;
mod session;
mod update;
mod worker_line;

pub use address::ServerAddress;
pub use connection::{Closed, Connection, Frame};
pub use error::{ClientError, RequestError};
pub use preview::Preview;
pub use protocol::PreviewHeader;
pub use server::{Models, Server};
pub use session::Session;
pub use update::Update;
pub use worker_line::{WorkerReader, WorkerWriter};

use protocol::ClientRequest;

/// A message of the user with nothing but text.
pub fn say(text: &str) -> ClientRequest {
    ClientRequest::UserMessage {
        text: text.to_owned(),
        selection: Vec::new(),
        images: Vec::new(),
        replaces: None,
    }
}
