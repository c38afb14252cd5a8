//! Tools that change the scene; each returns the changed object and facts about the change.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use scene::ToolSpec;
use serde_json::Value;
use spatial::Call;

use crate::shared::{Author, SharedScene};
use crate::workspace::Workspace;

/// A tool that changes the scene.
pub(super) struct ChangeTool {
    pub(super) spec: &'static ToolSpec,
    pub(super) scene: Arc<SharedScene>,
    /// The author of the changes.
    pub(super) by: Author,
    /// What may be changed; `None` means all.
    pub(super) workspace: Option<Arc<Workspace>>,
}

#[async_trait]
impl Tool for ChangeTool {
    fn name(&self) -> &str {
        self.spec.name
    }

    fn description(&self) -> &str {
        &self.spec.description
    }

    fn parameters(&self) -> Arc<Value> {
        Arc::clone(&self.spec.parameters)
    }

    fn access(&self) -> Access {
        Access::Changes
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let made = Call::parse(self.spec.name, &args)
            .and_then(|call| self.scene.apply_within(&call, self.by, self.workspace.as_deref()));
        match made {
            Ok(made) => {
                let (version, facts) = (Some(made.applied.revision.number), made.facts);
                let output = match made.stopped {
                    None => ToolOutput::success(made.result),
                    Some(why) => ToolOutput { done: Some(made.result), ..ToolOutput::failure(why) },
                };
                ToolOutput { version, facts, ..output }
            }
            Err(violations) => ToolOutput::failure(violations.to_string()),
        }
    }
}
