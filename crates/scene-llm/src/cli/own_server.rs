//! A server that a command starts for itself, reached from this machine only.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;
use server::{
    AgentConfig, AssetsConfig, Config, ConfigFile, ConnectionLimits, SharedLimits, SpendingLimits,
    Storage,
};

use super::model_arguments::ModelArguments;
use super::serve::default_storage;

#[derive(Debug, Args)]
pub(super) struct OwnServer {
    /// Where sessions are kept; without it, in the user's data directory, as `serve` does.
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Keep sessions in memory only: they end with this command.
    #[arg(long, conflicts_with = "data_dir")]
    pub(super) in_memory: bool,
    /// Threads of the path tracer; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    #[command(flatten)]
    models: ModelArguments,
}

impl OwnServer {
    /// The directory that was named.
    pub(super) fn data_dir(&self) -> Option<&Path> {
        self.data_dir.as_deref().filter(|path| !path.as_os_str().is_empty())
    }

    /// Its configuration; port 0 takes a free one.
    pub(super) fn config(&self, port: u16, file: Option<&ConfigFile>) -> anyhow::Result<Config> {
        let storage = match self.data_dir() {
            Some(path) => Storage::InDirectory { path: path.to_owned(), max_bytes: None },
            None if self.in_memory => Storage::InMemory,
            None => default_storage(None),
        };
        Ok(Config {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            max_turns: agent::DEFAULT_MAX_TURNS,
            render_threads: self.threads,
            allowed_hosts: Vec::new(),
            cluster_address: None,
            storage,
            lists_sessions: true,
            sets_stage: true,
            models: self.models.read(file)?,
            agent: AgentConfig::default(),
            assets: AssetsConfig::default(),
            connections: ConnectionLimits::default(),
            limits: SharedLimits::default(),
            spending: SpendingLimits::default(),
            token: None,
            worker_token: None,
            open: false,
        })
    }
}
