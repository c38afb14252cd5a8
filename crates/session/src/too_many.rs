//! How many sessions a server takes.

/// The sessions in memory leave no room for another one.
#[derive(Debug, thiserror::Error)]
pub enum TooManySessions {
    /// There are as many as there may be.
    #[error("the server has {0} sessions in use and takes no more; try again later")]
    Number(usize),
    /// They take as much memory as they may.
    #[error("the sessions in use fill the {} MiB that they may take; try again later", .0 >> 20)]
    Memory(u64),
}
