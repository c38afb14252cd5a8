//! `scene-llm serve`.

use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use agent::{LimitWords, LoopGuard};
use anyhow::bail;
use clap::Args;
use secrecy::SecretString;
use store::DatabaseUrl;

use server::{
    AgentConfig, AssetsConfig, Config, ConfigFile, ConnectionLimits, KeysConfig, ModelsConfig,
    Server, SpendingLimits, Storage,
};

use super::limits::LimitArguments;
use super::model_arguments::{ModelArguments, mcp_servers, remote_agents, tiers};

const DEFAULT_ADDR: &str = "127.0.0.1:8080";

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, env = "SCENE_LLM_ADDR", default_value = DEFAULT_ADDR, value_name = "ADDR",
          value_parser = address)]
    addr: SocketAddr,
    /// Where sessions are kept; without it, in the user's data directory (on Linux
    /// ~/.local/share/scene-llm).
    #[arg(long, env = "SCENE_LLM_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Keep sessions in this PostgreSQL database, such as postgres://user:password@host/scenes; uploaded
    /// files and the server's own files stay in the data directory (docs/operations.md).
    #[arg(long, env = "SCENE_LLM_DATABASE_URL", hide_env_values = true, value_name = "URL",
          conflicts_with_all = ["in_memory", "max_data_mb"])]
    database_url: Option<String>,
    /// Where the other servers on the same database reach this one, such as 10.0.0.5:8080; without it, where
    /// it listens. Requests about a session go to the server that has it (docs/scaling.md).
    #[arg(long, env = "SCENE_LLM_CLUSTER_ADDRESS", value_name = "HOST:PORT", value_parser = cluster_address)]
    cluster_address: Option<String>,
    /// Keep sessions in memory only: they end with the server.
    #[arg(long, conflicts_with = "data_dir")]
    in_memory: bool,
    /// The most megabytes the sessions may take on disk; what goes beyond is refused as on a full disk.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_data_mb: Option<u64>,
    /// The most megabytes all uploaded meshes and pictures may take.
    #[arg(long, value_name = "MB", default_value_t = 4_096,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_assets_mb: u64,
    /// The most megabytes of one uploaded file.
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=256))]
    max_asset_mb: u64,
    /// Whether GET /api/sessions lists the sessions: to whoever knows a session's id, the session is
    /// open. `auto` lists them on a server that only this machine reaches.
    #[arg(long, value_enum, default_value_t = ListSessions::Auto)]
    list_sessions: ListSessions,
    /// Do not give the first object of an empty scene ground, light and a camera that frames it.
    #[arg(long, env = "SCENE_LLM_NO_STAGE")]
    no_stage: bool,
    /// The most model calls of one run.
    #[arg(long, env = "SCENE_LLM_MAX_TURNS", default_value_t = agent::DEFAULT_MAX_TURNS,
          value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    max_turns: u32,
    /// Limits reasoning steps instead of turns, and says so: "Reached maximum reasoning steps (N)".
    #[arg(long, env = "SCENE_LLM_MAX_STEPS", value_name = "N", conflicts_with = "max_turns",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_steps: Option<u32>,
    /// The share of sessions, from 0 to 1, in which results of tools go back to the model; in the
    /// others one wave of calls ends the run. Both are counted in /metrics.
    #[arg(long, env = "SCENE_LLM_LOOP_SHARE", value_name = "SHARE", default_value_t = 1.0,
          value_parser = share)]
    loop_share: f64,
    /// After how many calls with the same arguments and the same result the model gets a note, and
    /// after how many the run pauses; "off" never does either. Without it 3,5, where a run may take
    /// more than ten turns; a shorter one gets the note and is left to its turn limit.
    #[arg(long, env = "SCENE_LLM_LOOP_GUARD", value_name = "NOTE,PAUSE", value_parser = guard)]
    loop_guard: Option<Guard>,
    /// A file that names MCP servers whose tools the model may call, after the user has approved
    /// each call, in the form of other clients: {"mcpServers": {"NAME": {"command": "...", "args":
    /// ["..."], "env": {}, "cwd": "..."} or {"url": "https://...", "headers": {}}}}. Each may also
    /// have "ask": false (do not ask), "disabled": true and "timeout" (seconds).
    #[arg(long, env = "SCENE_LLM_MCP_CONFIG", value_name = "FILE")]
    pub(super) mcp_config: Option<PathBuf>,
    #[command(flatten)]
    models: ModelArguments,
    /// Whether keys of providers may be entered in the page: whoever reaches the server can then use
    /// and replace them. `auto` allows it on a server that only this machine reaches.
    #[arg(long, value_enum, default_value_t = PageKeys::Auto)]
    page_keys: PageKeys,
    /// Threads of the path tracer; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// What whoever begins sessions, uploads, renders or lists has to know: as "Authorization: Bearer
    /// TOKEN", or in a browser by opening /?token=TOKEN once. A session's id or a link to it stays enough
    /// for that session.
    #[arg(long, env = "SCENE_LLM_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    token: Option<String>,
    /// What render workers have to know (docs/scaling.md): processes on other machines that render parts of
    /// large pictures. Without it none is let in.
    #[arg(long, env = "SCENE_LLM_WORKER_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    worker_token: Option<String>,
    /// Listen beyond this machine, or behind a proxy (--allow-host), with a provider's key and without a
    /// token: whoever reaches the server can then spend the key.
    #[arg(long)]
    open: bool,
    /// The most connections at the same time. A WebSocket is one for as long as it lives.
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().total)]
    max_connections: usize,
    /// The most connections of one address (three of four of all at most).
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().per_address)]
    max_connections_per_address: usize,
    #[command(flatten)]
    limits: LimitArguments,
    /// The most requests to models at the same time, over all sessions; more wait in order.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    max_model_requests: u16,
    /// The most tokens one session may use, requests and answers together.
    #[arg(long, value_name = "N")]
    max_session_tokens: Option<u64>,
    /// The most tokens all sessions together may use in a day (UTC), counted since the server started.
    #[arg(long, value_name = "N")]
    max_day_tokens: Option<u64>,
    /// A host name, besides IP addresses and localhost, under which browsers may reach the server.
    /// May be given more than once.
    #[arg(long = "allow-host", value_name = "NAME")]
    allowed_hosts: Vec<String>,
}

