//! Splits a message into words, numbers and punctuation.

use std::ops::Range;

use catalogue::colour::from_hex;
use glam::DVec3;

use crate::language::words::short_forms::{is_within, short_form};

/// The most words of one message that are read; a person's request is far shorter.
pub(crate) const MOST_TOKENS: usize = 400;

/// What "'s" is looked up as.
const POSSESSIVE: &str = "apostrophe_s";

/// What a piece of the message is before any meaning is looked up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Raw {
    /// A word, in lower case.
    Word(String),
    /// A number.
    Number(f64),
    /// `5x5`, `2 x 1 x 3`.
    Dimensions(Vec<f64>),
    /// `#ff8800`, `rgb(255, 128, 0)`, already linear.
    Hex(DVec3),
    /// `W x D x H`: which edge is which, as written in lower case.
    Edges(String),
    /// Text in quotation marks, as written.
    Quoted(String),
    /// A comma.
    Comma,
    /// The end of a sentence.
    Stop,
}

/// A piece of the message with its place in it, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RawToken {
    pub(crate) raw: Raw,
    pub(crate) span: Range<usize>,
}

/// The pieces of `text`, at most [`MOST_TOKENS`].
pub(crate) fn split(text: &str) -> Vec<RawToken> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() && tokens.len() < MOST_TOKENS {
        let rest = &text[at..];
        let (raw, length) = next(text, at, rest);
        if let Some(raw) = raw {
            tokens.push(RawToken { raw, span: at..at + length });
        }
        at += length.max(1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    tokens
}

fn next(text: &str, at: usize, rest: &str) -> (Option<Raw>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 1) };
    let width = first.len_utf8();
    let before = text[..at].chars().next_back();
    match first {
        '"' | '“' | '”' | '„' => quoted(rest, width, &['"', '“', '”']),
        '‘' => quoted(rest, width, &['’']),
        '\'' if before.is_none_or(char::is_whitespace) => quoted(rest, width, &['\'']),
        ',' => (Some(Raw::Comma), width),
        '.' | ':' if is_within(first, &text[..at], &rest[width..]) => (None, width),
        '.' if !rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (Some(Raw::Stop), width),
        '!' | '?' | ';' | '\n' | ':' | '。' => (Some(Raw::Stop), width),
        '#' => hex(rest),
        '&' => (Some(Raw::Word("and".into())), width),
        // "a fridge + a stove".
        '+' if rest[width..].starts_with(' ') => (Some(Raw::Word("and".into())), width),
        // "blue -> gold".
        '-' | '=' if rest[width..].starts_with('>') => (Some(Raw::Word("->".into())), width + 1),
        '→' => (Some(Raw::Word("->".into())), width),
        '%' | '°' => (Some(Raw::Word(first.to_string())), width),
        _ if starts_number(rest, before) => match list_mark(&text[..at], rest) {
            Some(length) => (Some(Raw::Stop), length),
            None => number(rest),
        },
        '\'' | '’' => possessive(rest, width),
        _ if first.is_alphanumeric() || first == '_' || first == '⌀' => {
            let short =
                || short_form(text, rest).map(|(word, width)| (Raw::Word(word.into()), width));
            match rgb(rest).or_else(|| edges(rest)).or_else(short) {
                Some((raw, width)) => (Some(raw), width),
                None => word(rest),
            }
        }
        _ => (None, width),
    }
}

fn quoted(rest: &str, width: usize, closing: &[char]) -> (Option<Raw>, usize) {
    match rest[width..].find(closing) {
        Some(end) if end > 0 && end <= 100 => {
            let closing_width = rest[width + end..].chars().next().map_or(1, char::len_utf8);
            let inner = rest[width..width + end].to_owned();
            (Some(Raw::Quoted(inner)), width + end + closing_width)
        }
        _ => (None, width),
    }
}

fn hex(rest: &str) -> (Option<Raw>, usize) {
    let digits: String = rest[1..].chars().take_while(char::is_ascii_hexdigit).collect();
    match from_hex(&digits) {
        Some(rgb) => (Some(Raw::Hex(rgb)), digits.len() + 1),
        None => (None, 1),
    }
}

