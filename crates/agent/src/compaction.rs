//! Compaction of long conversations: a summary replaces the older part, the newest part stays.
//!
//! A summary is appended to the history as a content, so the log stays append-only and complete. The
//! model sees the history from the newest summary on.

use llm::{Content, Part, Request, Role, estimate_content};
use serde_json::{Value, json};

use crate::preferences;

/// Settings of the compaction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compaction {
    /// The share of the context window at which the older part is summarised.
    pub begin_at: f64,
    /// The share of the conversation that is not summarised.
    pub keep: f64,
    /// The context window in tokens, in place of the model's own.
    pub window: Option<u64>,
}

impl Default for Compaction {
    fn default() -> Self {
        Self { begin_at: 0.5, keep: 0.3, window: None }
    }
}

/// The instruction for the summary.
const INSTRUCTION: &str = "\
You summarise the earlier part of a conversation between a person and an assistant that works with tools, so \
that the assistant can go on without it. Write plain text of at most 600 words: what the user wants and \
has said they prefer, what has been made (with the ids of things) and why, what failed and how it was \
solved, what is still open. The state of the work itself is known from elsewhere. No preface.";

/// The longest text of one content in the transcript, in characters.
const MAX_TEXT: usize = 4_000;
/// The longest result or arguments of a call in the transcript, in characters.
const MAX_JSON: usize = 600;
/// Longest summary.
const MAX_SUMMARY: usize = 12_000;

/// The part of `history` that the model sees: the newest summary, and the contents after the part it
/// covers.
pub(crate) fn view(history: &[Content]) -> Vec<Content> {
    let newest = history.iter().rev().find_map(|content| Some((content, about(content)?)));
    let Some((summary, about)) = newest else {
        return history.to_vec();
    };
    let covered = covers(about).min(history.len());
    let later = history[covered..].iter().filter(|content| self::about(content).is_none());
    std::iter::once(summary).chain(later).cloned().collect()
}

fn about(content: &Content) -> Option<&Value> {
    content.parts.iter().find_map(Part::as_summary)
}

fn covers(about: &Value) -> usize {
    about["covers"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

/// The older part of a history, to be summarised.
pub(crate) struct Older<'a> {
    /// The number of contents it covers, from the beginning of the history.
    covers: usize,
    /// The previous summary, if there is one.
    before: Option<&'a Content>,
    contents: Vec<&'a Content>,
    preferences: Vec<String>,
}

impl Compaction {
    /// Whether a request of `tokens` tokens is too long for a context window.
    pub(crate) fn is_due(&self, tokens: u64, window: u64) -> bool {
        tokens as f64 > self.window.unwrap_or(window) as f64 * self.begin_at
    }

    /// The older part of `history`; `None` when nothing can be summarised.
    pub(crate) fn older<'a>(&self, history: &'a [Content]) -> Option<Older<'a>> {
        let is_written =
            |content: &&Content| about(content).is_some_and(|about| about["stand_in"] != true);
        let before = history.iter().rfind(is_written);
        let start = before.and_then(about).map_or(0, covers);
        let sizes: Vec<u64> = history[start..].iter().map(estimate_content).collect();
        let kept = sizes.iter().sum::<u64>() as f64 * self.keep;
        let mut size = 0.0;
        let mut from = history.len();
        while from > start {
            size += sizes[from - 1 - start] as f64;
            if size > kept {
                break;
            }
            from -= 1;
        }
        // At least the last content stays, and no turn is split: the rest begins with a user
        // message, or with an answer after the results of the one before.
        from = from.min(history.len().saturating_sub(1));
        while from > start && !begins_turn(history, from) {
            from -= 1;
        }
        let contents: Vec<&Content> =
            history[start..from].iter().filter(|content| about(content).is_none()).collect();
        if contents.is_empty() {
            return None;
        }
        let known = before.and_then(about).map(known_preferences).unwrap_or_default();
        let preferences = preferences::collect(known, &history[start..from]);
        Some(Older { covers: from, before, contents, preferences })
    }
}

fn begins_turn(history: &[Content], at: usize) -> bool {
    match history[at].role {
        Role::User => true,
        Role::Model => history[at - 1].role == Role::Function,
        Role::Function => false,
    }
}

fn known_preferences(about: &Value) -> Vec<String> {
    let known = about["preferences"].as_array().into_iter().flatten();
    known.filter_map(Value::as_str).map(str::to_owned).collect()
}

impl Older<'_> {
    /// The request for a summary, of at most `tokens`.
    pub(crate) fn request(&self, tokens: u64) -> Request {
        let mut lines: Vec<String> = Vec::new();
        // About 3 bytes per token; the newest lines matter most.
        let mut left = usize::try_from(tokens.saturating_mul(3)).unwrap_or(usize::MAX);
        // The context is sent again afterwards.
        for content in self.contents.iter().rev().filter(|content| !content.is_context()) {
            let line = transcript(content);
            if line.len() > left {
                lines.push("[What came before is left out here.]".into());
                break;
            }
            left -= line.len();
            lines.push(line);
        }
        if let Some(before) = self.before {
            lines.push(before.visible_text());
        }
        lines.reverse();
        Request {
            system_instruction: INSTRUCTION.into(),
            contents: vec![Content::user(lines.join("\n"))],
            ..Request::default()
        }
    }

    /// The content that replaces the older part.
    pub(crate) fn summary(&self, written: &str) -> Content {
        let about = json!({ "covers": self.covers, "preferences": self.preferences });
        Content { role: Role::User, parts: vec![Part::summary(self.text(written), &about)] }
    }

    fn text(&self, written: &str) -> String {
        let written = shortened(written.trim(), MAX_SUMMARY);
        let mut text = format!("[Summary of the conversation so far]\n{written}");
        if !self.preferences.is_empty() {
            text.push_str("\n\n[What the user said they want throughout, word for word]\n- ");
            text.push_str(&self.preferences.join("\n- "));
        }
        text
    }

    /// The replacement of the older part when there is no summary; the next summary covers what it
    /// covers.
    pub(crate) fn without_summary(&self) -> Content {
        let before = self.before.map(Content::visible_text).unwrap_or_default();
        let written = format!("{before}\n[{} earlier messages are left out.]", self.contents.len());
        let about = json!({
            "covers": self.covers, "preferences": self.preferences, "stand_in": true
        });
        Content { role: Role::User, parts: vec![Part::summary(self.text(&written), &about)] }
    }
}

/// A content as a line of a transcript.
fn transcript(content: &Content) -> String {
    let mut line = String::new();
    let told =
        content.parts.iter().filter(|part| !part.is_thought() && part.as_context().is_none());
    for part in told {
        if let Some(text) = part.as_text() {
            line.push_str(&shortened(text, MAX_TEXT));
        } else if let Some(call) = part.as_call() {
            let args = call.args.map(Value::to_string).unwrap_or_default();
            line.push_str(&format!(" [calls {} {}]", call.name, shortened(&args, MAX_JSON)));
        } else if let Some(response) = part.as_response() {
            let result = response.response.map(Value::to_string).unwrap_or_default();
            line.push_str(&format!("[{} gave {}]", response.name, shortened(&result, MAX_JSON)));
        }
    }
    let who = match content.role {
        Role::User => "Person",
        Role::Model => "Assistant",
        Role::Function => "Results",
    };
    format!("{who}: {line}")
}

fn shortened(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}
