//! The conversation of a session: history and chat, in branches. Editing an earlier message starts a
//! branch that shares everything before that message. No branch is ever deleted.

use std::sync::Arc;

use llm::Content;
use serde::{Deserialize, Serialize};

use crate::chat;
use crate::event::{ChatEntry, ForkPoint, SessionEvent};
use crate::weight::content_bytes;

/// All branches of the conversation; one of them is active.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Conversation {
    branches: Vec<Branch>,
    active: usize,
    /// The estimated memory of all contents.
    #[serde(skip)]
    bytes: usize,
}

/// One branch: where it forked from an older one, and its own contents.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Branch {
    fork: Option<Fork>,
    /// The contents after the fork. Not serialised: the log holds each content once, at its position.
    #[serde(skip)]
    contents: Vec<Content>,
    /// The log position of each of `contents`.
    positions: Vec<u64>,
    /// Its own part of the chat. Shared with whoever was just told it.
    chat: Arc<Vec<ChatEntry>>,
    /// Its own messages.
    messages: Vec<Message>,
    /// The scene's revision when the user switched to another branch; unused for the active branch.
    tip: u64,
}

/// The point where a branch forked from another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Fork {
    branch: usize,
    /// The number of shared contents, counted from the first one.
    contents: usize,
    /// The number of shared chat entries.
    chat: usize,
}

/// A message of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Message {
    id: String,
    /// The number of contents before it in the history; `None` until the model reads it.
    contents: Option<usize>,
    /// The scene's revision when it was sent.
    revision: u64,
}

/// The position of a message in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    /// Contents before it.
    contents: usize,
    /// Entries of the chat before it.
    chat: usize,
    /// The scene's revision when it was sent.
    pub(crate) revision: u64,
}

impl Checkpoint {
    /// The number of chat entries before the message.
    pub(crate) fn chat(self) -> usize {
        self.chat
    }
}

/// A branch in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BranchSummary {
    branch: usize,
    active: bool,
    /// The branch it forked from; `None` for the first branch.
    parent: Option<usize>,
    /// The text of its first message.
    first_message: Option<String>,
    /// Its id.
    first_message_id: Option<String>,
    /// The message of the parent that its first message replaces.
    replaces: Option<String>,
    /// The number of user messages in it, shared ones included.
    messages: usize,
}

impl Default for Conversation {
    fn default() -> Self {
        Self { branches: vec![Branch::default()], active: 0, bytes: 0 }
    }
}

impl Conversation {
    /// The active branch.
    pub(crate) fn active(&self) -> usize {
        self.active
    }

    /// The estimated bytes of memory of the history, and of the chat beside it.
    pub(crate) fn memory(&self) -> usize {
        const ENTRY: usize = 512;
        let entries: usize = self.branches.iter().map(|branch| branch.chat.len()).sum();
        self.bytes + ENTRY * entries
    }

    /// How many branches there are.
    pub(crate) fn len(&self) -> usize {
        self.branches.len()
    }

    /// The newest revision of an inactive branch; `None` for the active one and unknown ones.
    pub(crate) fn tip(&self, branch: usize) -> Option<u64> {
        self.branches.get(branch).filter(|_| branch != self.active).map(|branch| branch.tip)
    }

    /// The history of the active branch.
    pub(crate) fn contents(&self) -> Vec<Content> {
        let mut contents = Vec::new();
        for (branch, shared, _) in self.path(self.active) {
            contents.extend_from_slice(&branch.contents[..shared.min(branch.contents.len())]);
        }
        contents
    }

    /// The chat of a branch. The same address means the same chat, for as long as it is held; one without a fork is
    /// not copied.
    pub(crate) fn chat(&self, branch: usize) -> Arc<Vec<ChatEntry>> {
        let path = self.path(branch);
        if let [(branch, _, shared)] = path.as_slice()
            && *shared >= branch.chat.len()
        {
            return Arc::clone(&branch.chat);
        }
        let mut chat = Vec::new();
        for (branch, _, shared) in path {
            chat.extend_from_slice(&branch.chat[..shared.min(branch.chat.len())]);
        }
        Arc::new(chat)
    }

