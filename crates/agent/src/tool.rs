//! Tools that a model may call.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use llm::{Part, ToolDeclaration};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::notes::Notes;

/// Whether a call may run concurrently with others of the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read-only: runs concurrently with other reading calls.
    Reads,
    /// It hands work to others, who take turns in changing state: runs concurrently with other such calls,
    /// in call order with the rest.
    Delegates,
    /// It changes state: runs alone, in call order.
    Changes,
}

/// The output of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    /// The result, or an error text for the model to read: it names the object, the property and
    /// what was expected.
    pub outcome: Result<Value, String>,
    /// Pictures for the model to see (`inlineData` parts).
    pub pictures: Vec<Part>,
    /// Beside an error, what was done before it and stays.
    pub done: Option<Value>,
    /// Facts about the result, beside it.
    pub facts: Option<Value>,
    /// The version of the document after this call, so that its owner can report changes in the order
    /// of the calls.
    pub version: Option<u64>,
}

impl ToolOutput {
    /// A successful output.
    pub fn success(result: Value) -> Self {
        Self::of(Ok(result))
    }

    /// A failed output.
    pub fn failure(error: impl Into<String>) -> Self {
        Self::of(Err(error.into()))
    }

    fn of(outcome: Result<Value, String>) -> Self {
        Self { outcome, pictures: Vec::new(), done: None, facts: None, version: None }
    }

    /// The form the history keeps: `{"success": true, "result": ..., "facts"?: ...}` or
    /// `{"success": false, "error": "...", "done"?: ..., "facts"?: ...}`.
    pub fn response(&self) -> Value {
        let mut response = match &self.outcome {
            Ok(result) => json!({ "success": true, "result": result }),
            Err(error) => json!({ "success": false, "error": error }),
        };
        for (name, value) in [("done", &self.done), ("facts", &self.facts)] {
            if let Some(value) = value {
                response[name] = value.clone();
            }
        }
        response
    }
}

/// The identity of a tool, independent of the name a model calls it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ToolIdentity {
    /// Its source, e.g. the name of an MCP server; empty for built-in tools.
    pub source: String,
    /// Its name at the source.
    pub name: String,
}

/// A tool that a model can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Its name in calls.
    fn name(&self) -> &str;

    /// Its identity, to which a remembered approval applies.
    fn identity(&self) -> ToolIdentity {
        ToolIdentity { source: String::new(), name: self.name().to_owned() }
    }

    /// The description for the model: what it does and when to use it.
    fn description(&self) -> &str;

    /// JSON schema of the arguments.
    fn parameters(&self) -> Arc<Value>;

    /// Whether calls may run concurrently.
    fn access(&self) -> Access;

    /// Whether each call needs the approval of the user.
    fn needs_approval(&self) -> bool {
        false
    }

    /// Whether a running call may be dropped when the user stops the run. For tools whose work runs
    /// elsewhere; dropping the future must cancel that work.
    fn stops_at_once(&self) -> bool {
        false
    }

    /// Runs the tool. `args` is a JSON object. A running call is not cancelled unless
    /// [`Tool::stops_at_once`]; a failed call must change nothing but what it tells as done.
    async fn call(&self, args: Value) -> ToolOutput;

    /// Runs the tool as [`Tool::call`] does, and notes in a word or a sentence what it does meanwhile. For
    /// tools that take long.
    async fn call_with_notes(&self, args: Value, notes: Notes) -> ToolOutput {
        drop(notes);
        self.call(args).await
    }
}

/// The tools of one agent, in the order they are declared to the model. Cheap to clone.
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: Arc<[Arc<dyn Tool>]>,
    /// What [`Toolbox::declarations`] made when it was first asked.
    declared: Arc<OnceLock<Arc<[ToolDeclaration]>>>,
}

impl Toolbox {
    /// A toolbox of `tools`.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        Self { tools: tools.into(), declared: Arc::default() }
    }

    /// This toolbox with `more` tools at its end.
    pub fn with(&self, more: Vec<Arc<dyn Tool>>) -> Self {
        Self::new(self.iter().cloned().chain(more).collect())
    }

    /// All tools, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.iter()
    }

    /// The names of all tools.
    pub fn names(&self) -> BTreeSet<String> {
        self.tools.iter().map(|tool| tool.name().to_owned()).collect()
    }

    /// The tool called `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    /// The declarations for the model, the same in every request.
    pub fn declarations(&self) -> Arc<[ToolDeclaration]> {
        let declaration = |tool: &Arc<dyn Tool>| ToolDeclaration {
            name: tool.name().to_owned(),
            description: tool.description().to_owned(),
            parameters: tool.parameters(),
        };
        Arc::clone(self.declared.get_or_init(|| self.iter().map(declaration).collect()))
    }

    /// The error for the model about a call of the unknown tool `name`.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name()).collect();
        format!("there is no tool '{name}'; the tools are: {}", names.join(", "))
    }
}
