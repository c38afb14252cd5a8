//! Messages of the user: new ones, and edits of earlier ones.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use llm::{Content, Part, Role};
use scene::Id;
use studio::check_attachment;

use crate::command::{ModelChoice, Reply, UserMessage};
use crate::entry::Entry;
use crate::error::SessionError;
use crate::event::{Bookmark, ChatEntry, ImageInfo, SessionEvent};

use super::Actor;

/// The most messages that may wait for the model to read them.
const MAX_WAITING: usize = 32;
/// The most objects that a message may name as selected.
const MAX_SELECTION: usize = 100;
/// The most pictures of a message.
pub const MAX_IMAGES: usize = 8;
/// The longest message, in characters.
const MAX_TEXT: usize = 32_000;
/// The longest name of a session, in characters.
const MAX_NAME: usize = 200;
/// Characters of a first message that become the session's name.
const NAME_FROM_MESSAGE: usize = 60;

impl Actor {
    pub(super) async fn say(
        &mut self,
        message: UserMessage,
        reply: Reply<Result<String, SessionError>>,
    ) {
        match self.stage_message(message).await {
            Ok(message_id) => self.pending.answer(Box::new(move |saved| {
                let _ = reply.send(saved.map(|()| message_id).map_err(SessionError::not_saved));
            })),
            Err(refusal) => drop(reply.send(Err(refusal))),
        }
    }

    async fn stage_message(&mut self, message: UserMessage) -> Result<String, SessionError> {
        let (content, images) = to_content(&message)?;
        if self.inbox.len() >= MAX_WAITING {
            return Err(SessionError::TooManyWaiting(MAX_WAITING));
        }
        if !self.closed_interrupted().await {
            let error = self.told_error.clone();
            return Err(error.as_ref().map_or(SessionError::Gone, SessionError::not_saved));
        }
        if let Some(earlier) = &message.replaces {
            self.fork_at(earlier).await?;
        }
        let answers_goal = self.answer_goal(&message.text);
        let session_name = (!self.has_lasting_name()).then(|| name_from(&message.text));
        self.named = true;
        // An answer is put to the model with the task it is about, not by itself.
        let message_id = if answers_goal {
            format!("answer_{}", self.seq + 1)
        } else {
            self.messages += 1;
            format!("u{}", self.messages)
        };
        let (id, text, selection) = (message_id.clone(), message.text, message.selection);
        let revision = self.scene.current().number;
        self.tell(move |seq| SessionEvent::UserMessage {
            seq,
            message_id: id,
            text,
            revision,
            session_name,
            selection,
            images,
        });
        if !answers_goal {
            self.pending.push(Entry::Said { message_id: message_id.clone(), content });
        }
        Ok(message_id)
    }

    /// Whether the session keeps its name: not one that it has after a message of which nothing came.
    fn has_lasting_name(&self) -> bool {
        let is_said = |entry: &ChatEntry| match entry {
            ChatEntry::User { text, .. } => name_from(text) == self.state.name,
            _ => false,
        };
        let conversation = &self.state.conversation;
        let is_after_message = || conversation.chat(conversation.active()).iter().any(is_said);
        self.named && (self.scene.current().number > 0 || !is_after_message())
    }

    /// Starts a new branch before an earlier message, with the scene of that time.
    async fn fork_at(&mut self, message_id: &str) -> Result<(), SessionError> {
        self.be_at_rest().await?;
        let conversation = &self.state.conversation;
        let checkpoint = conversation
            .checkpoint(message_id)
            .ok_or_else(|| SessionError::UnknownMessage(message_id.to_owned()))?;
        let (branch, branches) = (conversation.len(), conversation.len() + 1);
        let mut chat = Arc::unwrap_or_clone(conversation.chat(conversation.active()));
        chat.truncate(checkpoint.chat());
        let fork = None;
        self.tell(move |seq| SessionEvent::BranchSelected { seq, branch, branches, chat, fork });
        self.go_to_revision(checkpoint.revision).await
    }

    pub(super) async fn select_branch(
        &mut self,
        branch: usize,
        reply: Reply<Result<(), SessionError>>,
    ) {
        match self.stage_branch(branch).await {
            Ok(()) => self.answer_when_saved(reply, ()),
            Err(refusal) => drop(reply.send(Err(refusal))),
        }
    }

    async fn stage_branch(&mut self, branch: usize) -> Result<(), SessionError> {
        self.be_at_rest().await?;
        self.go_to_branch(branch).await
    }

    /// Switches to another branch while nothing is going on and everything is in the store.
    pub(super) async fn go_to_branch(&mut self, branch: usize) -> Result<(), SessionError> {
        let conversation = &self.state.conversation;
        let branches = conversation.len();
        if branch >= branches {
            return Err(SessionError::UnknownBranch { asked: branch, branches });
        }
        let Some(tip) = conversation.tip(branch) else { return Ok(()) };
        let chat = Arc::unwrap_or_clone(conversation.chat(branch));
        let fork = None;
        self.tell(move |seq| SessionEvent::BranchSelected { seq, branch, branches, chat, fork });
        self.go_to_revision(tip).await
    }

    /// Branches change only between runs, and are built from the stored state.
    pub(super) async fn be_at_rest(&mut self) -> Result<(), SessionError> {
        if self.running.is_some() || !self.inbox.is_empty() || self.goal.is_working() {
            return Err(SessionError::Running);
        }
        self.flush().await;
        Ok(())
    }

