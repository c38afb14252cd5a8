//! `scene-llm objects`.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use catalogue::{ObjectInfo, ObjectParameters, catalogue};
use clap::{Args, Subcommand};
use studio::{Denoise, Job, MAX_SAMPLES, MAX_SIDE};

use super::render::{Output, Progress, output};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the objects, one line each: name, size in metres, options, categories.
    List(List),
    /// Render a picture of an object.
    Render(Render),
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// Words to search for in names, synonyms and categories.
    #[arg(value_name = "WORDS")]
    words: Vec<String>,
    /// Only objects of this category.
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Render {
    /// The object's name or a synonym.
    #[arg(value_name = "NAME")]
    name: String,
    /// The picture to write; its ending chooses the format: png, jpg, webp or exr (linear).
    #[arg(short, long, value_name = "OUT", value_parser = output)]
    output: Output,
    /// Pixels.
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    width: u32,
    /// Pixels.
    #[arg(long, default_value_t = 384, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SIDE)))]
    height: u32,
    /// Samples per pixel.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLES)))]
    samples: u32,
    /// An option it has; may be given several times.
    #[arg(long, value_name = "OPTION")]
    with: Vec<String>,
    /// An option it does not have; may be given several times.
    #[arg(long, value_name = "OPTION")]
    without: Vec<String>,
    /// Which of its variants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Degrees about the vertical axis.
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f64,
}

pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::List(arguments) => list(arguments),
        Command::Render(arguments) => render(arguments),
    }
}

fn list(arguments: &List) -> anyhow::Result<()> {
    let category = arguments.category.as_deref();
    let category = category.map(|name| catalogue().category_named(name)).transpose()?;
    let words = arguments.words.join(" ");
    let found = catalogue().search(&words, category);
    if found.is_empty() {
        return Err(anyhow!("no object fits '{words}'; 'scene-llm objects list' lists all"));
    }
    let rows: Vec<ObjectInfo<'_>> =
        found.iter().map(|found| catalogue().info(found.object)).collect();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(());
    }
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in rows {
        let size = row.size.map(|side| format!("{side:.2}")).join(" x ");
        let options: Vec<&str> = row.options.iter().map(|option| option.name).collect();
        let options =
            if options.is_empty() { String::new() } else { format!("; {}", options.join(", ")) };
        writeln!(out, "{:width$}  {size} m{options}  [{}]", row.name, row.categories.join(", "))?;
    }
    Ok(())
}

fn render(arguments: &Render) -> anyhow::Result<()> {
    let object = catalogue().find(&arguments.name).ok_or_else(|| unknown(&arguments.name))?;
    let option = |name: &String| object.option_named(name).map(str::to_owned);
    let parameters = ObjectParameters {
        with: arguments.with.iter().map(option).collect::<Result<_, _>>()?,
        without: arguments.without.iter().map(option).collect::<Result<_, _>>()?,
        seed: arguments.seed,
        turn_degrees: arguments.turn,
        ..ObjectParameters::default()
    };
    let job = Job {
        width: arguments.width,
        height: arguments.height,
        samples: arguments.samples,
        denoise: Denoise::Builtin,
        ..Job::of(Arc::new(object.portrait(&parameters)?))
    };
    let progress = Progress::new(&job);
    let rendered =
        job.render(&AtomicBool::new(false), |film, samples| progress.show(film, samples));
    progress.end();
    let Output { path, format } = &arguments.output;
    let bytes = rendered?.encode(*format, job.display)?;
    std::fs::write(path, bytes).with_context(|| format!("cannot write '{}'", path.display()))
}

fn unknown(name: &str) -> anyhow::Error {
    let similar = catalogue().search(name, None);
    let names: Vec<&str> = similar.iter().take(5).map(|found| found.object.name()).collect();
    match names[..] {
        [] => anyhow!("there is no object '{name}'; 'scene-llm objects list' lists all"),
        _ => anyhow!("there is no object '{name}'; did you mean {}?", names.join(", ")),
    }
}
