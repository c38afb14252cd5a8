//! The traits that the program implements for sessions: models, a host for runs, and the share of a client.

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;

use agent::{Event, Outcome, RunOptions, Tool, Toolbox};
use async_trait::async_trait;
use llm::LanguageModel;

/// The models that sessions choose from.
pub trait Models: Send + Sync {
    /// The model of new sessions.
    fn default_id(&self) -> String;

    /// Whether there is a model `id`.
    fn contains(&self, id: &str) -> bool;

    /// The ids of the models to choose from, for an error message.
    fn ids(&self) -> Vec<String>;

    /// The model `id` for one run of `session`, which has used `used_tokens` before, if there is one.
    fn open(&self, id: &str, session: &str, used_tokens: u64) -> Option<Arc<dyn LanguageModel>>;

    /// Whether each session has its own scripted model, which continues its script from run to run.
    fn is_scripted(&self) -> bool;

    /// Whether the model `id` makes plans for goals; the built-in one does not.
    fn can_plan(&self, id: &str) -> bool;

    /// The cost of these tokens of the model `id`; `None` when its price is unknown.
    fn cost(&self, id: &str, usage: &llm::Usage) -> Option<f64>;
}

/// What the program provides to runs, and what it is told about them.
pub trait RunHost: Send + Sync {
    /// The options for runs of the session `id`, except approvals and request settings.
    fn options(&self, id: &str) -> RunOptions;

    /// Tools besides the session's own, sorted by name. None has a name in `taken`.
    fn tools(&self, taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>>;

    /// Called for each event of a run with these tools.
    fn on_event(&self, event: &Event, tools: &Toolbox);

    /// Called when a session begins to have work to do for a goal, and when it has none any more.
    fn on_goal(&self, session: &str, is_working: bool);

    /// Called when a session is opened here, which makes this server its owner.
    fn on_owned(&self);

    /// Called when an append was refused since another server owns the session.
    fn on_fenced(&self, session: &str);

    /// Called when a session has ended here since another server owns it, or may.
    fn on_lost(&self, session: &str);

    /// Called when a run ends. `feedback` says whether the model got the results of its tools.
    fn on_finished(&self, outcome: &Outcome, feedback: bool);
}

/// What the client of a request may have of what all clients share, for doors that know no HTTP. Errors are for the client.
#[async_trait]
pub trait ClientShare: Send + Sync + 'static {
    /// Fails where the client has as many sessions as it may have.
    fn may_begin_session(&self) -> Result<(), String>;

    /// Counts a session that the client has begun.
    fn began_session(&self, id: &str) -> Result<(), String>;

    /// What models are asked for the session counts for this client, until another one talks to it.
    fn talks_to(&self, id: &str);

    /// A place for a picture, for as long as it is held.
    fn picture(&self) -> Result<Box<dyn Any + Send>, String>;

    /// A text that `write` makes on a blocking thread, with room for it until the request is answered.
    async fn written(&self, write: Box<dyn FnOnce() -> String + Send>) -> Result<String, String>;
}

/// The share of the client of a request. Cheap to clone.
pub type SharedClient = Arc<dyn ClientShare>;
