//! `scene-llm config`.

use std::fmt::Write as _;
use std::io::Write as _;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use mcp_client::{Servers, Transport};
use serde_json::{Value, json};
use server::{ModelsConfig, ProviderInfo, RemoteAgent, configured_providers};
use store::DatabaseUrl;

use super::model_arguments::{mcp_servers, remote_agents};
use super::serve;
use super::settings::{Given, is_switch, key, settings, switches_off};

/// Print the configuration that `serve` would have, and where each value comes from.
///
/// Flags count before the environment, which counts before the configuration file. Keys and tokens are not
/// shown. Without --json the output is a configuration file.
#[derive(Debug, clap::Args)]
// Those of `serve` have the name already.
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    serve: serve::Arguments,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What stands for a secret.
const HIDDEN: &str = "***";

/// Variables of the environment that neither a flag nor the file can give.
const ONLY_VARIABLES: [&str; 6] = [
    "SCENE_LLM_TOOLS",
    "SCENE_LLM_PLAN_CACHE",
    "SCENE_LLM_PRICES",
    "SCENE_LLM_MODEL_TABLE",
    "SCENE_LLM_LOCAL_CONTEXT",
    "DEBUG_MOCK_RESPONSES",
];

/// A value, and where it comes from.
struct Setting {
    key: String,
    value: Value,
    source: &'static str,
    variable: Option<String>,
}

pub(super) fn run(
    arguments: &Arguments,
    program: &clap::Command,
    given: &Given,
) -> anyhow::Result<()> {
    let file = given.file.as_ref();
    let storage = arguments.serve.storage()?;
    let models = arguments.serve.models_config(&storage, file)?;
    let servers = mcp_servers(file, arguments.serve.mcp_config.as_deref())?;
    let mut all = values(program, given);
    for setting in &mut all {
        if let (true, true, Some(path)) =
            (setting.key == "data_dir", setting.value.is_null(), storage.directory())
        {
            setting.value = path.display().to_string().into();
        }
    }
    all.push(model(&models));
    let agents = remote_agents(file)?;
    let path = file.map(|file| file.path().display().to_string());
    let providers = configured_providers(&models);
    let variables = set_variables();
    let text = if arguments.json {
        let settings: serde_json::Map<String, Value> =
            all.into_iter().map(|setting| (setting.key.clone(), setting.json())).collect();
        let printed = json!({
            "file": path,
            "settings": settings,
            "providers": providers,
            "mcp_servers": servers.servers.iter().map(|(name, server)| json!({
                "name": name, "transport": transport(&server.transport), "disabled": server.disabled,
            })).collect::<Vec<_>>(),
            "agents": agents.iter().map(|agent| json!({
                "name": agent.name, "url": agent.url.as_str(), "has_token": agent.token.is_some(),
                "time_limit": agent.time_limit.as_secs(), "ask": agent.ask,
            })).collect::<Vec<_>>(),
            "environment": variables.into_iter().collect::<serde_json::Map<_, _>>(),
        });
        serde_json::to_string_pretty(&printed)? + "\n"
    } else {
        as_file(path.as_deref(), &all, &providers, &servers, &agents, &variables)?
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// All settings of the command line.
fn values(program: &clap::Command, given: &Given) -> Vec<Setting> {
    let Some((name, matches)) = given.matches.subcommand() else { return Vec::new() };
    let Some(command) = program.find_subcommand(name) else { return Vec::new() };
    settings(command).map(|arg| setting(arg, matches, &given.from_file)).collect()
}

fn setting(arg: &Arg, matches: &ArgMatches, from_file: &[String]) -> Setting {
    let (id, key) = (arg.get_id().as_str(), key(arg));
    let variable = arg.get_env().map(|name| name.to_string_lossy().into_owned());
    let source = match matches.value_source(id) {
        _ if from_file.contains(&key) => "file",
        Some(ValueSource::CommandLine) => "flag",
        Some(ValueSource::EnvVariable) => "environment",
        _ => "default",
    };
    let given = matches.get_raw(id).into_iter().flatten();
    let mut values: Vec<Value> = given
        .map(|value| match arg.is_hide_env_values_set() {
            // Where the sessions are is no secret, but for the password.
            true if key == "database_url" => {
                DatabaseUrl::new(value.to_string_lossy()).to_string().into()
            }
            true => HIDDEN.into(),
            false => typed(&value.to_string_lossy()),
        })
        .collect();
    if is_switch(arg) {
        values = vec![Value::Bool(matches.get_flag(id) != switches_off(arg))];
    }
    let value = match arg.get_action() {
        clap::ArgAction::Append => Value::Array(values),
        _ => values.pop().unwrap_or_default(),
    };
    Setting { key, value, source, variable }
}

/// A value as the file would have it.
fn typed(text: &str) -> Value {
    match text.parse::<u64>() {
        Ok(number) => number.into(),
        Err(_) => text.parse::<f64>().map_or_else(|_| text.into(), Value::from),
    }
}

/// The model of new sessions.
fn model(models: &ModelsConfig) -> Setting {
    let variable = "SCENE_LLM_MODEL";
    let is_set = std::env::var(variable).is_ok_and(|value| !value.trim().is_empty());
    let source = match &models.model {
        None => "default",
        Some(_) if is_set => "environment",
        Some(_) => "file",
    };
    let value = models.model.clone().map_or(Value::Null, Value::from);
    Setting { key: "model".into(), value, source, variable: Some(variable.into()) }
}

/// The variables that neither flag nor file can give, and are set.
fn set_variables() -> Vec<(String, Value)> {
    let value = |name: &&str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    ONLY_VARIABLES
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), Value::from(value(name)?))))
        .collect()
}

