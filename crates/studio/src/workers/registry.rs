//! The workers of this process and the pictures they work on.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scene::Scene;
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tracer::{Film, Meshes, RenderSettings};

use super::board::{Board, Offer, SceneText};
use super::task_renderer::missing;
use super::wire::{TaskHeader, TaskResult};

/// The workers, and the pictures in progress. Cheap to clone; clones are the same.
#[derive(Clone, Default)]
pub struct Workers(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// Locked only for a lookup or a change.
    boards: Mutex<Vec<Arc<Board>>>,
    connected: AtomicUsize,
    ids: AtomicU64,
    changed: watch::Sender<u64>,
}

/// A picture that workers see. Dropping it takes it away from them.
pub(crate) struct Posted {
    workers: Workers,
    board: Arc<Board>,
}

/// The place of one connected worker. Dropping it gives its tasks to others.
pub struct Worker {
    workers: Workers,
    id: u64,
    threads: usize,
    held: Vec<Held>,
}

struct Held {
    id: u64,
    board: Arc<Board>,
    given: Instant,
}

/// A task to send.
pub struct Task {
    /// What to do.
    pub header: TaskHeader,
    /// The part of the film as it is.
    pub part: Vec<u8>,
    /// Whether another worker has it, too.
    pub again: bool,
}

impl Workers {
    /// Lets a worker with so many threads in.
    pub fn join(&self, threads: usize) -> Worker {
        self.0.connected.fetch_add(1, Ordering::Relaxed);
        let id = self.new_id();
        Worker { workers: self.clone(), id, threads: threads.max(1), held: Vec::new() }
    }

    /// How many there are.
    pub fn connected(&self) -> usize {
        self.0.connected.load(Ordering::Relaxed)
    }

    /// The scene as workers get it; `None` if they could not have all its meshes and images.
    pub(crate) fn scene_text(scene: &Scene, meshes: &Meshes) -> Option<SceneText> {
        if missing(scene, meshes).is_some() {
            return None;
        }
        let text = scene.to_json().to_string();
        let hash = Sha256::digest(text.as_bytes());
        let hash = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(SceneText { hash, text: text.into() })
    }

    /// Shows workers what brings `film` to `target` samples, or returns the film. `pace`: seconds per camera
    /// sample on one thread so far.
    pub(crate) fn post(
        &self,
        scene: SceneText,
        settings: RenderSettings,
        film: Film,
        target: u32,
        pace: f64,
    ) -> Result<Posted, Film> {
        let changed = self.0.changed.clone();
        let board = Arc::new(Board::new(scene, settings, film, target, pace, changed)?);
        self.lock().push(Arc::clone(&board));
        self.tell();
        Ok(Posted { workers: self.clone(), board })
    }

    fn new_id(&self) -> u64 {
        self.0.ids.fetch_add(1, Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Board>>> {
        // A panic cannot leave the list inconsistent, so a poisoned lock is safe to use.
        self.0.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.0.changed.send_modify(|count| *count = count.wrapping_add(1));
    }
}

impl Posted {
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }
}

impl Drop for Posted {
    fn drop(&mut self) {
        self.board.close();
        self.workers.lock().retain(|board| !Arc::ptr_eq(board, &self.board));
        self.workers.tell();
    }
}

impl Worker {
    /// Changes whenever there may be a new task, or a task may not be needed any more.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.workers.0.changed.subscribe()
    }

    /// How many tasks it has.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// The next task, of all pictures in turn.
    pub fn take(&mut self) -> Option<Task> {
        let mut boards = self.workers.lock().clone();
        let id = self.workers.new_id();
        if !boards.is_empty() {
            let first = id as usize % boards.len();
            boards.rotate_left(first);
        }
        let workers = self.workers.connected();
        let offered = boards.into_iter().find_map(|board| {
            let offer = board.offer(self.id, self.threads, workers, id)?;
            Some((board, offer))
        });
        let (board, Offer { header, part, again }) = offered?;
        self.held.push(Held { id, board, given: Instant::now() });
        Some(Task { header, part: part.to_bytes(), again })
    }

    /// The scene file of one of its tasks, by its hash.
    pub fn scene(&self, hash: &str) -> Option<Arc<str>> {
        self.held.iter().find_map(|held| held.board.scene(hash))
    }

    /// The tasks that are not needed any more; it has them no longer.
    pub fn withdrawn(&mut self) -> Vec<u64> {
        let is_over = |held: &mut Held| held.board.is_closed();
        let over: Vec<Held> = self.held.extract_if(.., is_over).collect();
        over.iter().for_each(|held| held.board.give_back(held.id, false));
        over.iter().map(|held| held.id).collect()
    }

    /// Takes the result of a task and returns the time since it was given; `None` for a task that it does
    /// not have (any more). After an error the worker gets no more tasks of the picture.
    pub fn bring(&mut self, result: &TaskResult, bytes: &[u8]) -> Result<Option<Duration>, String> {
        let Some(held) = self.remove(result.id) else { return Ok(None) };
        held.board.bring(result, bytes).map_err(|error| error.to_string())?;
        Ok(Some(held.given.elapsed()))
    }

    /// It cannot do a task.
    pub fn fail(&mut self, id: u64) {
        if let Some(held) = self.remove(id) {
            held.board.give_back(id, true);
        }
    }

    fn remove(&mut self, id: u64) -> Option<Held> {
        let place = self.held.iter().position(|held| held.id == id)?;
        Some(self.held.swap_remove(place))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.workers.0.connected.fetch_sub(1, Ordering::Relaxed);
        for held in self.held.drain(..) {
            held.board.give_back(held.id, false);
        }
        self.workers.tell();
    }
}
