//! The tools as MCP describes them: those of the scene with a session, and a few about sessions.

use std::sync::Arc;

use agent::{Access, Tool, Toolbox};
use rmcp::model::{JsonObject, Tool as McpTool, ToolAnnotations};
use serde_json::{Map, Value, json};
use spatial::BATCH_NAME;

use crate::view;

/// Begins a session.
pub(crate) const NEW_SESSION: &str = "new_session";
/// Lists sessions.
pub(crate) const LIST_SESSIONS: &str = "list_sessions";
/// Hands a request to the built-in agent.
pub(crate) const SEND_MESSAGE: &str = "send_message";
/// Takes changes back, and makes them again.
pub(crate) const UNDO: &str = "undo";
pub(crate) const REDO: &str = "redo";

/// Renders a picture; clients that can show it in a view of ours.
pub(crate) const PICTURE_TOOL: &str = "render_preview";

/// The argument that names a session.
pub(crate) const SESSION: &str = "session";

/// All tools: those of the scene, and those about sessions. With `shows_views` they name the view that the
/// client may show their results in.
pub(crate) fn list(scene: &Toolbox, lists_sessions: bool, shows_views: bool) -> Vec<McpTool> {
    let output = Arc::new(output_schema());
    let mut tools = vec![new_session()];
    tools.extend(lists_sessions.then(list_sessions));
    tools.push(send_message());
    tools.extend(scene.iter().map(|tool| of_scene(&**tool)));
    tools.extend([UNDO, REDO].map(step));
    tools
        .into_iter()
        .map(|tool| match shows_views && tool.name == PICTURE_TOOL {
            true => tool.with_meta(view::of_tool()),
            false => tool,
        })
        .map(|tool| tool.with_raw_output_schema(Arc::clone(&output)))
        .collect()
}

fn of_scene(tool: &dyn Tool) -> McpTool {
    let mut parameters = match Arc::unwrap_or_clone(tool.parameters()) {
        Value::Object(parameters) => parameters,
        _ => Map::new(),
    };
    let properties = parameters.entry("properties").or_insert_with(|| json!({}));
    properties[SESSION] = session_schema();
    if tool.name() == PICTURE_TOOL {
        properties["camera"] = json!({ "type": "object", "description":
            "A look that does not move the scene's camera: any of center, look_at, vfov. The result tells it whole." });
    }
    declared(tool.name(), tool.description(), parameters, hints(tool.name(), tool.access()))
}

/// What clients may know of a tool before they call it. Everything can be undone; "destructive" is what makes
/// things go away, as a batch may.
fn hints(name: &str, access: Access) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match access {
        Access::Reads => hints.read_only(true),
        Access::Changes | Access::Delegates => {
            let sets = ["update_", "set_", "remove", "align", "distribute", "frame"];
            hints
                .read_only(false)
                .destructive(name.starts_with("remove") || name == BATCH_NAME)
                .idempotent(sets.iter().any(|prefix| name.starts_with(prefix)))
        }
    }
}

fn new_session() -> McpTool {
    let properties = json!({
        "name": { "type": "string", "description": "A name for people." },
    });
    let schema = object(properties, &[]);
    let hints = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    declared(
        NEW_SESSION,
        "Begins a session with an empty scene, which becomes the current one. Tells its id and, where there is \
         a page, the address to watch and edit it at.",
        schema,
        hints,
    )
}

fn list_sessions() -> McpTool {
    let properties = json!({
        "words": { "type": "string", "description": "Only sessions whose name or messages have these words." },
        "limit": { "type": "integer", "description": "From 1 to 50, default 10." },
    });
    let hints = ToolAnnotations::new().read_only(true).open_world(false);
    declared(LIST_SESSIONS, "Lists sessions, the newest first.", object(properties, &[]), hints)
}

fn send_message() -> McpTool {
    let properties = json!({
        "text": { "type": "string", "description": "What the user wants." },
        SESSION: session_schema(),
    });
    let hints = ToolAnnotations::new().read_only(false).destructive(true).open_world(true);
    declared(
        SEND_MESSAGE,
        "Hands a whole request to the agent built into the server, which builds or edits the scene by itself and \
         answers at the end; it may take minutes.",
        object(properties, &["text"]),
        hints,
    )
}

fn step(name: &'static str) -> McpTool {
    let what = match name {
        UNDO => "Takes the last change of the scene back.",
        _ => "Makes the change again that was taken back last.",
    };
    let schema = object(json!({ SESSION: session_schema() }), &[]);
    let hints = ToolAnnotations::new().read_only(false).destructive(false).open_world(false);
    declared(name, what, schema, hints.idempotent(false))
}

fn declared(name: &str, what: &str, schema: JsonObject, hints: ToolAnnotations) -> McpTool {
    let mut title = name.replace('_', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    McpTool::new(name.to_owned(), what.to_owned(), schema).with_title(title).with_annotations(hints)
}

fn session_schema() -> Value {
    json!({ "type": "string", "description": "Default: the current session." })
}

fn object(properties: Value, required: &[&str]) -> JsonObject {
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties);
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema
}

/// The form of all results: what was made or found and facts about it, or what was wrong and what was done before.
fn output_schema() -> JsonObject {
    let properties = json!({
        "success": { "type": "boolean" },
        "session": { "type": "string" },
        "result": {},
        "facts": {},
        "error": { "type": "string" },
        "done": {},
    });
    object(properties, &["success"])
}
