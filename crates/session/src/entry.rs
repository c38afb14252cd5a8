//! The entries of a session's log, and their form as records of the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::ToolIdentity;
use llm::{Content, Part};
use scene::{AssetName, Change, Operation, Patch, Scene, Step};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{Record, RecordKind};
use studio::Author;

use crate::event::SessionEvent;

/// One entry of a session's log.
#[derive(Debug, Clone)]
pub(crate) enum Entry {
    /// An event for clients.
    Event(SessionEvent),
    /// The user sent a message; the model has not read it yet.
    Said {
        /// Of the message.
        message_id: String,
        /// As it will stand in the history.
        content: Content,
    },
    /// The message entered the history.
    Read {
        /// Of the message.
        message_id: String,
        /// The context the model got with it.
        context: Option<Part>,
    },
    /// Another content entered the history.
    Content(Content),
    /// The user approved a tool for the session.
    Approved(Approved),
    /// The session belongs to this tier. Copies and imports have another epoch, so a file cannot set it.
    Tier {
        /// The session's epoch.
        epoch: String,
        /// The tier.
        name: String,
    },
    /// The scene the session starts with, as revision 0.
    Base(Arc<Scene>),
    /// The scene changed.
    /// Boxed: it is by far the largest.
    Scene(Box<SceneEntry>),
}

/// A tool of an MCP server that the user approved for a session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Approved {
    /// The session's epoch. Copies and imports have another one, so a file cannot approve a tool.
    pub(crate) epoch: String,
    /// The tool.
    pub(crate) tool: ToolIdentity,
}

/// A change of the scene.
#[derive(Debug, Clone)]
pub(crate) struct SceneEntry {
    /// The new revision.
    pub(crate) revision: u64,
    /// By whom.
    pub(crate) by: Author,
    /// How.
    pub(crate) step: Step,
    /// The patch from the revision before.
    pub(crate) patch: Patch,
    /// The scene itself, when it is in memory.
    pub(crate) scene: Option<Arc<Scene>>,
}

/// A record that this version cannot read.
#[derive(Debug, thiserror::Error)]
#[error("record {position} of the session cannot be read: {reason}")]
pub struct Unreadable {
    /// Which.
    pub position: u64,
    /// Why.
    pub reason: String,
}

impl Entry {
    /// The record that stores the entry.
    pub(crate) fn to_record(&self) -> Record {
        let (kind, body) = match self {
            // Events hold only texts, numbers and JSON, so serialising them cannot fail.
            Self::Event(event) => {
                (RecordKind::Event, serde_json::to_string(event).unwrap_or_default())
            }
            Self::Said { message_id, content } => {
                let said = json!({ "said": { "message_id": message_id, "content": content } });
                (RecordKind::History, said.to_string())
            }
            Self::Read { message_id, context: None } => {
                (RecordKind::History, json!({ "read": message_id }).to_string())
            }
            Self::Read { message_id, context: Some(context) } => {
                let read = json!({ "read": message_id, "context": context });
                (RecordKind::History, read.to_string())
            }
            Self::Content(content) => {
                (RecordKind::History, json!({ "content": content }).to_string())
            }
            Self::Approved(approved) => {
                (RecordKind::History, json!({ "approved": approved }).to_string())
            }
            Self::Tier { epoch, name } => {
                let tier = json!({ "tier": { "epoch": epoch, "name": name } });
                (RecordKind::History, tier.to_string())
            }
            Self::Base(scene) => {
                (RecordKind::Scene, json!({ "base": scene.to_json() }).to_string())
            }
            Self::Scene(change) => {
                let record = json!({
                    "revision": change.revision,
                    "by": change.by.name(),
                    "step": change.step.name(),
                    "patch": change.patch.to_json(),
                });
                (RecordKind::Scene, record.to_string())
            }
        };
        Record { kind, seq: self.seq(), body, passage: self.passage() }
    }

    /// Reads what [`Entry::to_record`] wrote.
    pub(crate) fn from_record(position: u64, record: &Record) -> Result<Self, Unreadable> {
        Self::parse(record).map_err(|reason| Unreadable { position, reason })
    }

