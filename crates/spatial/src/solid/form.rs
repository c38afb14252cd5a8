//! What each kind of shape and light is made of: the one place to extend for a new kind.

use glam::{DMat3, DVec3};
use scene::{Aabb, Assets, BaseShape, Geometry, Light, NoAssets, Torus, rotation_matrix};

use super::{Convex, Core, Frustum, Solid, Traits};

const SOLID: Traits = Traits { flat: false, hollow: false, rough: false };
const FLAT: Traits = Traits { flat: true, hollow: false, rough: false };

impl Solid {
    /// The room a shape takes up. A mesh counts as the turned box around it; one that `assets` does
    /// not hold gives `None`.
    pub fn of_shape(geometry: &Geometry, assets: &dyn Assets) -> Option<Self> {
        if let Some(faceted) = Self::faceted(geometry) {
            return Some(faceted);
        }
        Some(match geometry.base() {
            BaseShape::Sphere(sphere) => Self::ball(sphere.center.get(), sphere.radius.get()),
            BaseShape::Box(cuboid) => {
                let half = DVec3::from(cuboid.dimensions.get()) * 0.5;
                let halves = columns(rotation_matrix(cuboid.rotation.get()), half);
                Self::of(Core::Cuboid(cuboid.center.get().into(), halves), SOLID)
            }
            BaseShape::Quad(quad) => {
                Self::parallelogram(quad.corner.get(), quad.u.get(), quad.v.get())
            }
            BaseShape::Disc(disc) => {
                Self::disc(disc.center.get(), disc.normal.get(), disc.radius.get())
            }
            BaseShape::Cylinder(cylinder) => Self::frustum(
                [cylinder.base_center.get(), cylinder.top_center.get()],
                [cylinder.radius.get(); 2],
                cylinder.capped,
            ),
            BaseShape::Cone(cone) => {
                let (centers, radii) = cone.ends();
                Self::frustum(centers, radii, cone.capped)
            }
            BaseShape::Capsule(capsule) => Self::tube(
                capsule.start.get().into(),
                capsule.end.get().into(),
                capsule.radius.get(),
            ),
            BaseShape::Torus(torus) => Self::ring(torus),
            BaseShape::Ellipsoid(ellipsoid) => {
                let radii = ellipsoid.radii.get().into();
                let halves = columns(rotation_matrix(ellipsoid.rotation.get()), radii);
                Self::of(Core::Ellipsoid(ellipsoid.center.get().into(), halves), SOLID)
            }
            BaseShape::RoundedBox(cuboid) => {
                let inner = cuboid.inner_half().into();
                let halves = columns(rotation_matrix(cuboid.rotation.get()), inner);
                let core = Core::Cuboid(cuboid.center.get().into(), halves);
                Self::new(vec![Convex { core, margin: cuboid.radius.get() }], SOLID)
            }
            BaseShape::Tube(tube) => Self::chain(tube),
            BaseShape::Lathe(lathe) => Self::turned_profile(lathe),
            BaseShape::Extrusion(extrusion) => Self::prisms(&extrusion),
            BaseShape::Text(text) => Self::letters(text),
            BaseShape::HeightField(field) => Self::land(field),
            BaseShape::Polyhedron(shape) => Self::faces(geometry, shape)?,
            BaseShape::Triangle(triangle) => {
                Self::of(Core::Hull(triangle.vertices.get().map(DVec3::from).to_vec()), FLAT)
            }
            BaseShape::Mesh(mesh) => {
                let local: Aabb = assets.bounds(mesh.asset.as_str())?;
                let rows = mesh.matrix();
                let middle = turned(rows, local.center().into());
                let halves = columns(rows, DVec3::from(local.size()) * 0.5);
                let center = middle + DVec3::from(mesh.translation.get());
                Self::of(Core::Cuboid(center, halves), Traits { rough: true, ..SOLID })
            }
        })
    }

    /// The room a light takes up; points and directions are points.
    pub fn of_light(light: &Light) -> Self {
        let surface = light.surface().and_then(|surface| Self::of_shape(&surface, &NoAssets));
        surface.unwrap_or_else(|| Self::point(light.position().unwrap_or_default().into()))
    }

    fn of(core: Core, traits: Traits) -> Self {
        Self::new(vec![Convex::sharp(core)], traits)
    }

    fn tube(start: DVec3, end: DVec3, radius: f64) -> Self {
        Self::new(vec![Convex::round(vec![start, end], radius)], SOLID)
    }

    /// A ring as a chain of straight tubes of at most 7.5 degrees, which is off by at most 0.22 % of its
    /// radius; an arc ends in half balls.
    fn ring(torus: &Torus) -> Self {
        let [zero, quarter, _] = torus.axes().map(DVec3::from);
        let (start, end) = (torus.start_angle.get(), torus.end_angle.get());
        let count = ((end - start) / 7.5).ceil().max(3.0) as usize;
        let at = |step: usize| {
            let angle = (start + (end - start) * step as f64 / count as f64).to_radians();
            let way = zero * angle.cos() + quarter * angle.sin();
            DVec3::from(torus.center.get()) + way * torus.radius.get()
        };
        let part = |step| Convex::round(vec![at(step), at(step + 1)], 0.5 * torus.thickness.get());
        Self::new((0..count).map(part).collect(), SOLID)
    }

    fn ball(center: [f64; 3], radius: f64) -> Self {
        Self::new(vec![Convex::round(vec![center.into()], radius)], SOLID)
    }

    fn parallelogram(corner: [f64; 3], u: [f64; 3], v: [f64; 3]) -> Self {
        let (corner, u, v) = (DVec3::from(corner), DVec3::from(u), DVec3::from(v));
        Self::of(Core::Hull(vec![corner, corner + u, corner + u + v, corner + v]), FLAT)
    }

    /// A flat disc.
    pub(crate) fn disc(center: [f64; 3], normal: [f64; 3], radius: f64) -> Self {
        let center = DVec3::from(center);
        let axis = DVec3::from(normal).normalize();
        let frustum =
            Frustum { base: center, top: center, axis, base_radius: radius, top_radius: radius };
        Self::of(Core::Frustum(frustum), FLAT)
    }

    fn frustum(ends: [[f64; 3]; 2], [base_radius, top_radius]: [f64; 2], capped: bool) -> Self {
        let [base, top] = ends.map(DVec3::from);
        let axis = (top - base).normalize();
        let frustum = Frustum { base, top, axis, base_radius, top_radius };
        Self::of(Core::Frustum(frustum), Traits { hollow: !capped, ..SOLID })
    }
}

fn turned(rows: [[f64; 3]; 3], vector: DVec3) -> DVec3 {
    DMat3::from_cols_array_2d(&rows).transpose() * vector
}

/// The columns of a matrix given by its rows, each times a component of `lengths`.
fn columns(rows: [[f64; 3]; 3], lengths: DVec3) -> [DVec3; 3] {
    let matrix = DMat3::from_cols_array_2d(&rows).transpose();
    [matrix.x_axis * lengths.x, matrix.y_axis * lengths.y, matrix.z_axis * lengths.z]
}
