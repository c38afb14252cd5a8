//! Resources: what a client may read of a session without calling a tool, and follow.

use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};
use session::{Permission, SessionError, SessionEvent, SessionHandle, SharedClient, Update};
use studio::INSTRUCTION;
use tokio::sync::broadcast::error::RecvError;

use crate::current::{Current, NoSession};
use crate::pictures::{self, LARGE};

/// The guide for models.
const GUIDE: &str = "scene-llm://guide";
const SESSIONS: &str = "scene-llm://sessions/";
const JSON: &str = "application/json";
const JPEG: &str = "image/jpeg";

/// What of a session a resource shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Facet {
    Scene,
    History,
    Picture,
}

impl Facet {
    const ALL: [Self; 3] = [Self::Scene, Self::History, Self::Picture];

    fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::History => "history",
            Self::Picture => "picture",
        }
    }

    fn mime_type(self) -> &'static str {
        if self == Self::Picture { JPEG } else { JSON }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Scene => {
                "The whole scene as a file that the server, the command line and the page read."
            }
            Self::History => {
                "What was said: the messages of the user and the answers of the built-in agent."
            }
            Self::Picture => "The scene from its camera, path traced for a few seconds.",
        }
    }

    /// Whether it is another one after `event`.
    fn changes_with(self, event: &SessionEvent) -> bool {
        match self {
            Self::Scene | Self::Picture => matches!(event, SessionEvent::SceneChanged { .. }),
            Self::History => matches!(
                event,
                SessionEvent::UserMessage { .. }
                    | SessionEvent::ToolFinished { .. }
                    | SessionEvent::RunFinished { .. }
                    | SessionEvent::BranchSelected { .. }
            ),
        }
    }
}

/// Why a resource could not be read.
pub(crate) enum NotRead {
    /// There is no such resource.
    Unknown(String),
    /// There is one, but it cannot be read now.
    Failed(String),
}

impl From<SessionError> for NotRead {
    fn from(error: SessionError) -> Self {
        Self::Failed(error.to_string())
    }
}

fn uri(session: &str, facet: Facet) -> String {
    format!("{SESSIONS}{session}/{}", facet.name())
}

/// The session and the facet that a URI names.
fn parse(uri: &str) -> Option<(&str, Facet)> {
    let (session, name) = uri.strip_prefix(SESSIONS)?.split_once('/')?;
    let facet = Facet::ALL.into_iter().find(|facet| facet.name() == name)?;
    (!session.is_empty()).then_some((session, facet))
}

/// The session that a URI names.
pub(crate) fn session_of(uri: &str) -> Option<&str> {
    parse(uri).map(|(session, _)| session)
}

/// The picture of a session, for a link in a result.
pub(crate) fn picture_of(session: &str) -> Resource {
    resource(session, "the scene", Facet::Picture)
}

fn resource(session: &str, of: &str, facet: Facet) -> Resource {
    let name = format!("{} of {of}", facet.name());
    Resource::new(uri(session, facet), name)
        .with_description(facet.description())
        .with_mime_type(facet.mime_type())
}

/// The guide, and the resources of these sessions with their names.
pub(crate) fn list(sessions: &[(String, String)]) -> Vec<Resource> {
    let guide = Resource::new(GUIDE, "guide")
        .with_title("How to build scenes")
        .with_description("What the built-in agent is told: how to work, which shapes serve what, light that works.")
        .with_mime_type("text/plain");
    let of_sessions = sessions.iter().flat_map(|(id, name)| {
        let of = if name.is_empty() { "an unnamed session" } else { name.as_str() };
        Facet::ALL.map(|facet| resource(id, of, facet))
    });
    std::iter::once(guide).chain(of_sessions).collect()
}

/// The resources of any session.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |facet: Facet| {
        ResourceTemplate::new(uri("{session}", facet), facet.name())
            .with_description(facet.description())
            .with_mime_type(facet.mime_type())
    };
    Facet::ALL.map(template).to_vec()
}

