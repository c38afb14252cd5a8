//! How a pattern lies on a surface.

use serde_json::{Map, Value};

use crate::read::{properties, words};
use crate::values::{Displacement, Rotation, Scale};

words! {
    /// The coordinates a pattern is laid out in.
    pub enum Mapping {
        /// The shape's own, in metres: the pattern fills space and moves and turns with the shape.
        Object = "object",
        /// Those of the world, in metres: shapes next to each other share the pattern.
        World = "world",
        /// The shape's own, in metres, projected along the axis the surface faces most.
        Box = "box",
        /// The surface's own, u and v from 0 to 1 over the whole shape.
        Uv = "uv",
        /// Round the shape's axis, or the middle of a flat one: x the distance from it and y the way along
        /// it in metres, z the angle from 0 to 1.
        Round = "round",
    }
}

properties! {
    /// How a pattern lies on a surface: it is scaled, then turned, then moved, as meshes are.
    pub struct Placement {
        /// The coordinates it is laid out in; null: those that suit the pattern.
        pub mapping: Option<Mapping> = None,
        /// The factor of all its lengths: a number, or [x, y, z].
        pub scale: Scale = Scale::ONE,
        /// Where its origin comes to lie.
        pub offset: Displacement = Displacement::NONE,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
}

impl Default for Placement {
    /// The default mapping of the pattern, without a transform.
    fn default() -> Self {
        Self {
            mapping: None,
            scale: Scale::ONE,
            offset: Displacement::NONE,
            rotation: Rotation::NONE,
        }
    }
}

pub(super) fn as_map(placement: &Placement) -> Map<String, Value> {
    match serde_json::to_value(placement) {
        Ok(Value::Object(map)) => map,
        // It contains only strings and numbers, so it always serialises to an object.
        _ => Map::new(),
    }
}
