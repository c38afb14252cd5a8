//! The small typed values that arguments of the spatial tools are made of.

use std::borrow::Cow;

use scene::Id;
use scene::read::{PropertyPath, Read, ReadErrors, nearest};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

/// Defines an enum that is written as one of some words.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $word:literal ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
        pub enum $name {
            $( $(#[$variant_meta])* #[serde(rename = $word)] $variant ),*
        }

        impl $name {
            /// The words, in the order of the documentation.
            pub const NAMES: &'static [&'static str] = &[$($word),*];

            /// What a word stands for.
            pub fn named(word: &str) -> Option<Self> {
                match word {
                    $( $word => Some(Self::$variant), )*
                    _ => None,
                }
            }

            /// The word for it.
            pub fn name(self) -> &'static str {
                match self { $( Self::$variant => $word ),* }
            }
        }

        impl scene::read::Read for $name {
            fn read(
                value: &serde_json::Value,
                at: &scene::read::PropertyPath<'_>,
                errors: &mut scene::read::ReadErrors,
            ) -> Option<Self> {
                let known = value.as_str().and_then(Self::named);
                if known.is_none() {
                    $crate::args::refuse_word(Self::NAMES, value, at, errors);
                }
                known
            }

            fn expected() -> String {
                format!("one of {}", Self::NAMES.join(", "))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::NAMES })
            }
        }
    };
}
pub(crate) use choice;

pub(crate) fn refuse_word(
    known: &[&str],
    value: &Value,
    at: &PropertyPath<'_>,
    errors: &mut ReadErrors,
) {
    let list = known.join(", ");
    match value.as_str() {
        Some(word) => errors.add(format!(
            "{} is '{}', which is not known; did you mean '{}'? It takes one of {list}",
            at.subject(),
            word.chars().take(60).collect::<String>(),
            nearest(word, known.iter().copied()),
        )),
        None => at.must_be(&format!("one of {list}"), value, errors),
    }
}

/// The most names in one argument.
pub const MAX_IDS: usize = 2_000;

/// Names of shapes, lights or groups, at least one; a single one may stand without the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Ids(Vec<Id>);

impl Ids {
    /// A single name.
    pub fn one(id: Id) -> Self {
        Self(vec![id])
    }

    /// The names.
    pub fn as_slice(&self) -> &[Id] {
        &self.0
    }
}

impl Read for Ids {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let items = match value {
            Value::Array(items) if (1..=MAX_IDS).contains(&items.len()) => items.as_slice(),
            Value::String(_) => std::slice::from_ref(value),
            other => {
                at.must_be(&Self::expected(), other, errors);
                return None;
            }
        };
        let read: Vec<Option<Id>> = items.iter().map(|item| Id::read(item, at, errors)).collect();
        read.into_iter().collect::<Option<_>>().map(Self)
    }

    fn expected() -> String {
        format!("a list of 1 to {MAX_IDS} ids of shapes, lights or groups")
    }
}

impl JsonSchema for Ids {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Ids".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "string" } })
    }
}

/// Defines a newtype over a number with a range.
macro_rules! number {
    ($(#[$meta:meta])* $name:ident($inner:ty), $reader:ident, $accept:expr, $expected:literal, $type:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Serialize)]
        #[serde(transparent)]
        pub struct $name($inner);

        impl $name {
            /// The plain value.
            pub const fn get(self) -> $inner {
                self.0
            }
        }

        impl Read for $name {
            fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
                let number = value.$reader().filter($accept);
                if number.is_none() {
                    at.must_be($expected, value, errors);
                }
                number.map(Self)
            }

            fn expected() -> String {
                $expected.to_owned()
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": $type })
            }
        }
    };
}

number!(
    /// A coordinate or a way along one axis, in metres.
    Coordinate(f64), as_f64, |number: &f64| number.abs() <= scene::MAX_COORDINATE,
    "a number within ±1000000", "number"
);
number!(
    /// A number of things, from 1 to 2,000.
    Count(u64), as_u64, |number: &u64| (1..=2_000).contains(number),
    "a whole number from 1 to 2000", "integer"
);
number!(
    /// Chooses one of many equally good random layouts.
    Seed(u64), as_u64, |_: &u64| true,
    "a whole number of 0 or more", "integer"
);

