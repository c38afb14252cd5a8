//! A picture whose tiles are rendered by several: which tile is where, and how much is given at once.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use tokio::sync::watch;
use tracer::{
    Film, FilmPart, Integrator, PassOutcome, PassStatistics, RenderSettings, World, render_part,
    settled_tiles,
};

use super::tiles::{Given, State, TileState, copied, remove};
use super::wire::{TaskHeader, TaskResult, TaskSettings};

/// The time of a task for a worker: long beside its way there and back, short beside the picture.
const TASK_SECONDS: f64 = 0.5;
/// Towards the end tasks become shorter, so that all end together, but not shorter than this.
const MIN_TASK_SECONDS: f64 = 0.05;
/// The time in which a thread of this process renders a tile, if it takes so long.
const UNIT_SECONDS: f64 = 0.1;
/// The tiles of a task for each thread of a worker: their threads end at about the same time.
const TILES_PER_THREAD: usize = 4;
/// The most tiles of a task: four megabytes of sums.
const MAX_TILES: usize = 192;
/// The most camera samples of a task with light paths, whose splats are sent one by one: some 10 MB.
const MAX_SPLATTING_WORK: f64 = (1 << 17) as f64;

/// A scene as workers get it.
#[derive(Debug, Clone)]
pub(crate) struct SceneText {
    /// The hash of the text.
    pub(crate) hash: String,
    /// A scene file.
    pub(crate) text: Arc<str>,
}

/// A picture that is shared with workers.
pub(crate) struct Board {
    scene: SceneText,
    settings: RenderSettings,
    /// The settings as tasks say them.
    task_settings: TaskSettings,
    size: [u32; 2],
    features: bool,
    /// Samples per pixel of the finished film.
    target: u32,
    /// Seconds of a camera sample on one thread here.
    pace: f64,
    /// No more results are wanted.
    closed: AtomicBool,
    /// Samples of each tile, for those that render one which somebody else finishes meanwhile.
    samples: Vec<AtomicU32>,
    /// Changes whenever there may be something to do for workers.
    changed: watch::Sender<u64>,
    /// Locked to take tiles out and to put them back, never while they are rendered.
    state: Mutex<State>,
}

/// A tile for a thread of this process.
struct Unit {
    tile: usize,
    part: FilmPart,
    from: u32,
    target: u32,
}

/// A task for a worker.
pub(super) struct Offer {
    pub(super) header: TaskHeader,
    pub(super) part: FilmPart,
    /// Whether another worker has it, too.
    pub(super) again: bool,
}

/// Why the result of a worker is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ResultError {
    #[error("{0}")]
    Part(#[from] tracer::PartError),
    #[error("the result has other tiles or samples than its task")]
    Other,
}

/// Asked from all threads; see [`render_part`].
type Flag<'a> = &'a (dyn Fn() -> bool + Sync);

impl Board {
    /// Everything that brings `film` to `target` samples. `pace`: seconds per camera sample on one thread so far.
    /// `None` if tasks cannot say the settings.
    pub(super) fn new(
        scene: SceneText,
        settings: RenderSettings,
        film: Film,
        target: u32,
        pace: f64,
        changed: watch::Sender<u64>,
    ) -> Result<Self, Film> {
        let Some(task_settings) = TaskSettings::of(&settings) else { return Err(film) };
        let settled = settled_tiles(&settings, &film);
        let count = film.tile_count();
        let tile = |at: usize| {
            let is_settled = settled.get(at).is_some_and(|settled| *settled);
            TileState { finished: is_settled || film.tile(at).0 >= target, ..TileState::default() }
        };
        let tiles: Vec<TileState> = (0..count).map(tile).collect();
        let missing = |at: usize| {
            let (samples, pixels) = film.tile(at);
            u64::from(target.saturating_sub(samples)) * u64::from(pixels)
        };
        let open = || (0..count).filter(|at| !tiles[*at].finished);
        let (unfinished, rest) = (open().count(), open().map(missing).sum());
        Ok(Self {
            scene,
            settings: RenderSettings { noise_threshold: None, ..settings },
            task_settings,
            size: [film.width(), film.height()],
            features: film.has_features(),
            target,
            pace: pace.max(1e-12),
            closed: AtomicBool::new(unfinished == 0),
            samples: (0..count).map(|at| AtomicU32::new(film.tile(at).0)).collect(),
            changed,
            state: Mutex::new(State {
                film,
                tiles,
                unfinished,
                rest,
                given: Vec::new(),
                statistics: PassStatistics::default(),
                paces: HashMap::new(),
                unable: HashSet::new(),
            }),
        })
    }

