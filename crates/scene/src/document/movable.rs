//! How the values of properties change when the object they belong to is moved, turned, scaled or
//! mirrored. A kind of object moves by moving its properties, each by its type.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::lists::{Heights, Holes, Outline, Points, Profile};
use crate::read::Properties;
use crate::values::{
    Angle, AngularDiameter, ConeAngle, Dimensions, Direction, Displacement, Emission, Exponent,
    Length, LengthOrZero, Octaves, Point, Radii, Rotation, Scale, Seed, SideCount, Sides, Vertices,
};

use super::motion::{Motion, MotionError, tidied, tidy};

/// What a property means for the place and size of its object. Tells clients how it moves and how it
/// is edited.
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
    /// A length, or nested lists of lengths: everything in it is scaled.
    Length,
    /// Factors of lengths.
    Scale,
    /// Emitted light.
    Emission,
    /// An object of properties that have roles of their own.
    Object,
    /// Nothing that place and size are told by.
    Plain,
}

/// A value of a property of something that stands in the scene.
pub(crate) trait Movable: Sized {
    /// What it means for the place and size of its object.
    const ROLE: Role;
    /// The unit of its numbers.
    const UNIT: &'static str = "";
    /// The names of its numbers, where they are not x, y and z.
    const AXES: &'static [&'static str] = &[];

    /// The value after its object was moved.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError>;

    /// The value, if it is the rotation of its object.
    fn as_rotation_mut(&mut self) -> Option<&mut Rotation> {
        None
    }

    /// The properties of an object among the properties.
    fn nested() -> Vec<PropertyInfo> {
        Vec::new()
    }
}

/// The properties of a kind, which move by their types. Implemented by `movable!`.
pub(crate) trait MovableProperties: Properties + Serialize + JsonSchema {
    /// All properties moved, each by itself.
    fn properties_moved(&self, motion: &Motion) -> Result<Self, MotionError>;

    /// The property that is its rotation.
    fn rotation_mut(&mut self) -> Option<&mut Rotation>;

    /// Each property, told to clients.
    fn property_infos() -> Vec<PropertyInfo>;
}

/// A property, told to clients.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropertyInfo {
    /// The name in files and tools.
    pub name: &'static str,
    /// What it means for the place and size of its object.
    pub role: Role,
    /// The value it has when it is left out; `None` for a required one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The unit of its numbers.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
    /// The names of its numbers, where they are not x, y and z.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub axes: &'static [&'static str],
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// Whether its numbers are whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
    /// The words it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Value>,
    /// The properties of an object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyInfo>,
}

impl PropertyInfo {
    /// A property of type `T`, whose schema is that of the property in the schema of its kind.
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

/// Defines properties as `properties!` does, of an object that stands in the scene: all types are
/// [`Movable`].
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

/// Numbers that are lengths.
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
    // What is mirrored looks from the front as it did from the back.
    Outline, |it, motion| Self::new(motion.lengths(it.get(), [motion.handedness(), 1.0]));
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

    /// Stored triangles have no mirror image in the document.
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

/// Values that stay the same wherever their object goes.
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

    /// Lengths in the plane of something, times the factor and a sign for each axis.
    fn lengths(&self, points: &[[f64; 2]], signs: [f64; 2]) -> Vec<[f64; 2]> {
        points.iter().map(|point| [0, 1].map(|at| self.length(point[at] * signs[at]))).collect()
    }
}
