//! The kinds of shapes, a file for each, and the list of them.

mod base;
mod capsule;
mod cone;
mod cuboid;
mod curve;
mod cylinder;
mod disc;
mod ellipsoid;
mod extrusion;
mod height_field;
mod height_noise;
mod lathe;
mod mesh;
mod polyhedron;
mod prism;
mod quad;
mod rounded_box;
mod sphere;
mod text;
mod torus;
mod tube;
mod wedge;

use std::borrow::Cow;

use serde_json::Value;

use crate::assets::Assets;
use crate::bounds::Aabb;
use crate::read::{ObjectReader, PropertyPath, read_type, tagged};
use crate::values::Rotation;
use crate::violations::{ReadErrors, Violations};

use super::kinds::{KindInfo, ShapeKind};
use super::motion::{Motion, MotionError};
use super::movable::MovableProperties;
use super::stretch::Stretch;

pub use base::BaseShape;
pub use capsule::Capsule;
pub use cone::Cone;
pub use cuboid::Box;
pub use curve::Piece;
pub use cylinder::Cylinder;
pub use disc::Disc;
pub use ellipsoid::Ellipsoid;
pub use extrusion::Extrusion;
pub use height_field::{Grid, HeightField, HeightNoise};
pub use lathe::Lathe;
pub use mesh::{Mesh, Triangle};
pub use polyhedron::{Faces, Polyhedron};
pub use prism::Prism;
pub use quad::Quad;
pub(crate) use quad::spanned_normal;
pub use rounded_box::RoundedBox;
pub use sphere::Sphere;
pub use text::{Letter, Text, Words};
pub use torus::Torus;
pub use tube::{Curve, Tube, TubeRadius};
pub use wedge::Wedge;

