//! What the provider of a model has refused so far.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::cause::Cause;
use crate::registry::{EffortLevels, ModelFacts, Source, Thinking, ToolUse};

/// The most digests of left-out parts: enough for some long conversations.
const MAX_LEFT_OUT: usize = 20_000;

/// What a provider has refused for one model so far. Clones share it, so that all sessions with the model
/// profit. It is not saved: after a restart, the provider may accept more.
#[derive(Debug, Clone, Default)]
pub struct Learned {
    /// Locked, since streams of several sessions note refusals; held for a few assignments or lookups.
    refusals: Arc<Mutex<Refusals>>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Refusals {
    /// Causes that the model always refuses.
    pub(super) never: BTreeSet<Cause>,
    /// The most tokens of request and answer together.
    pub(super) window: Option<u64>,
    /// The most tokens of one answer.
    pub(super) output_limit: Option<u64>,
    /// The most pictures of one request.
    pub(super) max_pictures: Option<u32>,
    /// Digests of parts of conversations that were refused, the oldest first.
    pub(super) left_out: VecDeque<u64>,
}

impl Learned {
    /// `facts` without refused features.
    pub(crate) fn applied_to(&self, facts: ModelFacts) -> ModelFacts {
        self.lock().applied_to(facts)
    }

    /// Notes that the model always refuses `cause`.
    pub(crate) fn never(&self, cause: Cause) {
        self.lock().never.insert(cause);
    }

    pub(super) fn limit_window(&self, tokens: u64) {
        limit(&mut self.lock().window, tokens);
    }

    pub(super) fn limit_output(&self, tokens: u64) {
        limit(&mut self.lock().output_limit, tokens);
    }

    pub(super) fn limit_pictures(&self, count: u32) {
        limit(&mut self.lock().max_pictures, count);
    }

    /// Leaves the parts with these digests out of all requests.
    pub(super) fn leave_out(&self, digests: impl IntoIterator<Item = u64>) {
        let mut refusals = self.lock();
        refusals.left_out.extend(digests);
        let surplus = refusals.left_out.len().saturating_sub(MAX_LEFT_OUT);
        refusals.left_out.drain(..surplus);
    }

    /// All of it as it is now.
    pub(super) fn so_far(&self) -> Refusals {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Refusals> {
        // Every change is one assignment or extends a list, so a poisoned lock is safe to use.
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A limit only becomes smaller.
fn limit<T: Ord + Copy>(known: &mut Option<T>, new: T) {
    *known = Some(known.map_or(new, |old| old.min(new)));
}

impl Refusals {
    pub(super) fn applied_to(&self, facts: ModelFacts) -> ModelFacts {
        let refuses = |cause: Cause| self.never.contains(&cause);
        let mut less = facts;
        if refuses(Cause::NoTools) {
            less.tools = ToolUse::Text;
        }
        if refuses(Cause::Thinking) {
            less.thinking = Thinking::Unasked;
            less.efforts = EffortLevels::NONE;
        }
        less.images &= !refuses(Cause::NoPictures);
        less.temperature &= !refuses(Cause::Setting("temperature"));
        let at_most = |known: u64, limit: Option<u64>| limit.map_or(known, |new| known.min(new));
        less.context_window = at_most(facts.context_window, self.window);
        less.output_limit = at_most(facts.output_limit, self.output_limit);
        let counts = [facts.picture_limits.max_count, self.max_pictures];
        less.picture_limits.max_count = counts.into_iter().flatten().min();
        if less != facts {
            less.source = Source::Refusals;
        }
        less
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::facts;

    #[test]
    fn what_was_refused_is_learned_by_all_clones() {
        let learned = Learned::default();
        let facts = facts("gpt-5.5");
        assert_eq!(learned.applied_to(facts), facts);
        let other = learned.clone();
        learned.never(Cause::NoPictures);
        learned.limit_window(64_000);
        learned.limit_window(100_000);
        let less = other.applied_to(facts);
        assert_eq!((less.images, less.context_window), (false, 64_000));
        assert_eq!((less.source, less.tools), (Source::Refusals, facts.tools));
        for cause in [Cause::NoTools, Cause::Thinking, Cause::Setting("temperature")] {
            learned.never(cause);
        }
        learned.limit_pictures(5);
        let least = other.applied_to(facts);
        assert_eq!((least.tools, least.thinking), (ToolUse::Text, Thinking::Unasked));
        assert_eq!((least.efforts, least.temperature), (EffortLevels::NONE, false));
        assert_eq!(least.picture_limits.max_count, Some(5));
    }

    #[test]
    fn only_so_many_parts_are_remembered() {
        let learned = Learned::default();
        learned.leave_out(0..MAX_LEFT_OUT as u64 + 3);
        let left_out = learned.so_far().left_out;
        assert_eq!((left_out.len(), left_out.front()), (MAX_LEFT_OUT, Some(&3)));
    }
}