    /// The scene, if it has this hash.
    pub(super) fn scene(&self, hash: &str) -> Option<Arc<str>> {
        (self.scene.hash == hash).then(|| Arc::clone(&self.scene.text))
    }

    /// Whether no more results are wanted.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Wants no more results.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Whether all tiles are finished.
    pub(crate) fn is_complete(&self) -> bool {
        self.lock().unfinished == 0
    }

    /// Takes the film and what it took; the board is of no use then.
    pub(crate) fn take(&self) -> (Film, PassStatistics) {
        self.close();
        let mut state = self.lock();
        // Without the film nothing is known of their tiles.
        state.given.clear();
        (std::mem::replace(&mut state.film, Film::new(0, 0)), state.statistics)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Changes are complete before anything can panic, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Renders on the current rayon pool until the film is finished (true) or `stop` becomes true. Nobody
    /// waits: what workers have is rendered here as well when nothing else is left.
    pub(crate) fn work(&self, world: &World, stop: Flag<'_>) -> bool {
        let threads = rayon::current_num_threads();
        loop {
            let took = AtomicBool::new(false);
            // Many short items: a thread that waits for its items may run those of another picture meanwhile.
            (0..self.units(threads)).into_par_iter().with_max_len(1).for_each(|_| {
                if stop() {
                    return;
                }
                let Some(unit) = self.take_here() else { return };
                took.store(true, Ordering::Relaxed);
                self.render_here(world, unit, stop);
            });
            if self.is_complete() || stop() || !took.into_inner() {
                return self.is_complete();
            }
        }
    }

    /// About how many tiles threads here would take out if there were no workers.
    fn units(&self, threads: usize) -> usize {
        let state = self.lock();
        let seconds = state.rest as f64 * self.pace;
        (seconds / UNIT_SECONDS) as usize + state.unfinished + threads
    }

    fn render_here(&self, world: &World, unit: Unit, stop: Flag<'_>) {
        let Unit { tile, mut part, from, target } = unit;
        let is_overtaken = || self.samples[tile].load(Ordering::Relaxed) != from;
        let cancelled = || stop() || is_overtaken() || self.is_closed();
        let outcome = render_part(world, &self.settings, &mut part, target, &cancelled);
        let mut state = self.lock();
        state.tiles[tile].here = false;
        if let PassOutcome::Completed(statistics) = outcome {
            self.merge(&mut state, part, statistics);
        }
        drop(state);
        self.tell();
    }

    /// A tile for a thread here: from the end, while workers begin at the start.
    fn take_here(&self) -> Option<Unit> {
        let mut state = self.lock();
        let open = |tile: &TileState| !tile.finished && !tile.here;
        let free = state.tiles.iter().rposition(|tile| open(tile) && tile.away == 0);
        let tile = free.or_else(|| state.tiles.iter().rposition(open))?;
        let (from, pixels) = state.film.tile(tile);
        let has = |given: &&Given| given.from == from && given.tiles.contains(&(tile as u32));
        let target = match state.given.iter().find(has) {
            // As far as the worker brings it, so that either result may come first.
            Some(given) => given.target,
            None => {
                let step = (UNIT_SECONDS / (self.pace * f64::from(pixels))).max(1.0) as u32;
                from.saturating_add(step).min(self.target)
            }
        };
        state.tiles[tile].here = true;
        Some(Unit { tile, part: state.film.part(&[tile as u32]), from, target })
    }

    fn merge(&self, state: &mut State, part: FilmPart, statistics: PassStatistics) {
        for tile in state.film.merge(part) {
            let at = tile as usize;
            let (samples, pixels) = state.film.tile(at);
            let before = self.samples[at].swap(samples, Ordering::Relaxed);
            state.rest -= (u64::from(samples - before) * u64::from(pixels)).min(state.rest);
            // What workers make of fewer samples is of no use any more.
            state.tiles[at].away = 0;
            if samples >= self.target {
                state.tiles[at].finished = true;
                state.unfinished -= 1;
            }
        }
        state.statistics.samples += statistics.samples;
        state.statistics.rays += statistics.rays;
        state.statistics.rejected += statistics.rejected;
        if state.unfinished == 0 {
            self.close();
        }
    }

    /// A task for one of `workers` workers, which has `threads` threads.
    pub(super) fn offer(
        &self,
        worker: u64,
        threads: usize,
        workers: usize,
        id: u64,
    ) -> Option<Offer> {
        let mut state = self.lock();
        if self.is_closed() || state.unable.contains(&worker) {
            return None;
        }
        let free = |tile: &TileState| !tile.finished && !tile.here && tile.away == 0;
        let chosen = match state.tiles.iter().position(free) {
            Some(first) => Some((self.choose(&state, first, worker, threads, workers), false)),
            None => copied(&state, worker).map(|copy| (copy, true)),
        };
        let ((tiles, from, target), again) = chosen?;
        for tile in &tiles {
            state.tiles[*tile as usize].away += 1;
        }
        let part = state.film.part(&tiles);
        state.given.push(Given { id, worker, tiles, from, target });
        let [width, height] = self.size;
        let (scene, settings) = (self.scene.hash.clone(), self.task_settings.clone());
        let features = self.features;
        let header = TaskHeader { id, scene, width, height, features, settings, target };
        Some(Offer { header, part, again })
    }

    /// Free tiles from `first` on that all have as many samples as it, these samples, and how many they
    /// are to have.
    fn choose(
        &self,
        state: &State,
        first: usize,
        worker: u64,
        threads: usize,
        workers: usize,
    ) -> (Vec<u32>, u32, u32) {
        let pace = state.paces.get(&worker).copied().unwrap_or(self.pace / threads as f64);
        // The threads here are one more worker.
        let even = state.rest as f64 / (2 * (workers + 1)) as f64;
        let mut work = (TASK_SECONDS / pace).min(even).max(MIN_TASK_SECONDS / pace);
        if self.settings.integrator == Integrator::Bdpt {
            work = work.min(MAX_SPLATTING_WORK);
        }
        let (from, pixels) = state.film.tile(first);
        let missing = self.target - from;
        let of_tile = f64::from(pixels.max(1));
        let whole = (work / (of_tile * f64::from(missing))) as usize;
        let wanted = whole.max(TILES_PER_THREAD * threads).min(MAX_TILES);
        let is_alike = |at: &usize| {
            let TileState { finished, here, away } = state.tiles[*at];
            !finished && !here && away == 0 && state.film.tile(*at).0 == from
        };
        let alike = (first..state.tiles.len()).filter(is_alike).take(wanted);
        let tiles: Vec<u32> = alike.map(|at| at as u32).collect();
        let samples = (work / (of_tile * tiles.len() as f64)).max(1.0) as u32;
        (tiles, from, from.saturating_add(samples).min(self.target))
    }

    /// Takes the result of a worker.
    pub(super) fn bring(&self, result: &TaskResult, bytes: &[u8]) -> Result<(), ResultError> {
        let part = FilmPart::from_bytes(self.size, self.features, bytes);
        let mut state = self.lock();
        let Some(given) = remove(&mut state, result.id) else { return Ok(()) };
        let checked = part.map_err(ResultError::Part).and_then(|part| {
            let is_its = part.tiles().eq(given.tiles.iter().copied()) && part.is_at(given.target);
            if is_its { Ok(part) } else { Err(ResultError::Other) }
        });
        match checked {
            Ok(part) if !self.is_closed() => {
                if result.seconds > 0.0 && result.samples > 0 {
                    state.paces.insert(given.worker, result.seconds / result.samples as f64);
                }
                let (samples, rays) = (result.samples, result.rays);
                let statistics = PassStatistics { samples, rays, rejected: 0 };
                self.merge(&mut state, part, statistics);
            }
            Ok(_) => {}
            Err(error) => {
                state.unable.insert(given.worker);
                drop(state);
                self.tell();
                return Err(error);
            }
        }
        drop(state);
        self.tell();
        Ok(())
    }

    /// A task will have no result. `is_unable`: the worker gets no more tasks of this picture.
    pub(super) fn give_back(&self, id: u64, is_unable: bool) {
        let mut state = self.lock();
        if let Some(given) = remove(&mut state, id)
            && is_unable
        {
            state.unable.insert(given.worker);
        }
        drop(state);
        self.tell();
    }
}
