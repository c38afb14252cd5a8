//! One client on a WebSocket: a reader task handles requests, and a writer task sends replies, events
//! and previews. They are separate, so that a slow client is still read.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use protocol::{ErrorCode, PreviewHeader, ServerMessage, decode};
use serde::Deserialize;
use serde_json::Value;
use studio::{Frame, PREVIEW_FORMAT, Viewer};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use session::{LoggedEvent, People, Permission, Present, SessionHandle, Update};

use super::requests::{RequestedView, Requests, error};
use crate::admission::ConnectionPermit;
use crate::wire;

use super::app::App;
use super::problem::Problem;

/// The largest message of a client in bytes: pictures fit, videos do not.
pub(crate) const MAX_MESSAGE: usize = 4 * 1024 * 1024;
/// The hard limit in bytes, which closes the connection. Between the two limits, the client gets an
/// error and the connection stays open.
const MAX_FRAME: usize = 16 * 1024 * 1024;
/// The write buffer in bytes. Each frame is flushed before the next, so it only has to fit the largest
/// one: the welcome of the largest scene.
const MAX_UNSENT: usize = 256 * 1024 * 1024;
/// What a socket reads at once, in bytes; larger messages are read in pieces. Every socket has it.
const READ_BUFFER: usize = 2 * 1024;
/// Capacity of the reply channel to the writer. If it is full, the client does not read its replies,
/// and its messages are not read either.
const REPLIES: usize = 64;
/// Events per read of the log for a lagging client.
const EVENTS_PER_PAGE: usize = 1_000;
/// The time limit for sending a frame.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// The time after which a slow preview frame pauses refinement for this client, so that a client that
/// does not read costs one frame, not a film.
const FRAME_PATIENCE: Duration = Duration::from_secs(1);
/// The least time between two messages about the people of a session.
const PEOPLE_PAUSE: Duration = Duration::from_millis(150);
/// The interval of pings.
const PING_EVERY: Duration = Duration::from_secs(25);
/// A client that sends no frame (not even a pong) for this long is disconnected.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
pub(super) struct Attach {
    session: Option<String>,
    epoch: Option<String>,
    after: Option<u64>,
}

pub(super) async fn upgrade(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    attach: Result<Query<Attach>, axum::extract::rejection::QueryRejection>,
    permit: Option<Extension<ConnectionPermit>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let Query(attach) = attach
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the query: {error}")))?;
    check_key(&headers)?;
    let key = attach.session.filter(|key| !key.is_empty());
    let found = match &key {
        Some(key) => {
            let found = app.sessions.get(key).await?;
            Some(found.ok_or_else(|| Problem::unknown_session(key))?)
        }
        None => None,
    };
    let upgrade = upgrade.map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("this path is a WebSocket: {error}"))
    })?;
    let (session, permission) = match found {
        Some(found) => found,
        None => {
            let tier = app.tiers.of(&headers);
            (app.sessions.create_in_tier(tier.as_deref()).await?, Permission::Own)
        }
    };
    let guest = Guest { session, permission, key };
    let after = attach.epoch.zip(attach.after);
    let response = upgrade
        .max_message_size(MAX_FRAME)
        .max_frame_size(MAX_FRAME)
        .max_write_buffer_size(MAX_UNSENT)
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| async move {
            let tracker = app.tracker.clone();
            // The tracker owns the socket task, so that a stopping server can wait for its close frame.
            tracker.spawn(async move {
                attend(app, guest, socket, after).await;
                // A socket holds its connection permit for its lifetime.
                drop(permit);
            });
        });
    Ok(response.into_response())
}

/// The handshake has one key of 16 bytes in base64 (RFC 6455, section 4.2.1).
fn check_key(headers: &HeaderMap) -> Result<(), Problem> {
    let mut keys = headers.get_all(header::SEC_WEBSOCKET_KEY).iter();
    // A request without a key is not a handshake, which is a different error.
    let Some(key) = keys.next() else { return Ok(()) };
    match BASE64.decode(key.as_bytes()) {
        Ok(bytes) if bytes.len() == 16 && keys.next().is_none() => Ok(()),
        _ => {
            let detail = "one Sec-WebSocket-Key of 16 bytes in base64 is needed (RFC 6455)";
            Err(Problem::new(StatusCode::BAD_REQUEST, detail))
        }
    }
}

