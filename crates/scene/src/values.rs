//! Small typed values of properties. The reader validates their ranges.

mod numbers;
mod several;

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read};
use crate::violations::ReadErrors;

use numbers::{direction, number_in, pair_in, triple_in};
pub use several::{Scale, TileSize, Vertices};

/// The maximum of coordinates and lengths, in metres: far below the limits of single-precision ray
/// tracing, and small enough to catch a mistyped exponent.
pub const MAX_COORDINATE: f64 = 1e6;

/// The maximum emission or radiance of a channel.
pub const MAX_RADIANCE: f64 = 1e9;

/// Defines a newtype over a number or a triple of numbers with a range.
macro_rules! ranged {
    ($(#[$meta:meta])* $name:ident($inner:ty), $reader:ident, $accept:expr, $expected:literal, $schema:tt) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Serialize)]
        #[serde(transparent)]
        pub struct $name($inner);

        impl $name {
            /// The value.
            pub const fn get(self) -> $inner {
                self.0
            }

            /// The value, if it is in range.
            pub fn new(value: $inner) -> Option<Self> {
                $reader(&value, $accept).map(Self)
            }
        }

        impl Read for $name {
            fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
                let number = $reader(value, $accept);
                if number.is_none() {
                    at.must_be($expected, value, errors);
                }
                number.map(Self)
            }

            fn expected() -> String {
                $expected.to_owned()
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
                schemars::json_schema!($schema)
            }
        }
    };
}

fn coordinate(number: f64) -> bool {
    number.abs() <= MAX_COORDINATE
}

