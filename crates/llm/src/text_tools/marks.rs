//! Tags (`<invoke name="f">`), special tokens (`<|tool_call|>`) and bracketed words
//! (`[TOOL_CALLS]`), called marks.

use super::cursor::Cursor;
use super::tools::Tools;
use super::words;

/// A parsed mark.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark {
    /// What it is for.
    pub(super) role: Role,
    /// Its name without a namespace (`antml:`) and without `begin` or `end`.
    pub(super) name: String,
    /// Whether it is a closing tag.
    pub(super) closes: bool,
    /// Whether it is self-closing: `<f/>`.
    pub(super) is_empty: bool,
    /// Whether it is a special token, which does not occur in prose.
    pub(super) is_token: bool,
    /// The value after its name: `<function=f>`.
    pub(super) value: Option<String>,
    /// Its attributes.
    pub(super) attributes: Vec<(String, String)>,
}

/// The role of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Encloses thoughts.
    Thoughts,
    /// Encloses the result of a call.
    Results,
    /// Encloses quoted text.
    Quote,
    /// Encloses the answer to the user.
    Answer,
    /// Encloses calls; does not occur in prose.
    Calls,
    /// May enclose calls.
    MaybeCalls,
    /// Named like a tool: encloses its arguments.
    Tool,
    /// Encloses the name of a tool.
    Name,
    /// Encloses the arguments.
    Arguments,
    /// Encloses one argument, named by the mark's value or attribute.
    Argument,
    /// Encloses the name of one argument.
    ArgumentName,
    /// Encloses the value of one argument.
    ArgumentValue,
    /// Begins a message of the Harmony format; the recipient follows.
    Message,
    /// Irrelevant, or a separator within a call.
    Other,
}

/// The longest name of a mark.
const MAX_NAME_CHARS: usize = 64;

/// Parses a mark. `any`: includes the role [`Role::Other`].
pub(super) fn mark(cursor: &mut Cursor<'_>, tools: &Tools, any: bool) -> Option<Mark> {
    let start = cursor.at();
    let mark =
        if cursor.peek() == Some('[') { bracketed(cursor) } else { angled(cursor, tools, any) };
    let mark = mark.filter(|mark| any || mark.role != Role::Other);
    if mark.is_none() {
        cursor.jump(start);
    }
    mark
}

/// `[TOOL_CALLS]`, `[/THINK]`.
fn bracketed(cursor: &mut Cursor<'_>) -> Option<Mark> {
    cursor.next();
    let closes = cursor.eat("/");
    let name = cursor.take_while(|next| next.is_ascii_uppercase() || next == '_');
    let mark = (name.len() > 1 && cursor.eat("]")).then(|| named(name, closes, true, None))??;
    (mark.role != Role::Other && mark.role != Role::Name).then_some(mark)
}

fn is_bar(next: char) -> bool {
    matches!(next, '|' | '\u{ff5c}')
}

fn angled(cursor: &mut Cursor<'_>, tools: &Tools, any: bool) -> Option<Mark> {
    if cursor.next()? != '<' {
        return None;
    }
    let mut closes = cursor.eat("/");
    let is_token = !cursor.take_while(is_bar).is_empty();
    closes |= cursor.eat("/");
    if !cursor.peek().is_some_and(|next| next.is_alphabetic() || next == '_') {
        return None;
    }
    let name = cursor.take_while(|next| {
        next.is_alphanumeric() || matches!(next, '_' | '-' | ':' | '.' | '\u{2581}') || is_bar(next)
    });
    if name.len() > MAX_NAME_CHARS {
        return None;
    }
    // `<tool_call|>` closes what `<|tool_call>` opens.
    closes |= !is_token && name.ends_with('|');
    let mut mark = named(name, closes, is_token || name.contains(is_bar), Some(tools))?;
    let spaced = cursor.take_while(char::is_whitespace);
    if spaced.is_empty() && cursor.eat("=") {
        mark.value = Some(attribute_value(cursor)?);
        cursor.skip_blank();
    } else if !any && mark.role == Role::Other {
        return None;
    }
    loop {
        cursor.take_while(is_bar);
        if cursor.eat("/") {
            mark.is_empty = true;
        }
        if cursor.eat(">") {
            return Some(mark);
        }
        let key = cursor
            .take_while(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | ':' | '.'));
        cursor.skip_blank();
        if key.is_empty() || !cursor.eat("=") {
            return None;
        }
        cursor.skip_blank();
        let value = attribute_value(cursor)?;
        mark.attributes.push((key.to_owned(), value));
        cursor.skip_blank();
    }
}

