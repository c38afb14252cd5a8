//! The shapes that the geometry crates support: every kind of shape is one of these or is described
//! by one.

use std::borrow::Cow;

use super::capsule::Capsule;
use super::cone::Cone;
use super::cuboid::Box;
use super::cylinder::Cylinder;
use super::disc::Disc;
use super::ellipsoid::Ellipsoid;
use super::extrusion::Extrusion;
use super::height_field::HeightField;
use super::lathe::Lathe;
use super::mesh::{Mesh, Triangle};
use super::polyhedron::Polyhedron;
use super::quad::Quad;
use super::rounded_box::RoundedBox;
use super::sphere::Sphere;
use super::text::Text;
use super::torus::Torus;
use super::tube::Tube;

/// A shape for `tessellation`, `spatial` and `tracer`.
#[derive(Debug, Clone)]
pub enum BaseShape<'a> {
    /// See [`Sphere`].
    Sphere(&'a Sphere),
    /// See [`Box`](struct@Box).
    Box(&'a Box),
    /// See [`Quad`].
    Quad(&'a Quad),
    /// See [`Disc`].
    Disc(&'a Disc),
    /// See [`Cylinder`].
    Cylinder(&'a Cylinder),
    /// See [`Cone`].
    Cone(&'a Cone),
    /// See [`Torus`].
    Torus(&'a Torus),
    /// See [`Capsule`].
    Capsule(&'a Capsule),
    /// See [`Triangle`].
    Triangle(&'a Triangle),
    /// See [`Mesh`].
    Mesh(&'a Mesh),
    /// See [`Ellipsoid`].
    Ellipsoid(&'a Ellipsoid),
    /// See [`RoundedBox`].
    RoundedBox(&'a RoundedBox),
    /// See [`Tube`].
    Tube(&'a Tube),
    /// See [`Lathe`].
    Lathe(&'a Lathe),
    /// See [`Extrusion`].
    Extrusion(Cow<'a, Extrusion>),
    /// See [`Text`].
    Text(&'a Text),
    /// See [`HeightField`].
    HeightField(&'a HeightField),
    /// See [`Polyhedron`].
    Polyhedron(&'a Polyhedron),
}
