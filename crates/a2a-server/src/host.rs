//! What the A2A server works with.

use std::sync::Arc;

use session::{Sessions, SharedClient};

/// What the program gives the A2A server.
pub struct Host {
    /// The sessions.
    pub sessions: Arc<Sessions>,
    /// Whether sessions, and so their tasks, may be listed.
    pub lists_sessions: bool,
    /// What the client of the request may have.
    pub client: SharedClient,
}
