//! Calls over one pipe are carried out in the order in which they came: a change waits for the calls before it, and
//! what follows waits for the change. The protocol handles all requests at once, and a model that answers with
//! several calls means them one after the other.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientRequest, ErrorData, JsonRpcMessage, ProtocolVersion, RequestId, ServerConfig,
    ServerResult,
};
use rmcp::service::{
    NotificationContext, RequestContext, RxJsonRpcMessage, Service, ServiceRole, TxJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::sync::{Notify, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::calls::Needs;
use crate::scene_server::SceneServer;

/// The calls that have come and have not got their turn yet, the oldest first.
#[derive(Default)]
pub(crate) struct Arrivals {
    waiting: Mutex<VecDeque<RequestId>>,
    moved: Notify,
}

impl Arrivals {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<RequestId>> {
        // A queue cannot be left half changed.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn until_first(&self, id: &RequestId) {
        loop {
            let moved = self.moved.notified();
            let mut moved = std::pin::pin!(moved);
            moved.as_mut().enable();
            // A call that did not come through the pipe need not wait.
            if self.waiting().iter().position(|one| one == id).is_none_or(|place| place == 0) {
                return;
            }
            moved.await;
        }
    }

    fn leave(&self, id: &RequestId) {
        self.waiting().retain(|one| one != id);
        self.moved.notify_waiters();
    }
}

/// Leaves the queue when it is dropped, whatever happens to the call.
struct Place<'a> {
    arrivals: &'a Arrivals,
    id: RequestId,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.arrivals.leave(&self.id);
    }
}

/// A transport that notes in which order calls come.
pub(crate) struct Noting<T> {
    pub(crate) inner: T,
    pub(crate) arrivals: Arc<Arrivals>,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Noting<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let message = self.inner.receive().await?;
        if let JsonRpcMessage::Request(request) = &message
            && let ClientRequest::CallToolRequest(_) = &request.request
        {
            self.arrivals.waiting().push_back(request.id.clone());
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// The server, one call after the other.
pub(crate) struct InOrder {
    pub(crate) server: SceneServer,
    pub(crate) arrivals: Arc<Arrivals>,
    /// Hands out turns first come, first served.
    pub(crate) turns: Arc<RwLock<()>>,
}

/// What a call holds while it runs.
enum Turn {
    Look(#[expect(dead_code, reason = "held, not read")] OwnedRwLockReadGuard<()>),
    Change(#[expect(dead_code, reason = "held, not read")] OwnedRwLockWriteGuard<()>),
    /// It has waited for those before it, and nothing waits for it.
    None,
}

impl InOrder {
    async fn turn(&self, name: &str, id: RequestId) -> Turn {
        let place = Place { arrivals: &self.arrivals, id };
        self.arrivals.until_first(&place.id).await;
        match self.server.calls.needs(name) {
            Needs::Look => Turn::Look(Arc::clone(&self.turns).read_owned().await),
            Needs::Change => Turn::Change(Arc::clone(&self.turns).write_owned().await),
            Needs::Time => {
                drop(self.turns.read().await);
                Turn::None
            }
        }
    }
}

impl Service<RoleServer> for InOrder {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let _turn = match &request {
            ClientRequest::CallToolRequest(call) => {
                self.turn(&call.params.name, context.id.clone()).await
            }
            _ => Turn::None,
        };
        self.server.handle_request(request, context).await
    }

    async fn handle_notification(
        &self,
        notification: <RoleServer as ServiceRole>::PeerNot,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.server.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.server)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.server)
    }
}
