//! Calls of tools: about sessions here, about the scene by the session's own tools.

use std::sync::Arc;

use agent::Access;
use http::header;
use http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use session::{Permission, SceneCommand, SessionHandle, UserMessage};
use store::Listing;

use crate::client::share_of;
use crate::current::Current;
use crate::follow::send_and_follow;
use crate::host::Host;
use crate::pictures::{self, BRIEF, LARGE};
use crate::progress::Reporter;
use crate::resources;
use crate::tools::{
    self, LIST_SESSIONS, NEW_SESSION, PICTURE_TOOL, REDO, SEND_MESSAGE, SESSION, UNDO,
};

/// The most sessions whose resources are listed.
const MAX_LISTED: usize = 20;

/// What a call needs of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// To look at what the changes before it have made.
    Look,
    /// To change it, alone.
    Change,
    /// Minutes, while others may look and change.
    Time,
}

/// The calls of a connection.
pub(crate) struct Calls {
    pub(crate) host: Arc<Host>,
    pub(crate) current: Current,
}

impl Calls {
    pub(crate) fn new(host: Arc<Host>) -> Self {
        let current = Current::new(Arc::clone(&host));
        Self { host, current }
    }

    /// All tools, for a client that shows views or does not.
    pub(crate) fn tools(&self, shows_views: bool) -> Vec<Tool> {
        tools::list(&self.host.sessions.tools(), self.host.lists_sessions, shows_views)
    }

    /// What a call of this tool needs.
    pub(crate) fn needs(&self, name: &str) -> Needs {
        match name {
            SEND_MESSAGE => Needs::Time,
            NEW_SESSION | UNDO | REDO => Needs::Change,
            _ => match self.host.sessions.tools().get(name).map(|tool| tool.access()) {
                Some(Access::Changes) => Needs::Change,
                _ => Needs::Look,
            },
        }
    }

    /// The session that a call is about: the one that it names, or the current one. `None` if it needs none, or a new
    /// one.
    pub(crate) fn session_of(&self, name: &str, args: &JsonObject) -> Option<String> {
        match args.get(SESSION) {
            _ if matches!(name, NEW_SESSION | LIST_SESSIONS) => None,
            None | Some(Value::Null) => self.current.id(),
            Some(key) => key.as_str().filter(|key| !key.is_empty()).map(str::to_owned),
        }
    }

    /// The address of the page for a session.
    fn page(&self, context: &RequestContext<RoleServer>, session: &str) -> Option<String> {
        let base = self.host.page.clone().or_else(|| {
            let headers = &context.extensions.get::<Parts>()?.headers;
            let host = headers.get(header::HOST)?.to_str().ok()?;
            let forwarded = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
            let scheme = if forwarded == Some("https") { "https" } else { "http" };
            Some(format!("{scheme}://{host}"))
        })?;
        Some(format!("{base}/#session={session}"))
    }

    /// Carries out a call of a known tool; an error is for the client's model.
    pub(crate) async fn call(
        &self,
        name: &str,
        mut args: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let named = match args.remove(SESSION) {
            None | Some(Value::Null) => None,
            Some(Value::String(key)) if !key.is_empty() => Some(key),
            Some(other) => {
                return Err(format!("'session' must be the id of a session, got {other}"));
            }
        };
        match name {
            NEW_SESSION => self.new_session(&args, context).await,
            LIST_SESSIONS if self.host.lists_sessions => self.list_sessions(&args).await,
            SEND_MESSAGE => self.send_message(named.as_deref(), &args, context).await,
            UNDO | REDO => self.step(named.as_deref(), name, context).await,
            _ => self.scene_tool(named.as_deref(), name, args, context).await,
        }
    }

    async fn find(
        &self,
        named: Option<&str>,
        needed: Permission,
        context: &RequestContext<RoleServer>,
    ) -> Result<SessionHandle, String> {
        let client = share_of(&context.extensions);
        let found = self.current.find(named, needed, client.as_ref()).await;
        found.map_err(|error| error.to_string())
    }

    async fn new_session(
        &self,
        args: &JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let name = text(args, "name")?;
        let client = share_of(&context.extensions);
        let session = self.current.begin(client.as_ref()).await;
        let session = session.map_err(|error| error.to_string())?;
        if let Some(name) = name {
            session.rename(name.to_owned()).await.map_err(|error| error.to_string())?;
        }
        let mut result = json!({ "session": session.id() });
        if let Some(page) = self.page(context, session.id()) {
            result["page"] = page.into();
        }
        Ok(success(session.id(), &result))
    }

    async fn list_sessions(&self, args: &JsonObject) -> Result<CallToolResult, String> {
        let limit = match args.get("limit") {
            None | Some(Value::Null) => 10,
            Some(limit) => {
                limit.as_u64().filter(|limit| (1..=50).contains(limit)).ok_or_else(|| {
                    format!("{LIST_SESSIONS} property 'limit' must be from 1 to 50, got {limit}")
                })?
            }
        };
        let words = text(args, "words")?.map(str::to_owned);
        let listing = Listing { words, limit: usize::try_from(limit).unwrap_or(10), offset: 0 };
        let listed =
            self.host.sessions.store().list(listing).await.map_err(|error| error.to_string())?;
        let sessions: Vec<Value> = listed
            .into_iter()
            .map(|listed| {
                let session = listed.session;
                json!({ "session": session.id, "name": session.name, "updated_ms": session.updated_ms,
                        "messages": session.messages })
            })
            .collect();
        let result = json!({ "success": true, "result": { "sessions": sessions } });
        Ok(CallToolResult::structured(result))
    }

