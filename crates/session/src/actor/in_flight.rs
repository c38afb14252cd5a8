//! The batch in the store's hands.

use store::StoreError;
use tokio::sync::oneshot;

use crate::pending::Batch;

/// A batch in the store's hands.
pub(super) struct InFlight {
    pub(super) batch: Batch,
    pub(super) outcome: oneshot::Receiver<Result<(), StoreError>>,
}

/// How the batch in flight fared; pending for ever when there is none.
pub(super) async fn outcome(in_flight: &mut Option<InFlight>) -> Result<(), StoreError> {
    match in_flight {
        Some(in_flight) => (&mut in_flight.outcome)
            .await
            .unwrap_or_else(|_| Err(StoreError::Failed("the store's task ended".into()))),
        None => std::future::pending().await,
    }
}
