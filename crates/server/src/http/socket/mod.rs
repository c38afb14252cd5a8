//! One client on a WebSocket: a reader task handles requests, and a writer task sends replies, events
//! and previews. They are separate, so that a slow client is still read.

mod accept;
mod frames;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use futures_util::StreamExt;
use futures_util::stream::SplitStream;
use hyper::upgrade::OnUpgrade;
use protocol::{ClientMessage, DecodeError, ErrorCode, ServerMessage, decode};
use serde::Deserialize;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, Utf8Bytes};

use session::{Attachment, Missed, Permission, SessionHandle};

use super::requests::{RequestedView, Requests};
use crate::admission::ConnectionPermit;
use crate::shares::Share;
use crate::wire::{self, error};

use self::accept::Socket;
use self::frames::{Frames, MAX_FRAME_SENT};
use self::writer::{Beginning, Farewell, Writer};
use super::app::App;
use super::arriving::{ArrivalError, Arriving};
use super::problem::{PARSING, Problem};
use super::query::QueryOf;
use super::texts::object_with;

/// The largest message of a client in bytes: pictures fit, videos do not.
pub(crate) const MAX_MESSAGE: usize = 4 * 1024 * 1024;
/// Bytes of a message that takes a while to read.
const LARGE_MESSAGE: usize = 16 * 1024;
/// The hard limit in bytes, which closes the connection. Between the two limits, the client gets an
/// error and the connection stays open.
const MAX_FRAME: usize = 16 * 1024 * 1024;
/// The write buffer in bytes. Each frame is flushed before the next, and pongs go between them.
const MAX_UNSENT: usize = 4 * MAX_FRAME_SENT;
/// What a socket reads at once, in bytes; larger messages are read in pieces. Every socket has it.
const READ_BUFFER: usize = 2 * 1024;
/// Capacity of the reply channel to the writer. If it is full, the client does not read its replies,
/// and its messages are not read either.
const REPLIES: usize = 64;
/// A client that sends no frame (not even a pong) for this long is disconnected.
const IDLE_TIMEOUT: Duration = Duration::from_secs(40);

#[derive(Deserialize)]
pub(super) struct Attach {
    session: Option<String>,
    epoch: Option<String>,
    after: Option<u64>,
}

/// The headers of a handshake, checked.
type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

pub(super) async fn upgrade(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    QueryOf(attach): QueryOf<Attach>,
    Extension(permit): Extension<ConnectionPermit>,
    Extension(arriving): Extension<Arriving>,
    Extension(share): Extension<Share>,
    (on_upgrade, upgrade): (Option<Extension<OnUpgrade>>, Upgrade),
) -> Result<Response, Problem> {
    let handshake = check_key(&headers)?;
    let key = attach.session.filter(|key| !key.is_empty());
    let found = match &key {
        Some(key) => {
            let found = app.sessions.get(key).await?;
            Some(found.ok_or_else(|| Problem::unknown_session(key))?)
        }
        None => None,
    };
    let no_socket = |error: &dyn std::fmt::Display| {
        Problem::new(StatusCode::BAD_REQUEST, format!("this path is a WebSocket: {error}"))
    };
    // It checks the other headers. Its sockets send whole messages only.
    drop(upgrade.map_err(|error| no_socket(&error))?);
    let (Some(handshake), Some(Extension(on_upgrade))) = (handshake, on_upgrade) else {
        return Err(no_socket(&"the connection cannot be upgraded"));
    };
    let (session, permission) = match found {
        Some(found) => found,
        None => {
            share.may_begin_session()?;
            let tier = app.tiers.of(&headers);
            (app.sessions.create_in_tier(tier.as_deref()).await?, Permission::Own)
        }
    };
    let counted = share.session(session.id())?;
    let guest = Guest { session, permission, key, share };
    let after = attach.epoch.zip(attach.after);
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_FRAME))
        .max_frame_size(Some(MAX_FRAME))
        .write_buffer_size(MAX_FRAME_SENT)
        .max_write_buffer_size(MAX_UNSENT)
        .read_buffer_size(READ_BUFFER);
    let tracker = app.tracker.clone();
    let attended = async move |socket| {
        arriving.begin();
        attend(app, guest, socket, arriving, after).await;
        // A socket holds its permits for its lifetime.
        drop((permit, counted));
    };
    // The tracker owns the socket task, so that a stopping server can wait for its close frame.
    Ok(accept::accept(&handshake, on_upgrade, config, &tracker, attended))
}

