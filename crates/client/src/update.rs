//! What a session tells.

use std::time::Duration;

use protocol::{ServerMessage, Welcome};

use crate::error::{ClientError, RequestError};
use crate::preview::Preview;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Update {
    /// The state of the session: at the start, and again if the server could not tell what was missed while
    /// the connection was lost. Replaces everything shown before.
    Welcome(Box<Welcome>),
    /// A message of the server. Those with a number come once each, in order, without gaps.
    Message(ServerMessage),
    /// The newest picture; older ones that nobody took are skipped.
    Preview(Preview),
    /// What became of a request.
    Reply {
        /// As `send` returned it.
        id: u64,
        /// The direct reply if there was one, or why the request was not carried out.
        outcome: Result<Option<ServerMessage>, RequestError>,
    },
    /// The connection was lost, or could not be made again; another attempt follows.
    Lost {
        /// From 1.
        attempt: u32,
        /// The pause before the next attempt.
        retry_in: Duration,
        /// Why.
        reason: String,
    },
    /// The connection is back, and all events that were missed have been told.
    Resumed,
    /// The session cannot be reached any more: it was deleted, the link was revoked, or the server speaks
    /// another protocol. Nothing follows.
    Ended(ClientError),
}
