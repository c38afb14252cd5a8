//! The workflows and sub-agents of a server: the built-in ones, and the user's own in the data directory.

use std::fmt::Display;
use std::path::Path;

use ::sub_agents::{SubAgent, SubAgents, built_in_agents};
use goals::{Workflow, Workflows};
use session::built_in_workflows;

/// The built-in workflows and those of `data_dir`; one of the same name replaces a built-in one. A file
/// that cannot be read is reported and left out.
pub fn workflows(data_dir: Option<&Path>) -> Workflows {
    let mut workflows = built_in(built_in_workflows());
    for workflow in own(data_dir, "workflows", Workflow::parse) {
        workflows.add(workflow);
    }
    workflows
}

/// The built-in sub-agents and those of `data_dir`, in the same way.
pub fn sub_agents(data_dir: Option<&Path>) -> SubAgents {
    let mut agents = built_in(built_in_agents());
    for agent in own(data_dir, "agents", SubAgent::parse) {
        agents.add(agent);
    }
    agents
}

fn built_in<T: Default, E: Display>(read: Result<T, E>) -> T {
    read.unwrap_or_else(|error| {
        // The built-in files are tested.
        tracing::error!(%error, "a built-in file cannot be read");
        T::default()
    })
}

/// What `parse` makes of each file of a directory beside the sessions' file.
fn own<T, E: Display>(
    data_dir: Option<&Path>,
    directory: &str,
    parse: impl Fn(&str, &str) -> Result<T, E>,
) -> Vec<T> {
    let entries = data_dir.and_then(|data_dir| std::fs::read_dir(data_dir.join(directory)).ok());
    let mut files: Vec<_> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    let read = |file: std::path::PathBuf| {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match text.and_then(|text| parse(&name, &text).map_err(|error| error.to_string())) {
            Ok(read) => Some(read),
            Err(error) => {
                tracing::warn!(file = name, %error, "a file is left out");
                None
            }
        }
    };
    files.into_iter().filter_map(read).collect()
}
