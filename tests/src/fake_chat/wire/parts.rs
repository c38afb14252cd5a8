//! What all forms share.

/// What an answer's end tells.
#[derive(Debug, Clone, Copy)]
pub(in crate::fake_chat) struct End {
    pub(in crate::fake_chat) has_calls: bool,
    /// Ended because of the length limit.
    pub(in crate::fake_chat) cut: bool,
}

/// How many tokens every answer is said to have.
pub(super) const OUTPUT_TOKENS: u64 = 7;

/// Pieces of five characters, as models stream arguments.
pub(super) fn pieces(text: &str) -> Vec<String> {
    text.chars().collect::<Vec<_>>().chunks(5).map(|piece| piece.iter().collect()).collect()
}