/// The client and its session.
struct Guest {
    session: SessionHandle,
    permission: Permission,
    /// The key the client used: the id, or a share token, which must not reveal the id.
    key: Option<String>,
}

/// Serves one client until it disconnects.
async fn attend(app: Arc<App>, guest: Guest, socket: WebSocket, after: Option<(String, u64)>) {
    let Guest { session, permission, key } = guest;
    let (sink, stream) = socket.split();
    let token = key.clone().filter(|_| permission < Permission::Own);
    let revoked = token.map(|token| app.sessions.until_revoked(token));
    let after_seq = after.as_ref().map(|(_, seq)| *seq);
    let Ok(attachment) = session.attach(after).await else {
        return;
    };
    let models = app.models.list();
    let welcome = wire::welcome(&app.about, &models, key, permission, &attachment, after_seq);
    let seen = after_seq.filter(|_| attachment.missed.is_some()).unwrap_or(attachment.view.seq);
    let beginning = Beginning { welcome, missed: attachment.missed.unwrap_or_default() };
    let (replies, outgoing) = mpsc::channel::<Box<ServerMessage>>(REPLIES);
    let (view, views) = watch::channel(RequestedView::default());
    let gone = app.cancel.child_token();
    let (present, own_place) = watch::channel(None);
    let requests = Requests::new(session.clone(), permission, app.renderer.clone(), view, present);
    let writer = Writer { session, sink, outgoing, views, own_place, seq: seen };
    // The reader's close code for the writer; unset if the server stops.
    let (farewell, reason) = watch::channel((close_code::AWAY, "the server is stopping"));
    let reading = read(stream, requests, replies, gone.clone());
    let writing = writer.write(beginning, attachment.live, gone.clone(), reason);
    // The task that ends first stops the other through the token.
    tokio::join!(
        async {
            if let Some(ended) = reading.await {
                farewell.send_replace(ended);
            }
            gone.cancel();
        },
        async {
            writing.await;
            gone.cancel();
        },
        async {
            let Some(revoked) = revoked else { return };
            if gone.run_until_cancelled(revoked).await.is_some() {
                farewell.send_replace((close_code::POLICY, "the link was taken back"));
                gone.cancel();
            }
        }
    );
}

