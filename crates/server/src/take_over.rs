//! Sessions of other servers that died: this server takes them over, which closes runs that were cut off and goes on
//! with goals, also where no client comes again.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use session::OpenError;
use store::StoreError;
use supervision::guarded;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::http::App;

/// How often dead owners are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The most sessions that are taken over at once.
const MAX_AT_ONCE: u32 = 500;

/// Takes over what others left, until `cancel`.
pub(crate) async fn keep_taking_over(app: Arc<App>, cancel: CancellationToken) {
    // Only what has been left for two looks: an owner may just be connecting to the database again.
    let mut seen = HashSet::new();
    while cancel.run_until_cancelled(sleep(LOOK_EVERY)).await.is_some() {
        let orphans = match app.sessions.store().orphans(MAX_AT_ONCE).await {
            Ok(orphans) => orphans,
            Err(error) => {
                tracing::warn!(%error, "sessions that died servers left cannot be looked for");
                continue;
            }
        };
        for id in orphans.iter().filter(|id| seen.contains(*id)) {
            // One that panics is left as it is, and the others are taken over.
            let Some(opened) = guarded("taking over", app.sessions.get(id)).await else { continue };
            match opened {
                Ok(Some(_)) => {
                    app.runs.metrics.taken_over();
                    tracing::info!(session = id, "taken over from a server that died");
                }
                // Deleted meanwhile, or another server was first.
                Ok(None) | Err(OpenError::Store(StoreError::Elsewhere { .. })) => {}
                Err(error) => tracing::warn!(session = id, %error, "a session is not taken over"),
            }
        }
        seen = orphans.into_iter().collect();
    }
}
