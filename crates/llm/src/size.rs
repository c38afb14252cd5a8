//! How much of a request something takes.

use std::ops::AddAssign;

use serde_json::{Map, Value};

/// Bytes of text or JSON per token. English text has about four, JSON and other languages fewer; a
/// low figure is the safe side.
const BYTES_PER_TOKEN: f64 = 3.5;

/// Tokens per picture: providers count 258 to 1,600 for pictures of a preview's size.
const PICTURE_TOKENS: u64 = 1_000;

/// What text and pictures weigh in a request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Size {
    bytes: usize,
    pictures: u64,
}

impl Size {
    /// The size of what a part holds.
    pub(crate) fn of(raw: &Map<String, Value>) -> Self {
        let mut size = Self::default();
        raw.iter().for_each(|(name, value)| size.add(name, value));
        size
    }

    pub(crate) fn of_bytes(bytes: usize) -> Self {
        Self { bytes, pictures: 0 }
    }

    /// The estimated tokens.
    pub(crate) fn tokens(self) -> u64 {
        let of_text = (self.bytes as f64 / BYTES_PER_TOKEN).ceil() as u64;
        of_text + self.pictures * PICTURE_TOKENS
    }

    /// Adds a value with its name.
    pub(crate) fn add(&mut self, name: &str, value: &Value) {
        match value {
            // Signatures and encoded data are not text tokens.
            Value::Object(_) if name == "inlineData" => self.pictures += 1,
            Value::String(_) if name.ends_with("ignature") => {}
            Value::String(text) => self.bytes += text.len() + 2,
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.bytes += name.len() + 4;
                    self.add(name, value);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.bytes += 1;
                    self.add("", item);
                }
            }
            Value::Number(number) => self.bytes += number.to_string().len(),
            Value::Bool(_) | Value::Null => self.bytes += "null".len(),
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.pictures += other.pictures;
    }
}
