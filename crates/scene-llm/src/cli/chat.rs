//! `scene-llm chat`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use mcp_client::{ServerPhase, ServerStatus};
use server::{ConfigFile, Server};
use terminal::{Options, PictureProtocol};

use super::model_arguments::{mcp_servers, remote_agents};
use super::own_server::OwnServer;
use super::serve::{LEFT_BEHIND, stop_signal};

/// Talk about a scene in the terminal, with the picture beside the chat
///
/// Full screen in a terminal. With --once, --json or a pipe it writes plain text instead:
/// answers to standard output, what the model does to standard error. The exit code is 0 if
/// every message was answered, else 1.
///
/// Examples:
///   scene-llm chat
///   scene-llm chat --session ID                           go on with a session
///   scene-llm chat --server http://127.0.0.1:8080         on a running server
///   scene-llm chat --once "a snowman" --render snowman.png
///   printf 'a red ball\nmake it blue\n' | scene-llm chat --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// The server to talk to, e.g. http://127.0.0.1:8080, or the address of a session's page. Without it
    /// the chat starts a server of its own, which ends with it.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// What the server wants to know from whoever begins sessions (serve --token).
    #[arg(long, env = "SCENE_LLM_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    token: Option<String>,
    /// The session to go on with: its id, or the token of a link to it.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Say this, wait for the end of the answer, and leave.
    #[arg(long, value_name = "TEXT")]
    once: Option<String>,
    /// Write the session's events, one JSON object a line (docs/protocol.md), instead of text.
    #[arg(long)]
    json: bool,
    /// With --once or a pipe: save a picture at the end, as `FILE [WIDTHxHEIGHT] [SAMPLES]`.
    #[arg(long, value_name = "FILE")]
    render: Option<String>,
    /// With --once or a pipe: allow every tool call that asks for an approval; else they are refused.
    #[arg(long)]
    allow_tools: bool,
    /// The model to talk to; /model lists them.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// A scene file to begin with; in a session that goes on, it replaces the scene (/undo takes it back).
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// How pictures are drawn. Without it the terminal is asked what it can do.
    #[arg(long, value_enum, value_name = "HOW")]
    pictures: Option<Pictures>,
    /// MCP servers whose tools the model may call, as of `serve`. Only without --server.
    #[arg(long, env = "SCENE_LLM_MCP_CONFIG", value_name = "FILE")]
    mcp_config: Option<PathBuf>,
    #[command(flatten)]
    own: OwnServer,
}

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Pictures {
    /// kitty's graphics protocol (kitty, Ghostty).
    Kitty,
    /// Sixels (foot, xterm, Windows Terminal).
    Sixel,
    /// iTerm2's inline images (iTerm2, WezTerm).
    Iterm2,
    /// Two pixels for each letter; works everywhere.
    Blocks,
    /// No picture.
    None,
}

impl From<Pictures> for PictureProtocol {
    fn from(pictures: Pictures) -> Self {
        match pictures {
            Pictures::Kitty => Self::Kitty,
            Pictures::Sixel => Self::Sixel,
            Pictures::Iterm2 => Self::Iterm2,
            Pictures::Blocks => Self::HalfBlocks,
            Pictures::None => Self::None,
        }
    }
}

impl Arguments {
    fn options(&self) -> anyhow::Result<Options> {
        let scene = self.scene.as_deref().map(|path| {
            let text = std::fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
        });
        Ok(Options {
            session: self.session.clone(),
            once: self.once.clone(),
            json: self.json,
            model: self.model.clone().filter(|model| !model.is_empty()),
            scene: scene.transpose()?,
            render: self.render.clone(),
            allow_tools: self.allow_tools,
            pictures: self.pictures.map(Into::into),
            in_process: self.server.is_none(),
        })
    }

    /// Whether the chat takes the whole terminal, so that nothing else may be written to it.
    pub(super) fn is_full_screen(&self) -> bool {
        let (once, json) = (self.once.clone(), self.json);
        Options { once, json, ..Options::default() }.is_full_screen()
    }
}

/// How long the chat waits for MCP servers and agents that are slow or gone.
const FIRST_TOOLS: Duration = Duration::from_secs(3);

/// Waits until the tools of others are known.
async fn tools_of_others(server: &Server) {
    let tried = |servers: &[ServerStatus]| {
        servers.iter().all(|server| server.state != ServerPhase::Connecting)
    };
    tokio::join!(server.mcp().until(tried), server.agents().ready());
}

pub(super) fn run(arguments: &Arguments, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    let options = arguments.options()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let stop = async {
        // Without signals there is nothing to wait for.
        if stop_signal().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let talked = runtime.block_on(async {
        if let Some(address) = &arguments.server {
            let server = client::Server::new(address, arguments.token.as_deref())?;
            return terminal::chat(&server, &options, stop).await;
        }
        let mut config = arguments.own.config(0, file)?;
        config.agent.mcp = mcp_servers(file, arguments.mcp_config.as_deref())?;
        config.agent.agents = remote_agents(file)?;
        let own = Server::start(config).await?;
        // The first message may need them.
        let _ = tokio::time::timeout(FIRST_TOOLS, tools_of_others(&own)).await;
        let talked = match client::Server::new(&own.addr().to_string(), None) {
            Ok(server) => terminal::chat(&server, &options, stop).await,
            Err(error) => Err(error.into()),
        };
        own.stop().await;
        talked
    });
    // A read of standard input that nobody waits for any more keeps a thread.
    runtime.shutdown_timeout(LEFT_BEHIND);
    talked
}
