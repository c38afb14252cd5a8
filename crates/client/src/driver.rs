//! The task behind a session: keeps a connection, counts events, and comes back after a loss.

use std::time::Duration;

use protocol::{ClientMessage, ClientRequest, ServerMessage, ViewRequest, Welcome};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use crate::attachment::{Attachment, Cursor, Incoming};
use crate::error::RequestError;
use crate::pending::{Answered, Pending};
use crate::preview::Preview;
use crate::server::Server;
use crate::update::Update;

/// The pause after the first failure, doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// The ping whose pong follows all missed events.
const CAUGHT_UP: &str = "caught-up";

/// A request with its number.
pub(crate) struct Command {
    pub(crate) id: u64,
    pub(crate) request: ClientRequest,
}

/// The user of the session is gone.
struct Gone;

/// Why a connection is left.
enum Left {
    Lost(String),
    Gone,
}

impl From<Gone> for Left {
    fn from(Gone: Gone) -> Self {
        Self::Gone
    }
}

pub(crate) struct Driver {
    server: Server,
    updates: mpsc::Sender<Update>,
    previews: watch::Sender<Option<Preview>>,
    commands: mpsc::Receiver<Command>,
    cursor: Cursor,
    pending: Pending,
    /// What the user wants to see, told to every new connection.
    view: Option<(Value, ViewRequest)>,
}

impl Driver {
    pub(crate) fn new(
        server: Server,
        updates: mpsc::Sender<Update>,
        previews: watch::Sender<Option<Preview>>,
        commands: mpsc::Receiver<Command>,
    ) -> Self {
        let (cursor, pending) = (Cursor::default(), Pending::default());
        Self { server, updates, previews, commands, cursor, pending, view: None }
    }

    /// Runs until the user is gone or the session cannot be reached any more.
    pub(crate) async fn run(mut self, mut connection: Attachment, mut welcome: Box<Welcome>) {
        loop {
            let left = match self.welcome(&mut connection, welcome).await {
                Ok(()) => self.attend(&mut connection).await,
                Err(left) => left,
            };
            let reason = match left {
                Left::Lost(reason) => reason,
                Left::Gone => return connection.close().await,
            };
            drop(connection);
            for id in self.pending.lose() {
                let outcome = Err(RequestError::Unconfirmed);
                if self.updates.send(Update::Reply { id, outcome }).await.is_err() {
                    return;
                }
            }
            match self.come_back(reason).await {
                Some(back) => (connection, welcome) = back,
                None => return,
            }
        }
    }

    async fn tell(&self, update: Update) -> Result<(), Gone> {
        self.updates.send(update).await.map_err(|_| Gone)
    }

    /// Begins with a connection: what was missed follows a resumed one, any other replaces everything.
    async fn welcome(
        &mut self,
        connection: &mut Attachment,
        welcome: Box<Welcome>,
    ) -> Result<(), Left> {
        self.cursor.session = Some(welcome.session_id.clone());
        self.cursor.position = Some((welcome.epoch.clone(), welcome.seq));
        let mut messages = Vec::new();
        if let Some((id, view)) = &self.view {
            let request = ClientRequest::View(view.clone());
            messages.push(ClientMessage { request_id: Some(id.clone()), request });
        }
        if welcome.resumed {
            let request_id = Some(json!(CAUGHT_UP));
            messages.push(ClientMessage { request_id, request: ClientRequest::Ping });
        } else {
            self.tell(Update::Welcome(welcome)).await?;
        }
        connection.send(&messages).await.map_err(Left::Lost)
    }

    async fn attend(&mut self, connection: &mut Attachment) -> Left {
        loop {
            let done = tokio::select! {
                command = self.commands.recv() => match command {
                    Some(command) => self.request(connection, command).await.map_err(Left::Lost),
                    None => return Left::Gone,
                },
                incoming = connection.next() => match incoming {
                    Ok(incoming) => self.take(incoming).await,
                    Err(reason) => return Left::Lost(reason),
                },
            };
            if let Err(left) = done {
                return left;
            }
        }
    }