/// Lists all kinds of shapes once, for all code that depends on the kind.
macro_rules! shapes {
    ($( $(#[$meta:meta])* $kind:ident = $name:literal ),* $(,)?) => {
        tagged! {
            /// The geometry of a shape, in world space.
            pub enum Geometry { $( $(#[$meta])* $kind = $name ),* }
        }

        impl Geometry {
            /// The descriptions of all kinds, for clients.
            pub fn kinds() -> Vec<KindInfo> {
                vec![$( KindInfo::of_shape::<$kind>($name) ),*]
            }

            /// The kinds whose properties are left out of the tools' descriptions.
            pub(crate) const ON_REQUEST: &'static [(&'static str, bool)] =
                &[$( ($name, <$kind as ShapeKind>::ON_REQUEST) ),*];

            /// The bounding box: exact, for smooth curves to a thousandth of the size. `None` for a
            /// mesh, whose extent is not in the document: see [`bounds_with`](Self::bounds_with).
            pub fn bounds(&self) -> Option<Aabb> {
                match self { $( Self::$kind(shape) => shape.bounds() ),* }
            }

            /// Whether its surface is closed, so that its inside is invisible.
            pub fn is_solid(&self) -> bool {
                match self { $( Self::$kind(shape) => shape.is_solid() ),* }
            }

            /// The number of flat sides around the axis of a shape that is round without them.
            pub fn sides(&self) -> Option<u32> {
                let sides = match self { $( Self::$kind(shape) => shape.sides() ),* };
                sides.map(|sides| sides.get() as u32)
            }

            /// How far edges are cut off, in metres.
            pub fn bevel(&self) -> Option<f64> {
                let bevel = match self { $( Self::$kind(shape) => shape.bevel() ),* };
                bevel.map(|bevel| bevel.get())
            }

            /// The rotation property, if the shape has one.
            pub fn rotation_mut(&mut self) -> Option<&mut Rotation> {
                match self { $( Self::$kind(shape) => shape.rotation_mut() ),* }
            }

            /// Translates, rotates, scales and mirrors the shape.
            pub fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
                Ok(match self { $( Self::$kind(shape) => Self::$kind(shape.moved(motion)?) ),* })
            }

            /// Scales the shape along its own axes by `factors`, each above 0, about `pivot`; quads
            /// and triangles along x, y and z.
            pub fn stretched(
                &self,
                factors: [f64; 3],
                pivot: [f64; 3],
            ) -> Result<Self, MotionError> {
                let stretch = Stretch { factors, pivot };
                let stretched = match self {
                    $( Self::$kind(shape) => shape.stretched(&stretch)?.map(Self::$kind) ),*
                };
                stretched.ok_or(MotionError::OneFactorOnly(self.type_name()))
            }
        }
    };
}

shapes! {
    /// See [`Sphere`].
    Sphere = "sphere",
    /// See [`Box`](struct@Box).
    Box = "box",
    /// See [`Quad`].
    Quad = "quad",
    /// See [`Disc`].
    Disc = "disc",
    /// See [`Cylinder`].
    Cylinder = "cylinder",
    /// See [`Cone`].
    Cone = "cone",
    /// See [`Torus`].
    Torus = "torus",
    /// See [`Capsule`].
    Capsule = "capsule",
    /// See [`Triangle`].
    Triangle = "triangle",
    /// See [`Mesh`].
    Mesh = "mesh",
    /// See [`Ellipsoid`].
    Ellipsoid = "ellipsoid",
    /// See [`RoundedBox`].
    RoundedBox = "rounded_box",
    /// See [`Tube`].
    Tube = "tube",
    /// See [`Lathe`].
    Lathe = "lathe",
    /// See [`Extrusion`].
    Extrusion = "extrusion",
    /// See [`Text`].
    Text = "text",
    /// See [`HeightField`].
    HeightField = "height_field",
    /// See [`Wedge`].
    Wedge = "wedge",
    /// See [`Prism`].
    Prism = "prism",
    /// See [`Polyhedron`].
    Polyhedron = "polyhedron",
}

impl Geometry {
    /// Parses the properties of a shape of this type, without its material.
    pub fn from_json(type_name: &str, properties: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let place = PropertyPath::of("the shape");
        let known = read_type(Some(&type_name.into()), Self::TYPES, &place, &mut errors);
        let geometry = known.and_then(|type_name| {
            let mut reader = ObjectReader::new(properties, place, &mut errors)?;
            Self::read_properties(type_name, &mut reader, &[])
        });
        errors.finish(geometry)
    }

    /// The shape for the geometry crates.
    pub fn base(&self) -> BaseShape<'_> {
        match self {
            Self::Sphere(shape) => BaseShape::Sphere(shape),
            Self::Box(shape) => BaseShape::Box(shape),
            Self::Quad(shape) => BaseShape::Quad(shape),
            Self::Disc(shape) => BaseShape::Disc(shape),
            Self::Cylinder(shape) => BaseShape::Cylinder(shape),
            Self::Cone(shape) => BaseShape::Cone(shape),
            Self::Torus(shape) => BaseShape::Torus(shape),
            Self::Capsule(shape) => BaseShape::Capsule(shape),
            Self::Triangle(shape) => BaseShape::Triangle(shape),
            Self::Mesh(shape) => BaseShape::Mesh(shape),
            Self::Ellipsoid(shape) => BaseShape::Ellipsoid(shape),
            Self::RoundedBox(shape) => BaseShape::RoundedBox(shape),
            Self::Tube(shape) => BaseShape::Tube(shape),
            Self::Lathe(shape) => BaseShape::Lathe(shape),
            Self::Extrusion(shape) => BaseShape::Extrusion(Cow::Borrowed(shape)),
            Self::Wedge(shape) => BaseShape::Extrusion(Cow::Owned(shape.as_extrusion())),
            Self::Prism(shape) => BaseShape::Extrusion(Cow::Owned(shape.as_extrusion())),
            Self::Text(shape) => BaseShape::Text(shape),
            Self::HeightField(shape) => BaseShape::HeightField(shape),
            Self::Polyhedron(shape) => BaseShape::Polyhedron(shape),
        }
    }

    /// Like [`bounds`](Self::bounds), also for meshes in `assets`. The box of a rotated mesh is
    /// that of its rotated box, so it may be larger than necessary.
    pub fn bounds_with(&self, assets: &dyn Assets) -> Option<Aabb> {
        match self {
            Self::Mesh(mesh) => Some(mesh.bounds_of(assets.bounds(mesh.asset.as_str())?)),
            _ => self.bounds(),
        }
    }
}
