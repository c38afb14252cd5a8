//! `scene-llm worker`.

mod assets;
mod common;
mod line;

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use client::{ClientError, Server};
use studio::{TaskAssets, TaskRenderer};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::assets::ServerAssets;
use self::common::Common;
use self::line::Line;
use super::serve::{LEFT_BEHIND, stop_signal, token};

/// What somebody wants to type first.
const EXAMPLES: &str = "\
Examples:
  scene-llm serve --addr 10.0.0.5:8080 --token TOKEN --worker-token WORKER_TOKEN     on the server
  scene-llm worker --server http://10.0.0.5:8080 --token WORKER_TOKEN                on another machine

docs/scaling.md tells when this pays, and what happens when a machine dies.";

/// Render parts of large pictures for servers on other machines. The pictures are the same, bit for bit; a
/// worker may come and go at any time. It needs no files and gets no keys: only scenes, and the meshes and
/// pictures in them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The address of a server, such as http://10.0.0.5:8080. May be given more than once: the worker works
    /// for whichever has something to do.
    #[arg(
        long = "server",
        env = "SCENE_LLM_SERVERS",
        value_name = "URL",
        required = true,
        value_delimiter = ','
    )]
    servers: Vec<String>,
    /// The --worker-token of the servers.
    #[arg(long, env = "SCENE_LLM_WORKER_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    token: String,
    /// Threads; 0 takes one for each core.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
}

/// The version that has to be the server's.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Tasks that are rendered at the same time: threads that have nothing left to do for one take part in the next.
const TASKS: usize = 2;
/// The pause before a server is tried again; it grows to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// How often and after how long unused meshes are dropped.
const FORGET_EVERY: Duration = Duration::from_secs(60);
const UNUSED_FOR: Duration = Duration::from_secs(300);
/// How long a worker that is to end waits for its goodbyes.
const FAREWELL: Duration = Duration::from_secs(2);

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let servers =
        arguments.servers.iter().map(|address| Server::new(address, Some(&arguments.token)));
    let servers = servers.collect::<Result<Vec<Server>, ClientError>>()?;
    let renderer = TaskRenderer::new(arguments.threads);
    let renderer = renderer.context("the render threads could not be started")?;
    let runtime = tokio::runtime::Runtime::new()?;
    let worked = runtime.block_on(async {
        let fingerprint = renderer.fingerprint().await.context("the test picture failed")?;
        let (running, cancel) = (Arc::new(Semaphore::new(TASKS)), CancellationToken::new());
        let common = Common { renderer, fingerprint, running, cancel };
        let mut lines = JoinSet::new();
        for server in servers {
            lines.spawn(serve(server, common.clone()));
        }
        tokio::select! {
            stopped = stop_signal() => stopped?,
            refused = all_refused(&mut lines) => bail!(refused),
        }
        common.cancel.cancel();
        let goodbyes = async { while lines.join_next().await.is_some() {} };
        let _ = timeout(FAREWELL, goodbyes).await;
        Ok(())
    });
    runtime.shutdown_timeout(LEFT_BEHIND);
    worked
}

/// Waits until no server is left that may let the worker in, and returns why.
async fn all_refused(lines: &mut JoinSet<String>) -> String {
    let mut reasons = Vec::new();
    while let Some(ended) = lines.join_next().await {
        reasons.push(ended.unwrap_or_else(|error| error.to_string()));
    }
    reasons.join("; ")
}

/// Works for a server, again and again, until the worker ends or the server refuses it; returns why.
async fn serve(server: Server, common: Common) -> String {
    let assets = TaskAssets::new(Arc::new(ServerAssets(server.clone())));
    let forgetting = keep_forgetting(assets.clone());
    let working = async {
        let address = server.address().to_string();
        let mut pause = FIRST_PAUSE;
        loop {
            let query = [
                ("version", VERSION.to_owned()),
                ("fingerprint", common.fingerprint.clone()),
                ("threads", common.renderer.threads().to_string()),
            ];
            match server.connect_worker(&query).await {
                Ok((reader, writer)) => {
                    let threads = common.renderer.threads();
                    say(&format!("working for {address}, threads: {threads}"));
                    pause = FIRST_PAUSE;
                    let ended = Line::new(&common, &assets).work(reader, writer).await;
                    if common.cancel.is_cancelled() {
                        return String::new();
                    }
                    tracing::warn!("the line to {address} ended ({ended}); trying again");
                }
                Err(error) if error.is_transient() => {
                    tracing::warn!("{error}; trying again");
                }
                Err(error) => {
                    let refused = format!("{address} does not take this worker: {error}");
                    tracing::error!("{refused}");
                    return refused;
                }
            }
            sleep(pause).await;
            pause = (2 * pause).min(MAX_PAUSE);
        }
    };
    tokio::select! {
        reason = working => reason,
        () = forgetting => String::new(),
        () = async {
            common.cancel.cancelled().await;
            // A line says goodbye first.
            sleep(FAREWELL).await;
        } => String::new(),
    }
}

async fn keep_forgetting(assets: TaskAssets) {
    loop {
        sleep(FORGET_EVERY).await;
        if let Some(moment) = Instant::now().checked_sub(UNUSED_FOR) {
            assets.forget_unused_since(moment);
        }
    }
}

/// A line for whoever started the worker; it may have closed its end.
fn say(text: &str) {
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}
