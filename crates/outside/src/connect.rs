//! Greeting servers and asking them for their tools.

use std::process::Stdio;
use std::sync::Arc;

use agent::Tool;
use futures_util::future::join_all;
use rmcp::ServiceExt;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use tokio::process::Command;
use tokio::time::timeout;

use crate::config::{ServerConfig, Servers, Transport};
use crate::tool::OutsideTool;

/// Why a server cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the MCP server '{server}' cannot be used: {why}")]
pub struct OutsideError {
    /// Its name.
    pub server: String,
    /// What went wrong.
    pub why: String,
}

/// Connections to outside servers. Dropping it ends them, and the processes that were started.
#[derive(Default)]
pub struct Outside {
    connections: Vec<RunningService<RoleClient, ()>>,
    tools: Vec<Arc<dyn Tool>>,
}

impl Outside {
    /// Connects to all servers at once. One that cannot be used is reported and left out.
    pub async fn connect(servers: &Servers) -> (Self, Vec<OutsideError>) {
        let attempts = servers.servers.iter().map(|(name, config)| async move {
            let connected = match timeout(config.timeout(), connect(name, config)).await {
                Ok(connected) => connected,
                Err(_) => Err(format!("it did not answer within {} s", config.timeout_seconds)),
            };
            connected.map_err(|why| OutsideError { server: name.clone(), why })
        });
        let mut outside = Self::default();
        let mut errors = Vec::new();
        for attempt in join_all(attempts).await {
            match attempt {
                Ok((connection, tools)) => {
                    outside.connections.push(connection);
                    outside.tools.extend(tools);
                }
                Err(error) => errors.push(error),
            }
        }
        (outside, errors)
    }

    /// The tools of all servers.
    pub fn tools(&self) -> &[Arc<dyn Tool>] {
        &self.tools
    }

    /// How many servers are connected.
    pub fn servers(&self) -> usize {
        self.connections.len()
    }
}

type Connected = (RunningService<RoleClient, ()>, Vec<Arc<dyn Tool>>);

async fn connect(server: &str, config: &ServerConfig) -> Result<Connected, String> {
    let connection = match &config.transport {
        Transport::Process { command, args, env } => {
            let mut process = Command::new(command);
            process.args(args).envs(env);
            let (transport, _) = TokioChildProcess::builder(process)
                .stderr(Stdio::inherit())
                .spawn()
                .map_err(|error| format!("'{}' does not start: {error}", command.display()))?;
            ().serve(transport).await.map_err(|error| error.to_string())?
        }
        Transport::Http { url, headers } => {
            let mut custom = std::collections::HashMap::new();
            for (name, value) in headers {
                let name = name.parse().map_err(|_| format!("'{name}' is no name of a header"))?;
                let value = value
                    .parse()
                    .map_err(|_| format!("the header '{name}' has no usable value"))?;
                custom.insert(name, value);
            }
            let transport = StreamableHttpClientTransport::from_config(
                StreamableHttpClientTransportConfig::with_uri(url.as_str()).custom_headers(custom),
            );
            ().serve(transport).await.map_err(|error| error.to_string())?
        }
    };
    let listed = connection.list_all_tools().await.map_err(|error| error.to_string())?;
    let tools = listed
        .into_iter()
        .map(|tool| {
            Arc::new(OutsideTool::new(server, tool, connection.peer().clone(), config))
                as Arc<dyn Tool>
        })
        .collect();
    Ok((connection, tools))
}
