//! Notices a model that goes round in circles.

use std::collections::{HashMap, HashSet};

use llm::Part;
use serde_json::Value;

use crate::options::LoopGuard;
use crate::wave::Call;

/// What is to be done about a call that came again.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Nothing.
    Fine,
    /// Tell the model.
    Note(String),
    /// Stop, and tell the user; the tool's name.
    Pause(String),
}

/// Counts the calls of one run by tool, arguments and result.
#[derive(Debug)]
pub(crate) struct Repeats {
    limits: LoopGuard,
    /// The last result of each call, and how often in a row it came.
    seen: HashMap<(String, String), (Value, u32)>,
}

impl Repeats {
    pub(crate) fn new(limits: LoopGuard) -> Self {
        Self { limits, seen: HashMap::new() }
    }

    /// Looks at a wave and its responses, in call order.
    pub(crate) fn check(&mut self, calls: &[Call], responses: &[Part]) -> Verdict {
        let mut verdict = Verdict::Fine;
        // Calls of one wave were made without knowing each other's results: they count as one.
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
                     and gave the same result each time. Do something else, or tell the person what \
                     stands in the way.]"
                ));
            }
        }
        verdict
    }
}