/// `rgb(255, 128, 0)`, `rgb 100% 50% 0%`, `rgb(1, 0.5, 0)`.
fn rgb(rest: &str) -> Option<(Raw, usize)> {
    rest.get(..3).filter(|name| name.eq_ignore_ascii_case("rgb"))?;
    let blank = |at: usize| {
        let after = &rest[at..];
        at + after.len() - after.trim_start_matches([' ', '(', ',', ':', '=']).len()
    };
    let mut at = blank(3 + usize::from(rest[3..].starts_with(['a', 'A'])));
    let mut channels = [0.0; 3];
    for channel in &mut channels {
        let (number, width) = Some(plain_number(&rest[at..])).filter(|_| {
            rest[at..].starts_with(|letter: char| letter.is_ascii_digit() || letter == '.')
        })?;
        at += width;
        let percent = rest[at..].starts_with('%');
        *channel = if percent { number * 2.55 } else { number };
        at = blank(at + usize::from(percent));
    }
    // An alpha channel says nothing here.
    if let Some(end) = rest[at..].find(')').filter(|end| *end <= 8) {
        at += end + 1;
    }
    let unit = if channels.iter().all(|channel| *channel <= 1.0) { 255.0 } else { 1.0 };
    let [r, g, b] = channels.map(|channel| (channel * unit).round().clamp(0.0, 255.0) as u8);
    Some((Raw::Hex(from_hex(&format!("{r:02x}{g:02x}{b:02x}"))?), at))
}

/// `W x D x H` behind three lengths.
fn edges(rest: &str) -> Option<(Raw, usize)> {
    let mut order = String::new();
    let mut at = 0;
    loop {
        let edge = rest[at..].chars().next()?.to_ascii_lowercase();
        if !"wdhl".contains(edge) {
            return None;
        }
        order.push(edge);
        at += 1;
        let after = &rest[at..];
        if order.len() == 3 {
            let ends = !after.starts_with(|letter: char| letter.is_alphanumeric());
            return ends.then_some((Raw::Edges(order), at));
        }
        let further = after.trim_start().strip_prefix(['x', 'X', '×', '*'])?.trim_start();
        at = rest.len() - further.len();
    }
}

fn starts_number(rest: &str, before: Option<char>) -> bool {
    let unsigned = rest.strip_prefix(['-', '+', '−']).unwrap_or(rest);
    let signed = unsigned.len() < rest.len();
    let sign_allowed = !signed || before.is_none_or(|c| c.is_whitespace() || "([,=".contains(c));
    let digits = unsigned.strip_prefix('.').unwrap_or(unsigned);
    sign_allowed
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && !before.is_some_and(|c| (c.is_alphanumeric() && !"øØ".contains(c)) || c == '_')
}

/// The length of "2)" between the items of a list, where no bracket was opened.
fn list_mark(before: &str, rest: &str) -> Option<usize> {
    let digits =
        rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| (1..=2).contains(digits))?;
    let open = before.matches('(').count() > before.matches(')').count();
    (rest[digits..].starts_with(')') && !open).then_some(digits + 1)
}

/// A number, or several joined by "x": `5x5`, `2 x 1 x 3`.
fn number(rest: &str) -> (Option<Raw>, usize) {
    let (first, mut length) = plain_number(rest);
    // "3D letters".
    let solid = length == 1 && first == 3.0 && rest[length..].starts_with(['d', 'D']);
    if solid && !rest[length + 1..].starts_with(char::is_alphanumeric) {
        return word(rest);
    }
    // "1st", "2nd" and the like are words; "2m" is a number and what follows.
    if ["st", "nd", "rd", "th"].iter().any(|ending| rest[length..].starts_with(ending)) {
        return word(rest);
    }
    let mut sides = vec![first];
    while let Some(skipped) = joint(&rest[length..]) {
        let (side, width) = plain_number(&rest[length + skipped..]);
        sides.push(side);
        length += skipped + width;
    }
    let raw = if sides.len() > 1 { Raw::Dimensions(sides) } else { Raw::Number(first) };
    (Some(raw), length)
}

/// The length of an "x" between two numbers.
fn joint(rest: &str) -> Option<usize> {
    let after = rest.trim_start_matches(' ').strip_prefix(['x', '×', '*'])?.trim_start_matches(' ');
    after.starts_with(|c: char| c.is_ascii_digit()).then(|| rest.len() - after.len())
}

