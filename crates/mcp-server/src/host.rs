//! What the program gives the MCP server.

use std::path::PathBuf;

use session::{SessionHandle, Sessions};
use std::sync::Arc;

use crate::owners::Owners;
use crate::recent::Recent;

/// What all connections share.
pub struct Host {
    /// The sessions.
    pub(crate) sessions: Arc<Sessions>,
    /// Those that were used last.
    pub(crate) recent: Recent<SessionHandle>,
    /// Whether sessions may be listed.
    pub(crate) lists_sessions: bool,
    /// The address of the page, where it is known beforehand. Over HTTP it is the one the client has called.
    pub(crate) page: Option<String>,
    /// The file that keeps the current session between two starts, for a server with one client.
    pub(crate) keeps_session_in: Option<PathBuf>,
    /// Other servers that may have sessions open, if there are any.
    pub(crate) owners: Option<Arc<dyn Owners>>,
}

impl Host {
    /// For clients that come over HTTP. `lists_sessions`: whether sessions may be listed.
    pub fn new(sessions: Arc<Sessions>, lists_sessions: bool) -> Self {
        let recent = Recent::default();
        Self { sessions, recent, lists_sessions, page: None, keeps_session_in: None, owners: None }
    }

    /// For one of several servers on the same sessions.
    #[must_use]
    pub fn among_servers(self, owners: Arc<dyn Owners>) -> Self {
        Self { owners: Some(owners), ..self }
    }

    /// For one client over standard input and output: with the address of the page, and the file that keeps the
    /// current session between two starts.
    #[must_use]
    pub fn with_one_client(self, page: String, keeps_session_in: Option<PathBuf>) -> Self {
        Self { page: Some(page), keeps_session_in, ..self }
    }
}
