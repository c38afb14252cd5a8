//! The last results of a pure function. Nothing but time depends on what is remembered.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was found for the last few questions, the newest last. A mutex, since requests of several
/// sessions come at a time; it is held to look and to put in, never while an answer is found.
pub(crate) struct Memory<K, V> {
    most: usize,
    known: Mutex<VecDeque<(K, V)>>,
}

impl<K, V: Clone> Memory<K, V> {
    /// Room for so many answers.
    pub(crate) const fn new(most: usize) -> Self {
        Self { most, known: Mutex::new(VecDeque::new()) }
    }

    /// The answer to the question that `is_same` knows.
    pub(crate) fn recall(&self, is_same: impl Fn(&K) -> bool) -> Option<V> {
        let known = self.lock();
        let same = known.iter().rev().find(|(question, _)| is_same(question));
        same.map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer, and forgets the oldest where there is no room.
    pub(crate) fn keep(&self, question: K, answer: V) {
        let mut known = self.lock();
        known.push_back((question, answer));
        let surplus = known.len().saturating_sub(self.most);
        known.drain(..surplus);
    }

    // Who panicked kept nothing; what others kept stays good.
    fn lock(&self) -> MutexGuard<'_, VecDeque<(K, V)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_answers_are_kept() {
        let squares = Memory::new(3);
        for number in 0..5 {
            squares.keep(number, number * number);
        }
        let recalled = [0, 1, 2, 3, 4].map(|number| squares.recall(|known| *known == number));
        assert_eq!(recalled, [None, None, Some(4), Some(9), Some(16)]);
    }
}
