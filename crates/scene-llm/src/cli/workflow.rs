//! `scene-llm workflow`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand};
use server::{ConfigFile, Workflow, workflows};

use super::goal::Work;
use super::serve::default_storage;

/// Workflows: plans with parameters. The built-in ones, and the files in `workflows` of the data directory.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List them with what they do.
    List(Place),
    /// Show one with its parameters, tasks and criteria.
    Show {
        /// Its name.
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Follow one until its criteria hold, as `goal` does.
    Run(Box<RunArguments>),
}

#[derive(Debug, Args)]
pub(super) struct Place {
    /// The data directory; without it that of the user, as `serve` takes.
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Its name.
    name: String,
    /// A value of a parameter, as NAME=VALUE; may be repeated.
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
    parameters: Vec<(String, String)>,
    #[command(flatten)]
    work: Work,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must be NAME=VALUE, e.g. colour=red")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(super) fn run(command: Command, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    match command {
        Command::List(place) => {
            let mut out = std::io::stdout().lock();
            for workflow in place.workflows().iter() {
                writeln!(out, "{:<16} {}", workflow.name, workflow.description)?;
            }
        }
        Command::Show { name, place } => {
            write!(std::io::stdout(), "{}", shown(place.workflows().get(&name)?))?;
        }
        Command::Run(arguments) => {
            let mut parameters = BTreeMap::new();
            for (name, value) in arguments.parameters {
                if parameters.insert(name.clone(), value).is_some() {
                    bail!("the parameter '{name}' is given twice");
                }
            }
            arguments.work.follow(&arguments.name, parameters, file)?;
        }
    }
    Ok(())
}

impl Place {
    fn workflows(&self) -> server::Workflows {
        let usual = || default_storage(None).directory().map(Path::to_owned);
        let named = self.data_dir.clone().filter(|path| !path.as_os_str().is_empty());
        workflows(named.or_else(usual).as_deref())
    }
}

fn shown(workflow: &Workflow) -> String {
    let mut lines = vec![format!("{}: {}", workflow.name, workflow.description)];
    if !workflow.triggers.is_empty() {
        lines.push(format!("serves goals with: {}", workflow.triggers.join("; ")));
    }
    for (name, parameter) in &workflow.parameters {
        let values = match parameter.values.as_slice() {
            [] => String::new(),
            values => format!(", one of {}", values.join(", ")),
        };
        lines.push(format!(
            "--param {name}={}   {}{values}",
            parameter.default, parameter.description
        ));
    }
    for task in &workflow.tasks {
        let after = match task.depends_on.as_slice() {
            [] => String::new(),
            ids => format!(" (after {})", ids.join(", ")),
        };
        lines.push(format!("  {}: {}{after}", task.id, task.description));
        lines.extend(task.criteria.iter().map(|criterion| format!("      {criterion}")));
    }
    lines.push("in the end:".into());
    lines.extend(workflow.criteria.iter().map(|criterion| format!("  {criterion}")));
    lines.join("\n") + "\n"
}
