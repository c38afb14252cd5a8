//! Animations in words, for models.

use super::Animation;
use super::easing::Easing;
use super::track::{Key, Track};
use super::value::KeyValue;

/// The most keys of a track that are told.
const MAX_KEYS: usize = 6;

impl Animation {
    /// E.g. `4 s, 24 fps, loops`.
    pub fn told(&self) -> String {
        let loops = if self.loops { ", loops" } else { "" };
        format!("{} s, {} fps{loops}", short(self.duration.get()), self.fps.get())
    }
}

impl Track {
    /// E.g. `ball position: [-3,0.5,0] at 0 s, ease_out [3,0.5,0] at 2 s`.
    pub fn told(&self) -> String {
        let keys = self.keys.get();
        let told: Vec<String> = keys.iter().take(MAX_KEYS).map(key_text).collect();
        let rest = match keys.len().checked_sub(MAX_KEYS) {
            None | Some(0) => String::new(),
            Some(more) => format!(", ... ({more} more until {} s)", short(self.keys.end())),
        };
        let pivot = self.pivot.map(|pivot| format!(" about {}", list(&pivot.get())));
        format!("{}{}: {}{rest}", self.name(), pivot.unwrap_or_default(), told.join(", "))
    }
}

fn key_text(key: &Key) -> String {
    let value = match &key.value {
        KeyValue::Number(number) => short(*number),
        KeyValue::Numbers(numbers) => list(numbers),
        KeyValue::Flag(flag) => flag.to_string(),
        KeyValue::Text(text) => text.clone(),
    };
    let easing = match key.easing {
        Easing::Linear => String::new(),
        easing => format!(" {}", easing.word()),
    };
    format!("{value} at {} s{easing}", short(key.time.get()))
}

fn list(numbers: &[f64]) -> String {
    format!("[{}]", numbers.iter().map(|number| short(*number)).collect::<Vec<_>>().join(","))
}

/// Rounded to three decimals.
fn short(number: f64) -> String {
    // Adding 0 makes -0 positive.
    ((number * 1000.0).round() / 1000.0 + 0.0).to_string()
}
