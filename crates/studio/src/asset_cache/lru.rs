//! A least-recently-used cache with a memory limit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::OnceCell;
use tracer::{ImageMap, Mesh};

use super::source::AssetError;

/// A value with a size in memory.
pub(super) trait Weight {
    /// Bytes on the heap.
    fn bytes(&self) -> usize;
}

impl Weight for Mesh {
    fn bytes(&self) -> usize {
        self.memory()
    }
}

impl Weight for ImageMap {
    fn bytes(&self) -> usize {
        self.image().memory()
    }
}

/// A cache of one kind of asset, by name. It retains a number of bytes of unused assets, least recently
/// used first out.
pub(super) struct LruCache<T> {
    /// The bytes retained while unused, and the most bytes in use.
    bounds: (usize, usize),
    /// Locked only for a lookup or an insert, never across an await.
    state: Mutex<State<T>>,
}

pub(super) struct State<T> {
    pub(super) slots: BTreeMap<String, Slot<T>>,
    /// Counts lookups: the least recently used asset is evicted first.
    clock: u64,
}

/// An asset that is cached or being loaded.
pub(super) struct Slot<T> {
    /// Filled by the first request; others wait for it.
    making: Arc<OnceCell<Arc<T>>>,
    /// A weak reference to an evicted asset, which is valid while a picture uses it.
    alive: Weak<T>,
    bytes: usize,
    used: u64,
    /// The time of the last request.
    asked: Instant,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self {
            making: Arc::default(),
            alive: Weak::new(),
            bytes: 0,
            used: 0,
            asked: Instant::now(),
        }
    }
}

impl<T: Weight> LruCache<T> {
    pub(super) fn bounded(bounds: (usize, usize)) -> Self {
        Self { bounds, state: Mutex::new(State { slots: BTreeMap::new(), clock: 0 }) }
    }

    /// The cached asset, else the result of `make`.
    pub(super) async fn get(
        &self,
        name: &str,
        make: impl Future<Output = Result<T, AssetError>>,
    ) -> Result<Arc<T>, AssetError> {
        let making = self.lock().slot(name);
        let asset = making
            .get_or_try_init(|| async {
                if let Some(alive) = self.lock().alive(name) {
                    return Ok(alive);
                }
                if self.lock().bytes_alive() >= self.bounds.1 {
                    let reason = "too many assets are in use; try again later".into();
                    return Err(AssetError { name: name.to_owned(), reason });
                }
                make.await.map(Arc::new)
            })
            .await?;
        let asset = Arc::clone(asset);
        self.lock().keep(name, &asset, self.bounds.0);
        Ok(asset)
    }

    /// Drops assets that are not in use and were not asked for since `moment`.
    pub(super) fn forget_unused_since(&self, moment: Instant) {
        let mut state = self.lock();
        for slot in state.slots.values_mut() {
            // The cache itself has one.
            if slot.asked < moment && slot.alive.strong_count() <= 1 {
                slot.making = Arc::default();
            }
        }
        state.forget_empty();
    }

    /// Bytes in use, and the most there may be.
    pub(super) fn in_use(&self) -> (usize, usize) {
        (self.lock().bytes_alive(), self.bounds.1)
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Weight> State<T> {
    fn slot(&mut self, name: &str) -> Arc<OnceCell<Arc<T>>> {
        self.clock += 1;
        let slot = self.slots.entry(name.to_owned()).or_default();
        (slot.used, slot.asked) = (self.clock, Instant::now());
        Arc::clone(&slot.making)
    }

    fn alive(&self, name: &str) -> Option<Arc<T>> {
        self.slots.get(name)?.alive.upgrade()
    }

    fn bytes_alive(&self) -> usize {
        let alive = |slot: &&Slot<T>| slot.alive.strong_count() > 0;
        self.slots.values().filter(alive).map(|slot| slot.bytes).sum()
    }

    /// Inserts a loaded asset, and evicts the least recently used ones.
    fn keep(&mut self, name: &str, asset: &Arc<T>, most: usize) {
        if let Some(slot) = self.slots.get_mut(name) {
            (slot.alive, slot.bytes) = (Arc::downgrade(asset), asset.bytes());
        }
        let is_retained = |slot: &Slot<T>| slot.making.initialized();
        let mut kept: usize =
            self.slots.values().filter(|slot| is_retained(slot)).map(|slot| slot.bytes).sum();
        while kept > most {
            let others =
                self.slots.iter_mut().filter(|(other, slot)| is_retained(slot) && *other != name);
            let Some((_, oldest)) = others.min_by_key(|(_, slot)| slot.used) else { break };
            kept -= oldest.bytes;
            oldest.making = Arc::default();
        }
        self.forget_empty();
    }

    /// Removes slots that are neither cached, in use nor loading.
    fn forget_empty(&mut self) {
        self.slots.retain(|_, slot| {
            slot.making.initialized()
                || slot.alive.strong_count() > 0
                || Arc::strong_count(&slot.making) > 1
        });
    }
}
