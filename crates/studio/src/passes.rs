//! The number of samples of a pass.

/// The target duration of a pass in seconds: the time between two frames.
const PASS_SECONDS: f64 = 0.4;
/// The share of the remaining time to use, since passes take slightly longer than estimated.
const USABLE_SHARE: f64 = 0.95;

/// The number of samples per pixel of the next pass: as many as there are already (1, 1, 2, 4, 8,
/// ...), but no more than fit into [`PASS_SECONDS`] and `seconds_left` at `seconds_per_sample`. The
/// first pass always takes one sample; 0 means that no further pass fits.
pub(crate) fn next_pass(done: u32, target: u32, seconds_per_sample: f64, seconds_left: f64) -> u32 {
    let rest = target.saturating_sub(done);
    if done == 0 {
        return rest.min(1);
    }
    let fitting = |seconds: f64| (seconds / seconds_per_sample.max(1e-9)) as u32;
    let wanted = done.min(fitting(PASS_SECONDS).max(1)).min(rest);
    wanted.min(fitting(USABLE_SHARE * seconds_left.max(0.0)))
}

/// A pass that takes longer than this many seconds is shared with workers.
const MIN_SHARED_SECONDS: f64 = 0.5;
/// The duration of a shared pass after which something is decided: which parts of the picture are noisy, or
/// whether there is time for another pass.
const ROUND_SECONDS: f64 = 2.0;

/// The number of samples per pixel of the next pass with workers: all that are left, or with `in_rounds` and
/// where `seconds_left` are finite as many as [`next_pass`] with longer passes. `None` if it would be too short
/// to be shared.
pub(crate) fn shared_pass(
    done: u32,
    target: u32,
    seconds_per_sample: f64,
    seconds_left: f64,
    in_rounds: bool,
) -> Option<u32> {
    let mut samples = target.saturating_sub(done);
    if in_rounds || seconds_left.is_finite() {
        let seconds = ROUND_SECONDS.min(USABLE_SHARE * seconds_left.max(0.0));
        samples = samples.min(done).min((seconds / seconds_per_sample.max(1e-9)) as u32);
    }
    let is_long = f64::from(samples) * seconds_per_sample >= MIN_SHARED_SECONDS;
    (done > 0 && is_long).then_some(samples)
}

#[cfg(test)]
mod tests {
    use super::{next_pass, shared_pass};

    const ENDLESS: f64 = f64::INFINITY;

    #[test]
    fn passes_double_until_they_take_too_long() {
        let mut done = 0;
        let mut passes = Vec::new();
        while done < 100 {
            passes.push(next_pass(done, 100, 0.05, ENDLESS));
            done += passes[passes.len() - 1];
        }
        assert_eq!(passes[..7], [1, 1, 2, 4, 8, 8, 8]);
        assert_eq!(done, 100);
        assert_eq!(next_pass(7, 100, 3.0, ENDLESS), 1, "never nothing without a limit");
        assert_eq!(next_pass(64, 64, 0.0, ENDLESS), 0);
        assert_eq!(next_pass(64, 1000, 0.0, ENDLESS), 64);
    }

    #[test]
    fn the_last_pass_fits_into_the_time_left() {
        assert_eq!(next_pass(0, 64, 0.0, 0.0), 1, "there is always a picture");
        assert_eq!(next_pass(8, 64, 0.01, 0.05), 4);
        assert_eq!(next_pass(8, 64, 0.01, 0.01), 0);
        assert_eq!(next_pass(8, 64, 0.01, -1.0), 0);
    }
    #[test]
    fn long_passes_are_shared() {
        assert_eq!(shared_pass(0, 64, 0.0, ENDLESS, false), None, "nothing is known yet");
        assert_eq!(shared_pass(1, 64, 0.1, ENDLESS, false), Some(63));
        assert_eq!(shared_pass(60, 64, 0.1, ENDLESS, false), None, "too short");
        assert_eq!(shared_pass(8, 64, 0.1, ENDLESS, true), Some(8));
        assert_eq!(shared_pass(32, 64, 0.1, ENDLESS, true), Some(20));
        assert_eq!(shared_pass(32, 64, 0.1, 1.0, false), Some(9));
        assert_eq!(shared_pass(32, 64, 0.1, -1.0, false), None);
    }
}
