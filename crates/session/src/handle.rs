//! The handle of a session, which sends its actor commands.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput, Toolbox};
use assets::SessionAssets;
use goals::Goal;
use llm::Content;
use serde_json::Value;
use store::{Store, StoreError};
use studio::{Previews, SharedScene};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::command::{
    Answer, Attachment, Changed, Command, EventPage, GoalCommand, ModelChoice, PageSize, Reply,
    SceneCommand, Snapshot, UserMessage,
};
use crate::conversation::BranchSummary;
use crate::error::SessionError;
use crate::event::{Bookmark, SessionEvent};
use crate::in_use::InUse;
use crate::presence::Presence;

/// A handle to a session, for sockets and routes. Cheap to clone. While one lives, the session stays in
/// memory.
#[derive(Clone)]
pub struct SessionHandle {
    pub(crate) id: Arc<str>,
    /// Bounded: a sender waits when the session is slower than its commands.
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) scene: Arc<SharedScene>,
    /// The assets it may show.
    pub assets: Arc<SessionAssets>,
    pub(crate) previews: Arc<Previews>,
    pub(crate) presence: Arc<Presence>,
    /// The scene's tools for agents that act for the user.
    pub(crate) tools: Toolbox,
    pub(crate) store: Arc<dyn Store>,
    /// Cancelled to stop the session's actor and its clients.
    pub cancel: CancellationToken,
    /// Cancelled when the actor has stopped and everything it did is in the store.
    pub(crate) ended: CancellationToken,
    /// Keeps the session in memory; `None` in the list of sessions itself.
    #[expect(dead_code, reason = "held for its drop")]
    pub(crate) in_use: Option<InUse>,
}

impl SessionHandle {
    /// The session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The live scene, read-only: changes go through [`SessionHandle::change`].
    pub fn scene(&self) -> &SharedScene {
        &self.scene
    }

    /// The pictures of the scene.
    pub fn previews(&self) -> &Previews {
        &self.previews
    }

    /// Who looks at the session.
    pub fn presence(&self) -> &Arc<Presence> {
        &self.presence
    }

    /// Attaches a client that has seen everything up to `after` = (epoch, seq).
    pub async fn attach(&self, after: Option<(String, u64)>) -> Result<Attachment, SessionError> {
        self.ask(|reply| Command::Attach { after, reply }).await
    }

    /// Sends a message to the model; returns its id once it is in the store.
    pub async fn say(&self, message: UserMessage) -> Result<String, SessionError> {
        self.ask(|reply| Command::Say { message, reply }).await?
    }

    /// Stops the run, if there is one.
    pub async fn cancel(&self) -> Result<(), SessionError> {
        self.commands.send(Command::Cancel).await.map_err(|_| SessionError::Gone)
    }

    /// Approves or refuses a tool call that waits for approval.
    pub async fn approve(&self, answer: Answer) -> Result<(), SessionError> {
        self.ask(|reply| Command::Approve { answer, reply }).await?
    }

    /// Changes the scene on behalf of the user; returns once the change is in the store.
    pub async fn change(&self, command: SceneCommand) -> Result<Changed, SessionError> {
        self.ask(|reply| Command::ChangeScene { command, reply }).await?
    }

    /// The scene's tools for agents that act for the user, called by [`SessionHandle::call_tool`].
    pub fn tools(&self) -> &Toolbox {
        &self.tools
    }

    /// Calls one of [`SessionHandle::tools`] on behalf of the user. A change is in the store when this returns;
    /// it is a step of its own for undo.
    pub async fn call_tool(
        &self,
        tool: &Arc<dyn Tool>,
        args: Value,
    ) -> Result<ToolOutput, SessionError> {
        match tool.access() {
            Access::Reads => Ok(tool.call(args).await),
            Access::Changes | Access::Delegates => {
                let tool = Arc::clone(tool);
                self.ask(|reply| Command::CallTool { tool, args, reply }).await?
            }
        }
    }

    /// Sets the goal, or does something to it; returns it once the change is in the store.
    pub async fn goal_command(&self, command: GoalCommand) -> Result<Goal, SessionError> {
        self.ask(|reply| Command::Goal { command, reply }).await?
    }

