//! Requests about a session that another server has open: they are answered there, and the answer comes back.

use std::net::IpAddr;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use session::{OpenError, SessionHandle};
use store::StoreError;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{Instant, sleep};

use crate::host::Host;
use crate::owners::{AskError, Caller, Place};
use crate::progress::Reporter;

/// How long a request waits for a server that died to lose its lease, and for one that stops to let go of a session.
const PATIENCE: Duration = Duration::from_secs(20);
/// The pause before the owner is looked for again.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Notices that wait for a slow client.
const UNSENT: usize = 16;
/// The code of the error by which a server tells another one that it does not have the session any more.
const MOVED: i32 = -32_050;

/// Where a session is.
pub(crate) enum Whereabouts {
    /// Here, with a handle that keeps it here, or nowhere, or it cannot be told.
    Here(Option<SessionHandle>),
    There(Place),
}

/// Where the session of an id or token is. If no server has it, this one opens it.
pub(crate) async fn look(host: &Host, key: &str) -> Whereabouts {
    match host.sessions.get(key).await {
        Err(OpenError::Store(StoreError::Elsewhere { node, address })) => {
            Whereabouts::There(Place { node, address })
        }
        opened => Whereabouts::Here(opened.ok().flatten().map(|(session, _)| session)),
    }
}

/// What became of a request about a session.
pub(crate) enum Relayed {
    /// It is to be answered here; the handle keeps the session here.
    Here(#[expect(dead_code, reason = "held, not read")] Option<SessionHandle>),
    /// The result of the server that has the session.
    There(Value),
}

/// Why there is no result.
pub(crate) enum RelayError {
    /// An error of the protocol.
    Protocol(ErrorData),
    /// For the client's model.
    Told(String),
}

/// A request for whichever server has its session.
pub(crate) struct Relay<'a> {
    pub(crate) host: &'a Host,
    /// The id or token of the session.
    pub(crate) key: &'a str,
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    /// Whether it may be asked for again when a server is lost.
    pub(crate) only_looks: bool,
}

impl Relay<'_> {
    /// Has the request answered by the server that has the session, if that is another one.
    pub(crate) async fn carry(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<Relayed, RelayError> {
        let Some(owners) = &self.host.owners else { return Ok(Relayed::Here(None)) };
        let caller = Caller::of(&context.extensions);
        let client = caller.and_then(|caller| caller.address);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let place = match look(self.host, self.key).await {
                Whereabouts::Here(session) => return Ok(Relayed::Here(session)),
                Whereabouts::There(place) => place,
            };
            if caller.is_some_and(|caller| caller.is_server) {
                return Err(RelayError::Protocol(moved()));
            }
            let (notices, mut told) = channel(UNSENT);
            let reporter = Reporter::of(context);
            let asking = owners.ask(&place, client, self.method, self.params.clone(), &notices);
            let mut asking = std::pin::pin!(asking);
            let asked = loop {
                tokio::select! {
                    asked = &mut asking => break asked,
                    Some(notice) = told.recv() => reporter.pass_on(&notice).await,
                    () = context.ct.cancelled() => return Err(RelayError::Told("cancelled".into())),
                }
            };
            let why = match asked {
                Ok(result) => return Ok(Relayed::There(result)),
                Err(AskError::Refused(error)) if error["code"] == MOVED => {
                    "the session is moving to another server; try again soon".to_owned()
                }
                Err(AskError::Refused(error)) => {
                    return Err(RelayError::Protocol(protocol_error(error)));
                }
                Err(AskError::Lost(why)) if !self.only_looks => return Err(RelayError::Told(why)),
                Err(AskError::DidNothing(why) | AskError::Lost(why)) => why,
            };
            if Instant::now() >= deadline {
                return Err(RelayError::Told(why));
            }
            sleep(LOOK_AGAIN).await;
        }
    }
}

fn protocol_error(error: Value) -> ErrorData {
    serde_json::from_value(error).unwrap_or_else(|error| {
        ErrorData::internal_error(format!("another server answered wrongly: {error}"), None)
    })
}

impl From<RelayError> for ErrorData {
    fn from(error: RelayError) -> Self {
        match error {
            RelayError::Protocol(error) => error,
            RelayError::Told(why) => Self::internal_error(why, None),
        }
    }
}

/// The error by which a server tells another one that it does not have the session any more.
pub(crate) fn moved() -> ErrorData {
    ErrorData::new(ErrorCode(MOVED), "the session is not here any more", None)
}

/// Has another server tell that a resource has changed, as often as it does; returns when it tells no more, or nobody
/// listens.
pub(crate) async fn follow_there(
    host: &Host,
    place: &Place,
    client: Option<IpAddr>,
    uri: &str,
    changed: &Sender<()>,
) {
    let Some(owners) = &host.owners else { return };
    let (notices, mut told) = channel(UNSENT);
    let params = json!({ "notifications": { "resourceSubscriptions": [uri] } });
    let asking = owners.ask(place, client, "subscriptions/listen", params, &notices);
    let mut asking = std::pin::pin!(asking);
    loop {
        tokio::select! {
            _ = &mut asking => return,
            Some(notice) = told.recv() => {
                let is_change = notice["method"] == "notifications/resources/updated";
                if is_change && changed.send(()).await.is_err() {
                    return;
                }
            }
        }
    }
}
