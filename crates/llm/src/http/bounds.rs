//! Size limits of one answer: a provider that never stops, or a model that repeats itself, must not
//! exhaust the memory.

use crate::content::Part;
use crate::model::{Chunk, ModelError};
use crate::retry::Failure;

/// The most text, thoughts and arguments of one answer. The longest answers of today's models, 128,000
/// tokens, have about half a megabyte.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// The most calls of one answer.
const MAX_CALLS: usize = 512;

/// The size of incomplete calls that a reader buffers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// The number of incomplete calls.
    pub(crate) calls: usize,
    /// Bytes of text and arguments.
    pub(crate) bytes: usize,
}

/// The failure of an answer that is too large.
pub(super) fn too_large(provider: &str, what: &str) -> Failure {
    Failure::Final(ModelError::Rejected(format!(
        "{provider}'s answer {what} and was cut off: ask for less at once, or choose another model."
    )))
}

/// Counts the output of one answer.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    given: Held,
}

impl Bounds {
    /// Counts `chunks`; fails if the answer with the buffered part `held` exceeds the limits.
    pub(super) fn check(
        &mut self,
        provider: &str,
        chunks: &[Chunk],
        held: Held,
    ) -> Result<(), Failure> {
        for chunk in chunks {
            if let Chunk::Part(part) = chunk {
                self.count(part);
            }
        }
        let calls = self.given.calls.max(held.calls);
        let what = if self.given.bytes + held.bytes > MAX_ANSWER_BYTES {
            format!("is longer than {} MiB", MAX_ANSWER_BYTES >> 20)
        } else if calls > MAX_CALLS {
            format!("has more than {MAX_CALLS} calls")
        } else {
            return Ok(());
        };
        Err(too_large(provider, &what))
    }

    fn count(&mut self, part: &Part) {
        self.given.bytes += part.as_text().map_or(0, str::len);
        if let Some(call) = part.as_call() {
            self.given.calls += 1;
            // Calls are few, so serialising their arguments again to measure them is cheap.
            self.given.bytes += call.args.map_or(0, |args| args.to_string().len());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(bounds: &mut Bounds, chunks: &[Chunk], held: Held) -> Option<String> {
        match bounds.check("The API", chunks, held) {
            Ok(()) => None,
            Err(Failure::Final(ModelError::Rejected(text))) => Some(text),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn endless_text_calls_and_arguments_are_cut_off() {
        let text = || [Chunk::Part(Part::text("x".repeat(64 * 1024)))];
        let mut bounds = Bounds::default();
        let last = (1..1000).find(|_| check(&mut bounds, &text(), Held::default()).is_some());
        assert_eq!(last, Some(65));

        let call = || [Chunk::Part(Part::call(None, "f", json!({})))];
        let mut bounds = Bounds::default();
        let last = (1..1000).find(|_| check(&mut bounds, &call(), Held::default()).is_some());
        assert_eq!(last, Some(513));

        let held = |calls, bytes| check(&mut Bounds::default(), &[], Held { calls, bytes });
        assert_eq!(held(512, 4 << 20), None);
        assert!(held(513, 0).unwrap().contains("more than 512 calls"));
        assert!(held(1, (4 << 20) + 1).unwrap().contains("longer than 4 MiB"));
    }
}
