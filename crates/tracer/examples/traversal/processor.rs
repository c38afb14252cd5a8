//! Processor time, which unlike wall time does not depend on other work on the machine.

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this process so far, in seconds.
pub(crate) fn of_process() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

/// The processor time of this thread so far, in seconds.
pub(crate) fn of_thread() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
