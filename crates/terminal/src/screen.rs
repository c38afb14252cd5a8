//! The full screen as widgets.

use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect, Size};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Borders, Paragraph};
use ratatui_image::Image;

use crate::conversation::{Conversation, Link};
use crate::goal_words;
use crate::spans::{BOLD, DIM, ERROR, NOTICE, USER, clean, wrapped};
use crate::transcript::{last_lines, spinner};
use crate::view::View;

/// Narrower terminals have the picture above the chat.
const MIN_WIDTH_BESIDE: u16 = 72;
/// Lower terminals have no picture above the chat.
const MIN_HEIGHT_ABOVE: u16 = 20;
/// The share of the width that is the picture's, in percent.
const PICTURE_PERCENT: u16 = 42;
/// Lines of the facts below a picture that is beside the chat.
const FACTS: u16 = 5;
/// The same while a goal is worked on, whose tasks are among them.
const FACTS_WITH_GOAL: u16 = 10;
/// The most tasks that are shown there.
const MAX_TASKS: usize = 12;

/// Where everything is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Areas {
    title: Rect,
    chat: Rect,
    pub(crate) picture: Rect,
    facts: Rect,
    approval: Rect,
    prompt: Rect,
    hint: Rect,
}

impl Areas {
    pub(crate) fn of(screen: Rect, has_picture: bool, has_approval: bool, has_goal: bool) -> Self {
        let approval = if has_approval { 2 } else { 0 };
        let facts = if has_goal { FACTS_WITH_GOAL } else { FACTS };
        let [title, middle, approval, prompt, hint] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(approval),
            Constraint::Length(2),
            Constraint::Length(1),
        ])
        .areas(screen);
        let mut areas = Self {
            title,
            chat: middle,
            picture: Rect::default(),
            facts: Rect::default(),
            approval,
            prompt,
            hint,
        };
        if !has_picture {
            return areas;
        }
        if screen.width >= MIN_WIDTH_BESIDE {
            let [chat, side] =
                Layout::horizontal([Constraint::Fill(1), Constraint::Percentage(PICTURE_PERCENT)])
                    .spacing(1)
                    .areas(middle);
            // Four to three, in letters that are twice as high as wide.
            let height = (side.width * 3 / 8).min(side.height.saturating_sub(facts)).max(1);
            let [picture, _, facts] = Layout::vertical([
                Constraint::Length(height),
                Constraint::Length(1),
                Constraint::Fill(1),
            ])
            .areas(side);
            (areas.chat, areas.picture, areas.facts) = (chat, picture, facts);
        } else if screen.height >= MIN_HEIGHT_ABOVE {
            let [picture, chat] =
                Layout::vertical([Constraint::Percentage(45), Constraint::Fill(1)]).areas(middle);
            (areas.picture, areas.chat) = (picture, chat);
        }
        areas
    }

    /// The areas of a view on a screen of this size.
    pub(crate) fn for_view(view: &View, size: Size) -> Self {
        let has_approval = !view.conversation.approvals.is_empty();
        let screen = Rect::from((Position::ORIGIN, size));
        let has_goal = view.conversation.open_goal().is_some();
        Self::of(screen, view.picture.is_wanted(), has_approval, has_goal)
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, view: &mut View, now: Instant) {
    let areas = Areas::for_view(view, frame.area().as_size());
    let conversation = &view.conversation;
    frame.render_widget(title(conversation, areas.title.width), areas.title);
    draw_picture(frame, view, areas.picture);
    frame.render_widget(facts(&view.conversation, areas.facts), areas.facts);
    draw_approval(frame, &view.conversation, areas.approval);
    draw_chat(frame, view, areas.chat, now);
    draw_prompt(frame, view, areas.prompt, now);
    let hint = Line::from(Span::styled(view.hint(), DIM));
    frame.render_widget(hint, areas.hint);
}

fn title(conversation: &Conversation, width: u16) -> Line<'static> {
    let name = match clean(&conversation.name) {
        name if name.is_empty() => "new session".to_owned(),
        name => name,
    };
    let left = vec![Span::styled("scene-llm", USER), Span::styled(format!("  {name}"), BOLD)];
    let right = match &conversation.link {
        Link::Open => Span::styled(clean(&conversation.model), DIM),
        Link::Lost { attempt, .. } => {
            Span::styled(format!("connection lost, attempt {attempt}"), ERROR)
        }
        Link::Ended { .. } => Span::styled("session ended", ERROR),
    };
    let left_width: usize = left.iter().map(Span::width).sum();
    let room = usize::from(width).saturating_sub(right.width() + 1);
    let mut line = if left_width <= room {
        let mut line = Line::from(left);
        line.push_span(" ".repeat(room + 1 - left_width));
        line
    } else {
        // The name gives way.
        let mut parts = wrapped(&left, room, "");
        let mut line = if parts.is_empty() { Line::default() } else { parts.swap_remove(0) };
        let used = line.width();
        line.push_span(" ".repeat((room + 1).saturating_sub(used)));
        line
    };
    line.push_span(right);
    line
}

