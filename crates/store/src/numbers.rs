//! Numbers as databases have them.

/// A number as a signed one: ours are far below 2^63.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
