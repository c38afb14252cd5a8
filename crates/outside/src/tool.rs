//! A tool of an outside server.

use std::time::Duration;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use llm::Part;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::service::{Peer, RoleClient};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::config::ServerConfig;

/// The longest name that every model's service takes.
const MAX_NAME: usize = 64;

/// A tool of an outside server.
pub(crate) struct OutsideTool {
    /// With the server's name in front.
    name: String,
    description: String,
    parameters: Value,
    access: Access,
    ask: bool,
    timeout: Duration,
    server: String,
    /// The name there.
    own_name: String,
    peer: Peer<RoleClient>,
}

impl OutsideTool {
    pub(crate) fn new(
        server: &str,
        tool: rmcp::model::Tool,
        peer: Peer<RoleClient>,
        config: &ServerConfig,
    ) -> Self {
        let reads = tool.annotations.as_ref().and_then(|hints| hints.read_only_hint);
        let mut parameters = (*tool.input_schema).clone();
        // Services refuse it, or do not know it.
        parameters.shift_remove("$schema");
        let described = tool.description.unwrap_or_default();
        Self {
            name: prefixed(server, &tool.name),
            description: format!("{described} (a tool of the outside server '{server}')"),
            parameters: Value::Object(parameters),
            // A hint is enough to run beside others, as the user is asked in any case.
            access: if reads == Some(true) { Access::Reads } else { Access::Changes },
            ask: config.ask,
            timeout: config.timeout(),
            server: server.to_owned(),
            own_name: tool.name.into_owned(),
            peer,
        }
    }
}

/// `server_tool` in the letters and the length that every model's service takes.
fn prefixed(server: &str, tool: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let mut name: String = format!("{server}_{tool}").chars().map(letter).collect();
    name.truncate(MAX_NAME);
    name
}

#[async_trait]
impl Tool for OutsideTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn parameters(&self) -> Value {
        self.parameters.clone()
    }

    fn access(&self) -> Access {
        self.access
    }

    fn needs_approval(&self) -> bool {
        self.ask
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let mut request = CallToolRequestParams::new(self.own_name.clone());
        if let Value::Object(arguments) = args {
            request = request.with_arguments(arguments);
        }
        match timeout(self.timeout, self.peer.call_tool(request)).await {
            Ok(Ok(result)) => output(result),
            Ok(Err(error)) => {
                ToolOutput::failure(format!("the outside server '{}' failed: {error}", self.server))
            }
            Err(_) => ToolOutput::failure(format!(
                "the outside server '{}' did not answer within {} s",
                self.server,
                self.timeout.as_secs()
            )),
        }
    }
}

fn output(result: CallToolResult) -> ToolOutput {
    let mut texts = Vec::new();
    let mut pictures = Vec::new();
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            ContentBlock::Image(image) => {
                pictures.push(Part::inline_data(image.mime_type, image.data));
            }
            // Sound, files and links: what they are is all a model can use of them here.
            other => texts.push(serde_json::to_string(&other).unwrap_or_default()),
        }
    }
    let text = texts.join("\n");
    if result.is_error == Some(true) {
        let why = if text.is_empty() { "the outside server gave no reason".into() } else { text };
        return ToolOutput::failure(why);
    }
    let value = result.structured_content.unwrap_or_else(|| json!({ "text": text }));
    ToolOutput { pictures, ..ToolOutput::success(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_every_service() {
        assert_eq!(prefixed("my files", "read.file"), "my_files_read_file");
        assert_eq!(prefixed("a", &"b".repeat(80)).len(), MAX_NAME);
    }
}
