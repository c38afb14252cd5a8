//! Line labels such as `Action Input:`.

use super::cursor::Cursor;
use super::words::{self, plain};

/// Parses a label like `Action Input:` and returns its normalised form; `None` if there is no
/// label.
pub(super) fn label(cursor: &mut Cursor<'_>) -> Option<String> {
    const MAX_LABEL_CHARS: usize = 24;
    let start = cursor.at();
    cursor.take_while(|next| matches!(next, '*' | '#' | ' '));
    let from = cursor.at();
    while cursor
        .peek()
        .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '_' | ' ' | '-'))
        && cursor.at() - from < MAX_LABEL_CHARS
    {
        cursor.next();
    }
    let written = plain(cursor.since(from));
    cursor.take_while(|next| matches!(next, '*' | ' '));
    let is_known = words::is_name(&written)
        || words::are_arguments(&written)
        || words::are_thoughts(&written)
        || words::are_certainly_calls(&written)
        || words::are_results(&written);
    if is_known && cursor.eat(":") {
        cursor.take_while(|next| matches!(next, '*' | ' '));
        return Some(written);
    }
    cursor.jump(start);
    None
}