    /// The branches to choose from.
    pub(crate) fn summaries(&self) -> Vec<BranchSummary> {
        let said = |entry: &ChatEntry| match entry {
            ChatEntry::User { message_id, text, .. } => Some((message_id.clone(), text.clone())),
            _ => None,
        };
        let summary = |(index, branch): (usize, &Branch)| {
            let (first_message_id, first_message) = branch.chat.iter().find_map(said).unzip();
            let replaces = branch.fork.and_then(|fork| {
                let parent = self.chat(fork.branch);
                parent.get(fork.chat).and_then(said).map(|(id, _)| id)
            });
            BranchSummary {
                branch: index,
                active: index == self.active,
                parent: branch.fork.map(|fork| fork.branch),
                first_message,
                first_message_id,
                replaces,
                messages: self.chat(index).iter().filter_map(said).count(),
            }
        };
        self.branches.iter().enumerate().map(summary).collect()
    }

    /// The text of a message of any branch, once the model has read it.
    pub(crate) fn message(&self, message_id: &str) -> Option<&Content> {
        self.branches.iter().find_map(|branch| {
            let message = branch.messages.iter().find(|message| message.id == message_id)?;
            let shared = branch.fork.map_or(0, |fork| fork.contents);
            branch.contents.get(message.contents?.checked_sub(shared)?)
        })
    }

    /// The position of the message in the active branch.
    pub(crate) fn checkpoint(&self, message_id: &str) -> Option<Checkpoint> {
        let is_it = |entry: &ChatEntry| matches!(entry, ChatEntry::User { message_id: id, .. } if id == message_id);
        let chat = self.chat(self.active).iter().position(is_it)?;
        let path = self.path(self.active);
        let message = path
            .iter()
            .flat_map(|(branch, ..)| &branch.messages)
            .find(|message| message.id == message_id)?;
        let contents = message.contents.unwrap_or_else(|| self.contents_len());
        Some(Checkpoint { contents, chat, revision: message.revision })
    }

    /// A position that is not that of a message; `None` if there is none such.
    pub(crate) fn point(&self, chat: usize, at: ForkPoint) -> Option<Checkpoint> {
        let ForkPoint { contents, revision } = at;
        let is_there = contents <= self.contents_len() && chat <= self.chat(self.active).len();
        is_there.then_some(Checkpoint { contents, chat, revision })
    }

    /// Starts a branch that shares everything before the checkpoint, and makes it the active one.
    pub(crate) fn fork(&mut self, at: Checkpoint, revision: u64) {
        // A fork inside the shared part is a fork of the branch that owns that part.
        let mut branch = self.active;
        while let Some(fork) = self.branches[branch].fork
            && at.chat <= fork.chat
            && at.contents <= fork.contents
        {
            branch = fork.branch;
        }
        self.leave(revision);
        let fork = Fork { branch, contents: at.contents, chat: at.chat };
        self.branches.push(Branch { fork: Some(fork), ..Branch::default() });
        self.active = self.branches.len() - 1;
    }

    /// Makes another branch the active one.
    pub(crate) fn select(&mut self, branch: usize, revision: u64) {
        if branch < self.branches.len() {
            self.leave(revision);
            self.active = branch;
        }
    }

    fn leave(&mut self, revision: u64) {
        self.branches[self.active].tip = revision;
    }

    /// Appends the content at log position `position` to the history.
    pub(crate) fn append(&mut self, position: u64, content: Content) {
        self.bytes += content_bytes(&content);
        let branch = &mut self.branches[self.active];
        branch.contents.push(content);
        branch.positions.push(position);
    }

    /// Notes that the user sent a message at this revision.
    pub(crate) fn said(&mut self, message_id: String, revision: u64) {
        let message = Message { id: message_id, contents: None, revision };
        self.branches[self.active].messages.push(message);
    }

