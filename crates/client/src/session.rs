//! A session as its user sees it: one stream of updates, and requests that are acknowledged.

use std::collections::VecDeque;

use protocol::{ClientRequest, ServerMessage};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::attachment::{Attachment, Cursor};
use crate::driver::{Command, Driver};
use crate::error::{ClientError, RequestError};
use crate::preview::Preview;
use crate::server::Server;
use crate::update::Update;

/// Updates that were read and not taken. When it is full, the socket is not read, and the server keeps the
/// events in its log.
const UPDATES: usize = 256;
/// Requests on their way to the socket.
const REQUESTS: usize = 64;

/// A client of one session. It reconnects by itself; dropping it ends the connection.
#[derive(Debug)]
pub struct Session {
    id: String,
    updates: mpsc::Receiver<Update>,
    /// Beside the updates, since only the newest counts.
    previews: watch::Receiver<Option<Preview>>,
    commands: mpsc::Sender<Command>,
    /// Updates that came while a request waited for its answer.
    backlog: VecDeque<Update>,
    next_id: u64,
    driver: JoinHandle<()>,
}

impl Server {
    /// Attaches to a session, or to a new one, and waits for its welcome.
    pub async fn open(&self, session: Option<&str>) -> Result<Session, ClientError> {
        Session::open(self.clone(), session.map(str::to_owned)).await
    }
}

impl Session {
    async fn open(server: Server, id: Option<String>) -> Result<Self, ClientError> {
        let cursor = Cursor { session: id, position: None };
        let (connection, welcome) = Attachment::open(&server, &cursor).await?;
        let (sender, updates) = mpsc::channel(UPDATES);
        let (commands, receiver) = mpsc::channel(REQUESTS);
        let (newest, previews) = watch::channel(None);
        let id = welcome.session_id.clone();
        let driver = Driver::new(server, sender, newest, receiver);
        let driver = tokio::spawn(driver.run(connection, welcome));
        let backlog = VecDeque::new();
        Ok(Self { id, updates, previews, commands, backlog, next_id: 1, driver })
    }

    /// The session's id, or the token of the link with which it was opened.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The next update; the first is a welcome. `None` after the end. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<Update> {
        if let Some(update) = self.backlog.pop_front() {
            return Some(update);
        }
        tokio::select! {
            biased;
            update = self.updates.recv() => update,
            Ok(()) = self.previews.changed() => {
                let preview = self.previews.borrow_and_update().clone();
                // It is set before it is announced.
                preview.map(Update::Preview)
            }
        }
    }

    /// Sends a request; what becomes of it comes as [`Update::Reply`] with this number.
    pub fn send(&mut self, request: ClientRequest) -> Result<u64, RequestError> {
        let id = self.next_id;
        self.next_id += 1;
        match self.commands.try_send(Command { id, request }) {
            Ok(()) => Ok(id),
            Err(mpsc::error::TrySendError::Full(_)) => Err(RequestError::NotConnected),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(RequestError::Closed),
        }
    }

    /// Sends a request and waits until the server has carried it out or refused it. Updates that come
    /// meanwhile are kept for [`Session::next`].
    pub async fn ask(
        &mut self,
        request: ClientRequest,
    ) -> Result<Option<ServerMessage>, RequestError> {
        let asked = self.send(request)?;
        loop {
            match self.updates.recv().await {
                Some(Update::Reply { id, outcome }) if id == asked => return outcome,
                Some(update) => self.backlog.push_back(update),
                None => return Err(RequestError::Closed),
            }
        }
    }

    /// Ends the connection and waits for its end.
    pub async fn close(self) {
        let Self { updates, commands, driver, .. } = self;
        drop((updates, commands));
        // It only fails if it was cancelled with its runtime.
        let _ = driver.await;
    }
}
