//! The line the user types, and those typed before.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

/// Lines that are remembered.
const MAX_HISTORY: usize = 500;

#[derive(Debug, Default)]
pub(crate) struct Prompt {
    input: Input,
    history: Vec<String>,
    /// The line of the history that is shown.
    shown: Option<usize>,
    /// What was typed before the history was opened.
    draft: String,
}

impl Prompt {
    pub(crate) fn text(&self) -> &str {
        self.input.value()
    }

    pub(crate) fn set(&mut self, text: &str) {
        self.input = Input::new(text.to_owned());
    }

    /// The part of the line that fits into `width` columns, and the column of the cursor in it.
    pub(crate) fn visible(&self, width: usize) -> (String, usize) {
        let scroll = self.input.visual_scroll(width);
        let (mut column, mut text) = (0, String::new());
        for letter in self.input.value().chars() {
            let wide = unicode_width::UnicodeWidthChar::width(letter).unwrap_or(0);
            if column >= scroll && column + wide <= scroll + width {
                text.push(letter);
            }
            column += wide;
        }
        (text, self.input.visual_cursor().saturating_sub(scroll).min(width))
    }

    /// Takes the line away, into the history.
    pub(crate) fn submit(&mut self) -> String {
        let line = self.input.value_and_reset().trim().to_owned();
        self.shown = None;
        if !line.is_empty() && self.history.last() != Some(&line) {
            if self.history.len() == MAX_HISTORY {
                self.history.remove(0);
            }
            self.history.push(line.clone());
        }
        line
    }

    /// Adds messages of the session from before, the oldest first.
    pub(crate) fn remember<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        self.history = lines.filter(|line| !line.contains('\n')).map(str::to_owned).collect();
        let excess = self.history.len().saturating_sub(MAX_HISTORY);
        self.history.drain(..excess);
    }

    /// Text from the clipboard: a line stays one.
    pub(crate) fn paste(&mut self, text: &str) {
        for letter in text.chars() {
            let letter = if letter.is_control() { ' ' } else { letter };
            self.input.handle(InputRequest::InsertChar(letter));
        }
    }

    /// Edits the line or goes through the history.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let by_word = control || alt;
        let request = match key.code {
            KeyCode::Up => return self.older(),
            KeyCode::Down => return self.newer(),
            KeyCode::Char('a') if control => InputRequest::GoToStart,
            KeyCode::Char('e') if control => InputRequest::GoToEnd,
            KeyCode::Char('u') if control => InputRequest::DeleteLine,
            KeyCode::Char('k') if control => InputRequest::DeleteTillEnd,
            KeyCode::Char('w') if control => InputRequest::DeletePrevWord,
            KeyCode::Char('b') if alt => InputRequest::GoToPrevWord,
            KeyCode::Char('f') if alt => InputRequest::GoToNextWord,
            KeyCode::Char(letter) if !control && !alt => InputRequest::InsertChar(letter),
            KeyCode::Left if by_word => InputRequest::GoToPrevWord,
            KeyCode::Right if by_word => InputRequest::GoToNextWord,
            KeyCode::Left => InputRequest::GoToPrevChar,
            KeyCode::Right => InputRequest::GoToNextChar,
            KeyCode::Home => InputRequest::GoToStart,
            KeyCode::End => InputRequest::GoToEnd,
            KeyCode::Backspace if by_word => InputRequest::DeletePrevWord,
            KeyCode::Backspace => InputRequest::DeletePrevChar,
            KeyCode::Delete => InputRequest::DeleteNextChar,
            _ => return,
        };
        self.input.handle(request);
    }

    fn older(&mut self) {
        let index = match self.shown {
            None => self.history.len().checked_sub(1),
            Some(index) => Some(index.saturating_sub(1)),
        };
        let Some(index) = index else { return };
        if self.shown.is_none() {
            self.draft = self.input.value().to_owned();
        }
        self.shown = Some(index);
        let line = self.history[index].clone();
        self.set(&line);
    }

    fn newer(&mut self) {
        let Some(index) = self.shown else { return };
        let line = match self.history.get(index + 1) {
            Some(line) => {
                self.shown = Some(index + 1);
                line.clone()
            }
            None => {
                self.shown = None;
                std::mem::take(&mut self.draft)
            }
        };
        self.set(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, code: KeyCode) {
        prompt.key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    #[test]
    fn the_history_gives_back_what_was_being_typed() {
        let mut prompt = Prompt::default();
        for line in ["a red ball", "bigger", "bigger"] {
            prompt.paste(line);
            assert_eq!(prompt.submit(), line);
        }
        prompt.paste("half a th");
        let mut seen = Vec::new();
        for code in [KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Down, KeyCode::Down] {
            press(&mut prompt, code);
            seen.push(prompt.text().to_owned());
        }
        assert_eq!(seen, ["bigger", "a red ball", "a red ball", "bigger", "half a th"]);
    }

    #[test]
    fn a_long_line_scrolls_with_its_cursor() {
        let mut prompt = Prompt::default();
        prompt.paste("0123456789");
        let (text, cursor) = prompt.visible(5);
        assert!(text.len() <= 5 && cursor <= 5 && text.ends_with('9'), "{text} {cursor}");
        press(&mut prompt, KeyCode::Home);
        assert_eq!(prompt.visible(5), ("01234".to_owned(), 0));
    }

    #[test]
    fn a_paste_stays_one_line() {
        let mut prompt = Prompt::default();
        prompt.paste("a\nb\u{1b}[0m");
        assert_eq!(prompt.text(), "a b [0m");
    }
}
