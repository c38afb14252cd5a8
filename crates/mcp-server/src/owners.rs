//! Other servers that may have sessions open, and how they are asked.

use std::net::IpAddr;

use async_trait::async_trait;
use http::request::Parts;
use rmcp::model::Extensions;
use serde_json::Value;
use tokio::sync::mpsc::Sender;

/// Who asks over HTTP, in the extensions of the request.
#[derive(Debug, Clone, Copy)]
pub struct Caller {
    /// The address of the client.
    pub address: Option<IpAddr>,
    /// Whether another server asks: its request is not sent on again.
    pub is_server: bool,
}

impl Caller {
    pub(crate) fn of(extensions: &Extensions) -> Option<Self> {
        extensions.get::<Parts>()?.extensions.get::<Self>().copied()
    }
}

/// The server that has a session open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its name among the servers.
    pub node: String,
    /// Where it listens.
    pub address: String,
}

/// Why another server did not answer.
#[derive(Debug)]
pub enum AskError {
    /// It did nothing, and may not have the session any more.
    DidNothing(String),
    /// It was lost before it answered; what it did is not known.
    Lost(String),
    /// It answered with this JSON-RPC error.
    Refused(Value),
}

/// How other servers are asked.
#[async_trait]
pub trait Owners: Send + Sync + 'static {
    /// Asks a server by a method of the protocol; what it tells before its result goes to `notices`. `client` is the
    /// address of the client, if it came over HTTP. Dropping the future cancels the request there.
    async fn ask(
        &self,
        place: &Place,
        client: Option<IpAddr>,
        method: &str,
        params: Value,
        notices: &Sender<Value>,
    ) -> Result<Value, AskError>;
}
