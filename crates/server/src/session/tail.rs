//! The newest events of a session, at hand for clients that lag or come back soon. Older ones are in
//! the store.

use std::collections::VecDeque;
use std::sync::Arc;

/// Events kept at hand; a long answer is a few hundred.
const MAX_EVENTS: usize = 2_000;
/// Bytes of the events kept; one that is larger alone is kept all the same.
const MAX_EVENT_BYTES: usize = 1024 * 1024;

/// An event as clients get it.
#[derive(Debug, Clone)]
pub(crate) struct LoggedEvent {
    /// Its number; none for what is only of the moment.
    pub(crate) seq: Option<u64>,
    /// The message as JSON text, encoded once for all clients.
    pub(crate) text: Arc<str>,
}

/// The newest events, without gaps.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    events: VecDeque<(u64, Arc<str>)>,
    bytes: usize,
}

impl Tail {
    /// Keeps an event.
    pub(crate) fn push(&mut self, seq: u64, text: Arc<str>) {
        self.bytes += text.len();
        self.events.push_back((seq, text));
        while self.events.len() > MAX_EVENTS
            || (self.bytes > MAX_EVENT_BYTES && self.events.len() > 1)
        {
            self.bytes -= self.events.pop_front().map_or(0, |(_, oldest)| oldest.len());
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The events after number `after`, which is not newer than the newest; `None` when some of them
    /// are not at hand.
    pub(crate) fn after(&self, after: u64) -> Option<Vec<LoggedEvent>> {
        let oldest = self.events.front()?.0;
        let skip = usize::try_from((after + 1).checked_sub(oldest)?).ok()?;
        let event =
            |(seq, text): &(u64, Arc<str>)| LoggedEvent { seq: Some(*seq), text: Arc::clone(text) };
        Some(self.events.iter().skip(skip).map(event).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(count: u64, size: usize) -> Tail {
        let mut tail = Tail::default();
        (1..=count).for_each(|seq| tail.push(seq, "x".repeat(size).into()));
        tail
    }

    fn seqs(tail: &Tail, after: u64) -> Option<Vec<u64>> {
        Some(tail.after(after)?.iter().filter_map(|event| event.seq).collect())
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
