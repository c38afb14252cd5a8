//! The loop guard: detects a model that repeats the same calls.

use std::collections::{HashMap, HashSet};

use llm::Part;
use serde_json::Value;

use crate::options::LoopGuard;
use crate::wave::Call;

/// What to do about a repeated call.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Nothing.
    Fine,
    /// Add a note for the model.
    Note(String),
    /// Stop the run because of this tool.
    Pause(String),
}

/// Counts the calls of one run by tool, arguments and result.
#[derive(Debug)]
pub(crate) struct Repeats {
    limits: LoopGuard,
    /// The last result of each call, and how many times in a row it occurred.
    seen: HashMap<(String, String), (Value, u32)>,
}

impl Repeats {
    pub(crate) fn new(limits: LoopGuard) -> Self {
        Self { limits, seen: HashMap::new() }
    }

    /// Counts a wave and its responses, in call order.
    pub(crate) fn check(&mut self, calls: &[Call], responses: &[Part]) -> Verdict {
        let mut verdict = Verdict::Fine;
        // The model could not know the results within one wave, so equal calls in it count once.
        let mut in_wave = HashSet::new();
        for (call, part) in calls.iter().zip(responses) {
            let Some(response) = part.as_response().and_then(|it| it.response) else { continue };
            if !in_wave.insert(call.key()) {
                continue;
            }
            let entry = self.seen.entry(call.key()).or_insert_with(|| (response.clone(), 0));
            if entry.0 == *response {
                entry.1 += 1;
            } else {
                *entry = (response.clone(), 1);
            }
            let (tool, count) = (call.name(), entry.1);
            if count >= self.limits.pause_after {
                return Verdict::Pause(tool.to_owned());
            }
            if count == self.limits.note_after {
                verdict = Verdict::Note(format!(
                    "[Note from the system: {tool} was called {count} times with the same arguments \
                     and gave the same result each time. Do something else, or tell the user what \
                     stands in the way.]"
                ));
            }
        }
        verdict
    }
}