    /// The message is about to enter the history.
    pub(crate) fn read(&mut self, message_id: &str) {
        let contents = Some(self.contents_len());
        let messages = &mut self.branches[self.active].messages;
        if let Some(message) = messages.iter_mut().find(|message| message.id == message_id) {
            message.contents = contents;
        }
    }

    /// Adds an event to the chat.
    pub(crate) fn fold(&mut self, event: &SessionEvent) {
        chat::fold(Arc::make_mut(&mut self.branches[self.active].chat), event);
    }

    /// The entries of the active branch's own chat.
    pub(crate) fn own_chat(&self) -> &[ChatEntry] {
        &self.branches[self.active].chat
    }

    /// The active branch's last content.
    pub(crate) fn last_content(&self) -> Option<&Content> {
        self.branches[self.active].contents.last()
    }

    /// How many contents the history has.
    pub(crate) fn contents_len(&self) -> usize {
        let branch = &self.branches[self.active];
        branch.fork.map_or(0, |fork| fork.contents) + branch.contents.len()
    }

    /// Restores the contents, which are not serialised.
    pub(crate) fn restore(&mut self, content_at: impl Fn(u64) -> Option<Content>) -> bool {
        let restored = self.branches.iter_mut().all(|branch| {
            let contents: Option<Vec<Content>> =
                branch.positions.iter().map(|position| content_at(*position)).collect();
            contents.map(|contents| branch.contents = contents).is_some()
        });
        let contents = self.branches.iter().flat_map(|branch| &branch.contents);
        self.bytes = contents.map(content_bytes).sum();
        restored
    }

    /// Whether the deserialised branches are consistent: each fork points into an older branch.
    pub(crate) fn is_sound(&self) -> bool {
        self.active < self.branches.len()
            && self.branches.iter().enumerate().all(|(index, branch)| {
                branch.fork.is_none_or(|fork| fork.branch < index)
                    && (index > 0) == branch.fork.is_some()
            })
    }

    /// The branches that lead to `branch`, the first one first, each with how many of its own contents
    /// and of its own entries of the chat belong.
    fn path(&self, branch: usize) -> Vec<(&Branch, usize, usize)> {
        let mut path = Vec::new();
        let (mut at, mut contents, mut chat) = (branch, usize::MAX, usize::MAX);
        while let Some(branch) = self.branches.get(at) {
            let base = branch.fork.map_or((0, 0), |fork| (fork.contents, fork.chat));
            path.push((branch, contents.saturating_sub(base.0), chat.saturating_sub(base.1)));
            let Some(fork) = branch.fork else { break };
            (at, contents, chat) = (fork.branch, contents.min(fork.contents), chat.min(fork.chat));
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(conversation: &mut Conversation, id: &str) {
        conversation.said(id.to_owned(), 0);
        conversation.fold(&SessionEvent::UserMessage {
            seq: 1,
            message_id: id.to_owned(),
            text: format!("text of {id}"),
            revision: 0,
            session_name: None,
            selection: Vec::new(),
            images: Vec::new(),
        });
    }

    fn replace(conversation: &mut Conversation, earlier: &str, id: &str) {
        let at = conversation.checkpoint(earlier).unwrap();
        conversation.fork(at, 0);
        say(conversation, id);
    }

    #[test]
    fn a_list_of_branches_says_where_they_part() {
        let mut conversation = Conversation::default();
        say(&mut conversation, "u1");
        say(&mut conversation, "u2");
        replace(&mut conversation, "u2", "u3");
        replace(&mut conversation, "u1", "u4");
        let listed: Vec<_> = conversation
            .summaries()
            .into_iter()
            .map(|branch| (branch.parent, branch.replaces, branch.first_message_id))
            .collect();
        let id = |text: &str| Some(text.to_owned());
        assert_eq!(
            listed,
            [(None, None, id("u1")), (Some(0), id("u2"), id("u3")), (Some(0), id("u1"), id("u4"))]
        );
    }
}