fn attribute_value(cursor: &mut Cursor<'_>) -> Option<String> {
    let quote = match cursor.peek()? {
        quote @ ('"' | '\'') => quote,
        '\u{201c}' | '\u{201d}' => '\u{201d}',
        _ => {
            let value =
                cursor.take_while(|next| !next.is_whitespace() && !matches!(next, '>' | '<'));
            return Some(value.trim_end_matches('/').to_owned());
        }
    };
    cursor.next();
    let value = cursor.take_until(quote.encode_utf8(&mut [0; 4]))?;
    Some(unescaped(value))
}

/// The mark named `written`. `tools`: includes marks named like these.
fn named(written: &str, closes: bool, is_token: bool, tools: Option<&Tools>) -> Option<Mark> {
    let written = written.trim_matches(is_bar);
    // Strip the namespace: `antml:invoke`, `\u{ff5c}DSML\u{ff5c}invoke`.
    let own = written.rsplit(|next| is_bar(next) || next == ':').next()?;
    let mut pieces: Vec<&str> = own.split(['_', '-', '\u{2581}']).collect();
    let is = |piece: Option<&&str>, words: &[&str]| {
        piece.is_some_and(|piece| words.iter().any(|word| word.eq_ignore_ascii_case(piece)))
    };
    let mut closes = closes;
    if pieces.len() > 1 {
        const BEGIN: [&str; 3] = ["begin", "start", "prefix"];
        const END: [&str; 3] = ["end", "stop", "suffix"];
        let ends = is(pieces.first(), &END) || is(pieces.last(), &END);
        closes |= ends;
        if is(pieces.first(), &BEGIN) || is(pieces.first(), &END) {
            pieces.remove(0);
        } else if is(pieces.last(), &BEGIN) || is(pieces.last(), &END) {
            pieces.pop();
        }
    }
    let plain = words::plain(&pieces.concat());
    let is_tool = tools.is_some_and(|tools| tools.exact(own).is_some());
    Some(Mark {
        role: if is_tool { Role::Tool } else { role(&plain, is_token) },
        name: if is_tool || !is_token { own.to_owned() } else { plain },
        closes,
        is_empty: false,
        is_token,
        value: None,
        attributes: Vec::new(),
    })
}

/// Whether a fence with this info string contains nothing but calls.
pub(super) fn is_of_calls(info: &str) -> bool {
    role(&words::plain(info), false) == Role::Calls
}

fn role(plain: &str, is_token: bool) -> Role {
    let has = |pieces: &[&str]| pieces.iter().any(|piece| plain.contains(piece));
    let is = |words: &[&str]| words.contains(&plain);
    if is(&["think", "thinking", "thought", "thoughts", "reasoning", "scratchpad"]) {
        Role::Thoughts
    } else if words::are_results(plain) {
        Role::Results
    } else if is(&["example", "examples", "quote", "blockquote"]) {
        Role::Quote
    } else if is(&["finalanswer", "answer"]) || (is_token && plain == "response") {
        Role::Answer
    } else if plain.ends_with("argkey") || plain.ends_with("parametername") {
        Role::ArgumentName
    } else if plain.ends_with("argvalue") || plain.ends_with("parametervalue") {
        Role::ArgumentValue
    } else if is_token && is(&["start", "channel", "recipient"]) {
        Role::Message
    } else if is(&["parameter", "param", "arg", "argument"]) {
        Role::Argument
    } else if words::are_arguments(plain) || plain.ends_with("callargument") {
        Role::Arguments
    } else if plain.ends_with("name") && words::is_name(plain) {
        Role::Name
    } else if plain.ends_with("sep") || plain.ends_with("callid") {
        Role::Other
    } else if is(&["invoke", "pythontag", "plugin"])
        || (has(&["tool", "function", "api"])
            && has(&["call", "code", "use", "invo", "exec", "run"]))
        || (is_token && is(&["tool", "tools", "action", "actions", "function", "functions"]))
    {
        Role::Calls
    } else if words::are_calls(plain) {
        Role::MaybeCalls
    } else {
        Role::Other
    }
}

/// Decodes XML entities if the whole text is encoded.
pub(super) fn unescaped(text: &str) -> String {
    const ENTITIES: [(&str, &str); 7] = [
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    let is_escaped = text.contains('&')
        && !text.contains('<')
        && text
            .match_indices('&')
            .all(|(at, _)| ENTITIES.iter().any(|(entity, _)| text[at..].starts_with(entity)));
    if !is_escaped {
        return text.to_owned();
    }
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}
