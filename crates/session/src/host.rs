//! What sessions need of the program they run in.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::{Event, Outcome, RunOptions, Tool, Toolbox};
use llm::LanguageModel;

/// The models that sessions choose from.
pub trait Models: Send + Sync {
    /// The model of new sessions.
    fn default_id(&self) -> String;

    /// Whether there is a model `id`.
    fn contains(&self, id: &str) -> bool;

    /// The ids of the models to choose from, for an error message.
    fn ids(&self) -> Vec<String>;

    /// The model `id` for one run of a session that has used `used_tokens` before, if there is one.
    fn open(&self, id: &str, used_tokens: u64) -> Option<Arc<dyn LanguageModel>>;

    /// Whether every session has a model of its own, which answers from a script and goes on in it
    /// from run to run.
    fn is_scripted(&self) -> bool;

    /// What these tokens of the model `id` cost; `None` where no price is known.
    fn cost(&self, id: &str, usage: &llm::Usage) -> Option<f64>;
}

/// What the program gives to runs and wants to know of them.
pub trait RunHost: Send + Sync {
    /// How runs of the session `id` behave. Approvals and the settings of requests are the session's.
    fn options(&self, id: &str) -> RunOptions;

    /// Tools besides the session's own, whose names are `taken`; sorted by name.
    fn tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>>;

    /// Something happened in a run with these tools.
    fn on_event(&self, event: &Event, tools: &Toolbox);

    /// A run ended; `feedback`: results of tools went back to its model.
    fn on_finished(&self, outcome: &Outcome, feedback: bool);
}
