//! The picture of a session as a view inside a client (MCP Apps): a page that the client shows in a frame. It
//! orbits by dragging, and asks for pictures by calling tools through the client.

use rmcp::RoleServer;
use rmcp::model::{MetaObject, ResourceContents};
use rmcp::service::RequestContext;
use serde_json::json;

/// Its address.
pub(crate) const URI: &str = "ui://scene-llm/picture";
/// The page. It loads nothing: clients forbid it.
const PAGE: &str = include_str!("view.html");
/// The type of such pages.
const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// What clients call the extension.
const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// Whether the client shows such pages.
pub(crate) fn is_shown_by(context: &RequestContext<RoleServer>) -> bool {
    let capabilities = context.client_capabilities();
    let extensions = capabilities.and_then(|capabilities| capabilities.extensions);
    let settings = extensions.and_then(|mut extensions| extensions.remove(EXTENSION));
    let types = settings.as_ref().and_then(|settings| settings.get("mimeTypes")?.as_array());
    types.is_some_and(|types| types.iter().any(|kind| kind == MIME_TYPE))
}

/// What a tool says of it.
pub(crate) fn of_tool() -> MetaObject {
    meta(json!({ "resourceUri": URI, "visibility": ["model", "app"] }))
}

/// The page as a resource.
pub(crate) fn contents() -> ResourceContents {
    let contents = ResourceContents::text(PAGE, URI).with_mime_type(MIME_TYPE);
    contents.with_meta(meta(json!({ "prefersBorder": false })))
}

fn meta(ui: serde_json::Value) -> MetaObject {
    let mut meta = MetaObject::new();
    meta.0.insert("ui".into(), ui);
    meta
}
