//! The command line. Exit code 0 on success, 2 on bad usage, 1 otherwise with one clear line on
//! stderr.

mod convert;
mod eval;
mod models;
mod named;
mod render;
mod scene_file;
mod serve;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Make 3D scenes by talking: a language model builds, a path tracer shows.
#[derive(Debug, Parser)]
#[command(name = "scene-llm", version, about)]
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
}

/// Parses the command line and does what it says.
pub fn run() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("SCENE_LLM_LOG")
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn")),
        )
        .init();
    // Bad usage ends here with code 2, --help and --version with 0.
    let outcome = match Arguments::parse().command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Render(arguments) => render::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
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