fn transport(transport: &Transport) -> &'static str {
    match transport {
        Transport::Process { .. } => "process",
        Transport::Http { .. } => "http",
    }
}

impl Setting {
    fn json(&self) -> Value {
        let mut json = json!({ "value": self.value, "source": self.source });
        if let Some(variable) = self.variable.as_ref().filter(|_| self.source == "environment") {
            json["variable"] = variable.as_str().into();
        }
        json
    }

    /// Where it comes from, in words.
    fn origin(&self) -> String {
        match (self.source, &self.variable) {
            ("environment", Some(variable)) => variable.clone(),
            ("file", _) => "configuration file".into(),
            (source, _) => source.into(),
        }
    }
}

/// All of it as a configuration file with comments. What has no value, and secrets, are comments.
fn as_file(
    path: Option<&str>,
    settings: &[Setting],
    providers: &[ProviderInfo],
    servers: &Servers,
    agents: &[RemoteAgent],
    variables: &[(String, Value)],
) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    match path {
        Some(path) => writeln!(out, "# The configuration file is {path}")?,
        None => writeln!(out, "# There is no configuration file.")?,
    }
    for setting in settings {
        let line = match &setting.value {
            Value::Null => format!("# {} is not set", setting.key),
            Value::String(text) if text.contains(HIDDEN) => format!("# {} = {text:?}", setting.key),
            // The forms of these values are the same in TOML.
            value => format!("{} = {value}", setting.key),
        };
        writeln!(out, "{line:<48}  # {}", setting.origin())?;
    }
    for (name, value) in variables {
        writeln!(out, "# {name}={}", value.as_str().unwrap_or_default())?;
    }
    for provider in providers {
        let ProviderInfo { name, kind, base_url, has_key, source, .. } = provider;
        let key = if *has_key { "with a key" } else { "without a key" };
        writeln!(out, "\n# A provider of models, {key}, from: {source}")?;
        writeln!(
            out,
            "# [[providers]]\n# name = {name:?}\n# kind = {kind:?}\n# base_url = {base_url:?}"
        )?;
    }
    for (name, server) in &servers.servers {
        let off = if server.disabled { ", disabled" } else { "" };
        writeln!(out, "\n# The MCP server {name:?} ({}{off})", transport(&server.transport))?;
    }
    for agent in agents {
        writeln!(out, "\n# The agent {:?} at {}", agent.name, agent.url)?;
    }
    Ok(out)
}
