//! Transforms of property values. An object is transformed by transforming its properties, each by
//! its type.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::lists::{Corners, Heights, Holes, Outline, Points, Profile};
use crate::read::Properties;
use crate::values::{
    Angle, AngularDiameter, ConeAngle, Dimensions, Direction, Displacement, Emission, Exponent,
    Length, LengthOrZero, Octaves, Point, Radii, Rotation, Scale, Seed, SideCount, Sides, Vertices,
};

use super::motion::{Motion, MotionError, tidied, tidy};

/// The geometric role of a property. It tells clients how to transform and edit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A point in world space.
    Point,
    /// A list of points in world space.
    Points,
    /// A displacement in world space.
    Edge,
    /// A direction in world space, of any length.
    Direction,
    /// Euler angles in degrees.
    Rotation,
    /// A length, or nested lists of lengths: all are scaled.
    Length,
    /// Scale factors.
    Scale,
    /// Emitted light.
    Emission,
    /// An object whose properties have their own roles.
    Object,
    /// Not geometric.
    Plain,
}

/// A property value of an object in the scene.
pub(crate) trait Movable: Sized {
    /// Its geometric role.
    const ROLE: Role;
    /// The unit of its numbers.
    const UNIT: &'static str = "";
    /// The names of its components, if they are not x, y and z.
    const AXES: &'static [&'static str] = &[];

    /// The value of the transformed object.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError>;

    /// The value as the rotation of its object, if it is one.
    fn as_rotation_mut(&mut self) -> Option<&mut Rotation> {
        None
    }

    /// The descriptions of nested properties.
    fn nested() -> Vec<PropertyInfo> {
        Vec::new()
    }
}

/// The properties of a kind; each is transformed by its type. Implemented by `movable!`.
pub(crate) trait MovableProperties: Properties + Serialize + JsonSchema {
    /// Transforms all properties individually.
    fn properties_moved(&self, motion: &Motion) -> Result<Self, MotionError>;

    /// The rotation property.
    fn rotation_mut(&mut self) -> Option<&mut Rotation>;

    /// The descriptions of all properties, for clients.
    fn property_infos() -> Vec<PropertyInfo>;
}

/// The description of a property, for clients.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropertyInfo {
    /// Its name in files and tools.
    pub name: &'static str,
    /// Its geometric role.
    pub role: Role,
    /// The default value; `None` if it is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The unit of its numbers.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    /// The names of its components, if they are not x, y and z.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub axes: &'static [&'static str],
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// Whether its numbers are integers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
    /// The allowed words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Value>,
    /// The properties of a nested object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyInfo>,
}

impl PropertyInfo {
    /// Describes a property of type `T` by its schema within that of its kind.
    pub(crate) fn of<T: Movable>(
        name: &'static str,
        default: Option<Value>,
        schemas: &Map<String, Value>,
    ) -> Self {
        let keyword = |keyword: &str| schemas.get(name)?.get(keyword).cloned();
        Self {
            name,
            role: T::ROLE,
            default,
            unit: T::UNIT,
            axes: T::AXES,
            min: keyword("minimum").or_else(|| keyword("exclusiveMinimum")),
            max: keyword("maximum"),
            whole: keyword("type").is_some_and(|kind| kind == "integer"),
            words: keyword("enum"),
            properties: T::nested(),
        }
    }
}

/// The schemas of the properties of `T`, by name.
pub(crate) fn property_schemas<T: JsonSchema>() -> Map<String, Value> {
    let schema = schemars::schema_for!(T);
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Defines properties like `properties!`, for an object in the scene: all types are [`Movable`].
macro_rules! movable {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* pub $field:ident : $type:ty $(= $default:expr)? ),* $(,)?
        }
        $(check($self:ident, $reader:ident) $check:block)?
    ) => {
        $crate::read::properties! {
            $(#[$meta])*
            pub struct $name {
                $( $(#[$field_meta])* pub $field : $type $(= $default)? ),*
            }
            $(check($self, $reader) $check)?
        }

        impl $crate::document::movable::MovableProperties for $name {
            fn properties_moved(
                &self,
                motion: &$crate::Motion,
            ) -> Result<Self, $crate::MotionError> {
                use $crate::document::movable::Movable;
                Ok(Self { $( $field: self.$field.moved(motion)? ),* })
            }

            fn rotation_mut(&mut self) -> Option<&mut $crate::values::Rotation> {
                use $crate::document::movable::Movable;
                $( if let Some(rotation) = self.$field.as_rotation_mut() {
                    return Some(rotation);
                } )*
                None
            }

            fn property_infos() -> Vec<$crate::document::movable::PropertyInfo> {
                use $crate::document::movable::{PropertyInfo, property_schemas};
                let schemas = property_schemas::<Self>();
                vec![ $( PropertyInfo::of::<$type>(
                    stringify!($field),
                    $crate::document::movable::movable!(@default $type $(, $default)?),
                    &schemas,
                ) ),* ]
            }
        }
    };
    (@default $type:ty) => { None };
    (@default $type:ty, $default:expr) => {{
        let default: $type = $default;
        Some(serde_json::to_value(&default).unwrap_or_default())
    }};
}

pub(crate) use movable;

impl Movable for Point {
    const ROLE: Role = Role::Point;
    const UNIT: &'static str = "m";

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        Self::new(tidy(motion.point(self.get()))).ok_or(MotionError::OutOfRange)
    }
}

impl Movable for Points {
    const ROLE: Role = Role::Points;
    const UNIT: &'static str = "m";

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        let points = self.get().iter().map(|point| tidy(motion.point(*point))).collect();
        Self::new(points).ok_or(MotionError::OutOfRange)
    }
}

