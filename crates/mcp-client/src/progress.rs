//! What servers tell of calls that take a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent::Notes;
use agent::untrusted::clean;
use rmcp::model::{ProgressNotificationParam, ProgressToken};

/// The most letters of a message.
const MAX_LETTERS: usize = 120;

/// Who listens to the progress of the calls of one connection, by the token of the call.
#[derive(Clone, Default)]
pub(crate) struct ProgressListeners(Arc<Mutex<HashMap<ProgressToken, Notes>>>);

/// A call that is listened to until this is dropped.
pub(crate) struct Listening {
    listeners: ProgressListeners,
    token: ProgressToken,
}

impl ProgressListeners {
    /// The lock is held only to look up, add or remove one.
    fn all(&self) -> MutexGuard<'_, HashMap<ProgressToken, Notes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes notes of what the server tells of the call with this token.
    pub(crate) fn listen(&self, token: ProgressToken, notes: Notes) -> Listening {
        self.all().insert(token.clone(), notes);
        Listening { listeners: self.clone(), token }
    }

    /// Notes what a server tells. Calls that nobody waits for any more are ignored.
    pub(crate) fn tell(&self, progress: &ProgressNotificationParam) {
        if let Some(notes) = self.all().get(&progress.progress_token)
            && let Some(text) = words(progress)
        {
            notes.note(text);
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.listeners.all().remove(&self.token);
    }
}

/// The message, and how far it is where both numbers are known.
fn words(progress: &ProgressNotificationParam) -> Option<String> {
    let message = clean(progress.message.as_deref().unwrap_or_default(), MAX_LETTERS);
    let share = progress.total.filter(|total| *total > 0.0);
    let share = share.map(|total| format!("{} of {total}", progress.progress));
    match (message.is_empty(), share) {
        (false, Some(share)) => Some(format!("{message} ({share})")),
        (false, None) => Some(message),
        (true, share) => share,
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    fn progress(
        token: i64,
        message: Option<&str>,
        total: Option<f64>,
    ) -> ProgressNotificationParam {
        let mut progress =
            ProgressNotificationParam::new(ProgressToken(NumberOrString::Number(token)), 2.0);
        (progress.message, progress.total) = (message.map(str::to_owned), total);
        progress
    }

    #[test]
    fn progress_is_told_in_few_clean_words() {
        let told = |message, total| words(&progress(1, message, total));
        assert_eq!(told(Some("reads\u{202e} files"), Some(5.0)).unwrap(), "reads files (2 of 5)");
        assert_eq!(told(Some("reads"), None).unwrap(), "reads");
        assert_eq!(told(None, Some(4.0)).unwrap(), "2 of 4");
        assert_eq!(told(None, None), None);
        assert_eq!(told(None, Some(0.0)), None);
        assert!(told(Some(&"x".repeat(5_000)), None).unwrap().chars().count() < 200);
    }

    #[test]
    fn only_the_call_that_it_is_about_is_told_and_only_while_it_runs() {
        let listeners = ProgressListeners::default();
        let (notes, mut noted) = Notes::channel();
        let listening = listeners.listen(ProgressToken(NumberOrString::Number(1)), notes);
        listeners.tell(&progress(2, Some("of another"), None));
        listeners.tell(&progress(1, Some("mine"), None));
        assert_eq!(noted.try_recv().unwrap(), "mine");
        drop(listening);
        listeners.tell(&progress(1, Some("too late"), None));
        assert!(noted.try_recv().is_err());
    }
}
