//! Texture coordinates of shapes.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3, Mat3A, Vec2, Vec3A};
use scene::{Aabb, BaseShape, Geometry};

use crate::mesh::{Mesh, Meshes};
use crate::vector::point;
use crate::vector::single;

/// The object space of a shape, in metres, and the uv parametrization of its surface.
///
/// Flat shapes are perpendicular to z. Shapes with an axis have y along it; upright ones are
/// rotated like the world. v points up, u is counter-clockwise around the axis seen from above.
#[derive(Debug, Clone)]
pub(crate) struct Chart {
    origin: Vec3A,
    /// Its rows are the shape's axes.
    to_local: Mat3A,
    surface: Surface,
}

/// A uv parametrization.
#[derive(Debug, Clone)]
enum Surface {
    Sphere,
    /// Each face separately; holds half the size.
    Box(Vec3A),
    /// u and v from the local x and y.
    Flat {
        u: Vec2,
        v: Vec2,
        corner: Vec2,
        /// The local x and y of the centre.
        middle: Vec2,
    },
    /// Around the axis and along it, from `low` over `height`; the caps by their circle of
    /// `radius`.
    Round {
        low: f32,
        height: f32,
        radius: f32,
    },
    /// Around the axis and around the tube.
    Torus {
        ring: f32,
    },
    /// The UV coordinates of the vertices.
    Mesh {
        mesh: Arc<Mesh>,
        to_mesh: Mat3A,
    },
}

impl Chart {
    /// The chart of a shape with the bounding box `bounds`. Shapes without a parametrization of
    /// their own use their bounding box, one that turns with them if they have a rotation.
    pub(crate) fn new(geometry: &Geometry, bounds: Aabb, meshes: &Meshes) -> Self {
        match geometry.base() {
            BaseShape::Sphere(ball) => {
                Self::at(point(ball.center), DMat3::IDENTITY, Surface::Sphere)
            }
            BaseShape::Ellipsoid(shape) => {
                Self::at(point(shape.center), axes_of(shape.rotation), Surface::Sphere)
            }
            BaseShape::Box(cuboid) => {
                let half = DVec3::from(cuboid.dimensions.get()) * 0.5;
                Self::at(point(cuboid.center), axes_of(cuboid.rotation), Surface::Box(single(half)))
            }
            BaseShape::RoundedBox(cuboid) => {
                let half = DVec3::from(cuboid.dimensions.get()) * 0.5;
                Self::at(point(cuboid.center), axes_of(cuboid.rotation), Surface::Box(single(half)))
            }
            BaseShape::Quad(quad) => {
                let (u, v): (DVec3, DVec3) = (quad.u.get().into(), quad.v.get().into());
                Self::flat(point(quad.corner), u, v)
            }
            BaseShape::Triangle(triangle) => {
                let [a, b, c] = triangle.vertices.get().map(DVec3::from);
                Self::flat(a, b - a, c - a)
            }
            BaseShape::Disc(disc) => {
                let normal = DVec3::from(disc.normal.get()).normalize();
                // Horizontal if possible, like a hung picture.
                let level = DVec3::Y.cross(normal).try_normalize().unwrap_or(DVec3::X);
                let radius = disc.radius.get();
                let (u, v) = (level * (2.0 * radius), normal.cross(level) * (2.0 * radius));
                let mut chart = Self::flat(point(disc.center), u, v);
                if let Surface::Flat { corner, middle, .. } = &mut chart.surface {
                    *corner = Vec2::splat(-0.5);
                    *middle = Vec2::ZERO;
                }
                chart
            }
            BaseShape::Cylinder(shape) => Self::round(
                [point(shape.base_center), point(shape.top_center)],
                shape.radius.get(),
                0.0,
            ),
            BaseShape::Cone(shape) => Self::round(
                [point(shape.base_center), point(shape.top_center)],
                shape.ends().1[0],
                0.0,
            ),
            BaseShape::Capsule(shape) => {
                let radius = shape.radius.get();
                Self::round([point(shape.start), point(shape.end)], radius, radius)
            }
            BaseShape::Torus(shape) => {
                let [x, y, axis] = shape.axes().map(DVec3::from);
                let axes = DMat3::from_cols(x, axis, -y);
                let ring = shape.radius.get() as f32;
                Self::at(point(shape.center), axes, Surface::Torus { ring })
            }
            BaseShape::Lathe(shape) => {
                // The box around the whole circle.
                let points = shape.profile.get().iter();
                let corners = points.flat_map(|[out, up]| [[-out, *up, -out], [*out, *up, *out]]);
                Self::boxed(corners, point(shape.base_center), axes_of(shape.rotation))
            }
            BaseShape::Extrusion(shape) => {
                let half = 0.5 * shape.depth.get();
                let corners = shape.outline.get().iter();
                let corners = corners.flat_map(|[x, y]| [-half, half].map(|z| [*x, *y, z]));
                Self::boxed(corners, point(shape.center), axes_of(shape.rotation))
            }
            BaseShape::Polyhedron(shape) => {
                let corners = shape.vertices.get().iter().copied();
                Self::boxed(corners, point(shape.center), axes_of(shape.rotation))
            }
            _ => Self::of_other(geometry, bounds, meshes),
        }
    }

