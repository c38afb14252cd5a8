//! `scene-llm mcp`.

mod install;

use clap::Args;
use server::{ConfigFile, Server};

use self::install::{Client, Entry};
use super::own_server::OwnServer;
use super::serve::stop_signal;

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
    /// The port of the page on this machine; 0 takes a free one.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    port: u16,
    #[command(flatten)]
    own: OwnServer,
}

pub(super) fn run(arguments: &Arguments, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    if let Some(client) = arguments.install {
        let entry = Entry::of_this_program(arguments.own.data_dir(), arguments.own.in_memory)?;
        return client.install(&entry, arguments.write);
    }
    let config = arguments.own.config(arguments.port, file)?;
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