/// A close code and its reason.
type Farewell = (u16, &'static str);

/// The close code for a protocol error.
fn farewell_after(error: axum::Error) -> Farewell {
    match error.into_inner().downcast_ref::<tungstenite::Error>() {
        Some(tungstenite::Error::Utf8(_)) => (close_code::INVALID, "a text frame was not UTF-8"),
        Some(tungstenite::Error::Capacity(_)) => (close_code::SIZE, "the message is too large"),
        _ => (close_code::PROTOCOL, "the frames broke the protocol"),
    }
}

/// Handles frames until the client disconnects; returns a close code, unless the writer chooses it.
async fn read(
    mut stream: SplitStream<WebSocket>,
    requests: Requests,
    replies: mpsc::Sender<Box<ServerMessage>>,
    gone: CancellationToken,
) -> Option<Farewell> {
    loop {
        let next = gone.run_until_cancelled(timeout(IDLE_TIMEOUT, stream.next()));
        let reply = match next.await {
            Some(Ok(Some(Ok(Message::Text(text))))) if text.len() > MAX_MESSAGE => {
                let message = format!("a message may have at most {MAX_MESSAGE} bytes");
                Some(error(None, ErrorCode::TooLarge, message, false))
            }
            Some(Ok(Some(Ok(Message::Text(text))))) => match decode(&text) {
                // Boxed, so that a socket that is silent does not hold room for it.
                Ok(message) => Box::pin(requests.answer(message)).await,
                Err(fault) => Some(error(fault.request_id, fault.code, fault.message, false)),
            },
            Some(Ok(Some(Ok(Message::Binary(_))))) => {
                let message = "messages are JSON text frames, not binary ones".to_owned();
                Some(error(None, ErrorCode::BadMessage, message, false))
            }
            Some(Ok(Some(Ok(Message::Ping(_) | Message::Pong(_))))) => None,
            Some(Ok(Some(Ok(Message::Close(_))) | None)) => {
                return Some((close_code::NORMAL, ""));
            }
            Some(Ok(Some(Err(error)))) => return Some(farewell_after(error)),
            Some(Err(_silence)) => return Some((close_code::POLICY, "nothing came for too long")),
            // The server stops, or the writer gave up.
            None => return None,
        };
        if let Some(reply) = reply
            && replies.send(Box::new(reply)).await.is_err()
        {
            return None;
        }
    }
}

struct Writer {
    session: SessionHandle,
    sink: SplitSink<WebSocket, Message>,
    /// Boxed, since a channel has room for 32 messages from the start.
    outgoing: mpsc::Receiver<Box<ServerMessage>>,
    views: watch::Receiver<RequestedView>,
    /// This client among the people of the session, once it has told of itself.
    own_place: watch::Receiver<Option<Arc<Present>>>,
    /// Number of the last event sent.
    seq: u64,
}

/// The first messages to a client.
struct Beginning {
    welcome: ServerMessage,
    missed: Vec<LoggedEvent>,
}

/// The client is unreachable.
struct Unreachable;

impl Writer {
    /// Sends the welcome, the missed events, and then everything as it happens.
    async fn write(
        mut self,
        beginning: Beginning,
        mut live: broadcast::Receiver<Update>,
        gone: CancellationToken,
        reason: watch::Receiver<Farewell>,
    ) {
        // Boxed like everything a socket does seldom: most sockets only wait.
        if Box::pin(self.begin(beginning)).await.is_err() {
            return;
        }
        let mut requested = self.views.borrow_and_update().clone();
        let mut viewer = self.session.previews().watch(&requested.view);
        let mut pings = tokio::time::interval(PING_EVERY);
        let mut people = None;
        let mut next_told = Instant::now();
        loop {
            let sent = tokio::select! {
                biased;
                () = gone.cancelled() => break,
                reply = self.outgoing.recv() => match reply {
                    Some(reply) => Box::pin(self.send_json(&reply)).await,
                    None => break,
                },
                event = live.recv() => match event {
                    Ok(update) => Box::pin(self.send_update(update)).await,
                    Err(RecvError::Lagged(_)) => Box::pin(self.catch_up()).await,
                    // The session was deleted or closed; reconnecting tells which.
                    Err(RecvError::Closed) => break,
                },
                Ok(()) = self.views.changed() => {
                    let before = std::mem::replace(&mut requested, self.views.borrow_and_update().clone());
                    if before.view != requested.view {
                        viewer = self.session.previews().watch(&requested.view);
                    }
                    viewer.set_paused(requested.paused);
                    Ok(())
                }
                Ok(()) = self.own_place.changed() => {
                    people = Some(self.session.presence().follow());
                    self.send_people(people.as_mut()).await
                }
                () = people_changed(people.as_mut(), next_told) => {
                    let sent = self.send_people(people.as_mut()).await;
                    next_told = Instant::now() + pause_between_people(people.as_ref());
                    sent
                }
                frame = viewer.next(), if !requested.paused => {
                    let view = requested.request_id.as_ref();
                    Box::pin(self.send_frame(&frame, view, &mut viewer)).await
                }
                _ = pings.tick() => self.send(Message::Ping(Bytes::new())).await,
            };
            if sent.is_err() {
                return;
            }
        }
        let (code, words) = *reason.borrow();
        let farewell = CloseFrame { code, reason: words.into() };
        // The client may be gone already.
        let _ = self.send(Message::Close(Some(farewell))).await;
        // If the client closed first, the reply to its close frame still has to be sent.
        let _ = timeout(SEND_TIMEOUT, self.sink.close()).await;
    }

    async fn begin(&mut self, beginning: Beginning) -> Result<(), Unreachable> {
        let Beginning { welcome, missed } = beginning;
        self.send_json(&welcome).await?;
        for event in missed {
            self.send_event(&event).await?;
        }
        Ok(())
    }

    /// Sends the events that the broadcast channel dropped because this client was slow.
    async fn catch_up(&mut self) -> Result<(), Unreachable> {
        loop {
            // If the log cannot be read, the client reconnects and gets a new welcome.
            let page = self.session.events(self.seq, EVENTS_PER_PAGE).await;
            let page = page.ok().flatten().ok_or(Unreachable)?;
            for event in page.events {
                let seq = event.seq();
                self.send_numbered(seq, &wire::text(&wire::event_message(event))).await?;
            }
            if !page.more {
                return Ok(());
            }
        }
    }

    async fn send_update(&mut self, update: Update) -> Result<(), Unreachable> {
        match update {
            Update::Event(event) => self.send_event(&event).await,
            Update::Progress { step, action, target } => {
                self.send_json(&wire::progress(step, action, target.to_string())).await
            }
            Update::NotSaved { message } => {
                self.send_json(&wire::not_saved(message.to_string())).await
            }
        }
    }

    async fn send_people(
        &mut self,
        people: Option<&mut watch::Receiver<People>>,
    ) -> Result<(), Unreachable> {
        let you = self.own_place.borrow_and_update().as_ref().map(|place| place.id());
        let (Some(you), Some(people)) = (you, people) else { return Ok(()) };
        let message = wire::presence(you, &people.borrow_and_update());
        self.send_json(&message).await
    }

    async fn send_event(&mut self, event: &LoggedEvent) -> Result<(), Unreachable> {
        self.send_numbered(event.seq(), &wire::event_text(event)).await
    }

    async fn send_numbered(&mut self, seq: u64, text: &str) -> Result<(), Unreachable> {
        // After catching up, the broadcast channel repeats events that were read from the log.
        if seq <= self.seq {
            return Ok(());
        }
        self.seq = seq;
        self.send(Message::Text(text.into())).await
    }

    async fn send_json(&mut self, message: &ServerMessage) -> Result<(), Unreachable> {
        self.send(Message::Text(wire::text(message).into())).await
    }

    async fn send_frame(
        &mut self,
        frame: &Frame,
        view: Option<&Value>,
        viewer: &mut Viewer,
    ) -> Result<(), Unreachable> {
        self.send_patiently(Message::Binary(encode_frame(frame, view)), viewer).await?;
        self.send_json(&ServerMessage::RenderProgress {
            revision: frame.revision,
            samples: frame.samples,
            target_samples: frame.target_samples,
            elapsed_ms: milliseconds(frame.elapsed),
            eta_ms: milliseconds(frame.remaining),
            noise: frame.noise,
        })
        .await
    }

    /// Sends a message; if that is slow, `viewer` is paused meanwhile.
    async fn send_patiently(
        &mut self,
        message: Message,
        viewer: &mut Viewer,
    ) -> Result<(), Unreachable> {
        let sending = self.send(message);
        tokio::pin!(sending);
        if let Ok(sent) = timeout(FRAME_PATIENCE, &mut sending).await {
            return sent;
        }
        viewer.set_paused(true);
        sending.await?;
        viewer.set_paused(false);
        Ok(())
    }

    async fn send(&mut self, message: Message) -> Result<(), Unreachable> {
        match timeout(SEND_TIMEOUT, self.sink.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Unreachable),
        }
    }
}