    async fn request(
        &mut self,
        connection: &mut Attachment,
        command: Command,
    ) -> Result<(), String> {
        self.remember_view(&command);
        let messages = self.pending.begin(command.id, command.request);
        connection.send(&messages).await
    }

    fn remember_view(&mut self, Command { id, request }: &Command) {
        let ClientRequest::View(change) = request else { return };
        let mut view = self.view.take().map(|(_, view)| view).unwrap_or_default();
        let change = change.clone();
        view = ViewRequest {
            width: change.width.or(view.width),
            height: change.height.or(view.height),
            quality: change.quality.or(view.quality),
            camera: change.camera.or(view.camera),
            fit_aspect: change.fit_aspect.or(view.fit_aspect),
            hidden: change.hidden.or(view.hidden),
            at_time: change.at_time.or(view.at_time),
            paused: change.paused.or(view.paused),
        };
        self.view = Some((json!(id), view));
    }

    async fn take(&mut self, incoming: Incoming) -> Result<(), Left> {
        let message = match incoming {
            Incoming::Nothing => return Ok(()),
            Incoming::Unknown { seq } => return self.count(seq).map(drop),
            Incoming::Preview(preview) => {
                self.previews.send_replace(Some(preview));
                return Ok(());
            }
            Incoming::Message(message) => *message,
        };
        if matches!(&message, ServerMessage::Pong { request_id: Some(id) } if id == CAUGHT_UP) {
            return Ok(self.tell(Update::Resumed).await?);
        }
        if !self.count(message.seq())? {
            return Ok(());
        }
        match self.pending.take(message) {
            Answered::Kept => Ok(()),
            Answered::Done(id, outcome) => Ok(self.tell(Update::Reply { id, outcome }).await?),
            Answered::No(message) => Ok(self.tell(Update::Message(message)).await?),
        }
    }

    /// Counts an event; false for one that was seen before. A gap, which no server should make, is mended
    /// by a fresh welcome.
    fn count(&mut self, seq: Option<u64>) -> Result<bool, Left> {
        let (Some(seq), Some((_, last))) = (seq, &mut self.cursor.position) else {
            return Ok(true);
        };
        if seq > *last + 1 {
            let reason = format!("event {} is missing", *last + 1);
            self.cursor.position = None;
            return Err(Left::Lost(reason));
        }
        let is_new = seq == *last + 1;
        if is_new {
            *last = seq;
        }
        Ok(is_new)
    }

    /// Connects again, as often as it takes. `None` if there is no use, or nobody to do it for.
    async fn come_back(&mut self, mut reason: String) -> Option<(Attachment, Box<Welcome>)> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let retry_in = pause(attempt);
            self.tell(Update::Lost { attempt, retry_in, reason }).await.ok()?;
            self.refusing(tokio::time::sleep(retry_in)).await?;
            let (server, cursor) = (self.server.clone(), self.cursor.clone());
            match self.refusing(Attachment::open(&server, &cursor)).await? {
                Ok(back) => return Some(back),
                Err(error) if error.is_transient() => reason = error.to_string(),
                Err(error) => {
                    // Whoever listens is told; if nobody does, it is as well.
                    let _ = self.tell(Update::Ended(error)).await;
                    return None;
                }
            }
        }
    }

    /// Waits for something without a connection; requests are refused meanwhile. `None` when the user is
    /// gone.
    async fn refusing<T>(&mut self, waited_for: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(waited_for);
        loop {
            let command = tokio::select! {
                value = &mut waited_for => return Some(value),
                command = self.commands.recv() => command?,
            };
            self.remember_view(&command);
            let outcome = match command.request {
                ClientRequest::View(_) => Ok(None),
                _ => Err(RequestError::NotConnected),
            };
            self.tell(Update::Reply { id: command.id, outcome }).await.ok()?;
        }
    }
}

/// The pause before an attempt: half of it is by chance, so that the clients of a server that was away do not
/// come back in one moment.
fn pause(attempt: u32) -> Duration {
    let longest = FIRST_PAUSE.saturating_mul(1 << (attempt - 1).min(16)).min(MAX_PAUSE);
    longest.mul_f64(0.5 + rand::random::<f64>() / 2.0)
}
