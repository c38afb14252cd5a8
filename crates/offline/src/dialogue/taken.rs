//! A cache of what messages were taken for. A request holds the whole conversation, so each message is met
//! again in every request after its own.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use scene::{Scene, Shape};

use super::interpretation::Interpretation;

/// The most bytes of all entries, by estimate.
const MAX_BYTES: usize = 64 << 20;
/// What a scene takes over its JSON, as resident memory grew with the entries of half an hour.
const OVER_JSON: usize = 3;
/// A shape that carrying it out made or changed.
const SHAPE_BYTES: usize = 768;
/// An entry without its scenes.
const ENTRY_BYTES: usize = 16 << 10;
/// What was not used for so long is dropped: its conversation rests.
const UNUSED: Duration = Duration::from_mins(5);

/// What a message was taken for, and the scene it was said about.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    pub(super) scene: Arc<Scene>,
    pub(super) interpretation: Arc<Interpretation>,
}

impl Taken {
    /// Bytes of its scenes, where the one it was said about has `text` bytes as JSON. What carrying it out left as
    /// it was is shared with the scene it began from.
    fn bytes(&self, text: usize) -> usize {
        let Interpretation { base, scene: after, .. } = &*self.interpretation;
        let shared: HashSet<*const Shape> = base.shapes.iter().map(Arc::as_ptr).collect();
        let made = after.shapes.iter().filter(|shape| !shared.contains(&Arc::as_ptr(shape)));
        let whole = if Arc::ptr_eq(&self.scene, base) { 1 } else { 2 };
        ENTRY_BYTES + OVER_JSON * whole * text + SHAPE_BYTES * made.count()
    }
}

#[derive(Debug)]
struct Entry {
    taken: Taken,
    bytes: usize,
    used: Instant,
}

/// The entries by hashes of all that led to them.
#[derive(Debug)]
pub(super) struct Cache {
    entries: HashMap<u64, Entry>,
    bytes: usize,
    limit: usize,
}

impl Cache {
    fn new(limit: usize) -> Self {
        Self { entries: HashMap::new(), bytes: 0, limit }
    }

    /// What is known of a message.
    fn find(&mut self, key: u64) -> Option<Taken> {
        let entry = self.entries.get_mut(&key)?;
        entry.used = Instant::now();
        Some(entry.taken.clone())
    }

    /// Keeps what a request that began at `began` found out, if there is room or others make it. What the request
    /// used itself stays: a conversation that does not fit as a whole would push itself out otherwise, and each of
    /// its requests would begin anew.
    fn keep(&mut self, key: u64, taken: Taken, bytes: usize, began: Instant) {
        self.remove(key);
        while self.bytes + bytes > self.limit {
            let others = self.entries.iter().filter(|(_, entry)| entry.used < began);
            let oldest = others.min_by_key(|(_, entry)| entry.used).map(|(key, _)| *key);
            let Some(oldest) = oldest.filter(|_| bytes <= self.limit) else { return };
            self.remove(oldest);
        }
        self.bytes += bytes;
        self.entries.insert(key, Entry { taken, bytes, used: Instant::now() });
    }

    fn remove(&mut self, key: u64) {
        self.bytes -= self.entries.remove(&key).map_or(0, |entry| entry.bytes);
    }

    /// Drops what was not used since then.
    fn forget_before(&mut self, since: Instant) {
        self.entries.retain(|_, entry| entry.used >= since);
        self.entries.shrink_to_fit();
        self.bytes = self.entries.values().map(|entry| entry.bytes).sum();
    }
}

/// The cache of this process. A mutex, since requests of several sessions come at a time; it is held to look and to
/// put in only, so a panic of a request leaves it whole.
static CACHE: Mutex<Option<Cache>> = Mutex::new(None);

fn with_cache<T>(work: impl FnOnce(&mut Cache) -> T) -> T {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    work(cache.get_or_insert_with(|| Cache::new(MAX_BYTES)))
}

/// What is known of a message.
pub(super) fn find(key: u64) -> Option<Taken> {
    with_cache(|cache| cache.find(key))
}

