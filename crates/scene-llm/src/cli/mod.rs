//! The command line. Exit code 0 on success, 2 on bad usage, 1 otherwise with one clear line on
//! stderr.

mod chat;
mod convert;
mod eval;
mod goal;
mod mcp;
mod models;
mod named;
mod objects;
mod own_server;
mod render;
mod scene_file;
mod serve;
mod shell;
mod validate;
mod workflow;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Make 3D scenes by talking: a language model builds, a path tracer shows.
#[derive(Debug, Parser)]
#[command(name = "scene-llm", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server and its web page.
    Serve(serve::Arguments),
    /// Render a scene file to a picture.
    Render(render::Arguments),
    Eval(eval::Arguments),
    /// Check a scene file; prints one line for each error.
    Validate(validate::Arguments),
    Convert(convert::Arguments),
    Chat(chat::Arguments),
    Goal(Box<goal::Arguments>),
    #[command(subcommand)]
    Workflow(workflow::Command),
    Mcp(mcp::Arguments),
    /// The ready-made objects: list, search and render them.
    #[command(subcommand)]
    Objects(objects::Command),
    Completions(shell::Completions),
    Man(shell::Manual),
}

/// Writes log lines to stderr: warnings and errors, or what `SCENE_LLM_LOG` asks for.
fn log_to_stderr() {
    const NAME: &str = "SCENE_LLM_LOG";
    let usual = || {
        // What a client of MCP asks wrongly is told to the client.
        Targets::new().with_default(Level::WARN).with_target("rmcp", Level::ERROR)
    };
    let wanted = std::env::var(NAME).unwrap_or_default();
    let (targets, error) = match wanted.parse::<Targets>() {
        _ if wanted.is_empty() => (usual(), None),
        Ok(targets) => (targets, None),
        Err(error) => (usual(), Some(error)),
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(lines).with(targets).init();
    if let Some(error) = error {
        tracing::warn!(
            "{NAME}='{wanted}' is no filter like 'info' or 'warn,server=debug': {error}"
        );
    }
}

/// Parses the command line and does what it says.
pub fn run() -> ExitCode {
    // Bad usage ends here with code 2, --help and --version with 0.
    let command = Arguments::parse().command;
    // Log lines would be written over the full screen, unless they go to a file.
    let is_covered = matches!(&command, Command::Chat(arguments) if arguments.is_full_screen());
    if !(is_covered && std::io::stderr().is_terminal()) {
        log_to_stderr();
    }
    let outcome = match command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Chat(arguments) => chat::run(&arguments),
        Command::Goal(arguments) => goal::run(&arguments),
        Command::Workflow(command) => workflow::run(command),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Objects(command) => objects::run(&command),
        Command::Completions(arguments) => shell::completions(&arguments, Arguments::command()),
        Command::Man(arguments) => shell::manual(&arguments, Arguments::command()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `{:#}` joins the causes into one line.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
