//! `scene-llm objects`: the built-in ones and the user's own.

mod own;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use catalogue::{Found, Object, ObjectParameters, OptionInfo, OwnObject, catalogue};
use clap::{Args, Subcommand};
use scene::Scene;
use serde::Serialize;
use studio::{Denoise, Job, MAX_SAMPLES, MAX_SIDE};

use super::render::{Output, Progress, output};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the objects, one line each: name, size in metres, options, categories.
    List(List),
    /// Render a picture of an object.
    Render(Render),
    /// Add objects of your own from exported files; prints the name of each.
    Import(own::Import),
    /// Write an object of your own to a file, with its meshes and pictures.
    Export(own::Export),
    /// Delete an object of your own. Scenes keep what they have of it.
    Delete(own::Delete),
    /// Give an object of your own another name, other words or another category.
    Rename(own::Rename),
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
    /// Only your own objects.
    #[arg(long)]
    own: bool,
    #[command(flatten)]
    directory: own::Directory,
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
    #[command(flatten)]
    directory: own::Directory,
}

pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::List(arguments) => list(arguments),
        Command::Render(arguments) => render(arguments),
        Command::Import(arguments) => own::import(arguments),
        Command::Export(arguments) => own::export(arguments),
        Command::Delete(arguments) => own::delete(arguments),
        Command::Rename(arguments) => own::rename(arguments),
    }
}

/// A row of the list.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    names: &'a [String],
    categories: Vec<&'a str>,
    size: [f64; 3],
    shapes: usize,
    options: Vec<OptionInfo<'a>>,
    roles: Vec<&'a str>,
    parts: Vec<&'a str>,
    own: bool,
}

impl<'a> Row<'a> {
    fn of(found: &Found<'a>) -> Self {
        match found {
            Found::BuiltIn(found) => {
                let info = catalogue().info(found.object);
                Self {
                    name: info.name,
                    names: info.names,
                    categories: info.categories,
                    size: info.size,
                    shapes: info.shapes,
                    options: info.options,
                    roles: info.roles,
                    parts: info.parts,
                    own: false,
                }
            }
            Found::Own(object) => Self {
                name: object.name(),
                names: object.names(),
                categories: object.about().category.as_deref().into_iter().collect(),
                size: object.size(),
                shapes: object.shapes(),
                options: object.option_infos(),
                roles: vec!["body"],
                parts: object.part_names().split_off(1),
                own: true,
            },
        }
    }
}

fn list(arguments: &List) -> anyhow::Result<()> {
    let category = arguments.category.as_deref();
    let category = category.map(|name| catalogue().category_named(name)).transpose()?;
    let words = arguments.words.join(" ");
    let own = arguments.directory.look()?.list().all();
    let mut found = catalogue().search_with(&own, &words, category);
    if arguments.own {
        found.retain(|found| matches!(found, Found::Own(_)));
    }
    if found.is_empty() && words.is_empty() {
        return Err(anyhow!(
            "you have saved no objects yet; the page does it, see 'Save as object'"
        ));
    }
    if found.is_empty() {
        return Err(anyhow!("no object fits '{words}'; 'scene-llm objects list' lists all"));
    }
    let rows: Vec<Row<'_>> = found.iter().map(Row::of).collect();
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
        let own = if row.own { "  own" } else { "" };
        let categories = row.categories.join(", ");
        writeln!(out, "{:width$}  {size} m{options}  [{categories}]{own}", row.name)?;
    }
    Ok(())
}

fn render(arguments: &Render) -> anyhow::Result<()> {
    let store = arguments.directory.look()?;
    // As with add_object: a name that somebody gave is meant before a synonym.
    let (own, name) = (store.list(), &arguments.name);
    let built_in = catalogue().find(name);
    let own = own.named(name).or_else(|| own.find(name).filter(|_| built_in.is_none()));
    let parameters = ObjectParameters {
        seed: arguments.seed,
        turn_degrees: arguments.turn,
        ..ObjectParameters::default()
    };
    let Output { path, format } = &arguments.output;
    let bytes = match (own, built_in) {
        (Some(object), _) => {
            let known = object.option_infos();
            let is_option = |name: &&String| known.iter().any(|option| option.name == **name);
            let mut given = arguments.with.iter().chain(&arguments.without);
            if let Some(unknown) = given.find(|name| !is_option(name)) {
                return Err(anyhow!("a {} has no option '{unknown}'", object.name()));
            }
            let parameters = ObjectParameters { without: arguments.without.clone(), ..parameters };
            let job = job(arguments, object.portrait(&parameters)?);
            own::rendered(&store.file(object.name())?, job, *format)?
        }
        (None, Some(object)) => built_in_picture(arguments, object, parameters)?,
        (None, None) => return Err(unknown(name, &store.list().all())),
    };
    std::fs::write(path, bytes).with_context(|| format!("cannot write '{}'", path.display()))
}

fn job(arguments: &Render, scene: Scene) -> Job {
    Job {
        width: arguments.width,
        height: arguments.height,
        samples: arguments.samples,
        denoise: Denoise::Builtin,
        ..Job::of(Arc::new(scene))
    }
}

fn built_in_picture(
    arguments: &Render,
    object: &Object,
    parameters: ObjectParameters,
) -> anyhow::Result<Vec<u8>> {
    let option = |name: &String| object.option_named(name).map(str::to_owned);
    let parameters = ObjectParameters {
        with: arguments.with.iter().map(option).collect::<Result<_, _>>()?,
        without: arguments.without.iter().map(option).collect::<Result<_, _>>()?,
        ..parameters
    };
    let job = job(arguments, object.portrait(&parameters)?);
    let progress = Progress::new(&job);
    let rendered =
        job.render(&AtomicBool::new(false), |film, samples| progress.show(film, samples));
    progress.end();
    Ok(rendered?.encode(arguments.output.format, job.display)?)
}

fn unknown(name: &str, own: &[Arc<OwnObject>]) -> anyhow::Error {
    let similar = catalogue().search_with(own, name, None);
    let names: Vec<&str> = similar.iter().take(5).map(Found::name).collect();
    match names[..] {
        [] => anyhow!("there is no object '{name}'; 'scene-llm objects list' lists all"),
        _ => anyhow!("there is no object '{name}'; did you mean {}?", names.join(", ")),
    }
}
