//! A tool of an MCP server.

use std::sync::Arc;

use agent::{Access, Notes, Tool, ToolIdentity, ToolOutput};
use async_trait::async_trait;
use serde_json::Value;

use crate::listing::Listed;
use crate::result::output;
use crate::server::Server;

/// A tool of an MCP server.
pub(crate) struct McpTool {
    /// Its name for the model.
    name: String,
    server: Arc<Server>,
    listed: Arc<Listed>,
}

impl McpTool {
    pub(crate) fn new(name: String, server: Arc<Server>, listed: Arc<Listed>) -> Self {
        Self { name, server, listed }
    }
}

#[async_trait]
impl Tool for McpTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> ToolIdentity {
        ToolIdentity { source: self.server.name.clone(), name: self.listed.own_name.clone() }
    }

    fn description(&self) -> &str {
        &self.listed.description
    }

    fn parameters(&self) -> Arc<Value> {
        self.listed.parameters.schema.clone().into()
    }

    fn access(&self) -> Access {
        // An unverified hint suffices for concurrent calls, since the user approves each call
        // anyway.
        if self.listed.is_read_only { Access::Reads } else { Access::Changes }
    }

    fn needs_approval(&self) -> bool {
        self.server.config.ask.applies_to(&self.listed.own_name)
    }

    fn stops_at_once(&self) -> bool {
        true
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let (notes, _unread) = Notes::channel();
        self.call_with_notes(args, notes).await
    }

    async fn call_with_notes(&self, args: Value, notes: Notes) -> ToolOutput {
        let Value::Object(args) = self.listed.parameters.restore(args) else {
            return ToolOutput::failure("an object of arguments is expected");
        };
        match self.server.call(&self.listed.own_name, args, &notes).await {
            // Decoding pictures is slow, so it runs on a blocking thread.
            Ok(result) => match tokio::task::spawn_blocking(move || output(&result)).await {
                Ok(output) => output,
                Err(panic) => ToolOutput::failure(format!("the result cannot be read: {panic}")),
            },
            Err(why) => ToolOutput::failure(why),
        }
    }
}