    async fn send_message(
        &self,
        named: Option<&str>,
        args: &JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let said = text(args, "text")?;
        let said =
            said.ok_or_else(|| format!("{SEND_MESSAGE} needs 'text': what the user wants"))?;
        let session = self.find(named, Permission::Edit, context).await?;
        if let Some(client) = share_of(&context.extensions) {
            client.talks_to(session.id());
        }
        let message = UserMessage { text: said.to_owned(), ..UserMessage::default() };
        let reporter = Reporter::of(context);
        let result = send_and_follow(&session, message, &context.ct, &reporter).await;
        let result = result.map_err(|error| error.to_string())?;
        Ok(success(session.id(), &result))
    }

    async fn step(
        &self,
        named: Option<&str>,
        name: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        let session = self.find(named, Permission::Edit, context).await?;
        let command = if name == UNDO { SceneCommand::Undo } else { SceneCommand::Redo };
        let changed = session.change(command).await.map_err(|error| error.to_string())?;
        let shapes = changed.revision.scene.shapes.len();
        Ok(success(session.id(), &json!({ "revision": changed.revision.number, "shapes": shapes })))
    }

    async fn scene_tool(
        &self,
        named: Option<&str>,
        name: &str,
        args: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, String> {
        // Looking at nothing needs no session: an empty scene answers.
        let nothing = self.host.sessions.tools();
        let tool = nothing.get(name).ok_or_else(|| format!("there is no tool '{name}'"))?;
        let reads = tool.access() == Access::Reads;
        let (session, tool) = if reads && named.is_none() && self.current.id().is_none() {
            (None, Arc::clone(tool))
        } else {
            let needed = if reads { Permission::View } else { Permission::Edit };
            let session = self.find(named, needed, context).await?;
            let tool = session.tools().get(name).map_or_else(|| Arc::clone(tool), Arc::clone);
            (Some(session), tool)
        };
        let bounds = match args.contains_key("width") || args.contains_key("height") {
            true => LARGE,
            false => BRIEF,
        };
        let client = share_of(&context.extensions).filter(|_| name == PICTURE_TOOL);
        let _place = client.map(|client| client.picture()).transpose()?;
        let reporter = Reporter::of(context);
        let called = async {
            match &session {
                Some(session) => session.call_tool(&tool, args.into()).await,
                None => Ok(tool.call(args.into()).await),
            }
        };
        let output = tokio::select! {
            output = called => output.map_err(|error| error.to_string())?,
            // A change is made whole or not at all: only looking stops.
            () = context.ct.cancelled(), if reads => return Err("cancelled".to_owned()),
            never = reporter.tick() => match never {},
        };
        let mut response = output.response();
        if let Some(session) = &session {
            response[SESSION] = session.id().into();
        }
        let mut result = match output.outcome {
            Ok(_) => CallToolResult::structured(response),
            Err(_) => CallToolResult::structured_error(response),
        };
        let pictures = tokio::task::spawn_blocking(move || pictures::of(&output, bounds)).await;
        let pictures = pictures.map_err(|error| error.to_string())?;
        if !pictures.is_empty() {
            let images =
                pictures.into_iter().map(|one| ContentBlock::image(one.data, one.mime_type));
            let link = session.map(|session| resources::picture_of(session.id()));
            result.content.extend(images.chain(link.map(ContentBlock::resource_link)));
        }
        Ok(result)
    }

    /// The sessions whose resources are listed: the current one, and the newest where sessions may be listed.
    pub(crate) async fn listed_sessions(&self) -> Vec<(String, String)> {
        let mut sessions = Vec::new();
        if self.host.lists_sessions {
            let listing = Listing { words: None, limit: MAX_LISTED, offset: 0 };
            let listed = self.host.sessions.store().list(listing).await.unwrap_or_default();
            sessions
                .extend(listed.into_iter().map(|listed| (listed.session.id, listed.session.name)));
        }
        if let Some(id) = self.current.id()
            && !sessions.iter().any(|(known, _)| *known == id)
            && let Ok(Some(session)) = self.host.sessions.store().session(&id).await
        {
            sessions.insert(0, (id, session.name));
        }
        sessions
    }
}

/// A text argument that is not empty.
fn text<'a>(args: &'a JsonObject, name: &str) -> Result<Option<&'a str>, String> {
    match args.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.trim().is_empty())),
        Some(other) => Err(format!("'{name}' must be a text, got {other}")),
    }
}

fn success(session: &str, result: &Value) -> CallToolResult {
    CallToolResult::structured(json!({ "success": true, "session": session, "result": result }))
}