impl Movable for Vertices {
    const ROLE: Role = Role::Points;
    const UNIT: &'static str = "m";

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        let corners = self.get().map(|corner| tidy(motion.point(corner)));
        Self::new(corners).ok_or(MotionError::OutOfRange)
    }
}

impl Movable for Displacement {
    const ROLE: Role = Role::Edge;
    const UNIT: &'static str = "m";

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        Self::new(tidy(motion.vector(self.get()))).ok_or(MotionError::OutOfRange)
    }
}

impl Movable for Direction {
    const ROLE: Role = Role::Direction;

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        Self::new(tidy(motion.direction(self.get()))).ok_or(MotionError::OutOfRange)
    }
}

impl Movable for Rotation {
    const ROLE: Role = Role::Rotation;
    const UNIT: &'static str = "°";

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        Self::new(tidy(motion.rotation(self.get()))).ok_or(MotionError::OutOfRange)
    }

    fn as_rotation_mut(&mut self) -> Option<&mut Rotation> {
        Some(self)
    }
}

/// Implements [`Movable`] for lengths.
macro_rules! lengths {
    ($( $type:ty $([$($axis:literal),*])?, $scaled:expr; )*) => { $(
        impl Movable for $type {
            const ROLE: Role = Role::Length;
            const UNIT: &'static str = "m";
            $( const AXES: &'static [&'static str] = &[$($axis),*]; )?

            fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
                let scaled: fn(&Self, &Motion) -> Option<Self> = $scaled;
                scaled(self, motion).ok_or(MotionError::OutOfRange)
            }
        }
    )* };
}

lengths! {
    Length, |it, motion| Self::new(motion.length(it.get()));
    LengthOrZero, |it, motion| Self::new(motion.length(it.get()));
    Dimensions ["w", "h", "d"], |it, motion| Self::new(it.get().map(|one| motion.length(one)));
    Radii, |it, motion| Self::new(it.get().map(|one| motion.length(one)));
    Sides ["w", "d"], |it, motion| Self::new(it.get().map(|one| motion.length(one)));
    Profile, |it, motion| Self::new(motion.lengths(it.get(), [1.0, 1.0]));
    // A mirrored outline, seen from the front, is the original seen from the back.
    Outline, |it, motion| Self::new(motion.lengths(it.get(), [motion.handedness(), 1.0]));
    // Mirrored through x, which a turn of its rotation makes up for.
    Corners, |it, motion| {
        let side = motion.handedness();
        let corners = it.get().iter().map(|[x, y, z]| [x * side, *y, *z].map(|at| motion.length(at)));
        Self::new(corners.collect())
    };
    Holes, |it, motion| {
        let outlines = it.get().iter().map(|outline| outline.moved(motion).ok());
        Self::new(outlines.collect::<Option<_>>()?)
    };
    Heights, |it, motion| {
        let row = |row: &Vec<f64>| {
            let scaled = row.iter().map(|height| motion.length(*height));
            if motion.is_mirror() { scaled.rev().collect() } else { scaled.collect() }
        };
        Self::new(it.rows().iter().map(row).collect())
    };
}

impl Movable for Scale {
    const ROLE: Role = Role::Scale;

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        let factors = self.get().map(|factor| motion.length(factor));
        Self::new(factors).ok_or(MotionError::OutOfRange)
    }
}

impl Movable for AssetName {
    const ROLE: Role = Role::Plain;

    /// The document cannot represent mirrored meshes.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        if motion.is_mirror() { Err(MotionError::Mirrored("mesh")) } else { Ok(self.clone()) }
    }
}

impl<T: Movable> Movable for Option<T> {
    const ROLE: Role = T::ROLE;
    const UNIT: &'static str = T::UNIT;
    const AXES: &'static [&'static str] = T::AXES;

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.as_ref().map(|value| value.moved(motion)).transpose()
    }

    fn nested() -> Vec<PropertyInfo> {
        T::nested()
    }
}

/// Implements [`Movable`] for values that transforms do not change.
macro_rules! stays {
    ($( $type:ty, $role:ident, $unit:literal; )*) => { $(
        impl $crate::document::movable::Movable for $type {
            const ROLE: $crate::document::movable::Role =
                $crate::document::movable::Role::$role;
            const UNIT: &'static str = $unit;

            fn moved(
                &self,
                _: &$crate::Motion,
            ) -> Result<Self, $crate::MotionError> {
                Ok(*self)
            }
        }
    )* };
}

pub(crate) use stays;

stays! {
    bool, Plain, "";
    Angle, Plain, "°";
    ConeAngle, Plain, "°";
    AngularDiameter, Plain, "°";
    Exponent, Plain, "";
    Emission, Emission, "";
    Seed, Plain, "";
    Octaves, Plain, "";
    SideCount, Plain, "";
}

impl Motion {
    fn length(&self, length: f64) -> f64 {
        tidied(length * self.factor())
    }

    /// Scales planar lengths by the factor, with a sign for each axis.
    fn lengths(&self, points: &[[f64; 2]], signs: [f64; 2]) -> Vec<[f64; 2]> {
        points.iter().map(|point| [0, 1].map(|at| self.length(point[at] * signs[at]))).collect()
    }
}