/// The handshake has one key of 16 bytes in base64 (RFC 6455, section 4.2.1).
fn check_key(headers: &HeaderMap) -> Result<Option<HeaderValue>, Problem> {
    let mut keys = headers.get_all(header::SEC_WEBSOCKET_KEY).iter();
    // A request without a key is not a handshake, which is a different error.
    let Some(key) = keys.next() else { return Ok(None) };
    match BASE64.decode(key.as_bytes()) {
        Ok(bytes) if bytes.len() == 16 && keys.next().is_none() => Ok(Some(key.clone())),
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
    share: Share,
}

/// Serves one client until it disconnects.
async fn attend(
    app: Arc<App>,
    guest: Guest,
    socket: Socket,
    arriving: Arriving,
    after: Option<(String, u64)>,
) {
    let Guest { session, permission, key, share } = guest;
    let (sink, stream) = socket.split();
    let token = key.clone().filter(|_| permission < Permission::Own);
    let revoked = token.map(|token| app.sessions.until_revoked(token));
    let after_seq = after.as_ref().map(|(_, seq)| *seq);
    let Ok(mut attachment) = session.attach(after).await else {
        return;
    };
    let seen = after_seq.filter(|_| attachment.missed.is_some()).unwrap_or(attachment.view.seq);
    let gone = app.cancel.child_token();
    let mut frames = Frames::new(sink, gone.clone());
    let beginning = beginning(&app, key, permission, &mut attachment, after_seq);
    let Some(beginning) = beginning.await else {
        return frames.end(close_code::AGAIN, "there is no room; try again").await;
    };
    let Attachment { view: state, live, .. } = attachment;
    let (replies, outgoing) = mpsc::channel::<Box<ServerMessage>>(REPLIES);
    let (view, views) = watch::channel(RequestedView::default());
    let (present, own_place) = watch::channel(None);
    let (answers, answered) = watch::channel(false);
    let renderer = app.renderer.clone();
    let requests = Requests::new(session.clone(), permission, share, renderer, view, present);
    let writer = Writer {
        app: Arc::clone(&app),
        session,
        frames,
        outgoing,
        views,
        own_place,
        answered,
        epoch: state.epoch,
        seq: seen,
    };
    // The reader's close code for the writer; unset if the server stops.
    let (farewell, reason) = watch::channel((close_code::AWAY, "the server is stopping"));
    // Boxed, since a future that waits for another one has room for it twice.
    let reading = Box::pin(read(stream, arriving, answers, requests, replies, gone.clone()));
    let writing = Box::pin(writer.write(beginning, live, gone.clone(), reason));
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

/// What a client is sent first: the welcome, whose scene and chat all clients of the session share, and what it missed.
/// `None` if the server has no room for it, or stops.
async fn beginning(
    app: &App,
    key: Option<String>,
    permission: Permission,
    attachment: &mut Attachment,
    after: Option<u64>,
) -> Option<Beginning> {
    let texts = async {
        let scene = app.scene_texts.of(&attachment.view.revision.scene).await?;
        Ok::<_, Problem>((scene, app.scene_texts.of_chat(&attachment.view.chat).await?))
    };
    let (scene, chat) = match app.cancel.run_until_cancelled(texts).await? {
        Ok(texts) => texts,
        Err(problem) => {
            tracing::warn!(reason = problem.detail(), "a client cannot be welcomed");
            return None;
        }
    };
    let models = app.models.list();
    let welcome = wire::welcome(&app.about, &models, key, permission, attachment, after);
    let welcome = object_with(&welcome, [("chat", chat), ("scene", scene.bytes)]);
    let missed = attachment.missed.take();
    let has_missed = match &missed {
        Some(Missed::AtHand(events)) => !events.is_empty(),
        Some(Missed::InLog) => true,
        None => false,
    };
    if has_missed {
        app.runs.metrics.gap_refilled();
    }
    Some(Beginning { welcome, missed, newest: attachment.view.seq })
}

/// The close code for a protocol error.
fn farewell_after(error: &tungstenite::Error) -> Farewell {
    match error {
        tungstenite::Error::Utf8(_) => (close_code::INVALID, "a text frame was not UTF-8"),
        tungstenite::Error::Capacity(_) => (close_code::SIZE, "the message is too large"),
        tungstenite::Error::Io(error) => match error
            .get_ref()
            .and_then(|error| error.downcast_ref())
        {
            Some(ArrivalError::Crowded(_)) => {
                (close_code::AGAIN, "too much arrives at once; try again")
            }
            Some(ArrivalError::Slow) => (close_code::POLICY, "a message took too long to arrive"),
            None => (close_code::PROTOCOL, "the connection broke"),
        },
        _ => (close_code::PROTOCOL, "the frames broke the protocol"),
    }
}

/// Reads a message. Large ones are read on a blocking thread, and few at a time, so that who sends many of them
/// keeps nobody else waiting.
async fn decoded(text: Utf8Bytes) -> Result<ClientMessage, DecodeError> {
    if text.len() <= LARGE_MESSAGE {
        return decode(&text);
    }
    // The semaphore is never closed.
    let permit = PARSING.acquire().await;
    let read = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        decode(&text)
    });
    read.await.unwrap_or_else(|panic| {
        let (code, message) = (ErrorCode::Internal, panic.to_string());
        Err(DecodeError { request_id: None, code, message })
    })
}

