//! The entries of a chat as lines of the screen.

use std::time::Instant;

use protocol::HistoryStep;
use ratatui::text::{Line, Span};

use crate::conversation::{Conversation, Entry, ToolState};
use crate::spans::{DIM, ERROR, NOTICE, USER, clean, wrapped};
use crate::{markdown, summary};

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/// How long one picture of the spinner stays.
const SPIN_MS: u128 = 100;
/// Lines of a thought that are shown: the last.
const THOUGHT_LINES: usize = 3;

/// The picture of the spinner at a moment.
pub(crate) fn spinner(since: Instant, now: Instant) -> &'static str {
    let elapsed = now.saturating_duration_since(since).as_millis() / SPIN_MS;
    SPINNER[(elapsed % SPINNER.len() as u128) as usize]
}

/// The last lines of the chat, as many as are asked for, and whether there are more above them.
pub(crate) fn last_lines(
    conversation: &Conversation,
    width: usize,
    count: usize,
    now: Instant,
) -> (Vec<Line<'static>>, bool) {
    // From the end, so that a long session costs no more than a short one.
    let mut parts: Vec<Vec<Line<'static>>> = Vec::new();
    let mut have = 0;
    let mut entries = conversation.entries.iter().enumerate().rev();
    for (index, entry) in entries.by_ref() {
        let mut part = entry_lines(entry, width, now);
        let previous = index.checked_sub(1).and_then(|before| conversation.entries.get(before));
        if previous.is_some_and(|previous| !(is_line(previous) && is_line(entry))) {
            part.insert(0, Line::default());
        }
        have += part.len();
        parts.push(part);
        if have >= count {
            break;
        }
    }
    let more = have > count || entries.next().is_some();
    let mut lines: Vec<Line<'static>> = parts.into_iter().rev().flatten().collect();
    lines.drain(..lines.len().saturating_sub(count));
    (lines, more)
}

/// Whether the entry is one line, which needs no distance to others of the kind.
fn is_line(entry: &Entry) -> bool {
    matches!(entry, Entry::Tool { .. } | Entry::Changed { .. })
}

fn entry_lines(entry: &Entry, width: usize, now: Instant) -> Vec<Line<'static>> {
    match entry {
        Entry::User(text) => {
            let mut lines = Vec::new();
            for (index, line) in text.lines().enumerate() {
                let mark = if index == 0 { "› " } else { "  " };
                let spans = [Span::styled(mark, USER), Span::styled(clean(line), USER)];
                lines.extend(wrapped(&spans, width, "  "));
            }
            lines
        }
        Entry::Answer { text, thought, .. } => {
            let mut lines = Vec::new();
            if text.is_empty() {
                for line in thought.lines() {
                    lines.extend(wrapped(&[Span::styled(clean(line), DIM)], width, ""));
                }
                lines.drain(..lines.len().saturating_sub(THOUGHT_LINES));
            }
            lines.extend(markdown::lines(text, width));
            lines
        }
        Entry::Tool { parent, name, about, state, .. } => {
            let indent = if parent.is_some() { "    " } else { "  " };
            tool_lines((name, about, indent), state, width, now)
        }
        Entry::Changed { what, history } => {
            let act = match history {
                None => "changed",
                Some(HistoryStep::Undo) => "undid changes of",
                Some(HistoryStep::Redo) => "redid changes of",
            };
            wrapped(&[Span::styled(format!("  ✎ you {act} {what}"), DIM)], width, "    ")
        }
        Entry::Notice { text, is_error } => {
            let style = if *is_error { ERROR } else { NOTICE };
            let lines = text.lines();
            lines.flat_map(|line| wrapped(&[Span::styled(clean(line), style)], width, "")).collect()
        }
    }
}

fn tool_lines(
    (name, about, indent): (&str, &str, &str),
    state: &ToolState,
    width: usize,
    now: Instant,
) -> Vec<Line<'static>> {
    let what = if about.is_empty() { name.to_owned() } else { format!("{name} {about}") };
    let (mark, end) = match state {
        ToolState::Running { since, .. } => {
            let elapsed = now.saturating_duration_since(*since).as_millis() as f64;
            (spinner(*since, now), format!("  {}", summary::duration(elapsed)))
        }
        ToolState::Done { duration_ms: Some(duration) } => {
            ("✓", format!("  {}", summary::duration(*duration)))
        }
        ToolState::Done { duration_ms: None } => ("✓", String::new()),
        ToolState::Failed { .. } => ("✗", String::new()),
    };
    let spans = [Span::styled(format!("{indent}{mark} {what}{end}"), DIM)];
    let further = format!("{indent}  ");
    let mut lines = wrapped(&spans, width, &further);
    if let ToolState::Running { note: Some(note), .. } = state {
        let note = format!("{further}{}", clean(note));
        lines.extend(wrapped(&[Span::styled(note, DIM)], width, &further));
    }
    if let ToolState::Failed { error } = state {
        let error = clean(&error.lines().collect::<Vec<_>>().join(" "));
        lines.extend(wrapped(&[Span::styled(format!("{further}{error}"), ERROR)], width, &further));
    }
    lines
}
