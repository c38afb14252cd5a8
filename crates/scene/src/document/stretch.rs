//! Scaling of shapes by a factor for each axis.

use crate::lists::{Heights, Holes, Outline, Profile};
use crate::values::{
    Dimensions, Displacement, Length, Point, Radii, Rotation, Scale, Sides, Vertices,
};
use crate::vector::{Vector, rotation_matrix};

use super::motion::{MotionFault, tidied, tidy};
use super::shape::Geometry;

impl Geometry {
    /// The shape with its lengths along its own axes multiplied by `factors`, each above 0, about
    /// `pivot`; quads and triangles along x, y and z.
    pub fn stretched(&self, factors: [f64; 3], pivot: [f64; 3]) -> Result<Self, MotionFault> {
        let stretch = |vector: [f64; 3]| tidy([0, 1, 2].map(|at| vector[at] * factors[at]));
        let along_world = |point: [f64; 3]| {
            let arm = (Vector(point) - Vector(pivot)).0;
            tidy((Vector(pivot) + Vector(stretch(arm))).0)
        };
        // Along the axes of something that is turned by `rotation`.
        let along_own = |point: [f64; 3], rotation: Rotation| {
            let rows = rotation_matrix(rotation.get());
            let arm = (Vector(point) - Vector(pivot)).0;
            let own = [0, 1, 2].map(|at| Vector([rows[0][at], rows[1][at], rows[2][at]]));
            let own = stretch(own.map(|axis| axis.dot(Vector(arm))));
            tidy((Vector(pivot) + Vector(rows.map(|row| Vector(row).dot(Vector(own))))).0)
        };
        let mut stretched = self.clone();
        let range = MotionFault::OutOfRange;
        match &mut stretched {
            Self::Box(cuboid) => {
                let center = along_own(cuboid.center.get(), cuboid.rotation);
                cuboid.center = Point::new(center).ok_or(range)?;
                let sides = stretch(cuboid.dimensions.get());
                cuboid.dimensions = Dimensions::new(sides).ok_or(range)?;
            }
            Self::Ellipsoid(ellipsoid) => {
                let center = along_own(ellipsoid.center.get(), ellipsoid.rotation);
                ellipsoid.center = Point::new(center).ok_or(range)?;
                ellipsoid.radii = Radii::new(stretch(ellipsoid.radii.get())).ok_or(range)?;
            }
            Self::RoundedBox(cuboid) => {
                let center = along_own(cuboid.center.get(), cuboid.rotation);
                cuboid.center = Point::new(center).ok_or(range)?;
                let sides = stretch(cuboid.dimensions.get());
                cuboid.dimensions = Dimensions::new(sides).ok_or(range)?;
                // The edges keep their radius as far as they can.
                let half = 0.5 * sides.into_iter().fold(f64::INFINITY, f64::min);
                cuboid.radius = Length::new(cuboid.radius.get().min(half)).ok_or(range)?;
            }
            Self::Quad(quad) => {
                quad.corner = Point::new(along_world(quad.corner.get())).ok_or(range)?;
                quad.u = Displacement::new(stretch(quad.u.get())).ok_or(range)?;
                quad.v = Displacement::new(stretch(quad.v.get())).ok_or(range)?;
            }
            Self::Triangle(triangle) => {
                let corners = triangle.vertices.get().map(along_world);
                triangle.vertices = Vertices::new(corners).ok_or(range)?;
            }
            Self::Mesh(mesh) => {
                let origin = along_own(mesh.translation.get(), mesh.rotation);
                mesh.translation = Point::new(origin).ok_or(range)?;
                mesh.scale = Scale::new(stretch(mesh.scale.get())).ok_or(range)?;
            }
            Self::Lathe(lathe) if factors[0] == factors[2] => {
                let base = along_own(lathe.base_center.get(), lathe.rotation);
                lathe.base_center = Point::new(base).ok_or(range)?;
                let profile = lathe.profile.get().iter();
                let profile =
                    profile.map(|[away, up]| [tidied(away * factors[0]), tidied(up * factors[1])]);
                lathe.profile = Profile::new(profile.collect()).ok_or(range)?;
            }
            Self::Extrusion(extrusion) => {
                let center = along_own(extrusion.center.get(), extrusion.rotation);
                extrusion.center = Point::new(center).ok_or(range)?;
                let outline = |outline: &Outline| {
                    let corners = outline.get().iter();
                    let corners =
                        corners.map(|[x, y]| [tidied(x * factors[0]), tidied(y * factors[1])]);
                    Outline::new(corners.collect()).ok_or(range)
                };
                extrusion.outline = outline(&extrusion.outline)?;
                let holes = extrusion.holes.get().iter().map(outline).collect::<Result<_, _>>()?;
                extrusion.holes = Holes::new(holes).ok_or(range)?;
                extrusion.depth =
                    Length::new(tidied(extrusion.depth.get() * factors[2])).ok_or(range)?;
            }
            Self::HeightField(field) if field.noise.is_none() => {
                let center = along_own(field.center.get(), field.rotation);
                field.center = Point::new(center).ok_or(range)?;
                let [width, depth] = field.sides.get();
                let sides = [tidied(width * factors[0]), tidied(depth * factors[2])];
                field.sides = Sides::new(sides).ok_or(range)?;
                if let Some(heights) = &field.heights {
                    let row = |row: &Vec<f64>| row.iter().map(|y| tidied(y * factors[1])).collect();
                    let rows = heights.rows().iter().map(row).collect();
                    field.heights = Some(Heights::new(rows).ok_or(range)?);
                }
            }
            other => return Err(MotionFault::OneFactorOnly(other.type_name())),
        }
        Ok(stretched)
    }
}
