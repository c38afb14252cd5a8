//! The lexer: directives, quoted texts, numbers and brackets.

use crate::SceneFileError;
use crate::cancel::{Cancelled, check_cancelled};

/// Bytes of a quoted text.
const MAX_TEXT: usize = 4096;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    /// A directive, `true` or `false`.
    Word(&'a str),
    /// A text in quotes.
    Text(&'a str),
    Number(f64),
    Open,
    Close,
}

/// Splits a text into tokens.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    ahead: Option<Token<'a>>,
    cancelled: Cancelled<'a>,
    /// Tokens until the next check for cancellation.
    until_check: u32,
}

/// Tokens between checks for cancellation: some hundred microseconds.
const TOKENS_PER_CHECK: u32 = 4096;

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, cancelled: Cancelled<'a>) -> Self {
        Self { rest: text, line: 1, ahead: None, cancelled, until_check: TOKENS_PER_CHECK }
    }

    /// A syntax error in the current line.
    pub(super) fn error(&self, message: impl Into<String>) -> SceneFileError {
        SceneFileError::Syntax { line: self.line, message: message.into() }
    }

    /// The next token, which is not consumed.
    pub(super) fn peek(&mut self) -> Result<Option<&Token<'a>>, SceneFileError> {
        if self.ahead.is_none() {
            self.ahead = self.read()?;
        }
        Ok(self.ahead.as_ref())
    }

    /// The next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, SceneFileError> {
        match self.ahead.take() {
            Some(token) => Ok(Some(token)),
            None => self.read(),
        }
    }

    /// The next token, which must be a quoted text.
    pub(super) fn text(&mut self) -> Result<&'a str, SceneFileError> {
        match self.next()? {
            Some(Token::Text(text)) => Ok(text),
            other => Err(self.expected("a text in quotes", other.as_ref())),
        }
    }

    /// The next `N` numbers, in brackets or without.
    pub(super) fn numbers<const N: usize>(&mut self) -> Result<[f64; N], SceneFileError> {
        let bracketed = self.peek()? == Some(&Token::Open);
        if bracketed {
            self.next()?;
        }
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = match self.next()? {
                Some(Token::Number(number)) => number,
                other => return Err(self.expected(&format!("{N} numbers"), other.as_ref())),
            };
        }
        match (bracketed, if bracketed { self.next()? } else { Some(Token::Close) }) {
            (_, Some(Token::Close)) => Ok(numbers),
            (_, other) => Err(self.expected("]", other.as_ref())),
        }
    }

    /// The error for an unexpected token.
    pub(super) fn expected(&self, what: &str, found: Option<&Token<'_>>) -> SceneFileError {
        let found = match found {
            None => "the end of the file".to_owned(),
            Some(Token::Word(word)) => format!("'{}'", word.chars().take(40).collect::<String>()),
            Some(Token::Text(text)) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
            Some(Token::Number(number)) => number.to_string(),
            Some(Token::Open) => "[".to_owned(),
            Some(Token::Close) => "]".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn read(&mut self) -> Result<Option<Token<'a>>, SceneFileError> {
        self.until_check -= 1;
        if self.until_check == 0 {
            check_cancelled(self.cancelled)?;
            self.until_check = TOKENS_PER_CHECK;
        }
        loop {
            let skipped = self.rest.trim_start();
            self.line += count_lines(&self.rest[..self.rest.len() - skipped.len()]);
            self.rest = skipped;
            if !self.rest.starts_with('#') {
                break;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        match first {
            '[' | ']' => {
                self.rest = &self.rest[1..];
                Ok(Some(if first == '[' { Token::Open } else { Token::Close }))
            }
            '"' => {
                let Some(length) = self.rest[1..].find('"').filter(|length| *length <= MAX_TEXT)
                else {
                    return Err(self.error("a text in quotes has no end"));
                };
                let text = &self.rest[1..=length];
                self.rest = &self.rest[length + 2..];
                self.line += count_lines(text);
                Ok(Some(Token::Text(text)))
            }
            _ => {
                let end = self.rest.find(|letter: char| {
                    letter.is_whitespace() || matches!(letter, '[' | ']' | '"' | '#')
                });
                let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                self.rest = rest;
                let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
                let numeric = first.is_ascii_digit() || matches!(first, '+' | '-' | '.');
                match number.filter(|_| numeric) {
                    Some(number) => Ok(Some(Token::Number(number))),
                    None if numeric => Err(self.error(format!(
                        "'{}' is no number",
                        word.chars().take(40).collect::<String>()
                    ))),
                    None => Ok(Some(Token::Word(word))),
                }
            }
        }
    }
}

fn count_lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