/// When sessions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ListSessions {
    Auto,
    Always,
    Never,
}

/// When keys may be entered in the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PageKeys {
    Auto,
    Always,
    Never,
}

impl Arguments {
    /// Which models there are.
    pub(super) fn models_config(
        &self,
        storage: &Storage,
        file: Option<&ConfigFile>,
    ) -> anyhow::Result<ModelsConfig> {
        let mut models = self.models.read(file)?;
        let allowed = match self.page_keys {
            PageKeys::Always => true,
            PageKeys::Never => false,
            PageKeys::Auto => self.is_of_one_machine(),
        };
        let file = storage.directory().map(|path| path.join("keys.json"));
        models.keys = KeysConfig { allowed, file, ..models.keys };
        Ok(models)
    }

    /// Whether only this machine reaches the server.
    fn is_of_one_machine(&self) -> bool {
        self.addr.ip().is_loopback() && self.allowed_hosts.is_empty()
    }

    pub(super) fn storage(&self) -> anyhow::Result<Storage> {
        let max_bytes = self.max_data_mb.map(|megabytes| megabytes * 1_000_000);
        let given = self.data_dir.clone().filter(|path| !path.as_os_str().is_empty());
        let storage = match given {
            Some(path) => Storage::InDirectory { path, max_bytes },
            None if self.in_memory => Storage::InMemory,
            None => default_storage(max_bytes),
        };
        let Some(url) = self.database_url.as_deref().filter(|url| !url.trim().is_empty()) else {
            return Ok(storage);
        };
        let Some(path) = storage.directory() else {
            bail!("a server with a database needs a directory for files: name it with --data-dir");
        };
        Ok(Storage::InDatabase { url: DatabaseUrl::new(url.trim()), path: path.to_owned() })
    }

    fn lists_sessions(&self) -> bool {
        match self.list_sessions {
            ListSessions::Always => true,
            ListSessions::Never => false,
            ListSessions::Auto => self.is_of_one_machine(),
        }
    }
}

/// The user's data directory.
pub(super) fn default_storage(max_bytes: Option<u64>) -> Storage {
    match directories::ProjectDirs::from("", "", "scene-llm") {
        Some(directories) => {
            Storage::InDirectory { path: directories.data_dir().to_owned(), max_bytes }
        }
        None => {
            tracing::warn!("no home directory; sessions are kept in memory only");
            Storage::InMemory
        }
    }
}

/// An address such as 127.0.0.1:8080 or localhost:8080. An empty one, as of a variable that is set
/// to nothing, is the default.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = if text.trim().is_empty() { DEFAULT_ADDR } else { text.trim() };
    let wrong = |why: &str| format!("{why}; a host and a port are expected, as in {DEFAULT_ADDR}");
    let mut found = text.to_socket_addrs().map_err(|error| wrong(&error.to_string()))?;
    found.next().ok_or_else(|| wrong("no such host"))
}

/// A host and a port that other servers reach.
fn cluster_address(text: &str) -> Result<String, String> {
    let wrong = || {
        "a host and a port that other servers reach are expected, as in 10.0.0.5:8080".to_owned()
    };
    // As of a variable that is set to nothing.
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    let (host, port) = text.trim().rsplit_once(':').ok_or_else(wrong)?;
    let is_anywhere = matches!(host, "" | "0.0.0.0" | "[::]");
    match port.parse::<u16>() {
        Ok(1..) if !is_anywhere => Ok(text.trim().to_owned()),
        _ => Err(wrong()),
    }
}

/// A token that a header, a cookie and an address can carry.
pub(super) fn token(text: &str) -> Result<String, String> {
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+' | '/' | '=');
    match text.trim() {
        text if text.len() >= 8 && text.chars().all(is_plain) => Ok(text.to_owned()),
        _ => Err("8 letters, digits or -_.~+/= at least are expected".into()),
    }
}

