//! The tokens of Rust source, as far as finding names needs them.

/// A word, a mark or a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// A word as it stands, a mark (`::`, `..` or one character), a string with its opening quote.
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether it is a name or a keyword.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of a file; comments are left out.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let mut reader = Reader { rest: source, line: 1, tokens: Vec::new() };
    while !reader.rest.is_empty() {
        reader.step();
    }
    reader.tokens
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    fn step(&mut self) {
        let rest = self.rest;
        let first = rest.chars().next().unwrap_or_default();
        if rest.starts_with("//") {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.skip(block_comment(rest));
        } else if let Some((length, inner)) = string(rest) {
            self.push(format!("\"{inner}"), length);
        } else if first == '\'' {
            let length = quote(rest);
            self.push("'".into(), length);
        } else if first.is_alphanumeric() || first == '_' {
            self.word();
        } else if rest.starts_with("::") || rest.starts_with("..") {
            self.push(rest[..2].into(), 2);
        } else if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else {
            self.push(first.into(), first.len_utf8());
        }
    }

    /// A word or a number; `r#type` is the word `type`.
    fn word(&mut self) {
        let raw = if self.rest.starts_with("r#") { 2 } else { 0 };
        let rest = &self.rest[raw..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.push(rest[..end].into(), raw + end);
    }

    fn push(&mut self, text: String, length: usize) {
        self.tokens.push(Token { text, line: self.line });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count();
        self.rest = &self.rest[length..];
    }
}

/// The length of a comment in `/* */`, which may hold others.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a string literal of any kind and what stands in it, if the source goes on with one.
fn string(rest: &str) -> Option<(usize, &str)> {
    let mut start = rest.find(['"', '#']).filter(|start| *start <= 2)?;
    let prefix = &rest[..start];
    let raw = prefix.ends_with('r');
    if !["", "b", "c", "r", "br", "cr"].contains(&prefix) {
        return None;
    }
    let hashes = rest[start..].chars().take_while(|c| *c == '#').count();
    if hashes > 0 && !raw || !rest[start + hashes..].starts_with('"') {
        return None;
    }
    start += hashes + 1;
    let body = &rest[start..];
    let end = if raw {
        let close = format!("\"{}", "#".repeat(hashes));
        body.find(&close).unwrap_or(body.len())
    } else {
        let mut escaped = false;
        body.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        })
        .unwrap_or(body.len())
    };
    Some(((start + end + 1 + hashes).min(rest.len()), &body[..end]))
}

/// The length of a character literal or of a lifetime.
fn quote(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    let Some((_, first)) = characters.next() else { return 1 };
    if first == '\\' {
        characters.next();
        return characters.find(|(_, c)| *c == '\'').map_or(rest.len(), |(at, _)| at + 1);
    }
    match characters.next() {
        Some((at, '\'')) => at + 1,
        // A lifetime or a label: the word after the quote goes with it.
        _ => {
            let word = &rest[1..];
            1 + word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        tokens(source).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_hold_no_tokens() {
        assert_eq!(texts("a // b::c\n/* d /* e */ f::g */ h /// i\n"), ["a", "h"]);
    }

    #[test]
    fn strings_are_one_token_each() {
        assert_eq!(texts(r###"x("a\"b::c", r#"d"e"#, b"f")"###)[2], r#""a\"b::c"#);
        assert_eq!(texts(r###"r#"d"e"# g"###), ["\"d\"e", "g"]);
        assert_eq!(texts(r#"b"f" br"g\" h"#), ["\"f", "\"g\\", "h"]);
    }

    #[test]
    fn characters_and_lifetimes_are_told_apart() {
        assert_eq!(texts(r"'{' 'a '\'' b"), ["'", "'", "'", "b"]);
    }

    #[test]
    fn paths_and_raw_words() {
        assert_eq!(texts("a::r#type..=b"), ["a", "::", "type", "..", "=", "b"]);
    }

    #[test]
    fn lines_are_counted_from_one_through_strings_and_comments() {
        let lines: Vec<_> = tokens("a\n\"\n\"\n/*\n*/b").into_iter().map(|t| t.line).collect();
        assert_eq!(lines, [1, 2, 5]);
    }
}