/// The session of a resource that can be followed; `None` for the guide, which never changes.
pub(crate) async fn followed(
    current: &Current,
    uri: &str,
) -> Result<Option<(SessionHandle, Facet)>, NotRead> {
    if uri == GUIDE {
        return Ok(None);
    }
    let (key, facet) = parse(uri).ok_or_else(|| unknown(uri))?;
    let session = current
        .get(key, Permission::View)
        .await
        .map_err(|error: NoSession| NotRead::Failed(error.to_string()))?;
    Ok(Some((session.ok_or_else(|| unknown(uri))?, facet)))
}

/// Reads a resource for a client.
pub(crate) async fn read(
    current: &Current,
    uri: &str,
    client: Option<&SharedClient>,
) -> Result<ResourceContents, NotRead> {
    let Some((session, facet)) = followed(current, uri).await? else {
        return Ok(ResourceContents::text(INSTRUCTION, uri).with_mime_type("text/plain"));
    };
    match facet {
        Facet::Scene => {
            let scene = session.snapshot().await?.revision.scene;
            json_text(client, uri, move || scene.to_json().to_string()).await
        }
        Facet::History => {
            let contents = session.history().await?;
            json_text(client, uri, move || json!({ "contents": contents }).to_string()).await
        }
        Facet::Picture => {
            let place = client.map(|client| client.picture()).transpose();
            let _place = place.map_err(NotRead::Failed)?;
            picture(&session, uri).await
        }
    }
}

/// JSON, which may be large: it is written on a blocking thread, and counts until it is sent.
async fn json_text(
    client: Option<&SharedClient>,
    uri: &str,
    write: impl FnOnce() -> String + Send + 'static,
) -> Result<ResourceContents, NotRead> {
    let text = match client {
        Some(client) => client.written(Box::new(write)).await.map_err(NotRead::Failed)?,
        None => {
            let written = tokio::task::spawn_blocking(write).await;
            written.map_err(|error| NotRead::Failed(error.to_string()))?
        }
    };
    Ok(ResourceContents::text(text, uri).with_mime_type(JSON))
}

async fn picture(session: &SessionHandle, uri: &str) -> Result<ResourceContents, NotRead> {
    let Some(tool) = session.tools().get("render_preview") else { return Err(unknown(uri)) };
    let args: Value = json!({ "width": 1024, "height": 768, "seconds": 5 });
    let output = session.call_tool(tool, args).await?;
    let picture = pictures::of(&output, LARGE).into_iter().next();
    match (output.outcome, picture) {
        (Ok(_), Some(picture)) => {
            Ok(ResourceContents::blob(picture.data, uri).with_mime_type(picture.mime_type))
        }
        (Ok(_), None) => Err(NotRead::Failed("there is no picture".to_owned())),
        (Err(error), _) => Err(NotRead::Failed(error)),
    }
}

fn unknown(uri: &str) -> NotRead {
    NotRead::Unknown(format!(
        "there is no resource '{uri}'; there are {GUIDE} and {SESSIONS}SESSION/ with scene, history and picture"
    ))
}

/// Waits until the facet of the session has changed. `live` is the receiver of its updates.
pub(crate) async fn changed(
    live: &mut tokio::sync::broadcast::Receiver<Update>,
    facet: Facet,
) -> Result<(), SessionError> {
    loop {
        match live.recv().await {
            Ok(Update::Event(event)) if facet.changes_with(event.event()) => return Ok(()),
            Ok(_) => {}
            // Whatever was missed may have changed it.
            Err(RecvError::Lagged(_)) => return Ok(()),
            Err(RecvError::Closed) => return Err(SessionError::Gone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_a_session_and_a_facet() {
        assert_eq!(parse("scene-llm://sessions/abc/history"), Some(("abc", Facet::History)));
        assert_eq!(parse(&uri("abc", Facet::Picture)), Some(("abc", Facet::Picture)));
        for wrong in [
            "scene-llm://sessions//scene",
            "scene-llm://sessions/abc",
            "scene-llm://sessions/a/b",
            GUIDE,
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
