//! Values that textures can mix.

use serde::Serialize;

use crate::read::Read;
use crate::values::{Albedo, Emission, FilmThickness, Fraction, Height};

/// A number or a colour that can vary over a surface. Mixtures of two valid values are valid.
pub trait Variable: Read + Serialize + schemars::JsonSchema + Copy + PartialEq {
    /// Whether it is a colour.
    const IS_COLOR: bool;

    /// The value as three channels; a number is the same in all.
    fn channels(self) -> [f64; 3];

    /// The value with these channels, which are between those of valid values; a number uses the
    /// first.
    fn of_channels(channels: [f64; 3]) -> Self;

    /// The default values of a texture of this type.
    fn defaults(pattern: &str) -> [Self; 2];
}

impl Variable for Albedo {
    const IS_COLOR: bool = true;

    fn channels(self) -> [f64; 3] {
        self.get()
    }

    fn of_channels(channels: [f64; 3]) -> Self {
        Self::known(channels)
    }

    fn defaults(pattern: &str) -> [Self; 2] {
        match pattern {
            "checker" | "stripes" => [[0.8; 3], [0.05; 3]],
            "brick" => [[0.36, 0.1, 0.06], [0.55, 0.52, 0.47]],
            "wood" => [[0.45, 0.25, 0.11], [0.2, 0.088, 0.03]],
            "marble" => [[0.85, 0.84, 0.82], [0.16, 0.17, 0.19]],
            _ => [[0.0; 3], [1.0; 3]],
        }
        .map(Self::known)
    }
}

impl Variable for Emission {
    const IS_COLOR: bool = true;

    fn channels(self) -> [f64; 3] {
        self.get()
    }

    fn of_channels(channels: [f64; 3]) -> Self {
        Self::known(channels)
    }

    fn defaults(_: &str) -> [Self; 2] {
        [[0.0; 3], [1.0; 3]].map(Self::known)
    }
}

/// Implements [`Variable`] for numbers, with the ends of their range as defaults.
macro_rules! numbers {
    ($($name:ident: $first:literal to $second:literal),*) => {
        $(impl Variable for $name {
            const IS_COLOR: bool = false;

            fn channels(self) -> [f64; 3] {
                [self.get(); 3]
            }

            fn of_channels([number, ..]: [f64; 3]) -> Self {
                Self::known(number)
            }

            fn defaults(_: &str) -> [Self; 2] {
                [$first, $second].map(Self::known)
            }
        })*
    };
}

numbers!(Fraction: 0.0 to 1.0, FilmThickness: 0.1 to 0.7, Height: 0.0 to 0.005);
