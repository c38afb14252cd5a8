//! The sessions that clients used last. A session that nobody holds leaves memory within a minute, and with it
//! what is not in its log: a batch that waits for a correction, while a model thinks longer than that.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The most sessions that are held.
const MAX_HELD: usize = 16;
/// How long one is held after it was used.
const HELD_FOR: Duration = Duration::from_secs(900);

/// Things of a name that were used last.
#[derive(Debug)]
pub(crate) struct Recent<T> {
    /// The newest first. Locked for a look or a write, never across an await.
    held: Mutex<VecDeque<(String, T, Instant)>>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self { held: Mutex::default() }
    }
}

impl<T> Recent<T> {
    /// Holds `used`, and lets go of what was not used for long.
    pub(crate) fn note(&self, name: &str, used: T) {
        let now = Instant::now();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(known, _, since)| known != name && now.duration_since(*since) < HELD_FOR);
        held.push_front((name.to_owned(), used, now));
        held.truncate(MAX_HELD);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_used_last_is_held_for_a_while() {
        let recent = Recent::default();
        let uses = |thing: &Arc<()>| Arc::strong_count(thing) - 1;
        let (first, second) = (Arc::new(()), Arc::new(()));
        recent.note("first", Arc::clone(&first));
        recent.note("first", Arc::clone(&first));
        assert_eq!(uses(&first), 1);
        tokio::time::advance(HELD_FOR / 2).await;
        recent.note("second", Arc::clone(&second));
        assert_eq!((uses(&first), uses(&second)), (1, 1));
        tokio::time::advance(HELD_FOR * 2 / 3).await;
        recent.note("third", Arc::new(()));
        assert_eq!((uses(&first), uses(&second)), (0, 1));
        for number in 0..MAX_HELD {
            recent.note(&number.to_string(), Arc::new(()));
        }
        assert_eq!(uses(&second), 0);
    }
}
