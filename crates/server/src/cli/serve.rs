//! `scene-llm serve`.

use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::Args;

use crate::config::{Config, ModelsConfig};
use crate::serve::Server;

const DEFAULT_ADDR: &str = "127.0.0.1:8080";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, env = "SCENE_LLM_ADDR", default_value = DEFAULT_ADDR, value_name = "ADDR",
          value_parser = address)]
    addr: SocketAddr,
    /// Where sessions will be kept. This version keeps them in memory only, so the directory is
    /// not touched yet.
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The most model calls of one run.
    #[arg(long, env = "SCENE_LLM_MAX_TURNS", default_value_t = agent::DEFAULT_MAX_TURNS,
          value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    max_turns: u32,
    /// Threads of the path tracer; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// A host name, besides IP addresses and localhost, under which browsers may reach the server.
    /// May be given more than once.
    #[arg(long = "allow-host", value_name = "NAME")]
    allowed_hosts: Vec<String>,
}

/// An address such as 127.0.0.1:8080 or localhost:8080. An empty one, as of a variable that is set
/// to nothing, is the default.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = if text.trim().is_empty() { DEFAULT_ADDR } else { text.trim() };
    let mut found = text.to_socket_addrs().map_err(|error| error.to_string())?;
    found.next().ok_or_else(|| "no such host".into())
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    if let Some(directory) = &arguments.data_dir {
        tracing::warn!(
            directory = %directory.display(),
            "--data-dir has no effect yet: sessions live in memory and end with the server"
        );
    }
    let config = Config {
        addr: arguments.addr,
        max_turns: arguments.max_turns,
        render_threads: arguments.threads,
        allowed_hosts: arguments.allowed_hosts,
        models: ModelsConfig::from_environment(|name| std::env::var(name).ok()),
    };
    tokio::runtime::Runtime::new()?.block_on(async {
        let server = Server::start(config).await?;
        let mut stdout = std::io::stdout();
        writeln!(stdout, "listening on http://{}", server.addr())?;
        stdout.flush()?;
        eprintln!("model: {}; press Ctrl-C to stop", server.default_model());
        stop_signal().await?;
        server.stop().await;
        Ok(())
    })
}

/// Waits for Ctrl-C or, on Unix, a polite request to end.
async fn stop_signal() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            result = tokio::signal::ctrl_c() => result,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