    /// The chart of the box around points in the shape's own space.
    fn boxed(corners: impl Iterator<Item = [f64; 3]>, origin: DVec3, axes: DMat3) -> Self {
        let (low, high) = corners
            .map(DVec3::from)
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), corner| {
                (low.min(corner), high.max(corner))
            });
        let half = (0.5 * (high - low)).max(DVec3::splat(1e-9));
        Self::at(origin + axes * (0.5 * (low + high)), axes, Surface::Box(single(half)))
    }

    /// The chart of a mesh with UV coordinates; of any other shape, that of its bounding box.
    fn of_other(geometry: &Geometry, bounds: Aabb, meshes: &Meshes) -> Self {
        let boxed = Surface::Box(single(DVec3::from(bounds.size()) * 0.5));
        let Geometry::Mesh(shape) = geometry else {
            return Self::at(bounds.center().into(), DMat3::IDENTITY, boxed);
        };
        let axes = axes_of(shape.rotation);
        let surface = match meshes.get(shape.asset.as_str()) {
            Some(mesh) if !mesh.data().uv.is_empty() => {
                let matrix = DMat3::from_cols_array_2d(&shape.matrix()).transpose();
                let to_mesh = matrix.inverse().as_mat3().into();
                Surface::Mesh { mesh: Arc::clone(mesh), to_mesh }
            }
            _ => boxed,
        };
        Self::at(point(shape.translation), axes, surface)
    }

    fn at(origin: DVec3, axes: DMat3, surface: Surface) -> Self {
        Self { origin: single(origin), to_local: axes.transpose().as_mat3().into(), surface }
    }

    /// The chart of a plane from its corner along two edges.
    fn flat(corner: DVec3, u: DVec3, v: DVec3) -> Self {
        let normal = u.cross(v).normalize();
        let x = u.normalize();
        let y = normal.cross(x);
        let [edge_u, edge_v] = [u, v];
        let [across_u, across_v] = [v.cross(normal), normal.cross(u)];
        let (u, v) = (across_u / across_u.dot(u), across_v / across_v.dot(v));
        let local = |dual: DVec3| Vec2::new(dual.dot(x) as f32, dual.dot(y) as f32);
        let middle = 0.5 * (edge_u + edge_v);
        let middle = Vec2::new(middle.dot(x) as f32, middle.dot(y) as f32);
        let surface = Surface::Flat { u: local(u), v: local(v), corner: Vec2::ZERO, middle };
        Self::at(corner, DMat3::from_cols(x, y, normal), surface)
    }

    /// The chart around an axis that extends by `beyond` at both ends.
    fn round([base, top]: [DVec3; 2], radius: f64, beyond: f64) -> Self {
        let axis = top - base;
        let axes = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Y, axis.normalize()));
        let surface = Surface::Round {
            low: -beyond as f32,
            height: (axis.length() + 2.0 * beyond) as f32,
            radius: radius as f32,
        };
        Self::at(base, axes, surface)
    }

    /// Transforms a point, or with `origin` zero a direction, to the shape's space.
    pub(super) fn local(&self, world: Vec3A) -> Vec3A {
        self.to_local * (world - self.origin)
    }

    /// Transforms a direction to the shape's space.
    pub(super) fn local_direction(&self, world: Vec3A) -> Vec3A {
        self.to_local * world
    }

    /// The UV coordinates of a point on or near the surface, with this normal; `part` is that of
    /// the intersection.
    pub(crate) fn uv(&self, world: Vec3A, normal: Vec3A, part: u32) -> Vec2 {
        let at = self.local(world);
        match &self.surface {
            Surface::Sphere => {
                let outwards = at.try_normalize().unwrap_or(Vec3A::Y);
                Vec2::new(turn(outwards), outwards.y.clamp(-1.0, 1.0).asin() / PI + 0.5)
            }
            Surface::Box(half) => {
                let (flat, size) = unfolded(at, self.local_direction(normal), *half);
                flat / size + 0.5
            }
            Surface::Flat { u, v, corner, .. } => {
                let flat = Vec2::new(at.x, at.y);
                Vec2::new(flat.dot(*u), flat.dot(*v)) - *corner
            }
            Surface::Round { low, height, radius } => {
                let facing = self.local_direction(normal);
                let at_end =
                    facing.y.abs() > 0.999 && (at.y - low).min(low + height - at.y) < 1e-3 * height;
                if at_end {
                    return Vec2::new(at.x, -at.z * facing.y.signum()) / (2.0 * radius) + 0.5;
                }
                Vec2::new(turn(at), (at.y - low) / height)
            }
            Surface::Torus { ring } => {
                let out = Vec2::new(at.x, at.z).length() - ring;
                Vec2::new(turn(at), at.y.atan2(out) / TAU + 0.5)
            }
            Surface::Mesh { mesh, to_mesh } => {
                mesh_uv(mesh, *to_mesh * (world - self.origin), part)
            }
        }
    }

    /// The UV coordinates of a triangle's corners, on the same side of the seam as its centre.
    pub(super) fn corners(&self, corners: [Vec3A; 3], normal: Vec3A, part: u32) -> [Vec2; 3] {
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        let inside = self.uv(middle, normal, part);
        let around = match &self.surface {
            Surface::Sphere => Vec2::X,
            // The caps are flat.
            Surface::Round { .. } if self.local_direction(normal).y.abs() > 0.999 => Vec2::ZERO,
            Surface::Round { .. } => Vec2::X,
            Surface::Torus { .. } => Vec2::ONE,
            Surface::Box(_) | Surface::Flat { .. } | Surface::Mesh { .. } => Vec2::ZERO,
        };
        let reach = (self.local(corners[1]) - self.local(corners[0])).length();
        corners.map(|corner| {
            let mut uv = self.uv(corner, normal, part);
            let at = self.local(corner);
            // All u meet at a pole.
            let at_pole = around == Vec2::X && Vec2::new(at.x, at.z).length() < 1e-4 * reach;
            if at_pole {
                uv.x = inside.x;
            }
            uv - ((uv - inside) * around).round()
        })
    }

    /// A point by its distance from the axis, or the middle of a flat shape, its way along the axis, and
    /// its angle as a share of a turn.
    pub(super) fn around(&self, world: Vec3A) -> Vec3A {
        let at = self.local(world);
        match &self.surface {
            Surface::Flat { middle, .. } => {
                let flat = Vec2::new(at.x, at.y) - *middle;
                Vec3A::new(flat.length(), at.z, flat.y.atan2(flat.x) / TAU + 0.5)
            }
            _ => Vec3A::new(at.x.hypot(at.z), at.y, turn(at)),
        }
    }

    /// The point projected along the dominant axis of the normal, in metres.
    pub(super) fn unfolded(&self, world: Vec3A, normal: Vec3A) -> Vec2 {
        unfolded(self.local(world), self.local_direction(normal), Vec3A::ONE).0
    }
}

