//! Tools: what a model may call.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use llm::{Part, ToolDeclaration};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Whether a call may run beside others of the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It only looks: runs together with other reading calls.
    Reads,
    /// It changes something: runs alone, in call order.
    Changes,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    /// The result, or an error text for the model to read: it names the object, the property and
    /// what was expected.
    pub outcome: Result<Value, String>,
    /// Pictures for the model to see (`inlineData` parts).
    pub pictures: Vec<Part>,
    /// What else is worth knowing of a result, in few words; the result keeps its own form.
    pub facts: Option<Value>,
    /// The version of the outside state this call led to, for an owner who tells others of changes
    /// in the order of the calls.
    pub version: Option<u64>,
}

impl ToolOutput {
    /// A result.
    pub fn success(result: Value) -> Self {
        Self { outcome: Ok(result), pictures: Vec::new(), facts: None, version: None }
    }

    /// An error.
    pub fn failure(error: impl Into<String>) -> Self {
        Self { outcome: Err(error.into()), pictures: Vec::new(), facts: None, version: None }
    }

    /// The form the history keeps: `{"success": true, "result": ..., "facts"?: ...}` or
    /// `{"success": false, "error": "..."}`.
    pub fn response(&self) -> Value {
        match &self.outcome {
            Ok(result) => {
                let mut response = json!({ "success": true, "result": result });
                if let Some(facts) = &self.facts {
                    response["facts"] = facts.clone();
                }
                response
            }
            Err(error) => json!({ "success": false, "error": error }),
        }
    }
}

/// Which tool is meant, whatever name a model calls it by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ToolIdentity {
    /// Where it comes from, e.g. the name of an MCP server; empty for tools of our own.
    pub source: String,
    /// What it is called there.
    pub name: String,
}

/// Something a model can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// The name calls use.
    fn name(&self) -> &str;

    /// Which tool it is: what a remembered approval is about.
    fn identity(&self) -> ToolIdentity {
        ToolIdentity { source: String::new(), name: self.name().to_owned() }
    }

    /// What it does and when to use it, for the model.
    fn description(&self) -> &str;

    /// JSON schema of the arguments.
    fn parameters(&self) -> Value;

    /// Whether calls may run beside each other.
    fn access(&self) -> Access;

    /// Whether the user has to allow each call.
    fn needs_approval(&self) -> bool {
        false
    }

    /// Whether a call that has begun may be dropped when the user stops the run. For tools whose
    /// work is done elsewhere; dropping the call's future must tell whoever does it.
    fn stops_at_once(&self) -> bool {
        false
    }

    /// Runs the tool. `args` is a JSON object. A call that has begun is not cut off, unless
    /// [`Tool::stops_at_once`]; a failed call must leave everything as it was.
    async fn call(&self, args: Value) -> ToolOutput;
}

/// The tools of one agent, in the order they are declared to the model. Cheap to clone.
#[derive(Clone, Default)]
pub struct Toolbox(Arc<[Arc<dyn Tool>]>);

impl Toolbox {
    /// A toolbox of `tools`.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        Self(tools.into())
    }

    /// These tools and then `more`.
    pub fn with(&self, more: Vec<Arc<dyn Tool>>) -> Self {
        Self(self.0.iter().cloned().chain(more).collect())
    }

    /// The names of all tools.
    pub fn names(&self) -> BTreeSet<String> {
        self.0.iter().map(|tool| tool.name().to_owned()).collect()
    }

    /// The tool called `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.0.iter().find(|tool| tool.name() == name)
    }

    /// What the model is told.
    pub fn declarations(&self) -> Vec<ToolDeclaration> {
        let declaration = |tool: &Arc<dyn Tool>| ToolDeclaration {
            name: tool.name().to_owned(),
            description: tool.description().to_owned(),
            parameters: tool.parameters(),
        };
        self.0.iter().map(declaration).collect()
    }

    /// What is wrong with calling `name`, which no tool bears, for the model to read.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.0.iter().map(|tool| tool.name()).collect();
        format!("there is no tool '{name}'; the tools are: {}", names.join(", "))
    }
}
