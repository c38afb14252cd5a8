//! Counts and lengths in words.

/// Small counts as words.
const COUNTS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// "three", "17".
pub(crate) fn counted(count: usize) -> String {
    COUNTS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// "1.5 m", "8 cm".
pub(crate) fn metres(length: f64) -> String {
    if length < 0.1 {
        return format!("{} cm", (length * 1e3).round() / 10.0);
    }
    format!("{} m", (length * 100.0).round() / 100.0)
}