    /// Names the session after what it is for.
    pub(super) fn name_after(&mut self, text: &str) {
        self.named = true;
        let name = name_from(text);
        self.tell(move |seq| SessionEvent::SessionNamed { seq, name });
    }

    pub(super) fn rename(&mut self, name: &str, reply: Reply<Result<(), SessionError>>) {
        let name = name.trim().to_owned();
        if name.is_empty()
            || name.chars().count() > MAX_NAME
            || name.contains(char::is_control)
            || scene::shown(&name).trim().is_empty()
        {
            let error =
                format!("'name' must be a line of 1 to {MAX_NAME} characters that are seen");
            let _ = reply.send(Err(SessionError::BadMessage(error)));
            return;
        }
        let name = scene::shown(&name);
        self.named = true;
        self.tell(move |seq| SessionEvent::SessionNamed { seq, name });
        self.answer_when_saved(reply, ());
    }

    pub(super) fn set_bookmarks(
        &mut self,
        bookmarks: Vec<Bookmark>,
        reply: Reply<Result<(), SessionError>>,
    ) {
        match Bookmark::checked(bookmarks) {
            Ok(bookmarks) => {
                self.tell(move |seq| SessionEvent::BookmarksChanged { seq, bookmarks });
                self.answer_when_saved(reply, ());
            }
            Err(error) => drop(reply.send(Err(SessionError::BadMessage(error)))),
        }
    }

    pub(super) fn select_model(
        &mut self,
        choice: ModelChoice,
        reply: Reply<Result<(), SessionError>>,
    ) {
        let ModelChoice { model, effort, temperature } = choice;
        if temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
            let error = "'temperature' must be a number from 0 to 2";
            let _ = reply.send(Err(SessionError::BadMessage(error.into())));
            return;
        }
        let models = &self.environment.models;
        if !models.contains(&model) {
            let known = models.ids().join(", ");
            let _ = reply.send(Err(SessionError::UnknownModel { asked: model, known }));
            return;
        }
        self.tell(move |seq| SessionEvent::ModelSelected { seq, model, effort, temperature });
        self.answer_when_saved(reply, ());
    }

    /// Sends the reply once everything staged so far is in the store.
    pub(super) fn answer_when_saved<T: Send + Sync + 'static>(
        &mut self,
        reply: Reply<Result<T, SessionError>>,
        value: T,
    ) {
        self.pending.answer(Box::new(move |saved| {
            // If the sender gave up, no reply is needed.
            let _ = reply.send(saved.map(|()| value).map_err(SessionError::not_saved));
        }));
    }
}

/// The first line of a message, shortened.
fn name_from(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("Picture");
    let clean = scene::shown(line);
    match clean.char_indices().nth(NAME_FROM_MESSAGE) {
        None => clean,
        Some((end, _)) => {
            let cut = &clean[..end];
            // Cut at the end of a word, unless one word is most of the line.
            let end = cut.rfind(' ').filter(|end| *end > cut.len() / 2).unwrap_or(cut.len());
            format!("{}…", cut[..end].trim_end())
        }
    }
}

/// The history content of a message, and the chat entries of its pictures.
fn to_content(message: &UserMessage) -> Result<(Content, Vec<ImageInfo>), SessionError> {
    let refuse = |error: String| Err(SessionError::BadMessage(error));
    if message.text.trim().is_empty() && message.images.is_empty() {
        return refuse("'text' is empty: say what you want to see".into());
    }
    let length = message.text.chars().count();
    if length > MAX_TEXT {
        return refuse(format!("'text' may have at most {MAX_TEXT} characters, got {length}"));
    }
    let ids = &message.selection;
    if ids.len() > MAX_SELECTION || ids.iter().any(|id| Id::new(id).is_none()) {
        return refuse(format!("'selection' must be at most {MAX_SELECTION} ids of objects"));
    }
    let count = message.images.len();
    if count > MAX_IMAGES {
        return refuse(format!("'images' may hold at most {MAX_IMAGES} pictures, got {count}"));
    }
    let mut parts = Vec::new();
    match message.selection.is_empty() {
        true if message.text.is_empty() => {}
        true => parts.push(Part::text(&message.text)),
        false => {
            parts.push(Part::text(format!("[selected: {}]\n{}", ids.join(", "), message.text)))
        }
    }
    let mut images = Vec::with_capacity(count);
    for (index, image) in message.images.iter().enumerate() {
        let checked = STANDARD
            .decode(&image.data)
            .map_err(|_| "data must be the file in base64".to_owned())
            .and_then(|bytes| check_attachment(&image.mime_type, &bytes));
        let (width, height) = match checked {
            Ok(size) => size,
            Err(error) => return refuse(format!("images[{index}].{error}")),
        };
        parts.push(Part::inline_data(&image.mime_type, &image.data));
        images.push(ImageInfo { mime_type: image.mime_type.clone(), width, height });
    }
    Ok((Content { role: Role::User, parts }, images))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_named_after_what_was_first_said() {
        assert_eq!(name_from("  a red sphere \nplease"), "a red sphere");
        assert_eq!(name_from(" \n "), "Picture");
        let long = "a very long sentence that goes on and on about spheres and boxes and lights";
        assert_eq!(name_from(long), "a very long sentence that goes on and on about spheres and…");
        assert_eq!(name_from(&"ä".repeat(100)).chars().count(), NAME_FROM_MESSAGE + 1);
    }
}
