//! Limits that all clients share, for operators.

use tokio::sync::Semaphore;

/// A limit that all clients share, and how much of it is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// Its name in the metrics. One that ends in `_bytes` counts bytes.
    pub name: &'static str,
    /// How much is in use.
    pub used: u64,
    /// The limit.
    pub limit: u64,
}

impl Bound {
    /// A limit of `limit`, in permits of `unit` each.
    pub fn of_permits(name: &'static str, permits: &Semaphore, limit: u64, unit: u64) -> Self {
        let free = permits.available_permits() as u64 * unit;
        Self { name, used: limit.saturating_sub(free), limit }
    }
}