/// Keeps what a request that began at `began` took a message for, over a scene of `text` bytes as JSON.
pub(super) fn keep(key: u64, taken: &Taken, text: usize, began: Instant) {
    let bytes = taken.bytes(text);
    with_cache(|cache| cache.keep(key, taken.clone(), bytes, began));
}

/// The bytes in use, by estimate, and their limit.
pub(crate) fn in_use() -> (usize, usize) {
    with_cache(|cache| (cache.bytes, cache.limit))
}

/// Drops what belongs to conversations that rest.
pub(crate) fn forget_unused() {
    if let Some(since) = Instant::now().checked_sub(UNUSED) {
        with_cache(|cache| cache.forget_before(since));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::interpret::interpret;
    use super::super::state::State;
    use super::*;

    fn taken(message: &str, scene: &Arc<Scene>) -> Taken {
        let interpretation = Arc::new(interpret(message, &[], scene, &State::default()));
        Taken { scene: Arc::clone(scene), interpretation }
    }

    fn with_spheres(count: usize) -> Arc<Scene> {
        let ball = |at: usize| {
            let properties = json!({ "center": [at, 0, 0], "radius": 0.4 });
            json!({ "id": format!("ball_{at}"), "type": "sphere", "properties": properties })
        };
        let shapes: Vec<_> = (0..count).map(ball).collect();
        Arc::new(Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap())
    }

    #[test]
    fn an_entry_counts_what_it_made_and_not_what_it_shares() {
        let (few, many) = (with_spheres(0), with_spheres(200));
        let text = many.to_json().to_string().len();
        let made = taken("a red ball", &few).bytes(100);
        assert!(made > ENTRY_BYTES + 200 && made < ENTRY_BYTES + 60_000, "{made}");
        let all = taken("make everything bigger", &many).bytes(text);
        let scene = OVER_JSON * text;
        assert!(all > ENTRY_BYTES + 3 * scene / 2, "each shape is new: {all}, scene {scene}");
        let one = taken("make ball_7 red", &many).bytes(text);
        assert!(one < ENTRY_BYTES + scene + 6_000, "the others are shared: {one}, scene {scene}");
    }

    #[test]
    fn the_cache_is_bounded_and_what_is_used_longest_ago_goes_first() {
        let some = taken("a red ball", &with_spheres(0));
        let mut cache = Cache::new(100);
        for key in 0..3 {
            cache.keep(key, some.clone(), 30, Instant::now());
        }
        assert!(cache.find(0).is_some());
        cache.keep(3, some.clone(), 30, Instant::now());
        assert!(cache.find(1).is_none(), "it was not used");
        assert!(cache.find(0).is_some() && cache.find(2).is_some() && cache.find(3).is_some());
        cache.keep(4, some.clone(), 101, Instant::now());
        assert!(cache.find(4).is_none() && cache.find(0).is_some(), "too large for the cache");
        cache.keep(0, some, 40, Instant::now());
        assert_eq!((cache.bytes, cache.entries.len()), (100, 3), "counted once");
    }

    /// A conversation longer than the cache meets its messages in order, each time from the first.
    #[test]
    fn a_request_does_not_push_out_what_it_used_itself() {
        let some = taken("a red ball", &with_spheres(0));
        let mut cache = Cache::new(100);
        let mut request = || {
            let (began, mut known) = (Instant::now(), Vec::new());
            for key in 0..6 {
                if cache.find(key).is_some() {
                    known.push(key);
                } else {
                    cache.keep(key, some.clone(), 30, began);
                }
            }
            known
        };
        assert_eq!([request(), request(), request()], [vec![], vec![0, 1, 2], vec![0, 1, 2]]);
    }

    #[test]
    fn what_rests_is_dropped() {
        let some = taken("a red ball", &with_spheres(0));
        let mut cache = Cache::new(100);
        cache.keep(0, some.clone(), 30, Instant::now());
        let later = Instant::now();
        cache.keep(1, some, 30, later);
        cache.forget_before(later);
        assert!(cache.find(0).is_none() && cache.find(1).is_some());
        assert_eq!(cache.bytes, 30);
    }
}
