//! Lists of points in shapes. All revisions of a scene share them; the reader validates their
//! length and range.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read};
use crate::values::MAX_COORDINATE;
use crate::violations::ReadErrors;

/// The maximum length of a list of points.
pub const MAX_POINTS: usize = 500;

fn coordinate(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.abs() <= MAX_COORDINATE)
}

fn tuple<const D: usize>(value: &Value) -> Option<[f64; D]> {
    let items = value.as_array()?.iter().map(coordinate).collect::<Option<Vec<f64>>>()?;
    items.try_into().ok()
}

/// Defines a list of tuples of numbers.
macro_rules! list {
    ($(#[$meta:meta])* $name:ident([f64; $width:literal]), $fewest:literal, $accept:expr, $expected:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(transparent)]
        pub struct $name(Arc<[[f64; $width]]>);

        impl $name {
            /// The values.
            pub fn get(&self) -> &[[f64; $width]] {
                &self.0
            }

            /// The list, if its length and all numbers are in range.
            pub fn new(items: Vec<[f64; $width]>) -> Option<Self> {
                let good = |number: &f64| number.is_finite() && number.abs() <= MAX_COORDINATE;
                let accept: fn(&[f64; $width]) -> bool = $accept;
                let fits = ($fewest..=MAX_POINTS).contains(&items.len())
                    && items.iter().flatten().all(good)
                    && items.iter().all(accept);
                fits.then(|| Self(items.into()))
            }
        }

        impl Read for $name {
            fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
                let items = value.as_array().map(|items| items.iter().map(tuple).collect::<Option<Vec<_>>>());
                let list = items.flatten().and_then(Self::new);
                if list.is_none() {
                    faulty::<$width>(value, at, $fewest, &Self::expected(), $accept, errors);
                }
                list
            }

            fn expected() -> String {
                format!(concat!("a list of {} to {} ", $expected), $fewest, MAX_POINTS)
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
                schemars::json_schema!({
                    "type": "array", "items": { "type": "array", "items": { "type": "number" } }
                })
            }
        }
    };
}

/// Finds the invalid entry of a list for the error message.
fn faulty<const D: usize>(
    value: &Value,
    at: &PropertyPath<'_>,
    fewest: usize,
    expected: &str,
    accept: fn(&[f64; D]) -> bool,
    errors: &mut ReadErrors,
) {
    let items = value.as_array().filter(|items| (fewest..=MAX_POINTS).contains(&items.len()));
    let wrong = items.and_then(|items| {
        items.iter().position(|item| !tuple(item).is_some_and(|item: [f64; D]| accept(&item)))
    });
    match (items, wrong, value.as_array()) {
        (Some(items), Some(index), _) => errors.add(format!(
            "{} must be {expected}; entry {index} is {}",
            at.subject(),
            items[index]
        )),
        (None, _, Some(items)) => {
            errors.add(format!("{} must be {expected}, got {} entries", at.subject(), items.len()));
        }
        _ => at.must_be(expected, value, errors),
    }
}

list!(
    /// Points in world space, in metres.
    Points([f64; 3]), 2, |_| true,
    "points [x, y, z] with numbers within ±1000000"
);
list!(
    /// Points [distance from an axis, height along it], in metres.
    Profile([f64; 2]), 2, |[radius, _]| *radius >= 0.0,
    "points [distance >= 0, height] with numbers within ±1000000"
);
list!(
    /// Corners [x, y] of an outline, in metres.
    Outline([f64; 2]), 3, |_| true,
    "corners [x, y] with numbers within ±1000000"
);

list!(
    /// Corners [x, y, z] of faces in the space of their shape, in metres.
    Corners([f64; 3]), 3, |_| true,
    "vertices [x, y, z] with numbers within ±1000000"
);

/// The maximum number of holes of an outline.
const MAX_HOLES: usize = 50;

/// Outlines of holes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Holes(Vec<Outline>);

impl Outline {
    /// A constant outline that is known to be valid.
    pub(crate) fn known(corners: Vec<[f64; 2]>) -> Self {
        Self(corners.into())
    }
}

impl Holes {
    /// The outlines.
    pub fn get(&self) -> &[Outline] {
        &self.0
    }

    /// The holes, if there are not too many.
    pub fn new(outlines: Vec<Outline>) -> Option<Self> {
        (outlines.len() <= MAX_HOLES).then_some(Self(outlines))
    }
}

impl Read for Holes {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(items) = value.as_array().filter(|items| items.len() <= MAX_HOLES) else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        // Parse all outlines before returning, to report all errors.
        let read: Vec<Option<Outline>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| Outline::read(item, &at.property(&index.to_string()), errors))
            .collect();
        read.into_iter().collect::<Option<Vec<_>>>().map(Self)
    }

    fn expected() -> String {
        format!("a list of at most {MAX_HOLES} outlines, each a list of corners [x, y]")
    }
}

impl schemars::JsonSchema for Holes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Holes".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "array", "items": {
            "type": "array", "items": { "type": "array", "items": { "type": "number" } } } })
    }
}

/// The maximum number of heights in a row, and of rows.
const MAX_ROWS: usize = 128;

/// Rows of heights, all of the same length, in metres.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Heights(Arc<[Vec<f64>]>);

impl Heights {
    /// The rows.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.0
    }

    /// The rows, if their number, their lengths and all heights are in range.
    pub fn new(rows: Vec<Vec<f64>>) -> Option<Self> {
        let width = rows.first()?.len();
        let counts = 2..=MAX_ROWS;
        let good = |height: &f64| height.is_finite() && height.abs() <= MAX_COORDINATE;
        let fits = counts.contains(&width)
            && counts.contains(&rows.len())
            && rows.iter().all(|row| row.len() == width && row.iter().all(good));
        fits.then(|| Self(rows.into()))
    }
}

impl Read for Heights {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let row =
            |row: &Value| row.as_array()?.iter().map(coordinate).collect::<Option<Vec<f64>>>();
        let rows =
            value.as_array().and_then(|rows| rows.iter().map(row).collect::<Option<Vec<_>>>());
        let heights = rows.clone().and_then(Self::new);
        if heights.is_none() {
            let width = |rows: &[Vec<f64>]| rows.first().map_or(0, Vec::len);
            match rows.as_deref() {
                Some(rows) if rows.iter().any(|row| row.len() != width(rows)) => {
                    errors.add(format!(
                        "{} must have rows of the same length; the first has {}",
                        at.subject(),
                        width(rows)
                    ))
                }
                _ => at.must_be(&Self::expected(), value, errors),
            }
        }
        heights
    }

    fn expected() -> String {
        format!("2 to {MAX_ROWS} rows of 2 to {MAX_ROWS} heights within ±1000000")
    }
}

impl schemars::JsonSchema for Heights {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Heights".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array", "items": { "type": "array", "items": { "type": "number" } }
        })
    }
}
