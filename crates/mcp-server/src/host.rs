//! What the program gives the MCP server.

use std::path::PathBuf;

use session::Sessions;
use std::sync::Arc;

/// What all connections share.
pub struct Host {
    /// The sessions.
    pub sessions: Arc<Sessions>,
    /// Whether sessions may be listed.
    pub lists_sessions: bool,
    /// The address of the page, where it is known beforehand. Over HTTP it is the one the client has called.
    pub page: Option<String>,
    /// The file that keeps the current session between two starts, for a server with one client.
    pub keeps_session_in: Option<PathBuf>,
}
