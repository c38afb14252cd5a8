//! The workflows of a server: the built-in ones, and the user's own in the data directory.

use std::path::Path;

use goals::{Workflow, Workflows};
use session::built_in_workflows;

/// Beside the sessions' file.
const DIRECTORY: &str = "workflows";

/// The built-in workflows and those of `data_dir`; one of the same name replaces a built-in one. A file
/// that cannot be read is reported and left out.
pub fn workflows(data_dir: Option<&Path>) -> Workflows {
    let mut workflows = built_in_workflows().unwrap_or_else(|error| {
        // The built-in files are tested.
        tracing::error!(%error, "the built-in workflows cannot be read");
        Workflows::default()
    });
    let Some(directory) = data_dir.map(|directory| directory.join(DIRECTORY)) else {
        return workflows;
    };
    let Ok(entries) = std::fs::read_dir(&directory) else { return workflows };
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    for file in files {
        let name = file.display().to_string();
        let read = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match read.and_then(|text| Workflow::parse(&name, &text).map_err(|error| error.to_string()))
        {
            Ok(workflow) => workflows.add(workflow),
            Err(error) => tracing::warn!(file = name, %error, "a workflow is left out"),
        }
    }
    workflows
}
