//! Markdown of answers as styled lines.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::spans::{BOLD, CODE, DIM, clean, wrapped};

/// The lines of a text that may end anywhere, as one that is still being written does.
pub(crate) fn lines(text: &str, width: usize) -> Vec<Line<'static>> {
    let mut writer = Writer { width, ..Writer::default() };
    for event in Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES) {
        writer.take(event);
    }
    writer.end_line();
    while writer.lines.last().is_some_and(|line| line.width() == 0) {
        writer.lines.pop();
    }
    writer.lines
}

#[derive(Default)]
struct Writer {
    width: usize,
    lines: Vec<Line<'static>>,
    /// The line that is being written.
    spans: Vec<Span<'static>>,
    styles: Vec<Style>,
    /// Numbers of the lists that are open; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// How far lines after the first of an item are indented.
    indent: usize,
    in_code: bool,
    quoted: usize,
    link: Option<String>,
    cells: usize,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => {
                for line in text.lines() {
                    self.spans.push(Span::styled(format!("  {}", clean(line)), CODE));
                    self.end_line();
                }
            }
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.spans.push(Span::styled(clean(&code), CODE)),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.end_line(),
            Event::Rule => {
                self.spans.push(Span::styled("─".repeat(self.width.min(40)), DIM));
                self.end_line();
            }
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.blank_line();
                let style = match level {
                    HeadingLevel::H1 | HeadingLevel::H2 => BOLD.add_modifier(Modifier::UNDERLINED),
                    _ => BOLD,
                };
                self.styles.push(style);
            }
            Tag::Paragraph if self.lists.is_empty() => self.blank_line(),
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.blank_line();
                }
                self.end_line();
                self.lists.push(first);
            }
            Tag::Item => {
                self.end_line();
                let depth = self.lists.len().saturating_sub(1);
                let marker = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".into(),
                };
                let marker = format!("{}{marker}", "  ".repeat(depth));
                self.indent = marker.chars().count();
                self.spans.push(Span::styled(marker, DIM));
            }
            Tag::CodeBlock(kind) => {
                self.blank_line();
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    self.spans.push(Span::styled(format!("  {}", clean(&language)), DIM));
                    self.end_line();
                }
                self.in_code = true;
            }
            Tag::BlockQuote(_) => {
                self.blank_line();
                self.quoted += 1;
            }
            Tag::Emphasis => self.styles.push(Style::new().add_modifier(Modifier::ITALIC)),
            Tag::Strong => self.styles.push(BOLD),
            Tag::Strikethrough => {
                self.styles.push(Style::new().add_modifier(Modifier::CROSSED_OUT));
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.styles.push(Style::new().add_modifier(Modifier::UNDERLINED));
                self.link = Some(dest_url.into_string());
            }
            Tag::TableHead => {
                self.blank_line();
                self.styles.push(BOLD);
                self.cells = 0;
            }
            Tag::TableRow => self.cells = 0,
            Tag::TableCell => {
                if self.cells > 0 {
                    self.spans.push(Span::styled(" │ ", DIM));
                }
                self.cells += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) | TagEnd::TableHead => {
                self.styles.pop();
                self.end_line();
            }
            TagEnd::Paragraph | TagEnd::TableRow => self.end_line(),
            TagEnd::Item => self.end_line(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.indent = 0;
            }
            TagEnd::CodeBlock => self.in_code = false,
            TagEnd::BlockQuote(_) => {
                self.end_line();
                self.quoted = self.quoted.saturating_sub(1);
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
                if let Some(link) = self.link.take() {
                    let shown: String = self.spans.iter().map(|span| &*span.content).collect();
                    if !shown.ends_with(&link) {
                        self.spans.push(Span::styled(format!(" ({})", clean(&link)), DIM));
                    }
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        let style = self.styles.iter().fold(Style::new(), |all, style| all.patch(*style));
        self.spans.push(Span::styled(clean(text), style));
    }

    fn blank_line(&mut self) {
        self.end_line();
        if self.lines.last().is_some_and(|line| line.width() > 0) {
            self.lines.push(Line::default());
        }
    }

    fn end_line(&mut self) {
        let spans = std::mem::take(&mut self.spans);
        if spans.is_empty() {
            return;
        }
        let quote = "│ ".repeat(self.quoted);
        let width = self.width.saturating_sub(quote.chars().count());
        for line in wrapped(&spans, width, &" ".repeat(self.indent)) {
            let mut spans = line.spans;
            if self.quoted > 0 {
                spans.insert(0, Span::styled(quote.clone(), DIM));
            }
            self.lines.push(Line::from(spans));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let lines: Vec<String> = lines(text, 30).iter().map(ToString::to_string).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn what_models_write() {
        check(
            "# A scene\nI built **two** things, which `render_preview` shows well enough:\n\n- a *red* ball on a long wooden table\n  1. its stand\n- [a link](http://a.b)\n\n> quoted words\n\n```json\n{\"a\": 1}\n```\nDone.",
            &expect![[r#"
                A scene

                I built two things, which
                render_preview shows well
                enough:

                • a red ball on a long wooden
                  table
                  1. its stand
                • a link (http://a.b)

                │ quoted words

                  json
                  {"a": 1}

                Done."#]],
        );
    }

    #[test]
    fn what_is_not_finished_is_shown_as_far_as_it_goes() {
        check("A **bold", &expect!["A **bold"]);
        check(
            "| id | size |\n|---|---|\n| ball | 1 |",
            &expect![[r#"
            id │ size
            ball │ 1"#]],
        );
        check("", &expect![""]);
    }
}
