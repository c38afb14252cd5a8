//! Sending to one client: the welcome, events, replies and previews.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::SplitSink;
use protocol::{PreviewHeader, ServerMessage};
use serde_json::Value;
use session::{LoggedEvent, Missed, People, Present, SessionHandle, Update};
use studio::{Frame, PREVIEW_FORMAT, View, Viewer};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use tungstenite::Message;

use super::super::app::App;
use super::super::requests::RequestedView;
use super::super::texts::Gap;
use super::accept::Socket;
use super::frames::{Frames, Unreachable};
use crate::wire;

/// The time after which a slow preview frame pauses refinement for this client, so that a client that
/// does not read costs one frame, not a film.
const FRAME_PATIENCE: Duration = Duration::from_secs(1);
/// The least time between two messages about the people of a session.
const PEOPLE_PAUSE: Duration = Duration::from_millis(150);
/// The interval of pings.
const PING_EVERY: Duration = Duration::from_secs(15);

/// A close code and its reason.
pub(super) type Farewell = (u16, &'static str);

/// Sends what a client gets, in order.
pub(super) struct Writer {
    pub(super) app: Arc<App>,
    pub(super) session: SessionHandle,
    pub(super) frames: Frames<SplitSink<Socket, Message>>,
    /// Boxed, since a channel has room for 32 messages from the start.
    pub(super) outgoing: mpsc::Receiver<Box<ServerMessage>>,
    pub(super) views: watch::Receiver<RequestedView>,
    /// This client among the people of the session, once it has told of itself.
    pub(super) own_place: watch::Receiver<Option<Arc<Present>>>,
    /// Whether the client has answered a ping.
    pub(super) answered: watch::Receiver<bool>,
    /// The epoch of the events' numbers.
    pub(super) epoch: String,
    /// Number of the last event sent.
    pub(super) seq: u64,
}

/// The first messages to a client.
pub(super) struct Beginning {
    /// In pieces, of which the large ones are shared.
    pub(super) welcome: Vec<Bytes>,
    pub(super) missed: Option<Missed>,
    /// Number of the last event that was missed.
    pub(super) newest: u64,
}

impl Writer {
    /// Sends the welcome, the missed events, and then everything as it happens.
    pub(super) async fn write(
        mut self,
        beginning: Beginning,
        mut live: broadcast::Receiver<Update>,
        gone: CancellationToken,
        reason: watch::Receiver<Farewell>,
    ) {
        // Boxed like everything a socket does seldom: most sockets only wait.
        if Box::pin(self.begin(beginning)).await.is_err() && !gone.is_cancelled() {
            return;
        }
        let mut requested = self.views.borrow_and_update().clone();
        let mut viewer = self.watch(&requested.view);
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
                    Err(RecvError::Lagged(_)) => {
                        self.app.runs.metrics.gap_refilled();
                        Box::pin(self.catch_up(None)).await
                    }
                    // The session was deleted or closed; reconnecting tells which.
                    Err(RecvError::Closed) => break,
                },
                Ok(()) = self.views.changed() => {
                    let before = std::mem::replace(&mut requested, self.views.borrow_and_update().clone());
                    if before.view != requested.view {
                        viewer = self.watch(&requested.view);
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
                Ok(()) = self.answered.changed() => {
                    viewer.want_passes();
                    Ok(())
                }
                _ = pings.tick() => self.frames.ping().await,
            };
            // Between the frames of a message there is room for the last words.
            if sent.is_err() && !gone.is_cancelled() {
                return;
            }
        }
        let (code, words) = *reason.borrow();
        self.frames.end(code, words).await;
    }

    async fn begin(&mut self, beginning: Beginning) -> Result<(), Unreachable> {
        let Beginning { welcome, missed, newest } = beginning;
        self.frames.text(welcome).await?;
        match missed {
            Some(Missed::AtHand(events)) => {
                for event in events {
                    self.send_event(&event).await?;
                }
                Ok(())
            }
            Some(Missed::InLog) => self.catch_up(Some(newest)).await,
            None => Ok(()),
        }
    }

    /// A viewer. A large picture is refined for clients only that have answered a ping: for others, which may read
    /// nothing, its drafts do.
    fn watch(&self, view: &View) -> Viewer {
        let drafts_only = view.is_large() && !*self.answered.borrow();
        self.session.previews().watch(view, drafts_only)
    }

    /// Sends the events from the log that this client missed while it was away, up to number `until`, or that the
    /// broadcast channel dropped because it was slow.
    async fn catch_up(&mut self, until: Option<u64>) -> Result<(), Unreachable> {
        loop {
            let gap = Gap { epoch: self.epoch.clone(), after: self.seq, until };
            // If the log cannot be read, the client reconnects and gets a new welcome.
            let page = self.app.missed.page(&self.session, &gap, &self.app.scene_texts).await;
            let page = page.ok_or(Unreachable)?;
            for (seq, event) in page.events() {
                self.send_numbered(seq, event).await?;
            }
            let is_whole = until.is_none_or(|until| self.seq >= until);
            match page.more {
                false if is_whole => return Ok(()),
                // What was told is not in the log any more.
                _ if self.seq == gap.after => return Err(Unreachable),
                _ => {}
            }
        }
    }

    async fn send_update(&mut self, update: Update) -> Result<(), Unreachable> {
        match update {
            Update::Event(event) => self.send_event(&event).await,
            Update::Progress { step, action, target, note } => {
                self.send_json(&wire::progress(step, action, target.to_string(), note)).await
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
        self.send_numbered(event.seq(), wire::event_text(event)).await
    }

    async fn send_numbered(&mut self, seq: u64, text: Bytes) -> Result<(), Unreachable> {
        // After catching up, the broadcast channel repeats events that were read from the log.
        if seq <= self.seq {
            return Ok(());
        }
        self.seq = seq;
        self.frames.text(vec![text]).await
    }

    async fn send_json(&mut self, message: &ServerMessage) -> Result<(), Unreachable> {
        self.frames.text(vec![wire::text(message).into()]).await
    }

    async fn send_frame(
        &mut self,
        frame: &Frame,
        view: Option<&Value>,
        viewer: &mut Viewer,
    ) -> Result<(), Unreachable> {
        self.send_patiently(encode_frame(frame, view), viewer).await?;
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

    /// Sends bytes; if that is slow, `viewer` is paused meanwhile.
    async fn send_patiently(
        &mut self,
        bytes: Bytes,
        viewer: &mut Viewer,
    ) -> Result<(), Unreachable> {
        let sending = self.frames.binary(bytes);
        tokio::pin!(sending);
        if let Ok(sent) = timeout(FRAME_PATIENCE, &mut sending).await {
            return sent;
        }
        viewer.set_paused(true);
        sending.await?;
        viewer.set_paused(false);
        Ok(())
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
