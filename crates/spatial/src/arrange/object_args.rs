//! The arguments of `add_object` that no other call has.

use std::borrow::Cow;

use catalogue::{PartPaint, colour};
use scene::read::{PropertyPath, Read, ReadErrors};
use scene::{Material, PresetName};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;

/// The most entries of a table.
const MAX_ENTRIES: usize = 50;
/// The most copies of an option.
const MAX_COPIES: u64 = 400;

/// The most places that one call takes.
const MAX_SPOTS: usize = 500;

/// A point, or a place on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Spot {
    /// `[x, y, z]`.
    Point([f64; 3]),
    /// `[x, z]`.
    Ground([f64; 2]),
}

impl Read for Spot {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let number = |item: &Value| item.as_f64().filter(|it| it.abs() <= scene::MAX_COORDINATE);
        let items = value.as_array().map(|items| items.iter().map(number).collect::<Vec<_>>());
        let spot = match items.as_deref() {
            Some([Some(x), Some(z)]) => Some(Self::Ground([*x, *z])),
            Some([Some(x), Some(y), Some(z)]) => Some(Self::Point([*x, *y, *z])),
            _ => None,
        };
        if spot.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        spot
    }

    fn expected() -> String {
        "[x, y, z] or [x, z] in meters".into()
    }
}

impl JsonSchema for Spot {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Spot".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "number" } })
    }
}

/// Several of them; one may stand alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Spots(Vec<Spot>);

impl Spots {
    /// In the order they were given.
    pub fn as_slice(&self) -> &[Spot] {
        &self.0
    }
}

impl Read for Spots {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        match value.as_array() {
            Some(items) if items.iter().all(Value::is_number) => {
                Spot::read(value, at, errors).map(|spot| Self(vec![spot]))
            }
            Some(items) if items.len() <= MAX_SPOTS => {
                let spots = items.iter().map(|item| Spot::read(item, at, errors));
                spots.collect::<Option<Vec<Spot>>>().map(Self)
            }
            _ => {
                at.must_be(&Self::expected(), value, errors);
                None
            }
        }
    }

    fn expected() -> String {
        format!("a list of at most {MAX_SPOTS} [x, y, z] or [x, z] in meters")
    }
}

impl JsonSchema for Spots {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Spots".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "array", "items": { "type": "number" } } })
    }
}

/// What an option is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Choice {
    /// There or not.
    Present(bool),
    /// This many.
    Count(u64),
}

/// Options by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options(Vec<(String, Choice)>);

impl Options {
    /// Each with its choice, in the order they were given.
    pub fn as_slice(&self) -> &[(String, Choice)] {
        &self.0
    }
}

impl Read for Options {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let choice = |value: &Value| match value {
            Value::Bool(present) => Some(Choice::Present(*present)),
            Value::Number(count) => {
                let count = count.as_u64().filter(|count| *count <= MAX_COPIES)?;
                Some(if count == 0 { Choice::Present(false) } else { Choice::Count(count) })
            }
            _ => None,
        };
        let given = value.as_object().filter(|given| given.len() <= MAX_ENTRIES);
        let options: Option<Vec<(String, Choice)>> = given.and_then(|given| {
            given.iter().map(|(name, value)| Some((name.clone(), choice(value)?))).collect()
        });
        if options.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        options.map(Self)
    }

    fn expected() -> String {
        format!("{{option: true, false or a number up to {MAX_COPIES}}}")
    }
}

/// What roles and parts are painted with, by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Materials(Vec<(String, PartPaint)>);

impl Materials {
    /// Each with its name, in the order they were given.
    pub fn as_slice(&self) -> &[(String, PartPaint)] {
        &self.0
    }
}

impl Read for Materials {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(given) = value.as_object().filter(|given| given.len() <= MAX_ENTRIES) else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        let mut read = Vec::with_capacity(given.len());
        for (name, paint) in given {
            let paint = match colour_of(paint) {
                Some(rgb) => Some(PartPaint::Colour(rgb)),
                None => Material::read_argument(paint, &at.property(name), errors)
                    .map(|material| PartPaint::Material(material.into())),
            };
            read.push(paint.map(|paint| (name.clone(), paint)));
        }
        read.into_iter().collect::<Option<_>>().map(Self)
    }

    fn expected() -> String {
        "{role or part: material, or a color such as \"#2f5d50\" or \"teal\"}".into()
    }
}

/// The linear colour of a code or a CSS name, unless a preset has that name; or of `[r, g, b]`.
fn colour_of(value: &Value) -> Option<[f64; 3]> {
    if let Some(items) = value.as_array() {
        let channel = |item: &Value| item.as_f64().filter(|channel| (0.0..=1.0).contains(channel));
        return items.iter().map(channel).collect::<Option<Vec<f64>>>()?.try_into().ok();
    }
    let text = value.as_str()?;
    let rgb = match text.strip_prefix('#') {
        Some(digits) => colour::from_hex(digits),
        None if PresetName::new(text).is_some() => None,
        None => colour::named(&text.to_lowercase().replace([' ', '-', '_'], "")),
    };
    rgb.map(|rgb| rgb.to_array())
}

impl Serialize for Options {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, choice)| (name, choice)))
    }
}

impl Serialize for Materials {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = |paint: &PartPaint| match paint {
            PartPaint::Material(material) => material.to_json(),
            PartPaint::Colour(rgb) => serde_json::json!(rgb),
        };
        serializer.collect_map(self.0.iter().map(|(name, paint)| (name, json(paint))))
    }
}

/// Their schema: tables whose names depend on the object.
macro_rules! table_schema {
    ($($name:ident),*) => {$(
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "object" })
            }
        }
    )*};
}
table_schema!(Options, Materials);
