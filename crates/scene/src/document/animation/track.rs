//! Tracks: one property of one thing over time.

use serde::Serialize;
use serde_json::{Value, json};

use crate::id::Id;
use crate::read::{PropertyPath, Read, properties, read_object};
use crate::values::{Point, Seconds};
use crate::violations::ReadErrors;

use super::easing::{Easing, is_linear};
use super::value::KeyValue;

/// The most keys of a track.
const MAX_KEYS: usize = 500;

properties! {
    /// What a property is at a time.
    pub struct Key {
        /// Seconds from the start.
        pub time: Seconds,
        /// The value then.
        pub value: KeyValue,
        /// How it goes on to the next key.
        #[serde(skip_serializing_if = "is_linear")]
        pub easing: Easing = Easing::Linear,
    }
}

/// Keys in order of time, each at another time; at least one.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Keys(Vec<Key>);

properties! {
    /// One property of one thing over time. Before its first key it is as at that key, after its last
    /// one as at that.
    pub struct Track {
        /// `camera`, `environment`, or the id of a shape, light or group, or the name of a shared
        /// material.
        pub target: Id,
        /// Its property: of things `position` (of the middle of its bounds), `rotation` and `scale` (both
        /// added to how it is), `visible`; of lights `intensity` (a factor); of the camera `orbit` (degrees
        /// around what it looks at); or any property of the document, as `material.base_color`.
        pub property: PropertyName,
        /// The point that `rotation` and `scale` leave where it is; null: the middle of its bounds.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pivot: Option<Point> = None,
        /// Its values in order of time.
        pub keys: Keys,
    }
}

/// The name of a property, or a way to one within another, e.g. `material.base_color`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct PropertyName(String);

impl PropertyName {
    /// A name that is known to be one.
    pub(crate) fn known(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Read for PropertyName {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        /// The longest name in bytes.
        const MAX_LENGTH: usize = 100;
        let name = value.as_str().filter(|name| !name.is_empty() && name.len() <= MAX_LENGTH);
        if name.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        name.map(|name| Self(name.to_owned()))
    }

    fn expected() -> String {
        "the name of a property, e.g. position".into()
    }
}

impl Keys {
    /// The keys.
    pub fn get(&self) -> &[Key] {
        &self.0
    }

    /// Keys, if there are not too many and each has another time.
    pub(crate) fn new(mut keys: Vec<Key>) -> Option<Self> {
        keys.sort_by(|one, other| one.time.get().total_cmp(&other.time.get()));
        let differ = keys.windows(2).all(|pair| pair[0].time.get() < pair[1].time.get());
        (differ && (1..=MAX_KEYS).contains(&keys.len())).then_some(Self(keys))
    }

    /// The time of the last key.
    pub fn end(&self) -> f64 {
        self.0.last().map_or(0.0, |key| key.time.get())
    }

    /// The same with all times multiplied by `factor`.
    #[must_use]
    pub(crate) fn stretched(&self, factor: f64) -> Self {
        let stretched = |key: &Key| {
            let time = Seconds::new(key.time.get() * factor).unwrap_or(key.time);
            Key { time, ..key.clone() }
        };
        Self::new(self.0.iter().map(stretched).collect()).unwrap_or_else(|| self.clone())
    }
}

impl Read for Keys {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(items) = value.as_array().filter(|items| (1..=MAX_KEYS).contains(&items.len()))
        else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        // Parse all items before returning, to report all errors.
        let read: Vec<Option<Key>> = items.iter().map(|item| read_key(item, at, errors)).collect();
        let keys = read.into_iter().collect::<Option<Vec<_>>>()?;
        let sorted = Self::new(keys);
        if sorted.is_none() {
            errors
                .add(format!("{} has two keys at the same time; give each another", at.subject()));
        }
        sorted
    }

    fn expected() -> String {
        format!("a list of 1 to {MAX_KEYS} keys {{\"time\": seconds, \"value\": ...}}")
    }
}

/// Reads a key, also in its short form `[time, value]` or `[time, value, easing]`.
fn read_key(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Key> {
    match value.as_array().map(Vec::as_slice) {
        Some([time, value]) => read_object(&json!({ "time": time, "value": value }), at, errors),
        Some([time, value, easing]) => {
            let key = json!({ "time": time, "value": value, "easing": easing });
            read_object(&key, at, errors)
        }
        _ => read_object(value, at, errors),
    }
}

impl Track {
    /// What it is about, for messages: `ball position`.
    pub fn name(&self) -> String {
        format!("{} {}", self.target, self.property.as_str())
    }

    /// Whether another one is about the same property.
    pub(crate) fn is_about(&self, other: &Self) -> bool {
        self.target == other.target && self.property == other.property
    }

    /// Reads a track; `index` is its place in the list, for messages.
    pub(super) fn read_at(index: usize, value: &Value, errors: &mut ReadErrors) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let owner = match (text("target"), text("property")) {
            (Some(target), Some(property)) => format!("track '{target} {property}'"),
            _ => format!("animation track {}", index + 1),
        };
        read_object(value, &PropertyPath::of(&owner), errors)
    }

    /// The value at `time`.
    pub fn at(&self, time: f64) -> KeyValue {
        let keys = self.keys.get();
        let next = keys.partition_point(|key| key.time.get() <= time);
        let (Some(last), Some(next_key)) = (next.checked_sub(1), keys.get(next)) else {
            let at = next.min(keys.len() - 1);
            return keys[at].value.clone();
        };
        let key = &keys[last];
        let (start, end) = (key.time.get(), next_key.time.get());
        let share = (time - start) / (end - start);
        let mixed = match key.easing {
            Easing::Step => None,
            Easing::Smooth => self.smooth(last, share),
            easing => {
                let way = easing.way(share);
                KeyValue::weighted(&[(&key.value, 1.0 - way), (&next_key.value, way)])
            }
        };
        mixed.unwrap_or_else(|| key.value.clone())
    }

    /// The value on a cubic curve through the keys, after a share of the time between the key at
    /// `index` and the next. Its slope at a key is that between the neighbours of the key; a track that
    /// ends as it begins goes on at its ends.
    fn smooth(&self, index: usize, share: f64) -> Option<KeyValue> {
        let keys = self.keys.get();
        let time = |at: usize| keys[at].time.get();
        let is_closed = keys.len() > 2 && keys[0].value == keys[keys.len() - 1].value;
        // The slope at a key as the difference of two values over a time.
        let slope = |at: usize| -> (usize, usize, f64) {
            let last = keys.len() - 1;
            match at {
                0 if is_closed => (last - 1, 1, time(1) - time(0) + time(last) - time(last - 1)),
                at if at == last && is_closed => {
                    (last - 1, 1, time(1) - time(0) + time(last) - time(last - 1))
                }
                at => {
                    let (before, after) = (at.saturating_sub(1), (at + 1).min(last));
                    (before, after, time(after) - time(before))
                }
            }
        };
        let length = time(index + 1) - time(index);
        let (s, s2, s3) = (share, share * share, share * share * share);
        let [from, to] = [2.0 * s3 - 3.0 * s2 + 1.0, 3.0 * s2 - 2.0 * s3];
        let tangents = [(index, s3 - 2.0 * s2 + s), (index + 1, s3 - s2)];
        let mut parts = vec![(&keys[index].value, from), (&keys[index + 1].value, to)];
        for (at, weight) in tangents {
            let (before, after, seconds) = slope(at);
            let weight = weight * length / seconds;
            parts.push((&keys[before].value, -weight));
            parts.push((&keys[after].value, weight));
        }
        KeyValue::weighted(&parts)
    }
}
