//! Tools: what a model may call.

use std::sync::Arc;

use async_trait::async_trait;
use llm::{Part, ToolDeclaration};
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
    /// The version of the outside state this call led to, for an owner who tells others of changes
    /// in the order of the calls.
    pub version: Option<u64>,
}

impl ToolOutput {
    /// A result.
    pub fn success(result: Value) -> Self {
        Self { outcome: Ok(result), pictures: Vec::new(), version: None }
    }

    /// An error.
    pub fn failure(error: impl Into<String>) -> Self {
        Self { outcome: Err(error.into()), pictures: Vec::new(), version: None }
    }

    /// The form the history keeps: `{"success": true, "result": ...}` or
    /// `{"success": false, "error": "..."}`.
    pub fn response(&self) -> Value {
        match &self.outcome {
            Ok(result) => json!({ "success": true, "result": result }),
            Err(error) => json!({ "success": false, "error": error }),
        }
    }
}

/// Something a model can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Name, description and JSON schema of the arguments.
    fn declaration(&self) -> ToolDeclaration;

    /// Whether calls may run beside each other.
    fn access(&self) -> Access;

    /// Runs the tool. `args` is a JSON object. A call that has begun is never cut off; a failed
    /// call must leave everything as it was.
    async fn call(&self, args: Value) -> ToolOutput;
}

/// The tools of one agent, in the order they are declared to the model. Cheap to clone.
#[derive(Clone, Default)]
pub struct Toolbox(Arc<[(ToolDeclaration, Arc<dyn Tool>)]>);

impl Toolbox {
    /// A toolbox of `tools`, whose declarations are asked for once.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Self {
        Self(tools.into_iter().map(|tool| (tool.declaration(), tool)).collect())
    }

    /// The tool called `name`.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.0.iter().find(|(declaration, _)| declaration.name == name).map(|(_, tool)| tool)
    }

    /// What the model is told.
    pub fn declarations(&self) -> Vec<ToolDeclaration> {
        self.0.iter().map(|(declaration, _)| declaration.clone()).collect()
    }

    /// What is wrong with calling `name`, which no tool bears, for the model to read.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> =
            self.0.iter().map(|(declaration, _)| declaration.name.as_str()).collect();
        format!("there is no tool '{name}'; the tools are: {}", names.join(", "))
    }
}
