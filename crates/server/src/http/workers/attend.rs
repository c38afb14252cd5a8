//! One worker on its WebSocket.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use bytes::Bytes;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use studio::{FromWorker, Task, ToWorker, Worker, decode_frame, encode_frame};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, timeout};

use super::super::app::App;

/// Tasks of a worker at the same time: one on its way, while another one is rendered.
const TASKS: usize = 2;
/// Frames on their way to a worker: its tasks, scenes and cancels.
const OUTGOING: usize = 8;
/// The interval of pings.
const PING_EVERY: Duration = Duration::from_secs(5);
/// A worker that says nothing for this long is given up. Its tasks were given to others long before.
const MAX_SILENCE: Duration = Duration::from_secs(30);
/// The time of one message on its way out.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// Why a worker is sent away.
type Farewell = (u16, String);

/// Gives tasks to a worker until it is gone.
pub(super) async fn attend(app: &App, threads: usize, socket: WebSocket) {
    let mut worker = app.renderer.workers().join(threads);
    tracing::info!(threads, "a render worker is here");
    let (sink, mut stream) = socket.split();
    // Of its own, so that both sides always read, whatever is on its way in the other direction.
    let (outgoing, messages) = mpsc::channel(OUTGOING);
    let writing = app.tracker.spawn(write(sink, messages));
    let mut changes = worker.changes();
    let mut pings = interval(PING_EVERY);
    let mut heard = Instant::now();
    let (code, reason) = loop {
        if let Err(farewell) = give(app, &mut worker, &outgoing).await {
            break farewell;
        }
        tokio::select! {
            frame = stream.next() => {
                heard = Instant::now();
                let taken = match frame {
                    Some(Ok(Message::Binary(frame))) => {
                        take(app, &mut worker, &outgoing, &frame).await
                    }
                    Some(Ok(Message::Close(_))) | None => Err((close_code::NORMAL, String::new())),
                    Some(Ok(_)) => Ok(()),
                    Some(Err(error)) => Err((close_code::PROTOCOL, error.to_string())),
                };
                if let Err(farewell) = taken {
                    break farewell;
                }
            }
            // The renderer outlives its workers, so this does not fail.
            _ = changes.changed() => {}
            _ = pings.tick() => {
                if heard.elapsed() > MAX_SILENCE {
                    break (close_code::POLICY, "nothing came for too long".to_owned());
                }
                // Where other messages wait, no ping is needed.
                let _ = outgoing.try_send(Message::Ping(Bytes::new()));
                if outgoing.is_closed() {
                    break (close_code::PROTOCOL, "the connection broke".to_owned());
                }
            }
            () = app.cancel.cancelled() => {
                break (close_code::AWAY, "the server is stopping".to_owned());
            }
        }
    };
    app.runs.metrics.tasks_lost(worker.held());
    // Others get its tasks before it hears of it.
    drop(worker);
    tracing::info!(reason, "a render worker is gone");
    let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    // Its connection may be gone as well.
    let _ = outgoing.try_send(close);
    drop(outgoing);
    let _ = writing.await;
}

async fn write(mut sink: SplitSink<WebSocket, Message>, mut messages: mpsc::Receiver<Message>) {
    while let Some(message) = messages.recv().await {
        match timeout(SEND_TIMEOUT, sink.send(message)).await {
            Ok(Ok(())) => {}
            // Whoever sends sees a closed channel.
            Ok(Err(_)) | Err(_) => return,
        }
    }
}

/// Tells it what is not needed any more, and gives it what it has room for.
async fn give(
    app: &App,
    worker: &mut Worker,
    outgoing: &mpsc::Sender<Message>,
) -> Result<(), Farewell> {
    for id in worker.withdrawn() {
        send(outgoing, &ToWorker::Cancel { id }, &[]).await?;
    }
    while worker.held() < TASKS {
        let Some(Task { header, part, again }) = worker.take() else { return Ok(()) };
        app.runs.metrics.task_given(again);
        send(outgoing, &ToWorker::Task(header), &part).await?;
    }
    Ok(())
}

/// Takes what it sent.
async fn take(
    app: &App,
    worker: &mut Worker,
    outgoing: &mpsc::Sender<Message>,
    frame: &[u8],
) -> Result<(), Farewell> {
    let read = decode_frame(frame).map_err(|error| (close_code::INVALID, error.to_string()));
    let (message, bytes) = read?;
    match message {
        FromWorker::NeedScene { scene } => {
            // Without the scene its task is not needed any more, either.
            if let Some(text) = worker.scene(&scene) {
                send(outgoing, &ToWorker::Scene { scene }, text.as_bytes()).await?;
            }
        }
        FromWorker::Done(result) => match worker.bring(&result, bytes) {
            Ok(Some(time)) => app.runs.metrics.task_done(time),
            Ok(None) => {}
            Err(reason) => tracing::warn!(reason, "the result of a render worker is not taken"),
        },
        FromWorker::Failed { id, reason } => {
            let reason = scene::shown(&reason);
            tracing::warn!(%reason, "a render worker could not do a task, which is done elsewhere");
            worker.fail(id);
        }
    }
    Ok(())
}

async fn send(
    outgoing: &mpsc::Sender<Message>,
    message: &ToWorker,
    bytes: &[u8],
) -> Result<(), Farewell> {
    let broke = |reason: String| (close_code::PROTOCOL, reason);
    let frame = encode_frame(message, bytes).map_err(|error| broke(error.to_string()))?;
    let sent = outgoing.send(Message::Binary(frame.into())).await;
    sent.map_err(|_| broke("the connection broke".to_owned()))
}
