//! Progress of long calls, for clients that ask for it.

use std::convert::Infallible;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use serde_json::Value;

/// The pause between two notices about a picture.
const TICK: Duration = Duration::from_millis(500);

/// Tells a client how far a call is.
pub(crate) struct Reporter {
    peer: Peer<RoleServer>,
    /// `None` if the client did not ask.
    token: Option<ProgressToken>,
}

impl Reporter {
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self { peer: context.peer.clone(), token: context.meta.get_progress_token() }
    }

    /// `progress` grows from notice to notice.
    pub(crate) async fn tell(&self, progress: f64, message: &str) {
        let Some(token) = &self.token else { return };
        let notice = ProgressNotificationParam::new(token.clone(), progress).with_message(message);
        // A client that is gone needs no progress; the call notices by itself.
        let _ = self.peer.notify_progress(notice).await;
    }

    /// Tells what another server tells of a call that it carries out.
    pub(crate) async fn pass_on(&self, notice: &Value) {
        let params = &notice["params"];
        if notice["method"] == "notifications/progress"
            && let Some(progress) = params["progress"].as_f64()
        {
            self.tell(progress, params["message"].as_str().unwrap_or_default()).await;
        }
    }

    /// Tells the time that a picture takes, for as long as this is awaited.
    pub(crate) async fn tick(&self) -> Infallible {
        let started = tokio::time::Instant::now();
        loop {
            tokio::time::sleep(TICK).await;
            self.tell(started.elapsed().as_secs_f64(), "working").await;
        }
    }
}