/// Handles frames until the client disconnects; returns a close code, unless the writer chooses it.
async fn read(
    mut stream: SplitStream<Socket>,
    arriving: Arriving,
    answers: watch::Sender<bool>,
    requests: Requests,
    replies: mpsc::Sender<Box<ServerMessage>>,
    gone: CancellationToken,
) -> Option<Farewell> {
    loop {
        let next = gone.run_until_cancelled(timeout(IDLE_TIMEOUT, stream.next()));
        let next = next.await;
        if let Some(Ok(Some(Ok(message)))) = &next {
            match message {
                Message::Ping(payload) | Message::Pong(payload) => arriving.control(payload.len()),
                _ => arriving.whole(),
            }
        }
        let reply = match next {
            Some(Ok(Some(Ok(Message::Text(text))))) if text.len() > MAX_MESSAGE => {
                let message = format!("a message may have at most {MAX_MESSAGE} bytes");
                Some(error(None, ErrorCode::TooLarge, message, false))
            }
            Some(Ok(Some(Ok(Message::Text(text))))) => match decoded(text).await {
                // Boxed, so that a socket that is silent does not hold room for it.
                Ok(message) => Box::pin(requests.answer(message)).await,
                Err(fault) => Some(error(fault.request_id, fault.code, fault.message, false)),
            },
            Some(Ok(Some(Ok(Message::Binary(_))))) => {
                let message = "messages are JSON text frames, not binary ones".to_owned();
                Some(error(None, ErrorCode::BadMessage, message, false))
            }
            Some(Ok(Some(Ok(Message::Pong(_))))) => {
                answers.send_if_modified(|answered| !std::mem::replace(answered, true));
                None
            }
            Some(Ok(Some(Ok(Message::Ping(_) | Message::Frame(_))))) => None,
            Some(Ok(Some(Ok(Message::Close(_))) | None)) => {
                return Some((close_code::NORMAL, ""));
            }
            Some(Ok(Some(Err(error)))) => return Some(farewell_after(&error)),
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