impl Coordinate {
    /// 0.
    pub const ORIGIN: Self = Self(0.0);
}

impl Seed {
    /// 0.
    pub const FIRST: Self = Self(0);
}

/// Three counts, along x, y and z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Counts([u64; 3]);

impl Counts {
    /// The plain values.
    pub const fn get(self) -> [u64; 3] {
        self.0
    }
}

impl Read for Counts {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let count = |item: &Value| item.as_u64().filter(|count| (1..=2_000).contains(count));
        let counts = match value.as_array().map(Vec::as_slice) {
            Some([x, y, z]) => count(x).zip(count(y)).zip(count(z)).map(|((x, y), z)| [x, y, z]),
            _ => None,
        };
        if counts.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        counts.map(Self)
    }

    fn expected() -> String {
        "[x, y, z] with whole numbers from 1 to 2000".into()
    }
}

impl JsonSchema for Counts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Counts".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "integer" } })
    }
}

/// A range of numbers, from the first to the second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Interval([f64; 2]);

impl Interval {
    /// Its ends.
    pub const fn get(self) -> [f64; 2] {
        self.0
    }

    /// Whether a number lies in it.
    pub fn holds(self, number: f64) -> bool {
        (self.0[0]..=self.0[1]).contains(&number)
    }
}

impl Read for Interval {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let number = |item: &Value| item.as_f64().filter(|it| it.abs() <= scene::MAX_COORDINATE);
        let ends = match value.as_array().map(Vec::as_slice) {
            Some([low, high]) => number(low).zip(number(high)).filter(|(low, high)| low <= high),
            _ => None,
        };
        if ends.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        ends.map(|(low, high)| Self([low, high]))
    }

    fn expected() -> String {
        "[least, most]".into()
    }
}

impl JsonSchema for Interval {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Interval".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "number" } })
    }
}

/// A point of which some coordinates stay as they are: `[1, null, 2]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Goal([Option<f64>; 3]);

impl Goal {
    /// The point, where `now` is what stays.
    pub fn from(self, now: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.0[axis].unwrap_or(now[axis]))
    }
}

impl Read for Goal {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let number = |item: &Value| match item {
            Value::Null => Some(None),
            item => item.as_f64().filter(|it| it.abs() <= scene::MAX_COORDINATE).map(Some),
        };
        let goal = match value.as_array().map(Vec::as_slice) {
            Some([x, y, z]) => number(x).zip(number(y)).zip(number(z)),
            _ => None,
        };
        if goal.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        goal.map(|((x, y), z)| Self([x, y, z]))
    }

    fn expected() -> String {
        "[x, y, z] with numbers within ±1000000, or null for what stays".into()
    }
}

impl JsonSchema for Goal {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Goal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": ["number", "null"] } })
    }
}

/// A short text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Word(String);

impl Word {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Read for Word {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let text = value.as_str().filter(|text| (1..=200).contains(&text.chars().count()));
        if text.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        text.map(|text| Self(text.to_owned()))
    }

    fn expected() -> String {
        "a text of 1 to 200 characters".into()
    }
}

choice! {
    /// A coordinate axis.
    pub enum Axis {
        /// To +x.
        X = "x",
        /// Upwards.
        Y = "y",
        /// To +z.
        Z = "z",
    }
}

impl Axis {
    /// Its place in a vector: 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Names that are told whole; of more, the first two and the last one are.
const MAX_NAMES: usize = 8;

/// A list of names for a result: a crowd is `["pawn", "pawn_2", "...", "king_2"]`, since all of them would only
/// cost tokens. How many there are is told beside it.
pub fn several<N: AsRef<str> + serde::Serialize>(names: &[N]) -> Value {
    match names {
        [first, second, .., last] if names.len() > MAX_NAMES => {
            serde_json::json!([first.as_ref(), second.as_ref(), "...", last.as_ref()])
        }
        names => serde_json::json!(names),
    }
}
