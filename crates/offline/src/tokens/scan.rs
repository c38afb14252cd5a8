//! Cuts a message into words, numbers and marks.

use std::ops::Range;

/// A piece of a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// In lower case, with straight quotes.
    pub(crate) text: String,
    /// Where it stands in the message, in bytes.
    pub(crate) span: Range<usize>,
    /// What it is by its letters.
    pub(crate) kind: TokenKind,
}

/// What a token is by its letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TokenKind {
    /// Letters.
    Word,
    /// Digits.
    Number(f64),
    /// The six digits of a colour.
    Code,
    /// A text in quotes, without them.
    Quoted,
    /// A mark within a sentence.
    Mark,
    /// The end of a sentence.
    End,
}

/// Marks that end a sentence.
const ENDS: [char; 5] = ['.', '!', '?', ';', '\n'];
/// Quotes that open and close a text.
const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')];

/// The tokens of a message.
pub(crate) fn scan(message: &str) -> Vec<Token> {
    let mut scanner = Scanner { message, at: 0, tokens: Vec::new() };
    while let Some(letter) = scanner.peek() {
        scanner.step(letter);
    }
    scanner.tokens
}

/// What stands for an apostrophe.
pub(super) const APOSTROPHES: [char; 4] = ['\'', '’', '‘', '`'];

struct Scanner<'a> {
    message: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.message[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, length: usize, kind: TokenKind) {
        let span = self.at..self.at + length;
        let text = self.message[span.clone()].to_lowercase().replace(APOSTROPHES, "'");
        self.tokens.push(Token { text, span, kind });
        self.at += length;
    }

    fn step(&mut self, letter: char) {
        if letter.is_ascii_digit() || (letter == '.' && self.digits_at(1) > 0) {
            return self.number();
        }
        if letter == '-' && self.digits_at(1) > 0 && !self.follows_word() {
            return self.number();
        }
        if letter == 'x' && self.is_between_numbers() {
            return self.push(1, TokenKind::Mark);
        }
        if let Some((length, code)) = function_colour(self.rest()) {
            self.push(length, TokenKind::Code);
            if let Some(last) = self.tokens.last_mut() {
                last.text = code;
            }
            return;
        }
        if let Some((length, text)) = meridian(self.rest()) {
            self.push(length, TokenKind::Word);
            if let Some(last) = self.tokens.last_mut() {
                last.text = text.to_owned();
            }
            return;
        }
        if letter.is_alphabetic() {
            return self.word();
        }
        if let Some(unit) = self.length_mark(letter) {
            self.push(letter.len_utf8(), TokenKind::Word);
            if let Some(last) = self.tokens.last_mut() {
                last.text = unit.to_owned();
            }
            return;
        }
        if let Some((open, close)) = QUOTES.iter().find(|(open, _)| *open == letter) {
            let inner = &self.rest()[open.len_utf8()..];
            if let Some(end) = inner.find(*close).filter(|end| *end > 0 && *end <= 80) {
                self.at += open.len_utf8();
                self.push(end, TokenKind::Quoted);
                self.at += close.len_utf8();
                return;
            }
        }
        if letter == '#' {
            let digits = self.rest()[1..].chars().take_while(char::is_ascii_hexdigit).count();
            if digits == 3 || digits == 6 {
                return self.push(digits + 1, TokenKind::Code);
            }
        }
        if self.rest().starts_with("->") || self.rest().starts_with("=>") {
            return self.push(2, TokenKind::Mark);
        }
        match letter {
            _ if ENDS.contains(&letter) => self.push(1, TokenKind::End),
            ',' | ':' | '(' | ')' | '[' | ']' | '/' | '%' | '°' | '×' | '*' | '+' | '=' | '&'
            | '→' | '–' | '—' | '$' | '"' => self.push(letter.len_utf8(), TokenKind::Mark),
            '-' if self.stands_alone() => self.push(1, TokenKind::Mark),
            _ => self.at += letter.len_utf8(),
        }
    }

    /// The unit that a mark right behind a number stands for: 6'2" is six feet and two inches.
    fn length_mark(&self, letter: char) -> Option<&'static str> {
        let last = self.tokens.last().filter(|last| last.span.end == self.at)?;
        let is_number = matches!(last.kind, TokenKind::Number(_));
        let after = self.rest().chars().nth(1);
        match letter {
            _ if !is_number => None,
            '"' | '″' | '”' => Some("inch_mark"),
            '\'' | '’' | '′' if !after.is_some_and(char::is_alphabetic) => Some("foot_mark"),
            _ => None,
        }
    }

    /// Whether the mark has room on both sides.
    fn stands_alone(&self) -> bool {
        let before = self.message[..self.at].chars().next_back();
        let after = self.rest().chars().nth(1);
        before.is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace)
    }

    /// Whether the last token ends right here and is a word or number: "blue-green", "3-4".
    fn follows_word(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|last| last.span.end == self.at && !matches!(last.kind, TokenKind::Mark))
    }

    /// Whether a letter stands between two numbers, as in "3x4" or "3 x 4".
    fn is_between_numbers(&self) -> bool {
        let follows =
            self.tokens.last().is_some_and(|last| matches!(last.kind, TokenKind::Number(_)));
        let after = self.rest()[1..].trim_start().chars().next();
        follows && after.is_some_and(|after| after.is_ascii_digit() || after == '.')
    }

    fn digits_at(&self, skip: usize) -> usize {
        let bytes = self.rest().as_bytes().iter().skip(skip);
        bytes.take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn number(&mut self) {
        let bytes = self.rest().as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let mut end = usize::from(bytes[0] == b'-');
        while digit(end) {
            end += 1;
        }
        let thousands = |end: usize| {
            bytes.get(end) == Some(&b',') && (1..=3).all(|at| digit(end + at)) && !digit(end + 4)
        };
        while thousands(end) {
            end += 4;
        }
        let is_point = bytes.get(end) == Some(&b'.');
        let is_comma = bytes.get(end) == Some(&b',') && end <= 2;
        if (is_point || is_comma) && digit(end + 1) {
            end += 1;
            while digit(end) {
                end += 1;
            }
            // "1,2,3" are three numbers.
            if is_comma && bytes.get(end) == Some(&b',') {
                end = self.rest().find(',').unwrap_or(end);
            }
        }
        let text = self.rest()[..end].to_owned();
        let plain =
            if is_comma && !text.contains('.') && text.len() - text.find(',').unwrap_or(0) != 4 {
                text.replace(',', ".")
            } else {
                text.replace(',', "")
            };
        let mut value = plain.parse().unwrap_or(0.0);
        // "1/2" is a half.
        if bytes.get(end) == Some(&b'/') && digit(end + 1) {
            let below: String =
                self.rest()[end + 1..].chars().take_while(char::is_ascii_digit).collect();
            if let Some(divisor) = below.parse::<f64>().ok().filter(|divisor| *divisor > 0.0) {
                value /= divisor;
                end += 1 + below.len();
            }
        }
        self.push(end, TokenKind::Number(value));
    }

    fn word(&mut self) {
        let rest = self.rest();
        let mut end = 0;
        let mut letters = rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let inner = matches!(letter, '\'' | '’' | '‘');
            let next = letters.peek().map(|(_, next)| *next);
            // "3d" is a word that begins with a digit; "b2" one that ends with it.
            let is_part = letter.is_alphanumeric()
                || letter == '_'
                || (inner && next.is_some_and(char::is_alphabetic));
            if !is_part {
                break;
            }
            end = at + letter.len_utf8();
        }
        // "w/" is short for with.
        if end == 1 && rest.as_bytes().get(1) == Some(&b'/') && rest.starts_with(['w', 'W']) {
            end = 2;
        }
        self.push(end, TokenKind::Word);
    }
}

