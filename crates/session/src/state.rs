//! The state of a session: the result of replaying its log. It holds only what is in the store, and
//! clients see nothing else.

mod snapshot;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use agent::ToolIdentity;
use goals::Goal;
use llm::{Content, Effort, RequestSettings};
use scene::SceneManager;
use sha2::{Digest, Sha256};
use store::{Store, StoreError, Stored};
use studio::{Attention, Author};

use crate::conversation::Conversation;
use crate::entry::{Approved, Entry, SceneEntry, Unreadable};
use crate::event::{Bookmark, ChatEntry, SessionEvent, Usage};
use crate::too_many::TooManySessions;
use crate::weight::scene_bytes;

/// Records read at once where the whole log is read.
const PAGE: usize = 2_000;
/// Bytes of them.
const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// A session as the store has it.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// Its id.
    pub(crate) id: Arc<str>,
    /// The epoch of the event numbers.
    pub(crate) epoch: String,
    /// Position of the newest record.
    pub(crate) position: u64,
    /// Number of the newest event.
    pub(crate) seq: u64,
    /// Its display name.
    pub(crate) name: String,
    /// Messages of the user so far.
    pub(crate) messages: u64,
    /// The model of the next run, if one was chosen.
    pub(crate) model: Option<String>,
    /// Its reasoning effort, if one was chosen.
    pub(crate) effort: Option<Effort>,
    /// Its sampling temperature, if one was chosen.
    pub(crate) temperature: Option<f64>,
    /// The token usage of its models.
    pub(crate) usage: Usage,
    /// History and chat.
    pub(crate) conversation: Conversation,
    /// The revisions of the scene.
    pub(crate) scene: SceneManager,
    /// What the user changed since the model last looked.
    pub(crate) attention: Attention,
    /// Whether a run has begun and not ended.
    pub(crate) running: bool,
    /// Messages that the model has not read, oldest first.
    pub(crate) unread: VecDeque<(String, Content)>,
    /// The newest goal, and the epoch it was last worked on in.
    pub(crate) goal: Option<(Goal, String)>,
    /// How many goals were set.
    pub(crate) goals_set: u64,
    /// The newest revision that the user made.
    pub(crate) last_user_revision: u64,
    /// The bookmarks, in order.
    pub(crate) bookmarks: Vec<Bookmark>,
    /// Tools that the user approved, in this session or in the one it was copied from.
    approved: BTreeSet<Approved>,
    /// The tier it was begun in, with the epoch.
    tier: Option<(String, String)>,
}

