//! The retry policy: when a request is retried, and after which delay. Pure: no clock, no randomness.

use std::time::Duration;

use crate::http::Rejection;
use crate::model::ModelError;

/// The settings of retries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// The maximum number of retries.
    pub max_retries: u32,
    /// The delay before the first retry; it doubles with each further one.
    pub base_delay: Duration,
    /// The upper bound of the doubled delay.
    pub max_delay: Duration,
    /// The longest delay that a provider may request; a longer one counts as an outage.
    pub max_asked_delay: Duration,
    /// The upper bound of the sum of all delays of one answer.
    pub total_delay: Duration,
    /// The maximum number of retries after a timeout: each takes the whole idle timeout, and a
    /// local model may still be working on the previous request.
    pub max_timeouts: u32,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_retries: 5,
            base_delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(30),
            max_asked_delay: Duration::from_secs(300),
            total_delay: Duration::from_secs(600),
            max_timeouts: 1,
        }
    }
}

/// A failed attempt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// A retry will not help.
    Final(ModelError),
    /// A retry may help.
    Passing {
        /// The reason, for the user.
        reason: String,
        /// The delay that the provider requests.
        asked_delay: Option<Duration>,
    },
    /// The provider sent nothing for too long; few retries may help.
    Timeout {
        /// The reason, for the user.
        reason: String,
    },
    /// A retry helps if the refused feature is left out.
    Refused {
        /// The refused feature.
        rejection: Rejection,
        /// The error if nothing can be left out.
        error: ModelError,
    },
}

impl Failure {
    pub(crate) fn passing(reason: impl Into<String>) -> Self {
        Self::Passing { reason: reason.into(), asked_delay: None }
    }

    /// The same failure with a changed text.
    pub(crate) fn map_text(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Final(error) => Self::Final(error.map_text(change)),
            Self::Passing { reason, asked_delay } => {
                Self::Passing { reason: change(reason), asked_delay }
            }
            Self::Timeout { reason } => Self::Timeout { reason: change(reason) },
            Self::Refused { rejection, error } => {
                Self::Refused { rejection, error: error.map_text(change) }
            }
        }
    }
}

/// A retry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Retry {
    /// The number of the retry, from 1.
    pub(crate) attempt: u32,
    pub(crate) delay: Duration,
    pub(crate) reason: String,
}

/// The retries of one answer.
#[derive(Debug)]
pub(crate) struct Retries {
    policy: RetryPolicy,
    attempt: u32,
    timeouts: u32,
    waited: Duration,
}

impl Retries {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self { policy, attempt: 0, timeouts: 0, waited: Duration::ZERO }
    }

    /// The number of retries so far.
    pub(crate) fn count(&self) -> u32 {
        self.attempt
    }

    /// The retry that follows `failure`, or the error to end with. `jitter` in [0, 1) spreads the
    /// delays of many clients over the upper half of each one.
    pub(crate) fn after(&mut self, failure: Failure, jitter: f64) -> Result<Retry, ModelError> {
        let (reason, asked_delay) = match failure {
            Failure::Final(error) | Failure::Refused { error, .. } => return Err(error),
            Failure::Passing { reason, asked_delay } => (reason, asked_delay),
            Failure::Timeout { reason } => {
                self.timeouts += 1;
                (reason, None)
            }
        };
        if let Some(asked) = asked_delay.filter(|asked| *asked > self.policy.max_asked_delay) {
            return Err(ModelError::Unavailable(format!(
                "{reason} It asks to wait {} s: try again later.",
                asked.as_secs()
            )));
        }
        let doubling = self.policy.base_delay.saturating_mul(1_u32 << self.attempt.min(20));
        let backoff = doubling.min(self.policy.max_delay).mul_f64(0.5 + 0.5 * jitter);
        let delay = backoff.max(asked_delay.unwrap_or_default());
        if self.attempt >= self.policy.max_retries
            || self.timeouts > self.policy.max_timeouts
            || self.waited + delay > self.policy.total_delay
        {
            let tries = self.attempt + 1;
            let times = if tries == 1 { "time" } else { "times" };
            return Err(ModelError::Unavailable(format!("{reason} Tried {tries} {times}.")));
        }
        self.attempt += 1;
        self.waited += delay;
        Ok(Retry { attempt: self.attempt, delay, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passing(asked_seconds: Option<u64>) -> Failure {
        Failure::Passing {
            reason: "Busy.".into(),
            asked_delay: asked_seconds.map(Duration::from_secs),
        }
    }

    fn delays(policy: RetryPolicy, jitter: f64) -> Vec<u128> {
        let mut retries = Retries::new(policy);
        std::iter::from_fn(|| retries.after(passing(None), jitter).ok())
            .map(|retry| retry.delay.as_millis())
            .collect()
    }

    #[test]
    fn delays_double_up_to_the_bound_and_end_with_the_count() {
        assert_eq!(delays(RetryPolicy::default(), 1.0), [1000, 2000, 4000, 8000, 16000]);
        assert_eq!(delays(RetryPolicy::default(), 0.0), [500, 1000, 2000, 4000, 8000]);
        let capped = RetryPolicy { max_delay: Duration::from_secs(3), ..RetryPolicy::default() };
        assert_eq!(delays(capped, 1.0), [1000, 2000, 3000, 3000, 3000]);
    }

    #[test]
    fn a_request_that_timed_out_is_sent_once_more_only() {
        let mut retries = Retries::new(RetryPolicy::default());
        let timeout = || Failure::Timeout { reason: "Silent.".into() };
        retries.after(passing(None), 0.0).unwrap();
        retries.after(timeout(), 0.0).unwrap();
        let error = retries.after(timeout(), 0.0).unwrap_err();
        assert_eq!(error, ModelError::Unavailable("Silent. Tried 3 times.".into()));
    }

    #[test]
    fn the_delays_together_are_bounded() {
        let policy = RetryPolicy { total_delay: Duration::from_secs(4), ..RetryPolicy::default() };
        assert_eq!(delays(policy, 1.0), [1000, 2000]);
    }

    #[test]
    fn a_delay_asked_for_is_honoured_up_to_the_longest() {
        let mut retries = Retries::new(RetryPolicy::default());
        let retry = retries.after(passing(Some(34)), 0.3).unwrap();
        assert_eq!((retry.attempt, retry.delay), (1, Duration::from_secs(34)));
        assert_eq!(
            retries.after(passing(Some(301)), 0.3),
            Err(ModelError::Unavailable("Busy. It asks to wait 301 s: try again later.".into()))
        );
    }

    #[test]
    fn the_last_failure_says_how_often_it_was_tried() {
        let policy = RetryPolicy { max_retries: 1, ..RetryPolicy::default() };
        let mut retries = Retries::new(policy);
        retries.after(passing(None), 0.0).unwrap();
        assert_eq!(
            retries.after(passing(None), 0.0),
            Err(ModelError::Unavailable("Busy. Tried 2 times.".into()))
        );
    }

    #[test]
    fn a_final_failure_is_final_at_once() {
        let refused = ModelError::Rejected("no".into());
        let mut retries = Retries::new(RetryPolicy::default());
        assert_eq!(retries.after(Failure::Final(refused.clone()), 0.0), Err(refused));
    }
}
