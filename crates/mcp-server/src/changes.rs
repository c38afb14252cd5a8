//! Tells that a resource has changed, on whichever server its session is.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ErrorData;
use serde_json::json;
use session::{SessionHandle, Update};
use tokio::sync::broadcast::Receiver;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use crate::calls::Calls;
use crate::owners::{Caller, Place};
use crate::relay::{LOOK_AGAIN, Whereabouts, follow_there, look, moved};
use crate::resources::{self, Facet, NotRead};

/// How long changes are collected before a client is told that a resource changed.
const PAUSE: Duration = Duration::from_millis(200);

/// A resource that is followed.
pub(crate) struct Followed {
    calls: Arc<Calls>,
    uri: String,
    client: Option<IpAddr>,
    /// Whether another server asks: it looks for the session itself when that is not here any more.
    for_server: bool,
    source: Source,
}

/// Where the session of a resource is.
enum Source {
    Here { session: SessionHandle, live: Receiver<Update>, facet: Facet },
    There(Place),
}

impl Followed {
    /// Follows a resource; `None` for one that never changes.
    pub(crate) async fn open(
        calls: &Arc<Calls>,
        uri: &str,
        caller: Option<Caller>,
    ) -> Result<Option<Self>, ErrorData> {
        let source = source(calls, uri).await.map_err(|error| refused(uri, error))?;
        let Some(source) = source else { return Ok(None) };
        let for_server = caller.is_some_and(|caller| caller.is_server);
        if for_server && matches!(source, Source::There(_)) {
            return Err(moved());
        }
        Ok(Some(Self {
            calls: Arc::clone(calls),
            uri: uri.to_owned(),
            client: caller.and_then(|caller| caller.address),
            for_server,
            source,
        }))
    }

    /// Tells `changed` of each change, until nobody listens or there is no such session any more.
    ///
    /// The server that another one asks tells of a change at once: what happened while it was being asked nobody saw.
    pub(crate) async fn tell(mut self, changed: Sender<()>) {
        if self.for_server && changed.send(()).await.is_err() {
            return;
        }
        loop {
            match self.source {
                Source::Here { session, mut live, facet } => {
                    while resources::changed(&mut live, facet).await.is_ok() {
                        sleep(PAUSE).await;
                        live = live.resubscribe();
                        if changed.send(()).await.is_err() {
                            return;
                        }
                    }
                    drop(session);
                }
                Source::There(place) => {
                    follow_there(&self.calls.host, &place, self.client, &self.uri, &changed).await;
                }
            }
            if self.for_server || self.calls.host.owners.is_none() {
                return;
            }
            // The session goes on elsewhere, or here. What happened meanwhile was not told.
            sleep(LOOK_AGAIN).await;
            let Ok(Some(source)) = source(&self.calls, &self.uri).await else { return };
            self.source = source;
            if changed.send(()).await.is_err() {
                return;
            }
        }
    }
}

async fn source(calls: &Calls, uri: &str) -> Result<Option<Source>, NotRead> {
    if calls.host.owners.is_some()
        && let Some(key) = resources::session_of(uri)
        && let Whereabouts::There(place) = look(&calls.host, key).await
    {
        return Ok(Some(Source::There(place)));
    }
    let Some((session, facet)) = resources::followed(&calls.current, uri).await? else {
        return Ok(None);
    };
    let live = session.attach(None).await?.live;
    Ok(Some(Source::Here { session, live, facet }))
}

/// The error for a resource that cannot be read.
pub(crate) fn refused(uri: &str, error: NotRead) -> ErrorData {
    match error {
        NotRead::Unknown(message) => {
            ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
        }
        NotRead::Failed(message) => ErrorData::internal_error(message, None),
    }
}