/// The columns of a rotation.
fn axes_of(rotation: scene::Rotation) -> DMat3 {
    DMat3::from_cols_array_2d(&scene::rotation_matrix(rotation.get())).transpose()
}

/// The angle around the y axis as a share of a turn: 0.5 at z, growing towards x.
fn turn(at: Vec3A) -> f32 {
    at.x.atan2(at.z) / TAU + 0.5
}

/// The two coordinates perpendicular to the dominant axis of `facing`, x to the right and y up as
/// seen from that side, and the edges of a box of `half` its size along them.
fn unfolded(at: Vec3A, facing: Vec3A, half: Vec3A) -> (Vec2, Vec2) {
    let size = half * 2.0;
    let steepness = facing.abs();
    if steepness.y > steepness.x.max(steepness.z) {
        let flat = Vec2::new(at.x, -at.z * facing.y.signum());
        (flat, Vec2::new(size.x, size.z))
    } else if steepness.x > steepness.z {
        let flat = Vec2::new(-at.z * facing.x.signum(), at.y);
        (flat, Vec2::new(size.z, size.y))
    } else {
        let flat = Vec2::new(at.x * facing.z.signum(), at.y);
        (flat, Vec2::new(size.x, size.y))
    }
}

/// Interpolated from the corners; extrapolated outside the triangle.
fn mesh_uv(mesh: &Mesh, at: Vec3A, part: u32) -> Vec2 {
    let data = mesh.data();
    let vertices = data.triangles[part as usize].map(|vertex| vertex as usize);
    let [a, b, c] = vertices.map(|vertex| Vec3A::from_array(data.positions[vertex]));
    let [uv_a, uv_b, uv_c] = vertices.map(|vertex| Vec2::from_array(data.uv[vertex]));
    let (u, v, to) = (b - a, c - a, at - a);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    if squared == 0.0 {
        return uv_a;
    }
    let weight_b = to.cross(v).dot(normal) / squared;
    let weight_c = u.cross(to).dot(normal) / squared;
    uv_a + (uv_b - uv_a) * weight_b + (uv_c - uv_a) * weight_c
}

#[cfg(test)]
mod tests;