fn draw_picture(frame: &mut Frame<'_>, view: &View, area: Rect) {
    if area.is_empty() {
        return;
    }
    match &view.picture.shown {
        Some(protocol) => {
            let size = protocol.size();
            let (width, height) = (size.width.min(area.width), size.height.min(area.height));
            let x = area.x + (area.width - width) / 2;
            frame.render_widget(Image::new(protocol), Rect::new(x, area.y, width, height));
        }
        None => frame.render_widget(
            Paragraph::new(Span::styled("rendering ...", DIM)).centered(),
            Rect { y: area.y + area.height / 2, height: 1, ..area },
        ),
    }
}

fn facts(conversation: &Conversation, area: Rect) -> Text<'static> {
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let scene = about_scene(conversation, width);
    let mut lines = Vec::new();
    if let Some(goal) = &conversation.goal {
        let status = format!("goal: {}", goal_words::status(goal));
        lines.extend(wrapped(&[Span::styled(status, NOTICE)], width, "  "));
    }
    if let Some(goal) = conversation.open_goal() {
        let room = height.saturating_sub(lines.len() + scene.len()).min(MAX_TASKS);
        for task in goal_words::window(&goal.tasks, room) {
            // One line each, so that they all are seen.
            let line = wrapped(&[Span::styled(goal_words::task(task), DIM)], width, "");
            lines.extend(line.into_iter().take(1));
        }
    }
    lines.extend(scene);
    Text::from(lines)
}

/// What is known of the scene, the model's cost and the session.
fn about_scene(conversation: &Conversation, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let objects = match conversation.objects {
        1 => "1 object".to_owned(),
        count => format!("{count} objects"),
    };
    let mut scene = format!("{objects} · revision {}", conversation.revision);
    if let Some((samples, target)) = conversation.samples {
        scene.push_str(&format!(" · {samples} of {target} samples"));
    }
    lines.push(scene);
    let usage = &conversation.usage;
    if usage.input_tokens + usage.output_tokens > 0 {
        let cost = usage.cost.map(|cost| format!(" · {cost:.4} $")).unwrap_or_default();
        lines.push(format!("{} + {} tokens{cost}", usage.input_tokens, usage.output_tokens));
    }
    lines.push(format!("session {}", conversation.session));
    let wrap = |line: String| wrapped(&[Span::styled(line, DIM)], width, "  ");
    lines.into_iter().flat_map(wrap).collect()
}

fn draw_approval(frame: &mut Frame<'_>, conversation: &Conversation, area: Rect) {
    let Some(waiting) = conversation.approvals.first().filter(|_| !area.is_empty()) else { return };
    let others = match conversation.approvals.len() {
        1 => String::new(),
        count => format!(" ({} more wait)", count - 1),
    };
    let question = Line::from(vec![
        Span::styled("May the model call ", NOTICE),
        Span::styled(clean(&waiting.name), BOLD),
        Span::styled(format!("?{others}"), NOTICE),
    ]);
    let args = clean(&waiting.args.to_string());
    frame.render_widget(Text::from(vec![question, Line::styled(format!("  {args}"), DIM)]), area);
}

fn draw_chat(frame: &mut Frame<'_>, view: &mut View, area: Rect, now: Instant) {
    let height = usize::from(area.height);
    let width = usize::from(area.width);
    view.page = height;
    if view.conversation.entries.is_empty() {
        let words = ["", "Say what you want to see, e.g.", "  a snowman in front of a red house"];
        let lines =
            words.iter().flat_map(|words| wrapped(&[Span::styled(*words, DIM)], width, "  "));
        frame.render_widget(Text::from(lines.collect::<Vec<_>>()), area);
        return;
    }
    let (mut lines, more) = last_lines(&view.conversation, width, height + view.scroll, now);
    if !more {
        view.scroll = view.scroll.min(lines.len().saturating_sub(height));
    }
    // What is scrolled away below, and what was read for a scroll beyond the beginning.
    let end = lines.len().saturating_sub(view.scroll).max(height.min(lines.len()));
    lines.truncate(end);
    lines.drain(..lines.len().saturating_sub(height));
    frame.render_widget(Text::from(lines), area);
}

fn draw_prompt(frame: &mut Frame<'_>, view: &View, area: Rect, now: Instant) {
    let rule = Block::new().borders(Borders::TOP).border_style(DIM);
    let mut title = Vec::new();
    if let Some(since) = view.conversation.running {
        let elapsed = now.saturating_duration_since(since).as_secs();
        let turn = match view.conversation.turn {
            Some((turn, most)) => format!(", turn {turn} of {most}"),
            None => String::new(),
        };
        let mark = spinner(since, now);
        title.push(Span::styled(format!(" {mark} thinking {elapsed} s{turn} "), NOTICE));
    }
    if let Some(goal) = view.conversation.open_goal() {
        title.push(Span::styled(format!(" goal: {} ", goal_words::status(goal)), NOTICE));
    }
    if let Some((what, since)) = &view.working {
        title.push(Span::styled(format!(" {} {what} ", spinner(*since, now)), NOTICE));
    }
    frame.render_widget(rule.title(Line::from(title)), area);
    let line = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if line.is_empty() || line.width < 4 {
        return;
    }
    let (text, cursor) = view.prompt.visible(usize::from(line.width) - 3);
    let spans = vec![Span::styled("> ", USER), Span::raw(text)];
    frame.render_widget(Line::from(spans), line);
    let column = u16::try_from(cursor).unwrap_or(0);
    frame.set_cursor_position((line.x + 2 + column, line.y));
}
