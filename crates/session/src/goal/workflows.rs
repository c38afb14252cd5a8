//! The built-in workflows.

use goals::{Workflow, WorkflowError, Workflows};

/// Name and text of each file.
const FILES: [(&str, &str); 0] = [];

/// The built-in workflows.
pub fn built_in_workflows() -> Result<Workflows, WorkflowError> {
    let mut workflows = Workflows::default();
    for (file, text) in FILES {
        workflows.add(Workflow::parse(file, text)?);
    }
    Ok(workflows)
}