fn plain_number(rest: &str) -> (f64, usize) {
    let sign_width = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(0);
    let digits = &rest[sign_width..];
    let mut length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if digits[length..].starts_with('.')
        && digits[length + 1..].starts_with(|c: char| c.is_ascii_digit())
    {
        let fraction = &digits[length + 1..];
        length += 1 + fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
    }
    let magnitude: f64 = digits[..length].parse().unwrap_or(0.0);
    let negative = rest.starts_with(['-', '−']);
    (if negative { -magnitude } else { magnitude }, sign_width + length)
}

fn possessive(rest: &str, width: usize) -> (Option<Raw>, usize) {
    let after = &rest[width..];
    if after.starts_with(['s', 'S']) && !after[1..].starts_with(char::is_alphanumeric) {
        (Some(Raw::Word(POSSESSIVE.into())), width + 1)
    } else {
        (None, width)
    }
}

fn word(rest: &str) -> (Option<Raw>, usize) {
    let mut length = 0;
    for (index, letter) in rest.char_indices() {
        let next = rest[index + letter.len_utf8()..].chars().next();
        let inside = letter.is_alphanumeric() || letter == '_';
        // An apostrophe inside a word belongs to it ("don't", "i'd") unless it starts "'s".
        let apostrophe = (letter == '\'' || letter == '’')
            && next.is_some_and(|c| c.is_alphabetic() && !c.eq_ignore_ascii_case(&'s'));
        if !inside && !apostrophe {
            break;
        }
        length = index + letter.len_utf8();
    }
    let length = length.max(rest.chars().next().map_or(1, char::len_utf8));
    (Some(Raw::Word(rest[..length].to_lowercase().replace('’', "'"))), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let pieces: Vec<String> = split(text)
            .into_iter()
            .map(|token| match token.raw {
                Raw::Word(word) => word,
                other => format!("{other:?}"),
            })
            .collect();
        pieces.join(" ")
    }

    #[test]
    fn words_numbers_and_punctuation_come_apart() {
        for (text, pieces) in [
            ("Make it 2.5m tall.", "make it Number(2.5) m tall Stop"),
            ("a 5x5 grid", "a Dimensions([5.0, 5.0]) grid"),
            ("a 2 x 1 x 3 box", "a Dimensions([2.0, 1.0, 3.0]) box"),
            ("at (1, -2,3)", "at Number(1.0) Comma Number(-2.0) Comma Number(3.0)"),
            ("the sphere's light-blue", "the sphere apostrophe_s light blue"),
            ("don't, I'd", "don't Comma i'd"),
            ("called \"Big Ben\"", "called Quoted(\"Big Ben\")"),
            ("red_sphere, box1", "red_sphere Comma box1"),
            ("50% 45°", "Number(50.0) % Number(45.0) °"),
            ("the 2nd one", "the 2nd one"),
            ("x=-3", "x Number(-3.0)"),
            ("🙂 日本", "日本"),
            ("120 x 60 x 75 cm (W x D x H)", "Dimensions([120.0, 60.0, 75.0]) cm Edges(\"wdh\")"),
            ("rgb(255, 0, 0) ball", "Hex(DVec3(1.0, 0.0, 0.0)) ball"),
            ("rgb(0%, 100%, 0%)", "Hex(DVec3(0.0, 1.0, 0.0))"),
            ("RGB 0 0 1", "Hex(DVec3(0.0, 0.0, 1.0))"),
            ("rgb( (((", "rgb"),
            ("w x d", "w x d"),
            ("a house w/ a door w/o a knob", "a house with a door without a knob"),
            ("r=0.3 m, h: 1.2", "radius Number(0.3) m Comma height Number(1.2)"),
            ("w=1 d=2", "width Number(1.0) depth Number(2.0)"),
            ("d=40cm Ø 3 ø2", "diameter Number(40.0) cm diameter Number(3.0) diameter Number(2.0)"),
            ("approx. 40 cm. Height: 2 m", "approx Number(40.0) cm Stop height Number(2.0) m"),
            ("do: 3", "do Stop Number(3.0)"),
            ("1) a cube 2) a ball", "Stop a cube Stop a ball"),
            ("at (1, 2)", "at Number(1.0) Comma Number(2.0)"),
        ] {
            assert_eq!(shown(text), pieces, "{text}");
        }
    }
}
