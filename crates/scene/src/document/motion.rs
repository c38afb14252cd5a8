//! Moving, turning, scaling and mirroring of what stands in the document.

use crate::lists::{Heights, Holes, Outline, Points, Profile};
use crate::values::{
    Angle, Dimensions, Direction, Displacement, Length, LengthOrZero, Point, Radii, Rotation,
};
use crate::values::{Scale, Sides, Vertices};
use crate::vector::{Vector, rotation_matrix};

use super::extrusion::Extrusion;
use super::height_field::HeightField;
use super::light::Light;
use super::shape::Geometry;
use super::torus::Torus;
use super::tube::{Tube, TubeRadius};

/// A change of place that keeps the form: a point `p` goes to `scale * (rows p) + shift`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Rows of an orthonormal matrix; its determinant is -1 when it mirrors.
    rows: [[f64; 3]; 3],
    /// The factor of all lengths, above 0.
    scale: f64,
    /// In metres.
    shift: Vector,
}

/// Why something cannot be moved so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MotionFault {
    /// A coordinate or a length would leave the range of the document.
    #[error(
        "it would leave the range of the scene (coordinates within ±1000000 m, lengths above 0)"
    )]
    OutOfRange,
    /// Stored triangles, letters and noise have no mirror image in the document.
    #[error("a {0} cannot be mirrored")]
    Mirrored(&'static str),
    /// Its properties have no place for a factor of each axis.
    #[error(
        "a {0} can only be scaled by one number; change its properties by update_shape instead"
    )]
    OneFactorOnly(&'static str),
}

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Motion {
    /// Moves by `shift`, in metres.
    pub fn shift(shift: [f64; 3]) -> Self {
        Self { rows: UNIT, scale: 1.0, shift: Vector(shift) }
    }

    /// Turns about `pivot` by Euler angles in degrees, X, then Y, then Z.
    pub fn turn(degrees: [f64; 3], pivot: [f64; 3]) -> Self {
        Self { rows: rotation_matrix(degrees), scale: 1.0, shift: Vector([0.0; 3]) }.about(pivot)
    }

    /// Scales by `factor`, above 0, about `pivot`.
    pub fn scale(factor: f64, pivot: [f64; 3]) -> Self {
        Self { rows: UNIT, scale: factor, shift: Vector([0.0; 3]) }.about(pivot)
    }

    /// Mirrors at the plane where the coordinate `axis` (0 is x) is `at`.
    pub fn mirror(axis: usize, at: f64) -> Self {
        let (mut rows, mut shift) = (UNIT, [0.0; 3]);
        if axis < 3 {
            rows[axis][axis] = -1.0;
            shift[axis] = 2.0 * at;
        }
        Self { rows, scale: 1.0, shift: Vector(shift) }
    }

    /// The motion that leaves `pivot` where it is.
    fn about(self, pivot: [f64; 3]) -> Self {
        let moved = Vector(self.point(pivot));
        Self { shift: self.shift + (Vector(pivot) - moved), ..self }
    }

    /// This motion, then `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            rows: product(next.rows, self.rows),
            scale: self.scale * next.scale,
            shift: Vector(next.point(self.shift.0)),
        }
    }

    /// Where a point goes.
    pub fn point(&self, point: [f64; 3]) -> [f64; 3] {
        (Vector(self.vector(point)) + self.shift).0
    }

    /// What becomes of a displacement.
    fn vector(&self, vector: [f64; 3]) -> [f64; 3] {
        self.rows.map(|row| Vector(row).dot(Vector(vector)) * self.scale)
    }

    fn is_mirror(&self) -> bool {
        let [x, y, z] = self.rows.map(Vector);
        x.cross(y).dot(z) < 0.0
    }

    fn moved_point(&self, point: Point) -> Result<Point, MotionFault> {
        Point::new(tidy(self.point(point.get()))).ok_or(MotionFault::OutOfRange)
    }

    fn moved_edge(&self, edge: Displacement) -> Result<Displacement, MotionFault> {
        Displacement::new(tidy(self.vector(edge.get()))).ok_or(MotionFault::OutOfRange)
    }

    fn moved_direction(&self, direction: Direction) -> Result<Direction, MotionFault> {
        let turned = Self { scale: 1.0, ..*self }.vector(direction.get());
        Direction::new(tidy(turned)).ok_or(MotionFault::OutOfRange)
    }

    fn length(&self, length: Length) -> Result<Length, MotionFault> {
        Length::new(tidied(length.get() * self.scale)).ok_or(MotionFault::OutOfRange)
    }

    /// Lengths in the plane of something, times the scale and a sign for each axis.
    fn scaled(&self, points: &[[f64; 2]], signs: [f64; 2]) -> Vec<[f64; 2]> {
        let scaled = |point: &[f64; 2]| [0, 1].map(|at| tidied(point[at] * signs[at] * self.scale));
        points.iter().map(scaled).collect()
    }

    /// The rotation of something that looks the same when mirrored in its own x.
    fn rotation(&self, rotation: Rotation) -> Result<Rotation, MotionFault> {
        let mut rows = product(self.rows, rotation_matrix(rotation.get()));
        if self.is_mirror() {
            for row in &mut rows {
                row[0] = -row[0];
            }
        }
        Rotation::new(tidy(euler_angles(rows))).ok_or(MotionFault::OutOfRange)
    }
}

