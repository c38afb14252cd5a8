//! The tool that hands a task to an agent.

use std::sync::Arc;

use agent::{Access, Notes, Tool, ToolIdentity, ToolOutput};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::file::SubAgent;
use crate::work::Work;

/// Characters of a task.
const MAX_TASK: usize = 8_000;
/// Groups that a task may name.
const MAX_GROUPS: usize = 50;

/// The tool of an agent.
pub(crate) struct Delegate {
    name: String,
    agent: Arc<SubAgent>,
    bench: Arc<Bench>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    task: String,
    groups: Option<Vec<String>>,
}

impl Delegate {
    pub(crate) fn new(agent: Arc<SubAgent>, bench: Arc<Bench>) -> Self {
        Self { name: agent.tool_name(), agent, bench }
    }

    fn work(&self, args: Value) -> Result<Work<'_>, String> {
        let args: Arguments =
            serde_json::from_value(args).map_err(|error| format!("{}: {error}", self.name))?;
        let task = args.task.trim();
        let length = task.chars().count();
        if length == 0 || length > MAX_TASK {
            return Err(format!(
                "'task' must say what the agent is to do in 1 to {MAX_TASK} characters, got {length}"
            ));
        }
        let scope = match &args.groups {
            Some(groups) if groups.is_empty() || groups.len() > MAX_GROUPS => {
                return Err(format!(
                    "'groups' must name 1 to {MAX_GROUPS} groups; leave it out for all"
                ));
            }
            Some(groups) => self.agent.may_change.within(groups)?,
            None => self.agent.may_change.clone(),
        };
        Ok(Work { agent: &self.agent, bench: &self.bench, task: task.to_owned(), scope })
    }
}

#[async_trait]
impl Tool for Delegate {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> ToolIdentity {
        ToolIdentity { source: format!("agent {}", self.agent.name), name: "delegate".into() }
    }

    fn description(&self) -> &str {
        &self.agent.description
    }

    fn parameters(&self) -> Arc<Value> {
        let mut properties = json!({ "task": { "type": "string" } });
        if !self.agent.may_change.is_empty() {
            properties["groups"] = json!({
                "type": "array", "items": { "type": "string" },
                "description": "All it may change. With different groups two work at once."
            });
        }
        json!({ "type": "object", "properties": properties, "required": ["task"] }).into()
    }

    fn access(&self) -> Access {
        Access::Delegates
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let (notes, _unread) = Notes::channel();
        self.call_with_notes(args, notes).await
    }

    async fn call_with_notes(&self, args: Value, notes: Notes) -> ToolOutput {
        match self.work(args) {
            Ok(work) => work.done(&notes).await,
            Err(why) => ToolOutput::failure(why),
        }
    }
}