    /// The newest goal of the session, as stored; `None` when none was ever set.
    pub async fn goal(&self) -> Result<Option<Goal>, SessionError> {
        self.ask(|reply| Command::ReadGoal { reply }).await
    }

    /// Chooses the model of the next run.
    pub async fn select_model(&self, choice: ModelChoice) -> Result<(), SessionError> {
        self.ask(|reply| Command::SelectModel { choice, reply }).await?
    }

    /// Switches to another branch of the conversation.
    pub async fn select_branch(&self, branch: usize) -> Result<(), SessionError> {
        self.ask(|reply| Command::SelectBranch { branch, reply }).await?
    }

    /// Renames the session.
    pub async fn rename(&self, name: String) -> Result<(), SessionError> {
        self.ask(|reply| Command::Rename { name, reply }).await?
    }

    /// Replaces the bookmarks of the session.
    pub async fn set_bookmarks(&self, bookmarks: Vec<Bookmark>) -> Result<(), SessionError> {
        self.ask(|reply| Command::SetBookmarks { bookmarks, reply }).await?
    }

    /// The stored state.
    pub async fn snapshot(&self) -> Result<Snapshot, SessionError> {
        self.ask(|reply| Command::Snapshot { reply }).await
    }

    /// The stored history.
    pub async fn history(&self) -> Result<Vec<Content>, SessionError> {
        self.ask(|reply| Command::History { reply }).await
    }

    /// A user message of any branch; `None` when there is no such message.
    pub async fn message(&self, message_id: String) -> Result<Option<Content>, SessionError> {
        self.ask(|reply| Command::Message { message_id, reply }).await
    }

    /// The branches of the conversation.
    pub async fn branches(&self) -> Result<Vec<BranchSummary>, SessionError> {
        self.ask(|reply| Command::Branches { reply }).await
    }

    /// The differences between two revisions.
    pub async fn difference(&self, from: u64, to: u64) -> Result<Vec<scene::Change>, SessionError> {
        self.ask(|reply| Command::Difference { from, to, reply }).await?
    }

    /// The scene of a revision.
    pub async fn scene_at(&self, revision: u64) -> Result<Arc<scene::Scene>, SessionError> {
        self.ask(|reply| Command::SceneAt { revision, reply }).await?
    }

    /// Events after number `after`; `None` when there is no event of that number.
    pub async fn events(
        &self,
        after: u64,
        size: PageSize,
    ) -> Result<Option<EventPage>, SessionError> {
        events_of(&*self.store, &self.id, after, size).await
    }

    /// All events after number `after`, for what is followed within the server.
    pub async fn rest_of_log(&self, mut after: u64) -> Result<Vec<SessionEvent>, SessionError> {
        let mut events = Vec::new();
        while let Some(page) = self.events(after, PageSize::of_events(5_000)).await? {
            after = page.events.last().map_or(after, SessionEvent::seq);
            let more = page.more;
            events.extend(page.events);
            if !more {
                break;
            }
        }
        Ok(events)
    }

    async fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, SessionError> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| SessionError::Gone)?;
        answer.await.map_err(|_| SessionError::Gone)
    }
}

/// The events of a session after number `after`, as its log has them; `None` if it has none of that number.
pub(crate) async fn events_of(
    store: &dyn Store,
    id: &str,
    after: u64,
    size: PageSize,
) -> Result<Option<EventPage>, SessionError> {
    let unreadable = |error: StoreError| SessionError::Unreadable(error.to_string());
    let session = store.session(id).await.map_err(unreadable)?;
    if session.is_none_or(|session| session.seq < after) {
        return Ok(None);
    }
    let page = store.events(id, after, size.events, size.bytes).await.map_err(unreadable)?;
    let more = page.more;
    let read = tokio::task::spawn_blocking(move || parse_events(&page.events)).await;
    let read = read.unwrap_or_else(|panic| Err(panic.to_string()));
    let events = read.map_err(SessionError::Unreadable)?;
    Ok(Some(EventPage { events, more }))
}

/// The events of records.
fn parse_events(records: &[(u64, String)]) -> Result<Vec<SessionEvent>, String> {
    let parse = |(seq, text): &(u64, String)| {
        serde_json::from_str(text).map_err(|error| format!("event {seq} cannot be read: {error}"))
    };
    records.iter().map(parse).collect()
}