fn product(left: [[f64; 3]; 3], right: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let column = |at: usize| Vector([right[0][at], right[1][at], right[2][at]]);
    left.map(|row| [0, 1, 2].map(|at| Vector(row).dot(column(at))))
}

/// The Euler angles in degrees whose [`rotation_matrix`] is `rows`; with Y at ±90 degrees, where
/// X and Z turn about the same axis, X is 0.
pub fn euler_angles(rows: [[f64; 3]; 3]) -> [f64; 3] {
    let sine = -rows[2][0];
    let angles = if sine.abs() < 1.0 - 1e-12 {
        [rows[2][1].atan2(rows[2][2]), sine.asin(), rows[1][0].atan2(rows[0][0])]
    } else {
        [0.0, sine.asin(), (-rows[0][1]).atan2(rows[1][1])]
    };
    angles.map(f64::to_degrees)
}

/// Twelve digits: computed numbers read like typed ones, and an error of a picometre in a metre is
/// far below what anything here looks at.
pub(super) fn tidied(number: f64) -> f64 {
    if number.abs() < 1e-12 {
        return 0.0;
    }
    let digits = 11 - number.abs().log10().floor() as i32;
    let scale = 10f64.powi(digits);
    let rounded = (number * scale).round() / scale;
    if rounded.is_finite() { rounded } else { number }
}

pub(super) fn tidy(numbers: [f64; 3]) -> [f64; 3] {
    numbers.map(tidied)
}

/// Where an arc begins depends on the normal, so its angles are read off again in the new axes; a
/// mirrored arc goes round the other way, from what was its end.
fn move_ring(torus: &mut Torus, motion: &Motion) -> Result<(), MotionFault> {
    let (start, end) = (torus.start_angle.get(), torus.end_angle.get());
    let [zero, quarter, _] = torus.axes().map(Vector);
    let (sin, cos) = if motion.is_mirror() { end } else { start }.to_radians().sin_cos();
    let first = Vector(motion.vector((zero * cos + quarter * sin).0));
    torus.center = motion.moved_point(torus.center)?;
    torus.normal = motion.moved_direction(torus.normal)?;
    torus.radius = motion.length(torus.radius)?;
    torus.thickness = motion.length(torus.thickness)?;
    if torus.is_whole() {
        return Ok(());
    }
    let [zero, quarter, _] = torus.axes().map(Vector);
    let from = first.dot(quarter).atan2(first.dot(zero)).to_degrees();
    // Both ends within ±360.
    let from = if from + end - start > 360.0 { from - 360.0 } else { from };
    let angle = |degrees| Angle::new(tidied(degrees)).ok_or(MotionFault::OutOfRange);
    torus.start_angle = angle(from)?;
    torus.end_angle = angle(from + end - start)?;
    Ok(())
}