ranged!(
    /// A point in world space, in metres.
    Point([f64; 3]), triple_in, coordinate,
    "[x, y, z] with numbers within ±1000000",
    { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// A displacement in world space, in metres.
    Displacement([f64; 3]), triple_in, coordinate,
    "[x, y, z] with numbers within ±1000000",
    { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// Three edge lengths [w, h, d], in metres, each above 0.
    Dimensions([f64; 3]), triple_in, |number| number > 0.0 && number <= MAX_COORDINATE,
    "[w, h, d] with numbers > 0 and <= 1000000",
    { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// Three radii [x, y, z], in metres, each above 0.
    Radii([f64; 3]), triple_in, |number| number > 0.0 && number <= MAX_COORDINATE,
    "[x, y, z] with numbers > 0 and <= 1000000",
    { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// A length above 0, in metres.
    Length(f64), number_in, |number| number > 0.0 && number <= MAX_COORDINATE,
    "a number > 0 and <= 1000000",
    { "type": "number", "exclusiveMinimum": 0 }
);
ranged!(
    /// A length of 0 or more, in metres.
    LengthOrZero(f64), number_in, |number| (0.0..=MAX_COORDINATE).contains(&number),
    "a number >= 0 and <= 1000000",
    { "type": "number", "minimum": 0 }
);
ranged!(
    /// A reflectance in linear sRGB, each channel in 0..1.
    Albedo([f64; 3]), triple_in, |number| (0.0..=1.0).contains(&number),
    "[r, g, b] with numbers from 0 to 1",
    { "type": "array", "items": { "type": "number", "minimum": 0, "maximum": 1 }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// Emitted light in linear sRGB: W/(sr m^2) per channel, W/sr for point lights; each >= 0.
    Emission([f64; 3]), triple_in, |number| (0.0..=MAX_RADIANCE).contains(&number),
    "[r, g, b] with numbers >= 0 and <= 1000000000",
    { "type": "array", "items": { "type": "number", "minimum": 0 }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// A number from 0 to 1.
    Fraction(f64), number_in, |number| (0.0..=1.0).contains(&number),
    "a number from 0 to 1",
    { "type": "number", "minimum": 0, "maximum": 1 }
);
ranged!(
    /// The height of a relief over its surface, in metres; below 0 it is sunk.
    Height(f64), number_in, |number| number.abs() <= 10.0,
    "a number of meters from -10 to 10",
    { "type": "number" }
);
ranged!(
    /// How many layers of noise, from 1 to 8.
    Octaves(f64), number_in, |number| (1.0..=8.0).contains(&number) && number.fract() == 0.0,
    "a whole number from 1 to 8",
    { "type": "number", "minimum": 1, "maximum": 8 }
);
ranged!(
    /// A brightness of 0 or more: how many times as bright as radiance 1 W/(sr m^2).
    Brightness(f64), number_in, |number| (0.0..=MAX_RADIANCE).contains(&number),
    "a number >= 0 and <= 1000000000",
    { "type": "number", "minimum": 0 }
);
ranged!(
    /// The thickness of a thin film, in micrometres, from 0 to 10.
    FilmThickness(f64), number_in, |number| (0.0..=10.0).contains(&number),
    "a number of micrometers from 0 to 10",
    { "type": "number", "minimum": 0, "maximum": 10 }
);
ranged!(
    /// A refractive index of 1 or more.
    RefractiveIndex(f64), number_in, |number| (1.0..=100.0).contains(&number),
    "a number >= 1 (water 1.33, glass 1.5, diamond 2.42) and <= 100",
    { "type": "number", "minimum": 1 }
);
ranged!(
    /// The half-angle of a cone of light, in degrees, from 0 to 180.
    ConeAngle(f64), number_in, |number| (0.0..=180.0).contains(&number),
    "a number of degrees from 0 to 180",
    { "type": "number", "minimum": 0, "maximum": 180 }
);
ranged!(
    /// An angle in degrees, within a turn either way.
    Angle(f64), number_in, |number| (-360.0..=360.0).contains(&number),
    "a number of degrees from -360 to 360",
    { "type": "number", "minimum": -360, "maximum": 360 }
);
ranged!(
    /// A vertical field of view, in degrees, between 0 and 180.
    FieldOfView(f64), number_in, |number| (0.1..=179.0).contains(&number),
    "a number of degrees from 0.1 to 179",
    { "type": "number", "minimum": 0.1, "maximum": 179 }
);
ranged!(
    /// An exposure in stops, from -20 to 20.
    Stops(f64), number_in, |number| (-20.0..=20.0).contains(&number),
    "a number of stops from -20 to 20",
    { "type": "number", "minimum": -20, "maximum": 20 }
);
ranged!(
    /// A time of day in hours, from 0 to 24.
    Hours(f64), number_in, |number| (0.0..=24.0).contains(&number),
    "a number of hours from 0 to 24",
    { "type": "number", "minimum": 0, "maximum": 24 }
);
ranged!(
    /// A time in seconds, from 0 to 600.
    Seconds(f64), number_in, |number| (0.0..=600.0).contains(&number),
    "a number of seconds from 0 to 600",
    { "type": "number", "minimum": 0, "maximum": 600 }
);
ranged!(
    /// How long an animation is, in seconds, from 0.04 to 600.
    PlayTime(f64), number_in, |number| (0.04..=600.0).contains(&number),
    "a number of seconds from 0.04 to 600",
    { "type": "number", "minimum": 0.04, "maximum": 600 }
);
ranged!(
    /// By how much something is turned, in degrees, other than 0.
    Turn(f64), number_in, |number| number != 0.0 && number.abs() <= 36_000.0,
    "a number of degrees within ±36000, not 0",
    { "type": "number" }
);
ranged!(
    /// Pictures a second, from 1 to 60.
    FrameRate(f64), number_in, |number| (1.0..=60.0).contains(&number) && number.fract() == 0.0,
    "a whole number of frames a second from 1 to 60",
    { "type": "integer", "minimum": 1, "maximum": 60 }
);
ranged!(
    /// Degrees north of the equator, from -90 to 90.
    Latitude(f64), number_in, |number| (-90.0..=90.0).contains(&number),
    "a number of degrees from -90 to 90",
    { "type": "number", "minimum": -90, "maximum": 90 }
);
ranged!(
    /// A day of the year, from 1 to 366.
    DayOfYear(f64), number_in, |number| (1.0..=366.0).contains(&number),
    "a number from 1 to 366",
    { "type": "number", "minimum": 1, "maximum": 366 }
);
ranged!(
    /// How much haze is in the air, from 0 to 10; 1 on a clear day.
    Haze(f64), number_in, |number| (0.0..=10.0).contains(&number),
    "a number from 0 to 10",
    { "type": "number", "minimum": 0, "maximum": 10 }
);
ranged!(
    /// A height over y = 0 in metres, below it negative.
    Altitude(f64), number_in, coordinate,
    "a number within ±1000000",
    { "type": "number" }
);
ranged!(
    /// The mean cosine of scattering, from -0.95 (back) to 0.95 (ahead).
    Asymmetry(f64), number_in, |number| (-0.95..=0.95).contains(&number),
    "a number from -0.95 to 0.95",
    { "type": "number", "minimum": -0.95, "maximum": 0.95 }
);
ranged!(
    /// How large something far away looks, in degrees, from 0.05 to 90.
    AngularDiameter(f64), number_in, |number| (0.05..=90.0).contains(&number),
    "a number of degrees from 0.05 to 90",
    { "type": "number", "minimum": 0.05, "maximum": 90 }
);
ranged!(
    /// An exponent of 0 or more.
    Exponent(f64), number_in, |number| (0.0..=10_000.0).contains(&number),
    "a number from 0 to 10000",
    { "type": "number", "minimum": 0 }
);
ranged!(
    /// Euler angles [x, y, z], in degrees, applied X, then Y, then Z.
    Rotation([f64; 3]), triple_in, coordinate,
    "[x, y, z] in degrees",
    { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
);
ranged!(
    /// A direction in world space, of any length above 0.
    Direction([f64; 3]), direction, coordinate,
    "[x, y, z] that is not [0, 0, 0], with numbers within ±1000000",
    { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 }
);

ranged!(
    /// Two edge lengths, in metres, each above 0.
    Sides([f64; 2]), pair_in, |number| number > 0.0 && number <= MAX_COORDINATE,
    "[width, depth] with numbers > 0 and <= 1000000",
    { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 }
);
ranged!(
    /// A whole number that chance begins with.
    Seed(f64), number_in, |number| (0.0..=4_294_967_295.0).contains(&number) && number.fract() == 0.0,
    "a whole number from 0 to 4294967295",
    { "type": "integer", "minimum": 0 }
);

ranged!(
    /// How many sides a regular polygon has, from 3 to 64.
    SideCount(f64), number_in, |number| (3.0..=64.0).contains(&number) && number.fract() == 0.0,
    "a whole number from 3 to 64",
    { "type": "integer", "minimum": 3, "maximum": 64 }
);

impl Rotation {
    /// No rotation.
    pub const NONE: Self = Self([0.0; 3]);
}

impl Displacement {
    /// No displacement.
    pub const NONE: Self = Self([0.0; 3]);
}

impl Point {
    /// [0, 0, 0].
    pub const ORIGIN: Self = Self([0.0; 3]);
}

impl Direction {
    /// Straight down.
    pub const DOWN: Self = Self([0.0, -1.0, 0.0]);
    /// Straight up.
    pub const UP: Self = Self([0.0, 1.0, 0.0]);
}

/// Constants for defaults, which are in range.
macro_rules! known {
    ($($name:ident($inner:ty)),*) => {
        $(impl $name {
            /// A constant that is known to be in range.
            pub(crate) const fn known(value: $inner) -> Self {
                Self(value)
            }
        })*
    };
}

known!(
    Point([f64; 3]),
    Displacement([f64; 3]),
    Dimensions([f64; 3]),
    Radii([f64; 3]),
    Sides([f64; 2]),
    Seed(f64),
    SideCount(f64),
    Rotation([f64; 3]),
    Albedo([f64; 3]),
    Emission([f64; 3]),
    Brightness(f64),
    FilmThickness(f64),
    Fraction(f64),
    Height(f64),
    Length(f64),
    Octaves(f64),
    Hours(f64),
    PlayTime(f64),
    FrameRate(f64),
    Turn(f64),
    Latitude(f64),
    DayOfYear(f64),
    Haze(f64),
    Asymmetry(f64),
    AngularDiameter(f64),
    LengthOrZero(f64),
    RefractiveIndex(f64),
    Angle(f64),
    ConeAngle(f64),
    FieldOfView(f64),
    Stops(f64),
    Exponent(f64)
);

impl Read for bool {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let flag = value.as_bool();
        if flag.is_none() {
            at.must_be("true or false", value, errors);
        }
        flag
    }

    fn expected() -> String {
        "true or false".into()
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value, at, errors).map(Some) }
    }

    fn expected() -> String {
        format!("{} or null", T::expected())
    }
}
