//! Numbers that are said without what they count: "20" after "15 cm", "another 50".

use crate::language::words::lexicon::{Token, tag};
use crate::language::words::names::Names;
use crate::language::words::reader::metres;
use crate::language::words::vocabulary::{Sense, Unit};

/// `text` with its last number replaced; none where it has no number.
pub(crate) fn with_number(text: &str, number: f64) -> Option<String> {
    let counts = |token: &&Token| token.senses.iter().any(|s| matches!(s, Sense::Number(_)));
    let last = tag(text, &Names::default()).into_iter().rfind(|token| counts(&token))?;
    Some(format!("{}{number}{}", &text[..last.span.start], &text[last.span.end..]))
}

/// `text` with its last length replaced by so many metres; none where it has no length.
pub(crate) fn with_length(text: &str, metres_said: f64) -> Option<String> {
    let tokens = tag(text, &Names::default());
    let number = |token: &Token| token.senses.iter().any(|s| matches!(s, Sense::Number(_)));
    let length = |token: &Token| token.senses.iter().any(is_length);
    let pair = |pair: &&[Token]| number(&pair[0]) && length(&pair[1]);
    let said = tokens.windows(2).rfind(pair)?;
    let (start, end) = (said[0].span.start, said[1].span.end);
    Some(format!("{}{metres_said} m{}", &text[..start], &text[end..]))
}

fn is_length(sense: &Sense) -> bool {
    matches!(sense, Sense::Unit(unit) if metres(*unit).is_some())
}

/// How many metres the last unit of length in `text` has; none where it has none.
pub(crate) fn unit_in(text: &str) -> Option<f64> {
    let unit = |token: Token| -> Option<Unit> {
        token.senses.into_iter().find_map(|sense| match sense {
            Sense::Unit(unit) => Some(unit),
            _ => None,
        })
    };
    tag(text, &Names::default()).into_iter().filter_map(unit).filter_map(metres).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_said_anew() {
        let said = with_number("make it 2 m wide and 15 cm high", 20.0);
        assert_eq!(said.as_deref(), Some("make it 2 m wide and 20 cm high"));
        assert_eq!(with_number("make it wide", 20.0), None);
    }

    #[test]
    fn the_last_length_is_said_anew() {
        let said = with_length("move the ball 1 m to the left", 2.0);
        assert_eq!(said.as_deref(), Some("move the ball 2 m to the left"));
        assert_eq!(with_length("turn it 30 degrees", 2.0), None);
    }

    #[test]
    fn the_unit_is_the_one_that_was_said() {
        assert_eq!(unit_in("raise it by 50 cm"), Some(0.01));
        assert_eq!(unit_in("turn it by 50 degrees"), None);
    }
}
