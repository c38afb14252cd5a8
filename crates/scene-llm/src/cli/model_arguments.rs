//! Where the models come from, for all commands that ask one.

use std::path::Path;

use clap::Args;
use mcp_client::Servers;
use server::{ConfigFile, ModelsConfig, RemoteAgent, Tier};

use super::settings::ConfigArgument;

#[derive(Debug, Args)]
pub(super) struct ModelArguments {
    #[command(flatten)]
    _config: ConfigArgument,
    /// Do not look for models that run on this machine (Ollama, LM Studio, llama.cpp, vLLM, Jan, GPT4All,
    /// KoboldCpp, SGLang on their usual ports).
    #[arg(long)]
    no_local_models: bool,
}

impl ModelArguments {
    /// The models of the environment, then those of the configuration file.
    pub(super) fn read(&self, file: Option<&ConfigFile>) -> anyhow::Result<ModelsConfig> {
        let variable = |name: &str| std::env::var(name).ok();
        let mut models = ModelsConfig::from_environment(variable);
        models.local_models = !self.no_local_models;
        Ok(match file {
            Some(file) => models.with_file(file, variable)?,
            None => models,
        })
    }
}

/// The MCP servers of the configuration file, and those of the file at `named`, which count first.
pub(super) fn mcp_servers(
    file: Option<&ConfigFile>,
    named: Option<&Path>,
) -> anyhow::Result<Servers> {
    let mut servers = file.map(|file| file.mcp_servers().clone()).unwrap_or_default();
    if let Some(path) = named {
        let Servers { servers: more, warnings } = Servers::read(path)?;
        servers.servers.extend(more);
        servers.warnings.extend(warnings);
    }
    Ok(servers)
}

/// The tiers that the configuration file names.
pub(super) fn tiers(file: Option<&ConfigFile>) -> anyhow::Result<Vec<Tier>> {
    let variable = |name: &str| std::env::var(name).ok();
    Ok(file.map(|file| file.tiers(variable)).transpose()?.unwrap_or_default())
}

/// The agents of others that the configuration file names.
pub(super) fn remote_agents(file: Option<&ConfigFile>) -> anyhow::Result<Vec<RemoteAgent>> {
    let variable = |name: &str| std::env::var(name).ok();
    Ok(file.map(|file| file.agents(variable)).transpose()?.unwrap_or_default())
}
