//! `scene-llm mcp`.

mod install;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use server::{
    AgentConfig, AssetsConfig, Config, ConnectionLimits, Server, SpendingLimits, Storage,
};

use self::install::{Client, Entry};
use super::models::ModelArguments;
use super::serve::{default_storage, stop_signal};

/// Serve the scene's tools to another agent over MCP, on standard input and output.
///
/// People watch and edit in the page, at the address that the tool new_session tells. A running server answers MCP over HTTP at /mcp, too.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print the configuration that makes this client start scene-llm, and where it belongs.
    #[arg(long, value_enum, value_name = "CLIENT")]
    install: Option<Client>,
    /// With --install: write it there. What is in the file already stays.
    #[arg(long, requires = "install")]
    write: bool,
    /// Where sessions are kept; without it, in the user's data directory, as `serve` does.
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Keep sessions in memory only: they end with the client.
    #[arg(long, conflicts_with = "data_dir")]
    in_memory: bool,
    /// The port of the page on this machine; 0 takes a free one.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,
    /// Threads of the path tracer; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    #[command(flatten)]
    models: ModelArguments,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    if let Some(client) = arguments.install {
        let data_dir = arguments.data_dir.filter(|path| !path.as_os_str().is_empty());
        let entry = Entry::of_this_program(data_dir.as_deref(), arguments.in_memory)?;
        return client.install(&entry, arguments.write);
    }
    let storage = match arguments.data_dir.filter(|path| !path.as_os_str().is_empty()) {
        Some(path) => Storage::InDirectory { path, max_bytes: None },
        None if arguments.in_memory => Storage::InMemory,
        None => default_storage(None),
    };
    let config = Config {
        addr: SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port)),
        max_turns: agent::DEFAULT_MAX_TURNS,
        render_threads: arguments.threads,
        allowed_hosts: Vec::new(),
        storage,
        lists_sessions: true,
        sets_stage: true,
        models: arguments.models.read()?,
        agent: AgentConfig::default(),
        assets: AssetsConfig::default(),
        connections: ConnectionLimits::default(),
        spending: SpendingLimits::default(),
        token: None,
        open: false,
    };
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let server = Server::start(config).await?;
        eprintln!("scene-llm answers MCP on standard input; watch at http://{}", server.addr());
        let served = tokio::select! {
            served = server.serve_mcp_stdio() => served,
            stopped = stop_signal() => stopped,
        };
        server.stop().await;
        Ok::<(), anyhow::Error>(served?)
    })
}