fn move_tube(tube: &mut Tube, motion: &Motion) -> Result<(), MotionFault> {
    let points = tube.points.get().iter().map(|point| tidy(motion.point(*point))).collect();
    tube.points = Points::new(points).ok_or(MotionFault::OutOfRange)?;
    tube.radius = match &tube.radius {
        TubeRadius::Even(radius) => TubeRadius::Even(motion.length(*radius)?),
        TubeRadius::PerPoint(radii) => TubeRadius::PerPoint(
            radii.iter().map(|radius| motion.length(*radius)).collect::<Result<_, _>>()?,
        ),
    };
    Ok(())
}

/// What is mirrored looks from the front as its outline did from the back.
fn move_extrusion(extrusion: &mut Extrusion, motion: &Motion) -> Result<(), MotionFault> {
    let x = if motion.is_mirror() { -1.0 } else { 1.0 };
    let moved = |outline: &Outline| {
        Outline::new(motion.scaled(outline.get(), [x, 1.0])).ok_or(MotionFault::OutOfRange)
    };
    extrusion.center = motion.moved_point(extrusion.center)?;
    extrusion.outline = moved(&extrusion.outline)?;
    let holes = extrusion.holes.get().iter().map(moved).collect::<Result<_, _>>()?;
    extrusion.holes = Holes::new(holes).ok_or(MotionFault::OutOfRange)?;
    extrusion.depth = motion.length(extrusion.depth)?;
    extrusion.rotation = motion.rotation(extrusion.rotation)?;
    Ok(())
}

fn move_land(field: &mut HeightField, motion: &Motion) -> Result<(), MotionFault> {
    field.center = motion.moved_point(field.center)?;
    let sides = field.sides.get().map(|side| tidied(side * motion.scale));
    field.sides = Sides::new(sides).ok_or(MotionFault::OutOfRange)?;
    field.rotation = motion.rotation(field.rotation)?;
    if let Some(heights) = &field.heights {
        let row = |row: &Vec<f64>| {
            let scaled = row.iter().map(|height| tidied(height * motion.scale));
            if motion.is_mirror() { scaled.rev().collect() } else { scaled.collect() }
        };
        let rows = heights.rows().iter().map(row).collect();
        field.heights = Some(Heights::new(rows).ok_or(MotionFault::OutOfRange)?);
    }
    if let Some(noise) = &mut field.noise {
        if motion.is_mirror() {
            return Err(MotionFault::Mirrored("height_field of noise"));
        }
        noise.height = motion.length(noise.height)?;
        noise.feature_size = motion.length(noise.feature_size)?;
    }
    Ok(())
}

