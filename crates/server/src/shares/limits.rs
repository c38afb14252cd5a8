//! The limits that all clients share.

use studio::RenderLimits;

/// What the clients of a server may have all together. `docs/operations.md` describes each; one address has at most
/// three quarters of most of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedLimits {
    /// Sessions in memory.
    pub sessions: usize,
    /// Bytes that they take, by estimate.
    pub session_bytes: u64,
    /// Bytes of requests and messages that are arriving.
    pub arriving_bytes: usize,
    /// Bytes of answers that are kept or on their way to clients.
    pub answer_bytes: u64,
    /// Exports and imports at the same time: each keeps a core busy.
    pub jobs: usize,
    /// Those that wait.
    pub jobs_waiting: usize,
    /// Bytes of memory of exports and imports, what they have made and nobody has fetched yet included.
    pub job_bytes: u64,
    /// Films, pictures and animations.
    pub render: RenderLimits,
}

impl Default for SharedLimits {
    fn default() -> Self {
        Self {
            sessions: 10_000,
            session_bytes: 2 << 30,
            arriving_bytes: 512 << 20,
            answer_bytes: 512 << 20,
            jobs: 2,
            jobs_waiting: 16,
            job_bytes: 1 << 30,
            render: RenderLimits::default(),
        }
    }
}
