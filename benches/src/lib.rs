//! What the measurements share.

use std::time::Duration;

use serde_json::{Value, json};

/// Median, 95th and 99th percentile, smallest and largest of some times, in milliseconds.
///
/// # Panics
/// When there are none.
pub fn summary(mut times: Vec<Duration>) -> Value {
    times.sort_unstable();
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let at = |fraction: f64| milliseconds(times[((times.len() - 1) as f64 * fraction) as usize]);
    json!({
        "runs": times.len(),
        "median_ms": at(0.5),
        "p95_ms": at(0.95),
        "p99_ms": at(0.99),
        "min_ms": at(0.0),
        "max_ms": at(1.0),
    })
}
