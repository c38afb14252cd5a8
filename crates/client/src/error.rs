//! What can go wrong between a client and a server.

use protocol::{ErrorCode, PROTOCOL_VERSION};

/// Why a server gave no answer, or not the one asked for.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClientError {
    /// The address cannot be one of a server.
    #[error(
        "'{address}' is no address of a server ({reason}); one looks like http://127.0.0.1:8080"
    )]
    Address {
        /// As it was given.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The token cannot be sent.
    #[error("the server's token has characters that cannot be sent; check it")]
    Token,
    /// Nothing answers there.
    #[error("no server answers at {address}: {reason}; check the address and that the server runs")]
    Unreachable {
        /// Where.
        address: String,
        /// The system's reason.
        reason: String,
    },
    /// The server refused the request; `detail` is its own sentence, which says what to do.
    #[error("{detail}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// Why.
        detail: String,
    },
    /// The server speaks another protocol.
    #[error(
        "the server speaks protocol {found}, this client {PROTOCOL_VERSION}: update the older of them"
    )]
    Protocol {
        /// The server's number.
        found: u32,
    },
    /// Something answered that is no such server.
    #[error("{address} gave an answer that is not scene-llm's: {reason}; check the address")]
    Unexpected {
        /// Who.
        address: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// A request over the WebSocket failed.
    #[error(transparent)]
    Request(#[from] RequestError),
}

impl ClientError {
    /// Whether the same may succeed later: the server is away or busy.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Refused { status, .. } => matches!(status, 408 | 429 | 500..=599),
            _ => false,
        }
    }
}

/// Why a request of a session was not carried out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The server refused it; the message says what to do.
    #[error("{message}")]
    Refused {
        /// What kind of error.
        code: ErrorCode,
        /// The server's sentence.
        message: String,
        /// Whether it may succeed later.
        retryable: bool,
    },
    /// There is no connection at the moment; nothing was sent.
    #[error("there is no connection to the server; try again when it is back")]
    NotConnected,
    /// The connection was lost before the server confirmed the request.
    #[error(
        "the connection was lost before the server confirmed; look whether it was done before you repeat it"
    )]
    Unconfirmed,
    /// The session has ended for this client.
    #[error("the session is closed")]
    Closed,
}
