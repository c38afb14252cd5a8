//! Values of several numbers with more complex rules.

use serde::Serialize;
use serde_json::Value;

use super::numbers::{number_in, triple_in};
use super::{MAX_COORDINATE, coordinate};
use crate::read::{PropertyPath, Read};
use crate::violations::ReadErrors;

/// Width and height of a tile, each above 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct TileSize([f64; 2]);

impl TileSize {
    /// Width and height.
    pub const fn get(self) -> [f64; 2] {
        self.0
    }

    /// A constant that is known to be in range.
    pub(crate) const fn known(size: [f64; 2]) -> Self {
        Self(size)
    }
}

impl Read for TileSize {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let edge = |value| number_in(value, |number| number > 0.0 && number <= MAX_COORDINATE);
        let size = match value.as_array().map(Vec::as_slice) {
            Some([width, height]) => edge(width).zip(edge(height)),
            _ => None,
        };
        if size.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        size.map(|(width, height)| Self([width, height]))
    }

    fn expected() -> String {
        "[width, height] with numbers > 0 and <= 1000000".into()
    }
}

/// Three points in world space, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Vertices([[f64; 3]; 3]);

impl Vertices {
    /// The values.
    pub const fn get(self) -> [[f64; 3]; 3] {
        self.0
    }

    /// The points, if all are in range.
    pub fn new(vertices: [[f64; 3]; 3]) -> Option<Self> {
        let good = |number: &f64| number.is_finite() && coordinate(*number);
        vertices.as_flattened().iter().all(good).then_some(Self(vertices))
    }
}

impl Read for Vertices {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let point = |value| triple_in(value, coordinate);
        let vertices = match value.as_array().map(Vec::as_slice) {
            Some([a, b, c]) => point(a).and_then(|a| Some(Self([a, point(b)?, point(c)?]))),
            _ => None,
        };
        if vertices.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        vertices
    }

    fn expected() -> String {
        "three points [[x, y, z], [x, y, z], [x, y, z]] with numbers within ±1000000".into()
    }
}

impl schemars::JsonSchema for Vertices {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Vertices".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array", "minItems": 3, "maxItems": 3,
            "items": { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
        })
    }
}

/// A factor of lengths along x, y and z, each above 0; written as it was given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Scale {
    /// The same for all axes.
    Uniform(f64),
    /// One for each axis.
    PerAxis([f64; 3]),
}

impl Scale {
    /// No scale.
    pub const ONE: Self = Self::Uniform(1.0);

    /// The factors of x, y and z.
    pub const fn get(self) -> [f64; 3] {
        match self {
            Self::Uniform(factor) => [factor; 3],
            Self::PerAxis(factors) => factors,
        }
    }
}

fn factor(number: f64) -> bool {
    (1e-6..=MAX_COORDINATE).contains(&number)
}

impl Scale {
    /// The factors, if all are in range; one number if they are equal.
    pub fn new(factors: [f64; 3]) -> Option<Self> {
        let [x, y, z] = factors;
        let scale = if x == y && y == z { Self::Uniform(x) } else { Self::PerAxis(factors) };
        factors.into_iter().all(factor).then_some(scale)
    }
}

impl Read for Scale {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        // A list of one number is that number.
        let one = match value.as_array().map(Vec::as_slice) {
            Some([one]) => one,
            _ => value,
        };
        let uniform = number_in(one, factor).map(Self::Uniform);
        let scale = uniform.or_else(|| triple_in(value, factor).map(Self::PerAxis));
        if scale.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        scale
    }

    fn expected() -> String {
        "a number, or [x, y, z], from 0.000001 to 1000000".into()
    }
}

impl schemars::JsonSchema for Scale {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Scale".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["number", "array"], "exclusiveMinimum": 0,
            "items": { "type": "number" }, "minItems": 3, "maxItems": 3
        })
    }
}