/// The loop guard as it is given on the command line.
#[derive(Debug, Clone, Copy)]
struct Guard(Option<LoopGuard>);

fn guard(text: &str) -> Result<Guard, String> {
    if text.trim() == "off" {
        return Ok(Guard(None));
    }
    let wanted = "two numbers from 1 such as 3,5, the first one smaller, or off";
    let numbers = text.split_once(',').and_then(|(note, pause)| {
        Some((note.trim().parse::<u32>().ok()?, pause.trim().parse::<u32>().ok()?))
    });
    match numbers {
        Some((note_after, pause_after)) if 0 < note_after && note_after < pause_after => {
            Ok(Guard(Some(LoopGuard { note_after, pause_after })))
        }
        _ => Err(format!("{wanted} is expected")),
    }
}

/// The guard where none is given: a short run ends by its turn limit soon enough, with the words
/// that people know.
fn default_guard(max_turns: u32) -> LoopGuard {
    let guard = LoopGuard::default();
    if max_turns > agent::DEFAULT_MAX_TURNS {
        return guard;
    }
    LoopGuard { pause_after: u32::MAX, ..guard }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is expected".into())
}

pub(super) fn run(arguments: Arguments, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    let storage = arguments.storage()?;
    let kept = match &storage {
        Storage::InMemory => "in memory only".to_owned(),
        Storage::InDirectory { path, .. } => format!("in {}", path.display()),
        Storage::InDatabase { url, path } => format!("in {url}, files in {}", path.display()),
    };
    let max_turns = arguments.max_steps.unwrap_or(arguments.max_turns);
    let guard = match arguments.loop_guard {
        Some(Guard(given)) => given,
        None => Some(default_guard(max_turns)),
    };
    let assets = AssetsConfig {
        most_bytes_each: arguments.max_asset_mb as usize * 1_048_576,
        most_bytes: arguments.max_assets_mb * 1_048_576,
        ..AssetsConfig::default()
    };
    let models = arguments.models_config(&storage, file)?;
    let config = Config {
        storage,
        assets,
        lists_sessions: arguments.lists_sessions(),
        sets_stage: !arguments.no_stage,
        addr: arguments.addr,
        cluster_address: arguments.cluster_address.filter(|address| !address.is_empty()),
        max_turns,
        render_threads: arguments.threads,
        allowed_hosts: arguments.allowed_hosts,
        connections: ConnectionLimits {
            total: arguments.max_connections,
            per_address: arguments.max_connections_per_address,
        }
        // As many files as the system lets the process open: every connection is one.
        .within(rlimit::increase_nofile_limit(u64::MAX).unwrap_or(1_024)),
        limits: arguments.limits.limits(),
        spending: SpendingLimits {
            requests: usize::from(arguments.max_model_requests),
            session_tokens: arguments.max_session_tokens,
            day_tokens: arguments.max_day_tokens,
            ..SpendingLimits::default()
        },
        token: arguments.token.map(SecretString::from),
        worker_token: arguments.worker_token.map(SecretString::from),
        open: arguments.open,
        models,
        agent: AgentConfig {
            loop_share: arguments.loop_share,
            guard,
            limit_words: match arguments.max_steps {
                Some(_) => LimitWords::Steps,
                None => LimitWords::Turns,
            },
            mcp: mcp_servers(file, arguments.mcp_config.as_deref())?,
            agents: remote_agents(file)?,
            tiers: tiers(file)?,
        },
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let served = runtime.block_on(async {
        let server = Server::start(config).await?;
        let mut stdout = std::io::stdout();
        writeln!(stdout, "listening on http://{}", server.addr())?;
        stdout.flush()?;
        eprintln!(
            "model: {}; sessions are kept {kept}; press Ctrl-C to stop",
            server.default_model()
        );
        ignore_file_size_limit()?;
        stop_signal().await?;
        server.stop().await;
        Ok::<(), anyhow::Error>(())
    });
    // Work that keeps a thread busy was told to end; what does not hear it is left behind.
    runtime.shutdown_timeout(LEFT_BEHIND);
    served
}

/// How long a server that has stopped waits for threads that still work.
pub(super) const LEFT_BEHIND: std::time::Duration = std::time::Duration::from_millis(500);

/// A write beyond a limit on file sizes fails, and is told to the user who waits for it; the signal
/// that comes with it would end the server.
fn ignore_file_size_limit() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // SIGXFSZ. A handler stays for as long as the process lives.
        drop(signal(SignalKind::from_raw(25))?);
    }
    Ok(())
}

/// Waits for Ctrl-C or, on Unix, a polite request to end.
pub(super) async fn stop_signal() -> std::io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_is_left_to_its_turn_limit() {
        assert_eq!(default_guard(10), LoopGuard { note_after: 3, pause_after: u32::MAX });
        assert_eq!(default_guard(11), LoopGuard { note_after: 3, pause_after: 5 });
    }
}