/// "a.m." and "p.m." with their points: the length, and the word without them.
fn meridian(text: &str) -> Option<(usize, &'static str)> {
    let start = text.get(..4)?.to_ascii_lowercase();
    match start.as_str() {
        "a.m." => Some((4, "am")),
        "p.m." => Some((4, "pm")),
        _ => None,
    }
}

/// "rgb(255, 128, 0)": its length and the six digits.
fn function_colour(text: &str) -> Option<(usize, String)> {
    let start = text.get(..4).filter(|start| start.eq_ignore_ascii_case("rgb("))?.len();
    let inner = &text[start..start + text[start..].find(')')?];
    let channels: Vec<u8> =
        inner.split(',').map_while(|channel| channel.trim().parse().ok()).collect();
    let [red, green, blue] = channels.as_slice() else { return None };
    Some((start + inner.len() + 1, format!("#{red:02x}{green:02x}{blue:02x}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        scan(message).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn messages_are_cut_into_words_numbers_and_marks() {
        assert_eq!(
            texts("Put it on the box’s lid!"),
            ["put", "it", "on", "the", "box's", "lid", "!"]
        );
        assert_eq!(texts("60x40x20 cm"), ["60", "x", "40", "x", "20", "cm"]);
        assert_eq!(texts("sky-blue, #ff8800"), ["sky", "blue", ",", "#ff8800"]);
        assert_eq!(texts("call it \"Old Bob\""), ["call", "it", "old bob"]);
    }

    #[test]
    fn numbers_keep_their_value() {
        let value = |message: &str| {
            scan(message).iter().find_map(|token| match token.kind {
                TokenKind::Number(value) => Some(value),
                _ => None,
            })
        };
        for (text, number) in
            [("1.5 m", 1.5), ("1,5 m", 1.5), ("1,000", 1000.0), ("-2", -2.0), (".5", 0.5)]
        {
            assert_eq!(value(text), Some(number), "{text}");
        }
    }
}
