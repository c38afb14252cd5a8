//! Flags, the environment and the configuration file as one: a flag counts before a variable of the
//! environment, which counts before the file.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches as _, ValueHint};
use server::{ConfigFile, FileSetting, default_config_file};

/// The keys of the file that count for every command that reads it; the others are about `serve`.
const OF_ALL: [&str; 8] = [
    "data_dir",
    "database_url",
    "in_memory",
    "threads",
    "mcp_config",
    "local_models",
    "log",
    "log_format",
];

/// Of every command that reads the configuration file.
#[derive(Debug, Args)]
pub(super) struct ConfigArgument {
    /// The configuration file; without it, config.toml in the user's configuration directory (on Linux
    /// ~/.config/scene-llm), if it is there. It may give every flag of `serve`, providers of models and MCP
    /// servers (docs/operations.md). Flags and the environment come first; `scene-llm config` shows
    /// what counts.
    #[arg(long, env = "SCENE_LLM_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What was given, from all places.
pub(super) struct Given {
    /// Of the whole command line.
    pub(super) matches: ArgMatches,
    /// The configuration file, if the command reads it and there is one.
    pub(super) file: Option<ConfigFile>,
    /// The keys whose values are the file's.
    pub(super) from_file: Vec<String>,
}

/// Reads the command line `line`, and the configuration file if its command reads one. Bad usage ends
/// the program.
pub(super) fn read(command: &Command, line: Vec<OsString>) -> anyhow::Result<Given> {
    let matches = command.clone().get_matches_from(line.clone());
    let Some(file) = config_file(command, &matches)? else {
        return Ok(Given { matches, file: None, from_file: Vec::new() });
    };
    let (name, given) = matches.subcommand().unwrap_or(("", &matches));
    let of_command = command.find_subcommand(name).unwrap_or(command);
    let takes_all = matches!(name, "serve" | "config");
    let mut from_file = Vec::new();
    let mut more = Vec::new();
    for setting in file.settings() {
        let applies = takes_all || OF_ALL.contains(&setting.name.as_str());
        let arg = settings(of_command).find(|arg| key(arg) == setting.name);
        let Some(arg) = arg.filter(|arg| applies && !is_given(of_command, given, arg)) else {
            continue;
        };
        more.extend(as_flags(arg, setting, &file)?);
        from_file.push(setting.name.clone());
    }
    // As if it had been given by flags, so that each value is checked as a flag's.
    let whole = command.clone().try_get_matches_from(line.into_iter().chain(more));
    match whole {
        Ok(matches) => Ok(Given { matches, file: Some(file), from_file }),
        Err(error) => bail!(in_file(&file, &error)),
    }
}

/// The file that is named, or the one in the user's directory, if the command reads one.
fn config_file(command: &Command, matches: &ArgMatches) -> anyhow::Result<Option<ConfigFile>> {
    let Some((_, given)) = matches.subcommand() else { return Ok(None) };
    if given.try_get_raw("config").is_err() {
        return Ok(None);
    }
    let named = ConfigArgument::from_arg_matches(given)?.config;
    let named = named.filter(|path| !path.as_os_str().is_empty());
    let usual = || default_config_file().filter(|path| path.is_file());
    let Some(path) = named.or_else(usual) else { return Ok(None) };
    let serve = command.find_subcommand("serve").unwrap_or(command);
    let known: Vec<String> = settings(serve).map(key).collect();
    Ok(Some(ConfigFile::read(&path, &known)?))
}

/// The arguments of a command that the file may give as well.
pub(super) fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| {
        arg.get_long().is_some()
            && !["config", "help", "version", "json"].contains(&arg.get_id().as_str())
    })
}

/// The key in the file: the long flag; of one like `--no-stage` what it switches off.
pub(super) fn key(arg: &Arg) -> String {
    let long = arg.get_long().unwrap_or_default();
    let long = if switches_off(arg) { &long["no-".len()..] } else { long };
    long.replace('-', "_")
}

/// Whether it is a flag like `--no-stage`.
pub(super) fn switches_off(arg: &Arg) -> bool {
    is_switch(arg) && arg.get_long().is_some_and(|long| long.starts_with("no-"))
}

/// Whether it is a flag without a value.
pub(super) fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whether a flag or a variable gives it, or something that excludes it.
fn is_given(command: &Command, given: &ArgMatches, arg: &Arg) -> bool {
    let excludes = |other: &&Arg| {
        let lists = |one: &Arg, two: &Arg| {
            command.get_arg_conflicts_with(one).iter().any(|it| it.get_id() == two.get_id())
        };
        other.get_id() == arg.get_id() || lists(arg, other) || lists(other, arg)
    };
    let source = |arg: &Arg| given.value_source(arg.get_id().as_str());
    let is_explicit = |arg: &Arg| {
        matches!(source(arg), Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    };
    settings(command).filter(excludes).any(is_explicit)
}

/// A setting of the file as flags.
fn as_flags(arg: &Arg, setting: &FileSetting, file: &ConfigFile) -> anyhow::Result<Vec<OsString>> {
    let FileSetting { name, values, line } = setting;
    let place = || format!("the configuration file '{}', line {line}", file.path().display());
    let long = arg.get_long().unwrap_or_default();
    if is_switch(arg) {
        return match values.as_slice() {
            [yes] if yes == "true" || yes == "false" => {
                let is_set = (yes == "true") != switches_off(arg);
                Ok(is_set.then(|| format!("--{long}").into()).into_iter().collect())
            }
            _ => bail!("{}: '{name}' must be true or false", place()),
        };
    }
    if values.len() != 1 && !matches!(arg.get_action(), ArgAction::Append) {
        bail!("{}: '{name}' must be one value, not a list", place());
    }
    let flag = |value: &String| {
        let mut flag = OsString::from(format!("--{long}="));
        match arg.get_value_hint() {
            ValueHint::AnyPath => flag.push(file.directory().join(value)),
            _ => flag.push(value),
        }
        flag
    };
    Ok(values.iter().map(flag).collect())
}

/// What the parser says of a value of the file.
fn in_file(file: &ConfigFile, error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let said: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let said = said.join(" ");
    let flag =
        |setting: &&FileSetting| said.contains(&format!("--{}", setting.name.replace('_', "-")));
    // The longest: one name may begin another.
    let line = file.settings().iter().filter(flag).max_by_key(|setting| setting.name.len());
    let line = line.map_or(String::new(), |setting| format!(", line {}", setting.line));
    format!("the configuration file '{}'{line}: {said}", file.path().display())
}