/// Waits until the people of the session have changed and may be told again; for ever where nobody asked.
async fn people_changed(people: Option<&mut watch::Receiver<People>>, next_told: Instant) {
    let Some(people) = people else { return std::future::pending().await };
    tokio::time::sleep_until(next_told).await;
    if people.changed().await.is_err() {
        std::future::pending().await
    }
}

/// How long a client waits between two messages about people: longer where there are many, who change often and
/// are many to tell.
fn pause_between_people(people: Option<&watch::Receiver<People>>) -> Duration {
    let count = people.map_or(0, |people| people.borrow().len());
    PEOPLE_PAUSE + PEOPLE_PAUSE.mul_f64(count as f64 / 16.0)
}

/// Four bytes of header length, little-endian, the JSON header, the image.
fn encode_frame(frame: &Frame, view: Option<&Value>) -> Bytes {
    let header = PreviewHeader {
        kind: "preview".into(),
        revision: frame.revision,
        pass: frame.pass,
        samples: frame.samples,
        target_samples: frame.target_samples,
        width: frame.width,
        height: frame.height,
        mime_type: PREVIEW_FORMAT.mime_type().into(),
        is_final: frame.is_final(),
        view: view.cloned(),
    };
    // The header holds only texts and numbers, and is far below 4 GiB.
    let header = serde_json::to_vec(&header).unwrap_or_default();
    let mut bytes = Vec::with_capacity(4 + header.len() + frame.image.len());
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&frame.image);
    bytes.into()
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
