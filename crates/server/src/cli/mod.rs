//! The command line. Exit code 0 on success, 2 on bad usage, 1 otherwise with one clear line on
//! stderr.

mod convert;
mod eval;
mod render;
mod serve;
mod validate;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::{Parser, Subcommand};
use mesh_files::{FileFault, Folder, read_regular};
use scene::{Scene, Violations};
use tracer::Meshes;

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
    /// Check a scene file; prints one line for each fault.
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

/// Why a scene file could not be used.
enum SceneFault {
    /// It cannot be read.
    Unreadable(anyhow::Error),
    /// It breaks the rules.
    Invalid(Violations),
}

/// Reads and checks a scene file.
fn read_scene(path: &Path) -> anyhow::Result<Result<Scene, Violations>> {
    let bytes = read_regular(path)
        .map_err(|fault| match fault {
            FileFault::Unreadable(error) => anyhow::Error::new(error),
            FileFault::Missing => anyhow!("there is no such file"),
            FileFault::NoFile => anyhow!("it is a folder, a pipe or a device, not a regular file"),
            other => anyhow!("{other}"),
        })
        .with_context(|| format!("cannot read '{}'", path.display()))?;
    let text = String::from_utf8(bytes)
        .with_context(|| format!("'{}' is not UTF-8 text", path.display()))?;
    Ok(Scene::from_json_text(&text))
}

/// Reads and checks a scene file and the meshes it names, which lie in `assets` or else beside it.
fn load(path: &Path, assets: Option<&Path>) -> Result<(Scene, Meshes), SceneFault> {
    let scene = read_scene(path).map_err(SceneFault::Unreadable)?.map_err(SceneFault::Invalid)?;
    let folder = match assets {
        Some(assets) => Folder::new(assets.to_path_buf()),
        None => Folder::of_scene(path),
    };
    let meshes = folder.load(&scene).map_err(SceneFault::Invalid)?;
    Ok((scene, meshes))
}
