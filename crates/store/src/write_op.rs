//! The write operations of a store besides appends.

use crate::record::{Asset, Capability, NewSession, Snapshot};

/// A write operation other than an append.
pub(crate) enum WriteOp {
    Create(NewSession),
    Snapshot {
        id: String,
        snapshot: Snapshot,
    },
    Delete {
        id: String,
    },
    DeleteUnused {
        id: String,
    },
    Duplicate {
        id: String,
        copy: NewSession,
    },
    Grant(Capability),
    Revoke {
        id: String,
        token: String,
    },
    AddAsset(Asset),
    UseAsset {
        id: String,
        hash: String,
    },
    /// Nothing: what was queued before is written when it is done.
    Wait,
    ForgetAsset {
        hash: String,
        before_ms: u64,
    },
}
