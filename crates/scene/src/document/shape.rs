//! The shapes.

use serde_json::Value;

use crate::assets::Assets;
use crate::bounds::Aabb;
use crate::read::{ObjectReader, Place, properties, read_type, tagged};
use crate::values::{Dimensions, Direction, Displacement, Length, LengthOrZero, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};
use crate::violations::{Faults, Violations};

use super::capsule::Capsule;
use super::ellipsoid::Ellipsoid;
use super::extrusion::Extrusion;
use super::height_field::HeightField;
use super::lathe::Lathe;
use super::mesh::{Mesh, Triangle};
use super::rounded_box::RoundedBox;
use super::text::Text;
use super::torus::Torus;
use super::tube::Tube;

properties! {
    /// A ball.
    pub struct Sphere {
        /// The centre.
        pub center: Point,
        /// The radius.
        pub radius: Length,
    }
}

properties! {
    /// A cuboid, turned about its centre.
    pub struct Box {
        /// The centre.
        pub center: Point,
        /// Full edge lengths [w, h, d] along x, y, z before the rotation.
        pub dimensions: Dimensions,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
}

properties! {
    /// A parallelogram `corner + a u + b v`, a and b in 0..1. Visible from both sides.
    pub struct Quad {
        /// One corner.
        pub corner: Point,
        /// The edge from the corner to the next.
        pub u: Displacement,
        /// The edge from the corner to the one before.
        pub v: Displacement,
    }
    check(self, reader) {
        if spanned_normal(self.u, self.v).is_none() {
            reader.fault("'u' and 'v' must not be parallel or zero: they span the area");
        }
    }
}

properties! {
    /// A flat disc. Visible from both sides.
    pub struct Disc {
        /// The centre.
        pub center: Point,
        /// The direction it faces, of any length.
        pub normal: Direction,
        /// The radius.
        pub radius: Length,
    }
}

properties! {
    /// A round cylinder.
    pub struct Cylinder {
        /// Centre of the lower end.
        pub base_center: Point,
        /// Centre of the upper end.
        pub top_center: Point,
        /// The radius.
        pub radius: Length,
        /// Whether both ends are closed by discs.
        pub capped: bool,
    }
    check(self, reader) {
        check_axis(self.base_center, self.top_center, reader);
    }
}

properties! {
    /// A cone, or a frustum when the top radius is above 0.
    pub struct Cone {
        /// Centre of the wide end.
        pub base_center: Point,
        /// Radius of the wide end.
        pub base_radius: Length,
        /// Centre of the narrow end: the tip when top_radius is 0.
        pub top_center: Point,
        /// Radius of the narrow end; 0 = pointed; below base_radius.
        pub top_radius: LengthOrZero,
        /// Whether the ends are closed by discs.
        pub capped: bool,
    }
    check(self, reader) {
        check_axis(self.base_center, self.top_center, reader);
        if self.top_radius.get() >= self.base_radius.get() {
            reader.fault(&format!(
                "'top_radius' must be below 'base_radius' ({}), got {}; swap the ends, or use a cylinder",
                self.base_radius.get(), self.top_radius.get()
            ));
        }
    }
}

tagged! {
    /// The geometry of a shape, in world space.
    pub enum Geometry {
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
    }
}

fn check_axis(base: Point, top: Point, reader: &mut crate::read::ObjectReader<'_>) {
    if (Vector(top.get()) - Vector(base.get())).length() < 1e-9 {
        reader.fault("'base_center' and 'top_center' must be different points");
    }
}

/// The unit normal of the parallelogram `u`, `v`; `None` when it has no area.
pub(crate) fn spanned_normal(u: Displacement, v: Displacement) -> Option<Vector> {
    let (u, v) = (Vector(u.get()), Vector(v.get()));
    let cross = u.cross(v);
    (cross.length() > 1e-9 * u.length() * v.length() && cross.length() > 0.0)
        .then(|| cross * (1.0 / cross.length()))
}

impl Geometry {
    /// Reads the properties of a shape of this type, without its material.
    pub fn from_json(type_name: &str, properties: &Value) -> Result<Self, Violations> {
        let mut faults = Faults::default();
        let place = Place::of("the shape");
        let known = read_type(Some(&type_name.into()), Self::TYPES, &place, &mut faults);
        let geometry = known.and_then(|type_name| {
            let mut reader = ObjectReader::new(properties, place, &mut faults)?;
            Self::read_properties(type_name, &mut reader, &[])
        });
        faults.finish(geometry)
    }

    /// The smallest axis-aligned box in world space that holds the shape; exact, of smooth lines to a
    /// thousandth of the size. `None` for a mesh,
    /// whose extent is not in the document: see [`bounds_with`](Self::bounds_with).
    pub fn bounds(&self) -> Option<Aabb> {
        Some(match self {
            Self::Mesh(_) => return None,
            Self::Triangle(triangle) => triangle.bounds(),
            Self::Torus(torus) => torus.bounds(),
            Self::Capsule(capsule) => capsule.bounds(),
            Self::Ellipsoid(ellipsoid) => ellipsoid.bounds(),
            Self::RoundedBox(cuboid) => cuboid.bounds(),
            Self::Tube(tube) => tube.bounds(),
            Self::Lathe(lathe) => lathe.bounds(),
            Self::Extrusion(extrusion) => extrusion.bounds(),
            Self::Text(text) => text.bounds(),
            Self::HeightField(field) => field.bounds(),
            Self::Sphere(sphere) => Aabb::around_ball(sphere.center.get(), sphere.radius.get()),
            Self::Box(cuboid) => {
                let rows = rotation_matrix(cuboid.rotation.get());
                let half = Vector(cuboid.dimensions.get()) * 0.5;
                let reach = rows.map(|row| row.map(f64::abs)).map(|row| Vector(row).dot(half));
                Aabb::around(cuboid.center.get(), reach)
            }
            Self::Quad(quad) => Aabb::around_parallelogram(quad.corner, quad.u, quad.v),
            Self::Disc(disc) => {
                Aabb::around_disc(disc.center, Vector(disc.normal.get()), disc.radius.get())
            }
            Self::Cylinder(cylinder) => {
                let axis = Vector(cylinder.top_center.get()) - Vector(cylinder.base_center.get());
                let radius = cylinder.radius.get();
                Aabb::around_disc(cylinder.base_center, axis, radius).union(Aabb::around_disc(
                    cylinder.top_center,
                    axis,
                    radius,
                ))
            }
            Self::Cone(cone) => {
                let axis = Vector(cone.top_center.get()) - Vector(cone.base_center.get());
                Aabb::around_disc(cone.base_center, axis, cone.base_radius.get())
                    .union(Aabb::around_disc(cone.top_center, axis, cone.top_radius.get()))
            }
        })
    }

    /// As [`bounds`](Self::bounds), also for meshes that `assets` holds. The box of a turned mesh is
    /// that of its turned box, so it may be larger than needed.
    pub fn bounds_with(&self, assets: &dyn Assets) -> Option<Aabb> {
        match self {
            Self::Mesh(mesh) => Some(mesh.bounds(assets.bounds(mesh.asset.as_str())?)),
            _ => self.bounds(),
        }
    }
}