    fn parse(record: &Record) -> Result<Self, String> {
        if record.kind == RecordKind::Event {
            let event: SessionEvent =
                serde_json::from_str(&record.body).map_err(|error| error.to_string())?;
            return match record.seq {
                Some(seq) if seq == event.seq() => Ok(Self::Event(event)),
                _ => Err("its number is not that of its event".into()),
            };
        }
        let mut value: Value =
            serde_json::from_str(&record.body).map_err(|error| error.to_string())?;
        match record.kind {
            RecordKind::Scene => parse_scene(&value),
            _ => {
                if let Some(message_id) = value["read"].as_str().map(str::to_owned) {
                    let context =
                        value.get_mut("context").map(Value::take).filter(Value::is_object);
                    return Ok(Self::Read { message_id, context: context.map(Part::from_value) });
                }
                let content = |value: Value| {
                    serde_json::from_value::<Content>(value).map_err(|error| error.to_string())
                };
                if let Some(approved) = value.get_mut("approved").map(Value::take) {
                    let approved = serde_json::from_value(approved);
                    return approved.map(Self::Approved).map_err(|error| error.to_string());
                }
                if let Some(name) = value["tier"]["name"].as_str() {
                    let epoch = value["tier"]["epoch"].as_str().unwrap_or_default().to_owned();
                    return Ok(Self::Tier { epoch, name: name.to_owned() });
                }
                if let Some(message_id) = value["said"]["message_id"].as_str() {
                    let message_id = message_id.to_owned();
                    let content = content(value["said"]["content"].take())?;
                    return Ok(Self::Said { message_id, content });
                }
                // `get` instead of an index: an index panics if a forged file has a list here.
                let body = value.get_mut("content").map(Value::take).unwrap_or_default();
                content(body).map(Self::Content)
            }
        }
    }

    /// The assets it brings into the scene.
    pub(crate) fn assets(&self) -> BTreeSet<&AssetName> {
        match self {
            Self::Base(scene) => scene.asset_names(),
            Self::Scene(change) => change.patch.asset_names(),
            _ => BTreeSet::new(),
        }
    }

    /// The number of an event.
    pub(crate) fn seq(&self) -> Option<u64> {
        match self {
            Self::Event(event) => Some(event.seq()),
            _ => None,
        }
    }

    /// The text for the full-text search: messages, answers and names of new objects.
    fn passage(&self) -> Option<String> {
        let content = match self {
            Self::Event(SessionEvent::SceneChanged { changes, .. }) => return made(changes),
            Self::Said { content, .. } => content,
            Self::Content(content) if content.role == llm::Role::Model => content,
            _ => return None,
        };
        let texts: Vec<&str> = content
            .parts
            .iter()
            .filter(|part| !part.is_thought())
            .filter_map(|part| part.as_text())
            .filter(|text| !text.trim().is_empty())
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

/// The new objects of a change, as text for the search.
fn made(changes: &[Change]) -> Option<String> {
    /// The first objects suffice for the search.
    const MAX_OBJECTS: usize = 100;
    let objects: Vec<String> = changes
        .iter()
        .filter(|change| change.operation == Operation::Create)
        .take(MAX_OBJECTS)
        .filter_map(|change| {
            let kind = change.after.as_ref()?["type"].as_str()?.replace('_', " ");
            Some(format!("{} ({kind})", change.id.as_ref()?))
        })
        .collect();
    (!objects.is_empty()).then(|| format!("Made: {}", objects.join(", ")))
}

fn parse_scene(value: &Value) -> Result<Entry, String> {
    if let Some(base) = value.get("base") {
        let scene = Scene::from_json(base).map_err(|violations| violations.to_string())?;
        return Ok(Entry::Base(Arc::new(scene)));
    }
    let entry = SceneEntry {
        revision: value["revision"].as_u64().ok_or("it has no revision")?,
        by: value["by"].as_str().and_then(Author::from_name).ok_or("it has no author")?,
        step: value["step"].as_str().and_then(Step::from_name).ok_or("it has no step")?,
        patch: Patch::from_json(&value["patch"]).map_err(|violations| violations.to_string())?,
        scene: None,
    };
    Ok(Entry::Scene(Box::new(entry)))
}
