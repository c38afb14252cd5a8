//! `scene-llm completions` and `scene-llm man`: what shells and `man` know of the command line.

use std::io::Write as _;

use clap::Args;
use clap_complete::Shell;

/// Print the completions of a shell.
///
/// For bash: scene-llm completions bash > ~/.local/share/bash-completion/completions/scene-llm
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// For which shell.
    shell: Shell,
}

/// Print the manual page of the program, or of one of its commands.
///
/// To read it: scene-llm man | man -l -
#[derive(Debug, Args)]
pub(super) struct Manual {
    /// The command, e.g. serve.
    command: Option<String>,
}

pub(super) fn completions(
    arguments: &Completions,
    mut program: clap::Command,
) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "scene-llm", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

pub(super) fn manual(arguments: &Manual, mut program: clap::Command) -> anyhow::Result<()> {
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => {
            let names: Vec<String> =
                program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                anyhow::anyhow!(
                    "there is no command '{name}'; the commands are: {}",
                    names.join(", ")
                )
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    Ok(std::io::stdout().write_all(&text)?)
}
