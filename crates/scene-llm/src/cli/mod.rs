//! The command line. Exit code 0 on success, 2 on bad usage, 1 otherwise with one clear line on
//! stderr.

mod animation;
mod backup;
mod chat;
mod config;
mod convert;
mod eval;
mod goal;
mod limits;
mod logs;
mod mcp;
mod model_arguments;
mod models;
mod named;
mod objects;
mod own_server;
mod render;
mod scene_file;
mod serve;
mod settings;
mod shell;
mod validate;
mod worker;
mod workflow;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use self::settings::Given;

/// What somebody wants to type first.
const EXAMPLES: &str = "\
Examples:
  scene-llm serve                                            the page, at http://127.0.0.1:8080
  scene-llm chat                                             the same in the terminal
  scene-llm chat --once \"a snowman\" --render snowman.png     one message, one picture
  scene-llm mcp --install claude-desktop                     other agents build with the same tools

No key is needed to begin; docs/models.md tells how to use Gemini, Claude, GPT or a model on this machine.";

/// Make 3D scenes by talking: a language model builds, a path tracer shows.
#[derive(Debug, Parser)]
#[command(name = "scene-llm", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(flatten)]
    logs: logs::LogArguments,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server and its web page.
    Serve(serve::Arguments),
    Chat(chat::Arguments),
    Goal(Box<goal::Arguments>),
    #[command(subcommand)]
    Workflow(workflow::Command),
    /// Render a scene file to a picture.
    Render(render::Arguments),
    /// Check a scene file; prints one line for each error.
    Validate(validate::Arguments),
    Convert(convert::Arguments),
    /// The ready-made objects and your own: list, search and render them; keep your own.
    #[command(subcommand)]
    Objects(objects::Command),
    Mcp(mcp::Arguments),
    Models(models::Arguments),
    Config(config::Arguments),
    Worker(worker::Arguments),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Eval(eval::Arguments),
    Completions(shell::Completions),
    Man(shell::Manual),
}

/// Parses the command line and does what it says.
pub fn run() -> ExitCode {
    let mut program = Arguments::command();
    program.build();
    match execute(&program) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `{:#}` joins the causes into one line.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn execute(program: &clap::Command) -> anyhow::Result<()> {
    // Bad usage ends here with code 2, --help and --version with 0.
    let given = settings::read(program, std::env::args_os().collect())?;
    let Arguments { logs, command } = Arguments::from_arg_matches(&given.matches)?;
    // Log lines would be written over the full screen, unless they go to a file.
    let is_covered = matches!(&command, Command::Chat(arguments) if arguments.is_full_screen());
    if !(is_covered && std::io::stderr().is_terminal()) {
        logs.start();
    }
    let Given { file, .. } = &given;
    let file = file.as_ref();
    match command {
        Command::Serve(arguments) => serve::run(arguments, file),
        Command::Render(arguments) => render::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments, file),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Chat(arguments) => chat::run(&arguments, file),
        Command::Goal(arguments) => goal::run(&arguments, file),
        Command::Workflow(command) => workflow::run(command, file),
        Command::Config(arguments) => config::run(&arguments, program, &given),
        Command::Mcp(arguments) => mcp::run(&arguments, file),
        Command::Models(arguments) => models::run(&arguments, file),
        Command::Worker(arguments) => worker::run(&arguments),
        Command::Backup(arguments) => arguments.run(),
        Command::Restore(arguments) => arguments.run(),
        Command::Objects(command) => objects::run(&command),
        Command::Completions(arguments) => shell::completions(&arguments, Arguments::command()),
        Command::Man(arguments) => shell::manual(&arguments, Arguments::command()),
    }
}
