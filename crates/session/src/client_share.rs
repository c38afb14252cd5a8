//! What the client of a request may have of what all clients share, for the doors that know no HTTP.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;

/// The share of a client, as the program counts it. Errors are for the client.
#[async_trait]
pub trait ClientShare: Send + Sync + 'static {
    /// Fails where the client has as many sessions as it may have.
    fn may_begin_session(&self) -> Result<(), String>;

    /// Counts a session that the client has begun.
    fn began_session(&self, id: &str) -> Result<(), String>;

    /// What models are asked for the session counts for this client, until another one talks to it.
    fn talks_to(&self, id: &str);

    /// A place for a picture, for as long as it is held.
    fn picture(&self) -> Result<Box<dyn Any + Send>, String>;

    /// A text that `write` makes on a blocking thread, with room for it until the request is answered.
    async fn written(&self, write: Box<dyn FnOnce() -> String + Send>) -> Result<String, String>;
}

/// The share of the client of a request. Cheap to clone.
pub type SharedClient = Arc<dyn ClientShare>;
