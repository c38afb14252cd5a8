//! A buffer of the newest events of a session, for clients that lag or reconnect soon. Older events
//! are read from the store.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::event::SessionEvent;

/// The most buffered events; a long answer has a few hundred.
const MAX_EVENTS: usize = 2_000;
/// The most bytes of memory of buffered events, by estimate; a single larger event is still buffered.
const MAX_EVENT_BYTES: usize = 2 * 1024 * 1024;
/// How much more memory an event takes than its record: JSON as a tree of values.
const TREE_FACTOR: usize = 10;

/// An event that is in the store. Cheap to clone.
#[derive(Debug, Clone)]
pub struct LoggedEvent {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    event: SessionEvent,
    /// Encoded by the first client that needs it.
    encoded: OnceLock<Bytes>,
}

impl LoggedEvent {
    pub(crate) fn new(event: SessionEvent) -> Self {
        Self { shared: Arc::new(Shared { event, encoded: OnceLock::new() }) }
    }

    /// The event.
    pub fn event(&self) -> &SessionEvent {
        &self.shared.event
    }

    /// Its number.
    pub fn seq(&self) -> u64 {
        self.shared.event.seq()
    }

    /// The event as encoded by `encode`, which is called once for all clients, so it must be
    /// deterministic.
    pub fn encoded(&self, encode: impl FnOnce(&SessionEvent) -> String) -> Bytes {
        self.shared.encoded.get_or_init(|| encode(&self.shared.event).into()).clone()
    }
}

/// The newest events, without gaps.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// Each with the bytes it takes, by estimate.
    events: VecDeque<(LoggedEvent, usize)>,
    bytes: usize,
}

impl Tail {
    /// Adds an event whose record has `bytes` bytes.
    pub(crate) fn push(&mut self, event: LoggedEvent, bytes: usize) {
        let bytes = bytes * TREE_FACTOR;
        self.bytes += bytes;
        self.events.push_back((event, bytes));
        while self.events.len() > MAX_EVENTS
            || (self.bytes > MAX_EVENT_BYTES && self.events.len() > 1)
        {
            self.bytes -= self.events.pop_front().map_or(0, |(_, bytes)| bytes);
        }
    }

    /// Clears the buffer.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The events after number `after`; `None` when some of them are no longer buffered.
    pub(crate) fn after(&self, after: u64) -> Option<Vec<LoggedEvent>> {
        let oldest = self.events.front()?.0.seq();
        let skip = usize::try_from((after + 1).checked_sub(oldest)?).ok()?;
        Some(self.events.iter().skip(skip).map(|(event, _)| event.clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(count: u64, size: usize) -> Tail {
        let mut tail = Tail::default();
        for seq in 1..=count {
            let named = SessionEvent::SessionNamed { seq, name: "n".into() };
            tail.push(LoggedEvent::new(named), size);
        }
        tail
    }

    fn seqs(tail: &Tail, after: u64) -> Option<Vec<u64>> {
        Some(tail.after(after)?.iter().map(LoggedEvent::seq).collect())
    }

    #[test]
    fn events_are_found_again() {
        assert_eq!(seqs(&Tail::default(), 0), None);
        let tail = filled(3, 1);
        assert_eq!(seqs(&tail, 0), Some(vec![1, 2, 3]));
        assert_eq!(seqs(&tail, 2), Some(vec![3]));
        assert_eq!(seqs(&tail, 3), Some(vec![]));
    }

    #[test]
    fn what_is_not_at_hand_is_not_skipped_silently() {
        let tail = filled(MAX_EVENTS as u64 + 5, 1);
        assert_eq!(seqs(&tail, 4), None);
        assert_eq!(seqs(&tail, 5).map(|events| events.len()), Some(MAX_EVENTS));
        let tail = filled(20, 100_000);
        assert!(tail.bytes <= MAX_EVENT_BYTES && seqs(&tail, 0).is_none());
    }
}
