//! What the provider of a model refused.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::facts::{EffortLevels, ModelFacts, Source, Thinking, ToolUse};
use crate::model::Effort;

/// What a provider refused to take for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Pictures in the request.
    Pictures,
    /// Being told to think.
    Thinking,
    /// This level of effort.
    Effort(Effort),
    /// A sampling temperature.
    Temperature,
    /// Function calling.
    Tools,
    /// More tokens of request and answer together than this.
    Window(u64),
    /// More tokens of one answer than this.
    OutputLimit(u64),
}

/// What a provider has refused for one model so far. Clones share what they learn, so that every
/// session with the model profits from what one of them met. Forgotten with the process: a provider
/// may have learned something new by the next start.
#[derive(Debug, Clone, Default)]
pub struct Learned {
    /// A lock, since the streams of several sessions note refusals; held for a few assignments.
    refused: Arc<Mutex<Refused>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Refused {
    pictures: bool,
    thinking: bool,
    efforts: EffortLevels,
    temperature: bool,
    tools: bool,
    window: Option<u64>,
    output_limit: Option<u64>,
}

impl Learned {
    /// Notes a refusal. True when it is news: asking again without what was refused makes sense once.
    pub fn note(&self, refusal: Refusal) -> bool {
        let mut refused = self.lock();
        let before = refused.clone();
        let smaller = |known: Option<u64>, new: u64| Some(known.map_or(new, |old| old.min(new)));
        match refusal {
            Refusal::Pictures => refused.pictures = true,
            Refusal::Thinking => refused.thinking = true,
            Refusal::Effort(effort) => refused.efforts = refused.efforts.with(effort),
            Refusal::Temperature => refused.temperature = true,
            Refusal::Tools => refused.tools = true,
            Refusal::Window(tokens) => refused.window = smaller(refused.window, tokens),
            Refusal::OutputLimit(tokens) => {
                refused.output_limit = smaller(refused.output_limit, tokens);
            }
        }
        *refused != before
    }

    /// Whether pictures were refused.
    pub fn refuses_pictures(&self) -> bool {
        self.lock().pictures
    }

    /// Whether being told to think was refused.
    pub fn refuses_thinking(&self) -> bool {
        self.lock().thinking
    }

    /// Whether this level of effort was refused.
    pub fn refuses_effort(&self, effort: Effort) -> bool {
        self.lock().efforts.contains(effort)
    }

    /// Whether a temperature was refused.
    pub fn refuses_temperature(&self) -> bool {
        self.lock().temperature
    }

    /// Whether function calling was refused.
    pub fn refuses_tools(&self) -> bool {
        self.lock().tools
    }

    /// `facts` without what was refused.
    pub fn applied_to(&self, facts: ModelFacts) -> ModelFacts {
        let refused = self.lock().clone();
        if refused == Refused::default() {
            return facts;
        }
        let at_most = |known: u64, limit: Option<u64>| limit.map_or(known, |new| known.min(new));
        let unthinking = refused.thinking;
        ModelFacts {
            tools: if refused.tools { ToolUse::Text } else { facts.tools },
            images: facts.images && !refused.pictures,
            thinking: if unthinking { Thinking::Unasked } else { facts.thinking },
            efforts: match unthinking {
                true => EffortLevels::NONE,
                false => facts.efforts.without(refused.efforts),
            },
            temperature: facts.temperature && !refused.temperature,
            context_window: at_most(facts.context_window, refused.window),
            output_limit: at_most(facts.output_limit, refused.output_limit),
            source: Source::Refusals,
            ..facts
        }
    }

    fn lock(&self) -> MutexGuard<'_, Refused> {
        // Every change is one assignment, so a panic elsewhere leaves nothing half-done.
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_is_learned_once_and_by_all_clones() {
        let learned = Learned::default();
        let facts = super::super::facts("gpt-5.5");
        assert_eq!(learned.applied_to(facts), facts);
        let other = learned.clone();
        assert!(learned.note(Refusal::Pictures) && !other.note(Refusal::Pictures));
        assert!(learned.note(Refusal::Window(64_000)) && !learned.note(Refusal::Window(100_000)));
        assert!(learned.note(Refusal::Effort(Effort::Off)));
        let less = other.applied_to(facts);
        assert!(!less.images && other.refuses_pictures() && !other.refuses_tools());
        assert_eq!((less.context_window, less.source), (64_000, Source::Refusals));
        assert!(!less.efforts.contains(Effort::Off) && less.efforts.contains(Effort::High));
        learned.note(Refusal::Tools);
        learned.note(Refusal::Thinking);
        let least = learned.applied_to(facts);
        assert_eq!((least.tools, least.thinking), (ToolUse::Text, Thinking::Unasked));
        assert_eq!(least.efforts, EffortLevels::NONE);
    }
}