/// Why a session could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored session cannot be read.
    #[error("{0}; restore the store from a backup, or delete the session")]
    Unreadable(#[from] Unreadable),
    /// Too many sessions are in use.
    #[error(transparent)]
    TooMany(#[from] TooManySessions),
}

impl State {
    /// The request settings. All requests of a session carry the same prompt-cache key. The key does
    /// not reveal the session's id, because the id grants access.
    pub(crate) fn request_settings(&self) -> RequestSettings {
        let digest = Sha256::digest(format!("scene-llm prompt cache {}", self.id));
        let cache_key = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        RequestSettings {
            effort: self.effort,
            temperature: self.temperature,
            cache_key: Some(cache_key),
        }
    }

    /// The estimated bytes of memory of the session.
    pub(crate) fn memory(&self) -> u64 {
        /// Of a session in which nothing has happened.
        const EMPTY: usize = 48 * 1024;
        (EMPTY + scene_bytes(self.scene.current()) + self.conversation.memory()) as u64
    }

    /// A session in which nothing has happened.
    pub(crate) fn new(id: Arc<str>, epoch: String) -> Self {
        Self {
            id,
            epoch,
            position: 0,
            seq: 0,
            name: String::new(),
            messages: 0,
            model: None,
            effort: None,
            temperature: None,
            usage: Usage::default(),
            conversation: Conversation::default(),
            scene: SceneManager::default(),
            attention: Attention::default(),
            running: false,
            unread: VecDeque::new(),
            goal: None,
            goals_set: 0,
            last_user_revision: 0,
            bookmarks: Vec::new(),
            approved: BTreeSet::new(),
            tier: None,
        }
    }

    /// Reads a session; `None` when there is none.
    pub(crate) async fn load(store: &dyn Store, id: &str) -> Result<Option<Self>, OpenError> {
        let Some(stored) = store.load(id).await? else { return Ok(None) };
        let Stored { session, snapshot, records } = stored;
        if let Some(snapshot) = snapshot {
            // A snapshot does not repeat the history: it is read from the log.
            let history = store.records(id, snapshot.position).await?;
            let about = session.clone();
            let read = read_apart(move || {
                let mut state = Self::of(&about);
                state.restore(&snapshot, &history)?;
                state.replay(&records)?;
                Ok(state)
            });
            match read.await {
                Ok(state) => return Ok(Some(state)),
                // A snapshot only saves time: one of another version, or a damaged one, is ignored.
                Err(error) => {
                    tracing::warn!(session = %id, %error, "the whole log is read instead")
                }
            }
        } else {
            let state = read_apart(move || {
                let mut state = Self::of(&session);
                state.replay(&records)?;
                Ok(state)
            });
            return state.await.map(Some);
        }
        let mut state = Self::of(&session);
        while state.position < session.head {
            let page = store.log(id, state.position, PAGE, PAGE_BYTES).await?;
            if page.is_empty() {
                return Err(StoreError::Corrupt("records are missing".into()).into());
            }
            state = read_apart(move || {
                state.replay(&page)?;
                Ok(state)
            })
            .await?;
        }
        Ok(Some(state))
    }

    fn of(session: &store::Session) -> Self {
        Self::new(session.id.as_str().into(), session.epoch.clone())
    }

    fn replay(&mut self, records: &[(u64, store::Record)]) -> Result<(), Unreadable> {
        records.iter().try_for_each(|(position, record)| {
            self.apply(*position, &Entry::from_record(*position, record)?)
        })
    }

    /// Applies one entry, which is in the store at `position`.
    pub(crate) fn apply(&mut self, position: u64, entry: &Entry) -> Result<(), Unreadable> {
        self.position = position;
        match entry {
            Entry::Event(event) => self.apply_event(position, event)?,
            Entry::Said { message_id, content } => {
                self.messages += 1;
                self.conversation.said(message_id.clone(), self.scene.current().number);
                self.unread.push_back((message_id.clone(), content.clone()));
            }
            Entry::Read { message_id, context } => {
                let index = self.unread.iter().position(|(id, _)| id == message_id);
                let read = index.and_then(|index| self.unread.remove(index));
                let (_, mut content) = read.ok_or_else(|| Unreadable {
                    position,
                    reason: format!("there is no unread message '{message_id}'"),
                })?;
                content.parts.extend(context.clone());
                self.conversation.read(message_id);
                // Only a run reads: whoever opens the session after a crash here has to tell its end.
                self.running = true;
                self.append(position, content);
            }
            Entry::Content(content) => self.append(position, content.clone()),
            Entry::Approved(approved) => {
                self.approved.insert(approved.clone());
            }
            Entry::Tier { epoch, name } => self.tier = Some((name.clone(), epoch.clone())),
            Entry::Base(scene) => self.scene = SceneManager::new((**scene).clone()),
            Entry::Scene(change) => self.apply_scene(position, change)?,
        }
        Ok(())
    }

    fn append(&mut self, position: u64, content: Content) {
        if let Some(revision) = studio::revision_told(&content) {
            self.attention.model_looked(revision);
        }
        self.conversation.append(position, content);
    }

    fn apply_event(&mut self, position: u64, event: &SessionEvent) -> Result<(), Unreadable> {
        let unreadable = |reason: &str| Unreadable { position, reason: reason.into() };
        let seq = event.seq();
        if seq != self.seq + 1 {
            return Err(unreadable(&format!("event {seq} follows event {}", self.seq)));
        }
        self.seq = seq;
        match event {
            SessionEvent::TurnStarted { .. } => self.running = true,
            SessionEvent::RunFinished { usage, .. } => {
                self.running = false;
                self.usage = usage.map_or(self.usage, |run| self.usage.plus(run));
                self.attention.run_ended();
            }
            SessionEvent::SceneChanged { revision, .. } => {
                let current = self.scene.current().number;
                if *revision != current {
                    let reason =
                        format!("it tells of revision {revision}, the scene has {current}");
                    return Err(unreadable(&reason));
                }
            }
            SessionEvent::ModelSelected { model, effort, temperature, .. } => {
                self.model = Some(model.clone());
                (self.effort, self.temperature) = (*effort, *temperature);
            }
            SessionEvent::GoalChanged { change, epoch, goal, .. } => {
                self.goals_set += u64::from(*change == goals::GoalChange::Set);
                self.goal = Some(((**goal).clone(), epoch.clone()));
            }
            SessionEvent::BookmarksChanged { bookmarks, .. } => {
                self.bookmarks.clone_from(bookmarks);
            }
            SessionEvent::SessionNamed { name, .. }
            | SessionEvent::UserMessage { session_name: Some(name), .. } => {
                self.name.clone_from(name);
            }
            _ => {}
        }
        if let SessionEvent::SceneChanged { for_branch: true, revision, .. } = event {
            self.attention.entered_branch(*revision);
        }
        if let SessionEvent::BranchSelected { branch, chat, fork, .. } = event {
            let revision = self.scene.current().number;
            if *branch < self.conversation.len() {
                self.conversation.select(*branch, revision);
            } else {
                // The new branch begins with the chat before the message that is edited.
                let parent = self.conversation.chat(self.conversation.active());
                let next = parent.get(chat.len());
                let checkpoint = match next {
                    _ if fork.is_some() => {
                        fork.and_then(|at| self.conversation.point(chat.len(), at))
                    }
                    Some(ChatEntry::User { message_id, .. }) => {
                        self.conversation.checkpoint(message_id)
                    }
                    _ => None,
                };
                let checkpoint =
                    checkpoint.ok_or_else(|| unreadable("it forks where no message is"))?;
                self.conversation.fork(checkpoint, revision);
            }
        }
        self.conversation.fold(event);
        Ok(())
    }

    fn apply_scene(&mut self, position: u64, change: &SceneEntry) -> Result<(), Unreadable> {
        let unreadable = |reason: String| Unreadable { position, reason };
        let current = self.scene.current();
        if change.revision != current.number + 1 {
            let reason = format!("revision {} follows {}", change.revision, current.number);
            return Err(unreadable(reason));
        }
        let before = Arc::clone(&current.scene);
        let scene = match &change.scene {
            Some(scene) => Arc::clone(scene),
            None => {
                let patched = change.patch.apply(&before);
                Arc::new(patched.map_err(|mismatch| unreadable(mismatch.to_string()))?)
            }
        };
        if change.by == Author::User {
            self.last_user_revision = change.revision;
            self.attention.user_changed(change.revision, &scene::diff(&before, &scene));
        }
        self.scene.follow(change.step, scene);
        Ok(())
    }

    /// The tools that the user approved in this session. Approvals from another session, or from
    /// before the end of the log was lost, do not count.
    pub(crate) fn approved(&self) -> impl Iterator<Item = ToolIdentity> {
        let here = self.approved.iter().filter(|approved| approved.epoch == self.epoch);
        here.map(|approved| approved.tool.clone())
    }

    /// The tier that the session was begun in. That of another session, or from before the end of the log was
    /// lost, does not count.
    pub(crate) fn tier(&self) -> Option<&str> {
        let (name, epoch) = self.tier.as_ref()?;
        (*epoch == self.epoch).then_some(name.as_str())
    }

    /// A user message of any branch.
    pub(crate) fn message(&self, message_id: &str) -> Option<&Content> {
        let unread = self.unread.iter().find(|(id, _)| id == message_id);
        unread.map(|(_, content)| content).or_else(|| self.conversation.message(message_id))
    }

    /// The scene of a revision that is no longer in memory, rebuilt from the log.
    pub(crate) async fn scene_at(
        store: &dyn Store,
        id: &str,
        until: u64,
        revision: u64,
    ) -> Result<Option<scene::Scene>, OpenError> {
        let records = store.records(id, until).await?;
        let mut scene: Option<scene::Scene> = None;
        for (position, record) in records.iter().filter(|(_, r)| r.kind == store::RecordKind::Scene)
        {
            let unreadable = |reason: String| Unreadable { position: *position, reason };
            match Entry::from_record(*position, record)? {
                Entry::Base(base) => scene = Some((*base).clone()),
                Entry::Scene(change) if change.revision <= revision => {
                    let before = scene.unwrap_or_default();
                    let patched = change.patch.apply(&before);
                    scene = Some(patched.map_err(|mismatch| unreadable(mismatch.to_string()))?);
                }
                _ => break,
            }
        }
        Ok(scene)
    }
}

/// Parses on a blocking thread: a long session takes a while.
async fn read_apart(
    read: impl FnOnce() -> Result<State, Unreadable> + Send + 'static,
) -> Result<State, OpenError> {
    match tokio::task::spawn_blocking(read).await {
        Ok(read) => Ok(read?),
        // The parser does not panic; if it did, the session would be unreadable as well.
        Err(panic) => Err(StoreError::Failed(panic.to_string()).into()),
    }
}

#[cfg(test)]
mod tests;
