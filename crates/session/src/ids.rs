//! Unguessable ids, and the current time.

use std::time::{SystemTime, UNIX_EPOCH};

/// 128 random bits: cannot be guessed.
pub fn random_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