impl Geometry {
    /// The shape moved, turned, scaled and mirrored.
    pub fn moved(&self, motion: &Motion) -> Result<Self, MotionFault> {
        let mut moved = self.clone();
        match &mut moved {
            Self::Sphere(sphere) => {
                sphere.center = motion.moved_point(sphere.center)?;
                sphere.radius = motion.length(sphere.radius)?;
            }
            Self::Box(cuboid) => {
                cuboid.center = motion.moved_point(cuboid.center)?;
                let sides = cuboid.dimensions.get().map(|side| tidied(side * motion.scale));
                cuboid.dimensions = Dimensions::new(sides).ok_or(MotionFault::OutOfRange)?;
                cuboid.rotation = motion.rotation(cuboid.rotation)?;
            }
            Self::Quad(quad) => {
                quad.corner = motion.moved_point(quad.corner)?;
                quad.u = motion.moved_edge(quad.u)?;
                quad.v = motion.moved_edge(quad.v)?;
            }
            Self::Disc(disc) => {
                disc.center = motion.moved_point(disc.center)?;
                disc.normal = motion.moved_direction(disc.normal)?;
                disc.radius = motion.length(disc.radius)?;
            }
            Self::Cylinder(cylinder) => {
                cylinder.base_center = motion.moved_point(cylinder.base_center)?;
                cylinder.top_center = motion.moved_point(cylinder.top_center)?;
                cylinder.radius = motion.length(cylinder.radius)?;
            }
            Self::Cone(cone) => {
                cone.base_center = motion.moved_point(cone.base_center)?;
                cone.top_center = motion.moved_point(cone.top_center)?;
                cone.base_radius = motion.length(cone.base_radius)?;
                cone.top_radius = LengthOrZero::new(tidied(cone.top_radius.get() * motion.scale))
                    .ok_or(MotionFault::OutOfRange)?;
            }
            Self::Capsule(capsule) => {
                capsule.start = motion.moved_point(capsule.start)?;
                capsule.end = motion.moved_point(capsule.end)?;
                capsule.radius = motion.length(capsule.radius)?;
            }
            Self::Torus(torus) => move_ring(torus, motion)?,
            Self::Triangle(triangle) => {
                let corners = triangle.vertices.get().map(|corner| tidy(motion.point(corner)));
                triangle.vertices = Vertices::new(corners).ok_or(MotionFault::OutOfRange)?;
            }
            Self::Ellipsoid(ellipsoid) => {
                ellipsoid.center = motion.moved_point(ellipsoid.center)?;
                let radii = ellipsoid.radii.get().map(|radius| tidied(radius * motion.scale));
                ellipsoid.radii = Radii::new(radii).ok_or(MotionFault::OutOfRange)?;
                ellipsoid.rotation = motion.rotation(ellipsoid.rotation)?;
            }
            Self::RoundedBox(cuboid) => {
                cuboid.center = motion.moved_point(cuboid.center)?;
                let sides = cuboid.dimensions.get().map(|side| tidied(side * motion.scale));
                cuboid.dimensions = Dimensions::new(sides).ok_or(MotionFault::OutOfRange)?;
                // Rounding of the digits may not make it larger than half a side.
                let half = 0.5 * sides.into_iter().fold(f64::INFINITY, f64::min);
                let radius = tidied(cuboid.radius.get() * motion.scale).min(half);
                cuboid.radius = Length::new(radius).ok_or(MotionFault::OutOfRange)?;
                cuboid.rotation = motion.rotation(cuboid.rotation)?;
            }
            Self::Tube(tube) => move_tube(tube, motion)?,
            Self::Lathe(lathe) => {
                lathe.base_center = motion.moved_point(lathe.base_center)?;
                let profile = motion.scaled(lathe.profile.get(), [1.0, 1.0]);
                lathe.profile = Profile::new(profile).ok_or(MotionFault::OutOfRange)?;
                lathe.rotation = motion.rotation(lathe.rotation)?;
            }
            Self::Extrusion(extrusion) => move_extrusion(extrusion, motion)?,
            Self::Text(text) => {
                if motion.is_mirror() {
                    return Err(MotionFault::Mirrored("text"));
                }
                text.base_center = motion.moved_point(text.base_center)?;
                text.size = motion.length(text.size)?;
                text.depth = motion.length(text.depth)?;
                text.rotation = motion.rotation(text.rotation)?;
            }
            Self::HeightField(field) => move_land(field, motion)?,
            Self::Mesh(mesh) => {
                if motion.is_mirror() {
                    return Err(MotionFault::Mirrored("mesh"));
                }
                mesh.translation = motion.moved_point(mesh.translation)?;
                mesh.rotation = motion.rotation(mesh.rotation)?;
                let factors = mesh.scale.get().map(|factor| tidied(factor * motion.scale));
                mesh.scale = Scale::new(factors).ok_or(MotionFault::OutOfRange)?;
            }
        }
        Ok(moved)
    }
}

