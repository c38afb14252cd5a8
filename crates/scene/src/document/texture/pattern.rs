//! The patterns of textures: each is a number from 0 to 1 at every point. Lengths are in metres
//! where the mapping is, and in widths of the shape with `uv`, before the texture is scaled.

use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::read::{ObjectReader, PropertyPath, properties, tagged, words};
use crate::values::{Fraction, Length, LengthOrZero, Octaves, TileSize};
use crate::violations::ReadErrors;

use super::placement::Mapping;

properties! {
    /// Cubes of edge 1, the second value in every other one.
    pub struct Checker {}
}

properties! {
    /// Bands across the x axis that repeat after 1.
    pub struct Stripes {
        /// The share of the second value, in the middle of each repeat.
        pub width: Fraction = Fraction::known(0.5),
        /// How soft the edges are.
        pub softness: Fraction = Fraction::known(0.0),
    }
}

properties! {
    /// From the first value at y = 0 to the second at y = 1, and even beyond.
    pub struct Gradient {}
}

words! {
    /// What noise looks like.
    pub enum NoiseKind {
        /// Soft clouds.
        Perlin = "perlin",
        /// Blurred squares.
        Value = "value",
        /// Billows with sharp creases between them.
        Turbulence = "turbulence",
        /// Stones, each of one value.
        Cells = "cells",
        /// The distance to the nearest of scattered points: dimples.
        Voronoi = "voronoi",
        /// Second value on the borders between stones.
        Cracks = "cracks",
    }
}

properties! {
    /// Random, without repeating, of features about 1 in size.
    pub struct Noise {
        /// What it looks like.
        pub kind: NoiseKind = NoiseKind::Perlin,
        /// How many layers, each of half the size and strength of the one before.
        pub octaves: Octaves = Octaves::known(4.0),
        /// How sharply the two values are kept apart.
        pub contrast: Fraction = Fraction::known(0.0),
    }
}

properties! {
    /// Bricks or tiles of the first value in mortar of the second.
    pub struct Brick {
        /// Width and height of a brick with its mortar.
        pub size: TileSize = TileSize::known([0.25, 0.075]),
        /// Thickness of the mortar.
        pub mortar: LengthOrZero = LengthOrZero::known(0.01),
        /// How far each row is shifted against the one below, in bricks; 0 for tiles.
        pub shift: Fraction = Fraction::known(0.5),
        /// How much bricks differ, each some way towards the mortar.
        pub variation: Fraction = Fraction::known(0.25),
    }
}

properties! {
    /// Year rings around a trunk along the x axis, with fibres along it.
    pub struct Wood {
        /// Thickness of a ring.
        pub ring: Length = Length::known(0.02),
        /// How far the rings are from round.
        pub turbulence: Fraction = Fraction::known(0.5),
        /// How much is seen of the fibres.
        pub grain: Fraction = Fraction::known(0.4),
        /// Whether the rings go round the shape's own axis y, as in a log, a turned leg or a bowl; else it
        /// is a board along x, with the middle of the trunk beside it.
        pub log: bool = false,
    }
}

properties! {
    /// Veins through stone, about 0.3 apart.
    pub struct Marble {
        /// How much the veins wind.
        pub turbulence: Fraction = Fraction::known(0.5),
        /// How broad the veins are.
        pub veins: Fraction = Fraction::known(0.4),
    }
}

words! {
    /// What is taken of a picture.
    pub enum Channel {
        /// Every channel for itself; a number takes the luminance.
        Color = "color",
        /// The first.
        Red = "red",
        /// The second.
        Green = "green",
        /// The third.
        Blue = "blue",
        /// How opaque the picture is.
        Alpha = "alpha",
    }
}

words! {
    /// What lies beyond the edges of a picture.
    pub enum Wrap {
        /// The picture again.
        Repeat = "repeat",
        /// The picture mirrored, and so on.
        Mirror = "mirror",
        /// What its edge shows.
        Clamp = "clamp",
    }
}

properties! {
    /// A picture of 1 by 1, upright, whose left lower corner is at the origin; seen as it is where
    /// first and second are left out, else first is its black and second its white.
    pub struct Image {
        /// An uploaded picture by its hash; on the command line a PNG, JPEG or WebP file beside the scene.
        pub asset: AssetName,
        /// What is taken of it.
        pub channel: Channel = Channel::Color,
        /// What lies beyond its edges.
        pub wrap: Wrap = Wrap::Repeat,
    }
}

tagged! {
    /// A number from 0 to 1 at every point; of an image, one for each channel.
    pub enum Pattern {
        /// See [`Checker`].
        Checker = "checker",
        /// See [`Stripes`].
        Stripes = "stripes",
        /// See [`Gradient`].
        Gradient = "gradient",
        /// See [`Noise`].
        Noise = "noise",
        /// See [`Brick`].
        Brick = "brick",
        /// See [`Wood`].
        Wood = "wood",
        /// See [`Marble`].
        Marble = "marble",
        /// See [`Image`].
        Image = "image",
    }
}

impl Pattern {
    /// The default mapping of the pattern.
    pub fn usual_mapping(&self) -> Mapping {
        Self::usual_mapping_of(self.type_name())
    }

    /// The default properties of a type.
    pub(super) fn defaults(type_name: &str) -> Map<String, Value> {
        let mut required = Map::new();
        if type_name == "image" {
            required.insert("asset".into(), "any".into());
        }
        let (bare, mut errors) = (required.clone().into(), ReadErrors::default());
        let reader = ObjectReader::new(&bare, PropertyPath::of("texture"), &mut errors);
        let plain =
            reader.and_then(|mut reader| Self::read_properties(type_name, &mut reader, &[]));
        let mut defaults = plain.map(|pattern| pattern.properties_json()).unwrap_or_default();
        defaults.retain(|name, _| !required.contains_key(name));
        defaults
    }

    /// The default mapping of a type.
    pub(super) fn usual_mapping_of(type_name: &str) -> Mapping {
        match type_name {
            "gradient" | "image" => Mapping::Uv,
            "brick" => Mapping::Box,
            _ => Mapping::Object,
        }
    }
}
