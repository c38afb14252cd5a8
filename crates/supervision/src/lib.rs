//! Tasks that a server needs for as long as it runs: a panic is an error in the log, not their end.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;

/// The pause after a panic, so that one that comes at once each time takes no core.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs a task to its end. After a panic it begins anew: without it the server would go on as if it were there.
pub async fn supervised<F: Future<Output = ()>>(name: &'static str, mut task: impl FnMut() -> F) {
    while guarded(name, task()).await.is_none() {
        tokio::time::sleep(PAUSE).await;
    }
}

/// The result of one part of a task; nothing if it panicked, and the task can go on with the next part.
pub async fn guarded<T>(name: &'static str, work: impl Future<Output = T>) -> Option<T> {
    let done = AssertUnwindSafe(work).catch_unwind().await.ok();
    if done.is_none() {
        tracing::error!(task = name, "a task of the server panicked");
    }
    done
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

    #[tokio::test]
    async fn a_part_that_panics_has_no_result() {
        assert_eq!(guarded("test", async { 1 }).await, Some(1));
        let panics = async {
            tokio::task::yield_now().await;
            panic!("on purpose");
        };
        assert_eq!(guarded::<()>("test", panics).await, None);
    }
}