impl Light {
    /// The light moved, turned, scaled and mirrored; what it emits stays the same.
    pub fn moved(&self, motion: &Motion) -> Result<Self, MotionFault> {
        let mut moved = self.clone();
        match &mut moved {
            Self::PointSpotLight(light) => {
                light.center = motion.moved_point(light.center)?;
                light.direction = motion.moved_direction(light.direction)?;
            }
            Self::DirectionalLight(light) => {
                light.center = motion.moved_point(light.center)?;
                light.direction = motion.moved_direction(light.direction)?;
            }
            Self::AreaQuadLight(light) => {
                light.corner = motion.moved_point(light.corner)?;
                light.u = motion.moved_edge(light.u)?;
                light.v = motion.moved_edge(light.v)?;
                if motion.is_mirror() {
                    // It goes on shining to the side that was mirrored, that of u x v.
                    std::mem::swap(&mut light.u, &mut light.v);
                }
            }
            Self::DiscSpotLight(light) => {
                light.center = motion.moved_point(light.center)?;
                light.normal = motion.moved_direction(light.normal)?;
                light.radius = motion.length(light.radius)?;
            }
            Self::AreaSphereLight(light) => {
                light.center = motion.moved_point(light.center)?;
                light.radius = motion.length(light.radius)?;
            }
            Self::AreaDiscSpotLight(light) => {
                light.center = motion.moved_point(light.center)?;
                light.normal = motion.moved_direction(light.normal)?;
                light.radius = motion.length(light.radius)?;
            }
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_from_their_matrix() {
        for x in [-170.0, -30.0, 0.0, 45.0] {
            for y in [-90.0, -89.0, 0.0, 33.0, 90.0] {
                for z in [-120.0, 0.0, 77.0] {
                    let rows = rotation_matrix([x, y, z]);
                    let again = rotation_matrix(euler_angles(rows));
                    let far = (0..9).map(|at| (rows[at / 3][at % 3] - again[at / 3][at % 3]).abs());
                    assert!(far.fold(0.0, f64::max) < 1e-6, "{x} {y} {z}");
                }
            }
        }
    }

    #[test]
    fn motions_follow_each_other() {
        let turn = Motion::turn([0.0, 90.0, 0.0], [1.0, 0.0, 0.0]);
        let both = turn.then(Motion::scale(2.0, [0.0; 3])).then(Motion::shift([0.0, 1.0, 0.0]));
        assert_eq!(tidy(both.point([2.0, 0.0, 0.0])), [2.0, 1.0, -2.0]);
        assert_eq!(tidy(Motion::mirror(0, 1.0).point([3.0, 4.0, 5.0])), [-1.0, 4.0, 5.0]);
    }

    #[test]
    fn an_arc_stays_the_same_arc_wherever_it_goes() {
        let shape = serde_json::json!({ "version": 1, "shapes": [{ "id": "arc", "type": "torus",
            "properties": { "center": [0.5, 1, 0], "normal": [0.3, -0.4, 1], "radius": 2, "thickness": 0.4,
                            "start_angle": 40, "end_angle": 250 } }] });
        let scene = crate::Scene::from_json(&shape).unwrap();
        // Its ends and a point between.
        let points = |geometry: &Geometry| {
            let Geometry::Torus(torus) = geometry else { panic!("{geometry:?}") };
            let [zero, quarter, _] = torus.axes().map(Vector);
            let (start, end) = (torus.start_angle.get(), torus.end_angle.get());
            [start, 0.7 * start + 0.3 * end, end].map(|degrees| {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let arm = (zero * cos + quarter * sin) * torus.radius.get();
                (Vector(torus.center.get()) + arm).0
            })
        };
        let before = points(&scene.shapes[0].geometry);
        let turns = [[0.0, 0.0, 180.0], [90.0, 0.0, 0.0], [10.0, 200.0, -70.0], [0.0, 0.0, 90.0]];
        let turned = turns.map(|turn| Motion::turn(turn, [1.0, 0.0, 2.0]));
        let mirrored = [0, 1, 2].map(|axis| Motion::mirror(axis, 0.3));
        for motion in turned.into_iter().chain(mirrored).chain([Motion::scale(3.0, [1.0; 3])]) {
            let moved = scene.shapes[0].geometry.moved(&motion).unwrap();
            let [mut start, between, mut end] = points(&moved);
            let mut expected = before.map(|point| motion.point(point));
            if motion.is_mirror() {
                (start, end) = (end, start);
                // Three tenths from the other end.
                expected[1] = between;
            }
            for (is, expected) in [start, between, end].into_iter().zip(expected) {
                let far = (Vector(is) - Vector(expected)).length();
                assert!(far < 1e-9, "{motion:?}: {is:?} {expected:?}");
            }
        }
    }

    #[test]
    fn computed_numbers_read_like_typed_ones() {
        assert_eq!(tidy([0.1 + 0.2, 1e-17, -123_456.0 / 3.0]), [0.3, 0.0, -41152.0]);
    }
}
