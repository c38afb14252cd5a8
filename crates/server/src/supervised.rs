//! Tasks that a server needs for as long as it runs.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;

/// The pause after a panic, so that one that comes at once each time takes no core.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs a task to its end. After a panic it begins anew: without it the server would go on as if it were there.
pub(crate) async fn supervised<F: Future<Output = ()>>(
    name: &'static str,
    mut task: impl FnMut() -> F,
) {
    while AssertUnwindSafe(task()).catch_unwind().await.is_err() {
        tracing::error!(task = name, "a task of the server panicked and begins anew");
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_begins_anew_until_it_ends() {
        let mut begun = 0;
        let task = || {
            begun += 1;
            let fails = begun < 3;
            async move {
                tokio::task::yield_now().await;
                assert!(!fails, "on purpose");
            }
        };
        supervised("test", task).await;
        assert_eq!(begun, 3);
    }
}
