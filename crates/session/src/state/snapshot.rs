//! Snapshots of a state: what spares reading the whole log again.

use std::collections::{BTreeSet, HashMap, VecDeque};

use goals::Goal;
use llm::{Content, Effort};
use scene::{Kind, SceneManager};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Snapshot;
use studio::Attention;

use super::State;
use crate::conversation::Conversation;
use crate::entry::{Approved, Entry, Unreadable};
use crate::event::{Bookmark, Usage};

/// The content of a snapshot: the parts of a state that are not columns of the session's row.
#[derive(Serialize, Deserialize)]
struct SnapshotBody {
    model: Option<String>,
    effort: Option<Effort>,
    temperature: Option<f64>,
    usage: Usage,
    conversation: Conversation,
    scene: Value,
    seen: u64,
    /// Kind, id, first and last revision.
    changed: Vec<(String, String, u64, u64)>,
    /// Missing in snapshots of older versions, which sent the scene with every request.
    #[serde(default)]
    branch_start: u64,
    running: bool,
    unread: VecDeque<(String, Content)>,
    #[serde(default)]
    approved: BTreeSet<Approved>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    goal: Option<(Goal, String)>,
    #[serde(default)]
    goals_set: u64,
    #[serde(default)]
    last_user_revision: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bookmarks: Vec<Bookmark>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tier: Option<(String, String)>,
    seq: u64,
    messages: u64,
    name: String,
}

impl State {
    /// A snapshot of the state, without the history.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let changed = self.attention.changed().iter();
        let body = SnapshotBody {
            model: self.model.clone(),
            effort: self.effort,
            temperature: self.temperature,
            usage: self.usage,
            conversation: self.conversation.clone(),
            scene: self.scene.to_json(),
            seen: self.attention.seen(),
            branch_start: self.attention.branch_start(),
            changed: changed
                .map(|((kind, id), (first, last))| {
                    (kind.name().to_owned(), id.clone(), *first, *last)
                })
                .collect(),
            running: self.running,
            unread: self.unread.clone(),
            approved: self.approved.clone(),
            goal: self.goal.clone(),
            goals_set: self.goals_set,
            last_user_revision: self.last_user_revision,
            bookmarks: self.bookmarks.clone(),
            tier: self.tier.clone(),
            seq: self.seq,
            messages: self.messages,
            name: self.name.clone(),
        };
        // It holds only texts, numbers and JSON, so serialising it cannot fail.
        let body = serde_json::to_string(&body).unwrap_or_default();
        Snapshot { position: self.position, body }
    }

    pub(super) fn restore(
        &mut self,
        snapshot: &Snapshot,
        log: &[(u64, store::Record)],
    ) -> Result<(), Unreadable> {
        let position = snapshot.position;
        let unreadable = |reason: String| Unreadable { position, reason };
        let body: SnapshotBody = serde_json::from_str(&snapshot.body)
            .map_err(|error| unreadable(format!("its snapshot: {error}")))?;
        self.scene = SceneManager::from_json(&body.scene)
            .map_err(|violations| unreadable(format!("its snapshot: {violations}")))?;
        self.conversation = body.conversation;
        let contents = contents_by_position(log)?;
        if !self.conversation.is_sound()
            || !self.conversation.restore(|position| contents.get(&position).cloned())
        {
            return Err(unreadable("its snapshot does not fit the history".into()));
        }
        let changed = body.changed.into_iter().filter_map(|(kind, id, first, last)| {
            Some(((Kind::from_name(&kind)?, id), (first, last)))
        });
        self.attention = Attention::new(body.seen, changed, body.branch_start);
        self.position = position;
        (self.model, self.running, self.unread) = (body.model, body.running, body.unread);
        (self.seq, self.messages, self.name) = (body.seq, body.messages, body.name);
        (self.usage, self.approved) = (body.usage, body.approved);
        (self.goal, self.goals_set) = (body.goal, body.goals_set);
        (self.last_user_revision, self.tier) = (body.last_user_revision, body.tier);
        (self.effort, self.temperature) = (body.effort, body.temperature);
        self.bookmarks = body.bookmarks;
        Ok(())
    }
}

/// The contents of the history by log position.
fn contents_by_position(log: &[(u64, store::Record)]) -> Result<HashMap<u64, Content>, Unreadable> {
    let mut said = HashMap::new();
    let mut contents = HashMap::new();
    for (position, record) in log.iter().filter(|(_, r)| r.kind == store::RecordKind::History) {
        match Entry::from_record(*position, record)? {
            Entry::Said { message_id, content } => {
                said.insert(message_id, content);
            }
            Entry::Read { message_id, context } => {
                if let Some(mut content) = said.get(&message_id).cloned() {
                    content.parts.extend(context);
                    contents.insert(*position, content);
                }
            }
            Entry::Content(content) => {
                contents.insert(*position, content);
            }
            _ => {}
        }
    }
    Ok(contents)
}
