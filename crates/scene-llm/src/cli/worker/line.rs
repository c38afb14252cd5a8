//! An open line to a server: tasks come, and results go back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use client::{WorkerReader, WorkerWriter};
use studio::{FromWorker, TaskAssets, TaskHeader, ToWorker, decode_frame, encode_frame};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::common::Common;

/// Results on their way.
const OUTGOING: usize = 4;

/// Scenes that were asked for, by their hash.
type Asked = Arc<Mutex<HashMap<String, oneshot::Sender<String>>>>;

/// A line to a server.
pub(super) struct Line {
    common: Common,
    assets: TaskAssets,
    asked: Asked,
    /// What stops each task.
    tasks: HashMap<u64, (CancellationToken, DropGuard)>,
}

impl Line {
    pub(super) fn new(common: &Common, assets: &TaskAssets) -> Self {
        let (common, assets) = (common.clone(), assets.clone());
        Self { common, assets, asked: Asked::default(), tasks: HashMap::new() }
    }

    /// Works until the line ends; returns why. All its tasks end with it.
    pub(super) async fn work(
        mut self,
        mut reader: WorkerReader,
        mut writer: WorkerWriter,
    ) -> String {
        let (outgoing, mut results) = mpsc::channel::<Vec<u8>>(OUTGOING);
        let cancel = self.common.cancel.clone();
        // Of its own, so that both sides always read, whatever is on its way in the other direction.
        let writing = async {
            loop {
                tokio::select! {
                    () = cancel.cancelled() => {
                        writer.close().await;
                        return "the worker was asked to end".to_owned();
                    }
                    frame = results.recv() => {
                        let Some(frame) = frame else { return String::new() };
                        if let Err(reason) = writer.send(frame).await {
                            return reason;
                        }
                    }
                }
            }
        };
        let reading = async {
            loop {
                match reader.next().await {
                    Ok(frame) => {
                        if let Err(reason) = self.take(&frame, &outgoing) {
                            return reason;
                        }
                    }
                    Err(closed) => return closed.reason,
                }
            }
        };
        tokio::select! {
            reason = writing => reason,
            reason = reading => reason,
        }
    }

    fn take(&mut self, frame: &[u8], outgoing: &mpsc::Sender<Vec<u8>>) -> Result<(), String> {
        let (message, bytes) = decode_frame(frame).map_err(|error| error.to_string())?;
        match message {
            ToWorker::Task(header) => {
                let cancel = CancellationToken::new();
                let guard = cancel.clone().drop_guard();
                self.tasks.retain(|_, (cancel, _)| !cancel.is_cancelled());
                self.tasks.insert(header.id, (cancel.clone(), guard));
                let task = Work {
                    common: self.common.clone(),
                    assets: self.assets.clone(),
                    asked: Arc::clone(&self.asked),
                    outgoing: outgoing.clone(),
                };
                tokio::spawn(task.run(header, bytes.to_vec(), cancel));
            }
            ToWorker::Scene { scene } => {
                let text = String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())?;
                let waiting = lock(&self.asked).remove(&scene);
                if let Some(waiting) = waiting {
                    // Its task may be cancelled.
                    let _ = waiting.send(text);
                }
            }
            ToWorker::Cancel { id } => {
                self.tasks.remove(&id);
            }
        }
        Ok(())
    }
}

fn lock(asked: &Asked) -> std::sync::MutexGuard<'_, HashMap<String, oneshot::Sender<String>>> {
    // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One task.
struct Work {
    common: Common,
    assets: TaskAssets,
    asked: Asked,
    outgoing: mpsc::Sender<Vec<u8>>,
}

impl Work {
    async fn run(self, header: TaskHeader, part: Vec<u8>, cancel: CancellationToken) {
        let id = header.id;
        let rendered = cancel.run_until_cancelled(self.render(header, part, cancel.clone()));
        let (message, bytes) = match rendered.await {
            Some(Ok(Some((result, bytes)))) => (FromWorker::Done(result), bytes),
            Some(Ok(None)) | None => return,
            Some(Err(reason)) => (FromWorker::Failed { id, reason }, Vec::new()),
        };
        self.send(&message, &bytes).await;
        // Done: the line forgets it.
        cancel.cancel();
    }

    async fn render(
        &self,
        header: TaskHeader,
        part: Vec<u8>,
        cancel: CancellationToken,
    ) -> Result<Option<(studio::TaskResult, Vec<u8>)>, String> {
        let renderer = &self.common.renderer;
        let world = renderer.world(&header.scene, &self.assets, self.scene(&header.scene)).await?;
        let running = self.common.running.acquire().await;
        let rendered = renderer.render(world, header, part, cancel).await;
        drop(running);
        rendered
    }

    /// Asks the server for a scene.
    async fn scene(&self, hash: &str) -> Result<String, String> {
        let (answer, text) = oneshot::channel();
        lock(&self.asked).insert(hash.to_owned(), answer);
        self.send(&FromWorker::NeedScene { scene: hash.to_owned() }, &[]).await;
        text.await.map_err(|_| "the line ended before the scene came".to_owned())
    }

    async fn send(&self, message: &FromWorker, bytes: &[u8]) {
        match encode_frame(message, bytes) {
            // The line may have ended.
            Ok(frame) => drop(self.outgoing.send(frame).await),
            Err(error) => tracing::error!(%error, "a result could not be sent"),
        }
    }
}
