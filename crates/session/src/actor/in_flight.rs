//! The batch that is being written.

use store::StoreError;
use tokio::sync::oneshot;

use crate::pending::Batch;

/// A batch that is being written.
pub(super) struct InFlight {
    pub(super) batch: Batch,
    pub(super) outcome: oneshot::Receiver<Result<(), StoreError>>,
}

/// The outcome of the batch in flight; pending forever when there is none.
pub(super) async fn outcome(in_flight: &mut Option<InFlight>) -> Result<(), StoreError> {
    match in_flight {
        Some(in_flight) => (&mut in_flight.outcome)
            .await
            .unwrap_or_else(|_| Err(StoreError::Failed("the store's task ended".into()))),
        None => std::future::pending().await,
    }
}
