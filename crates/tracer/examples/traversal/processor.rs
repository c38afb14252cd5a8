//! Time on the processor, which other work on the machine does not lengthen as it does wall time.

use rustix::time::{ClockId, clock_gettime};

/// Seconds all threads of this process have computed so far.
pub(crate) fn of_process() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

/// Seconds this thread has computed so far.
pub(crate) fn of_thread() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
