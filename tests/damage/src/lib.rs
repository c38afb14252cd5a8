//! Good files made bad, in their bytes and in their structure, for tests that nothing bad is done
//! with them.

use proptest::prelude::*;
use serde_json::{Value, json};

/// Damage of a file of any kind. Where it is, is a share of the file's length.
#[derive(Debug, Clone)]
pub enum Damage {
    /// Another byte.
    Set(f64, u8),
    /// Another bit.
    Flip(f64, u8),
    /// Nothing from there on.
    Cut(f64),
    /// Some bytes are gone.
    Remove(f64, usize),
    /// Some are too many.
    Insert(f64, Vec<u8>),
    /// Some are there many times.
    Repeat(f64, usize, usize),
}

/// Any damage.
pub fn damage() -> impl Strategy<Value = Damage> {
    let at = 0.0..1.0;
    prop_oneof![
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (at.clone(), 0..8_u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        at.clone().prop_map(Damage::Cut),
        (at.clone(), 1..40_usize).prop_map(|(at, count)| Damage::Remove(at, count)),
        (at.clone(), prop::collection::vec(any::<u8>(), 1..20))
            .prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at, 1..30_usize, 1..200_usize)
            .prop_map(|(at, count, times)| Damage::Repeat(at, count, times)),
    ]
}

impl Damage {
    /// Does it.
    pub fn of(&self, bytes: &mut Vec<u8>) {
        let place =
            |at: f64| ((at * bytes.len() as f64) as usize).min(bytes.len().saturating_sub(1));
        if bytes.is_empty() {
            return;
        }
        match *self {
            Self::Set(at, byte) => {
                let at = place(at);
                bytes[at] = byte;
            }
            Self::Flip(at, bit) => {
                let at = place(at);
                bytes[at] ^= 1 << bit;
            }
            Self::Cut(at) => {
                let at = place(at);
                bytes.truncate(at);
            }
            Self::Remove(at, count) => {
                let at = place(at);
                let end = (at + count).min(bytes.len());
                bytes.drain(at..end);
            }
            Self::Insert(at, ref inserted) => {
                let at = place(at);
                bytes.splice(at..at, inserted.iter().copied());
            }
            Self::Repeat(at, count, times) => {
                let at = place(at);
                let end = (at + count).min(bytes.len());
                let piece = bytes[at..end].repeat(times);
                bytes.splice(at..at, piece);
            }
        }
    }
}

/// A number as a liar would choose it.
pub fn number() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(-1),
        -10..100_i64,
        Just(i64::from(u16::MAX)),
        Just(i64::from(i32::MAX)),
        Just(i64::from(u32::MAX)),
        Just(i64::MAX),
        Just(i64::MIN),
    ]
}

/// A value as a liar would choose it.
pub fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        number().prop_map(|number| json!(number)),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!("")),
        Just(json!([0, 0])),
        Just(json!(1e39)),
        Just(json!(true)),
    ]
}

/// Changes the value that comes `at` of the way through a document, if it has any.
pub fn with_value(document: &mut Value, at: f64, new: &Value) {
    fn pointers(value: &Value, here: &str, found: &mut Vec<String>) {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
            }
            _ => Vec::new(),
        };
        for (key, child) in children {
            let pointer = format!("{here}/{key}");
            pointers(child, &pointer, found);
            found.push(pointer);
        }
    }
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    let chosen = ((at * all.len() as f64) as usize).min(all.len().saturating_sub(1));
    if let Some(value) = all.get(chosen).and_then(|pointer| document.pointer_mut(pointer)) {
        *value = new.clone();
    }
}

/// What a liar does to a file of lines, each a JSON object.
#[derive(Debug, Clone)]
pub enum Forgery {
    /// A line is gone.
    Remove(f64),
    /// One is there many times.
    Repeat(f64, usize),
    /// Two change places.
    Swap(f64, f64),
    /// Another value somewhere in a line.
    Change(f64, f64, Value),
    /// The `body` of a line, so many lists deep.
    Nest(f64, usize),
    /// Whatever can happen to bytes.
    Bytes(Damage),
}

/// Any forgery.
pub fn forgery() -> impl Strategy<Value = Forgery> {
    let at = || 0.0..1.0;
    prop_oneof![
        2 => at().prop_map(Forgery::Remove),
        1 => (at(), 1..50_usize).prop_map(|(at, times)| Forgery::Repeat(at, times)),
        1 => (at(), at()).prop_map(|(one, other)| Forgery::Swap(one, other)),
        6 => (at(), at(), value()).prop_map(|(line, at, value)| Forgery::Change(line, at, value)),
        1 => (at(), 1..300_usize).prop_map(|(at, depth)| Forgery::Nest(at, depth)),
        3 => damage().prop_map(Forgery::Bytes),
    ]
}

/// The file after it.
pub fn forged(file: &[u8], forgery: &Forgery) -> Vec<u8> {
    if let Forgery::Bytes(damage) = forgery {
        let mut bytes = file.to_vec();
        damage.of(&mut bytes);
        return bytes;
    }
    let mut lines: Vec<Vec<u8>> = file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let place = |at: f64| ((at * lines.len() as f64) as usize).min(lines.len() - 1);
    match forgery {
        Forgery::Remove(at) => {
            let at = place(*at);
            lines.remove(at);
        }
        Forgery::Repeat(at, times) => {
            let at = place(*at);
            let more = vec![lines[at].clone(); *times];
            lines.splice(at..at, more);
        }
        Forgery::Swap(one, other) => {
            let (one, other) = (place(*one), place(*other));
            lines.swap(one, other);
        }
        Forgery::Change(line, at, value) => {
            let line = place(*line);
            if let Ok(mut document @ Value::Object(_)) = serde_json::from_slice(&lines[line]) {
                with_value(&mut document, *at, value);
                lines[line] = document.to_string().into_bytes();
            }
        }
        Forgery::Nest(at, depth) => {
            let at = place(*at);
            if let Ok(mut document @ Value::Object(_)) = serde_json::from_slice(&lines[at]) {
                let body = document["body"].take();
                document["body"] = (0..*depth).fold(body, |inner, _| json!([inner]));
                lines[at] = document.to_string().into_bytes();
            }
        }
        Forgery::Bytes(_) => {}
    }
    lines.join(&b'\n')
}
