//! Options of a run.

use llm::RequestSettings;

use crate::approvals::Approvals;
use crate::compaction::Compaction;

/// Limits of the loop guard, which stops a model that repeats itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoopGuard {
    /// Identical calls with identical results after which the model gets a note.
    pub note_after: u32,
    /// Identical calls after which the run stops and the user is told.
    pub pause_after: u32,
}

impl Default for LoopGuard {
    fn default() -> Self {
        Self { note_after: 3, pause_after: 5 }
    }
}

/// How the message about the turn limit is worded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LimitWords {
    /// `Reached maximum turn limit (N turns). Send a message to continue.`
    #[default]
    Turns,
    /// `Reached maximum reasoning steps (N)`.
    Steps,
}

/// Options of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Whether results go back to the model. If not, the run ends after one wave.
    pub feedback: bool,
    /// The loop guard; `None` switches it off.
    pub guard: Option<LoopGuard>,
    /// The wording of the message at the turn limit.
    pub limit_words: LimitWords,
    /// How the conversation is kept within the model's context window.
    pub compaction: Compaction,
    /// The user's answers to approval requests.
    pub approvals: Approvals,
    /// The request settings.
    pub settings: RequestSettings,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            feedback: true,
            guard: Some(LoopGuard::default()),
            limit_words: LimitWords::default(),
            compaction: Compaction::default(),
            approvals: Approvals::default(),
            settings: RequestSettings::default(),
        }
    }
}

/// Whether the session `id` belongs to the given share of sessions, from 0 to 1. Deterministic and
/// uniformly distributed (FNV-1a with a final mix).
pub fn in_share(id: &str, share: f64) -> bool {
    let mut hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // The upper bits of FNV are poor for short texts (MurmurHash3's finaliser).
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    (hash >> 11) as f64 / ((1_u64 << 53) as f64) < share
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requirement B4.
    #[test]
    fn a_session_stays_with_or_without_the_loop_and_the_share_is_met() {
        let count =
            |share| (0..10_000).filter(|n| in_share(&format!("session-{n}"), share)).count();
        assert_eq!((count(0.0), count(1.0)), (0, 10_000));
        // Five standard deviations of a binomial distribution.
        assert!(count(0.3).abs_diff(3_000) < 230, "{}", count(0.3));
        assert_eq!(in_share("a", 0.5), in_share("a", 0.5));
    }
}
