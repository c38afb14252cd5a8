//! The state of the full screen, and what keys do to it.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use protocol::{ClientRequest, GoalStatus, Remember, Welcome};

use crate::command::{Command, HELP, name};
use crate::conversation::{Conversation, Entry};
use crate::picture::Picture;
use crate::prompt::Prompt;

/// What a key asks for beyond the screen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    Request(ClientRequest),
    Command(Command),
    Quit,
}

pub(crate) struct View {
    pub(crate) conversation: Conversation,
    pub(crate) prompt: Prompt,
    pub(crate) picture: Picture,
    /// Lines the chat is scrolled back from its end.
    pub(crate) scroll: usize,
    /// Lines of the chat on the screen, for a page.
    pub(crate) page: usize,
    /// Something is under way that the server does not tell of, e.g. a render.
    pub(crate) working: Option<(String, Instant)>,
    /// Ctrl-C was pressed with nothing to stop or to clear.
    leaving: bool,
}

impl View {
    pub(crate) fn new(welcome: Welcome, picture: Picture, now: Instant) -> Self {
        let mut view = Self {
            conversation: Conversation::new(welcome, now),
            prompt: Prompt::default(),
            picture,
            scroll: 0,
            page: 1,
            working: None,
            leaving: false,
        };
        view.remember_messages();
        view
    }

    /// The state of the session anew, or of another session.
    pub(crate) fn welcome(&mut self, welcome: Welcome, now: Instant) {
        self.conversation = Conversation::new(welcome, now);
        self.scroll = 0;
        self.remember_messages();
    }

    fn remember_messages(&mut self) {
        let said = self.conversation.entries.iter().filter_map(|entry| match entry {
            Entry::User(text) => Some(text.as_str()),
            _ => None,
        });
        self.prompt.remember(said);
    }

    /// Whether something on the screen moves by itself.
    pub(crate) fn is_animated(&self) -> bool {
        self.conversation.running.is_some() || self.working.is_some()
    }

    /// What the user may do now, in one line.
    pub(crate) fn hint(&self) -> String {
        if self.leaving {
            return "Ctrl-C again leaves; the session is kept".into();
        }
        if !self.conversation.approvals.is_empty() && self.prompt.text().is_empty() {
            let always = if self.conversation.can_remember_always { " · a always" } else { "" };
            return format!("y allow once · s in this session{always} · n refuse");
        }
        let text = self.prompt.text();
        if let Some(word) = text.strip_prefix('/').and(text.split(' ').next()) {
            let fitting: Vec<&str> = HELP
                .iter()
                .filter(|(usage, _)| name(usage).starts_with(word))
                .map(|(usage, _)| *usage)
                .collect();
            return match fitting[..] {
                [] => "no such command; /help lists them".into(),
                [one] => match HELP.iter().find(|(usage, _)| *usage == one) {
                    Some((usage, meaning)) => format!("{usage}: {meaning}"),
                    None => one.into(),
                },
                _ => fitting.iter().map(|usage| name(usage)).collect::<Vec<_>>().join("  "),
            };
        }
        let goal = self.conversation.open_goal();
        if goal.is_some_and(|goal| goal.status == GoalStatus::WaitingForUser) {
            return "the goal asks: your next message answers · /goal shows all of it".into();
        }
        if self.scroll > 0 {
            return "PgDn scrolls down · Esc goes to the end".into();
        }
        match self.conversation.running {
            Some(_) => "Esc stops · what you send now is told to the running model".into(),
            None => "Enter sends · /help lists commands · PgUp scrolls".into(),
        }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Option<Action> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let was_leaving = std::mem::take(&mut self.leaving);
        match key.code {
            KeyCode::Char('c') if control => self.interrupt(was_leaving),
            KeyCode::Char('d') if control && self.prompt.text().is_empty() => Some(Action::Quit),
            KeyCode::Esc => self.escape(),
            KeyCode::Enter => self.enter(),
            KeyCode::Tab => {
                self.complete();
                None
            }
            KeyCode::PageUp => {
                self.scroll += self.page.saturating_sub(1).max(1);
                None
            }
            KeyCode::PageDown => {
                self.scroll = self.scroll.saturating_sub(self.page.saturating_sub(1).max(1));
                None
            }
            KeyCode::Char(letter) if !control && self.prompt.text().is_empty() => {
                match self.approve(letter) {
                    Some(request) => Some(Action::Request(request)),
                    None => {
                        self.prompt.key(key);
                        None
                    }
                }
            }
            _ => {
                self.prompt.key(key);
                None
            }
        }
    }

    /// The answer to the approval that waits, if the letter is one.
    fn approve(&mut self, letter: char) -> Option<ClientRequest> {
        let call_id = self.conversation.approvals.first()?.call_id.clone();
        let always = self.conversation.can_remember_always;
        let (allow, remember) = match letter {
            'y' => (true, None),
            's' => (true, Some(Remember::Session)),
            'a' if always => (true, Some(Remember::Always)),
            'n' => (false, None),
            _ => return None,
        };
        self.conversation.approvals.remove(0);
        Some(ClientRequest::Approve { call_id, allow, remember })
    }

    fn interrupt(&mut self, was_leaving: bool) -> Option<Action> {
        if !self.prompt.text().is_empty() {
            self.prompt.set("");
        } else if self.conversation.running.is_some() {
            return Some(Action::Request(ClientRequest::Cancel));
        } else if was_leaving {
            return Some(Action::Quit);
        } else {
            self.leaving = true;
        }
        None
    }

    fn escape(&mut self) -> Option<Action> {
        if self.scroll > 0 {
            self.scroll = 0;
        } else if self.conversation.running.is_some() {
            return Some(Action::Request(ClientRequest::Cancel));
        } else {
            self.prompt.set("");
        }
        None
    }

    fn enter(&mut self) -> Option<Action> {
        let line = self.prompt.submit();
        self.scroll = 0;
        if line.is_empty() {
            return None;
        }
        if !line.starts_with('/') {
            return Some(Action::Request(client::say(&line)));
        }
        match Command::parse(&line) {
            Ok(command) => Some(Action::Command(command)),
            Err(error) => {
                self.conversation.complain(error);
                None
            }
        }
    }

    /// Completes a command that is the only one to begin so.
    fn complete(&mut self) {
        let text = self.prompt.text().to_owned();
        let mut fitting = HELP.iter().filter(|(usage, _)| name(usage).starts_with(&text));
        if let (true, Some((usage, _)), None) =
            (text.starts_with('/'), fitting.next(), fitting.next())
        {
            let space = if usage.contains(' ') { " " } else { "" };
            self.prompt.set(&format!("{}{space}", name(usage)));
        }
    }
}
