//! Triangles, and meshes that are stored as assets.

use crate::asset_name::AssetName;
use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::MotionError;
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
use crate::values::{Point, Rotation, Scale, Vertices};
use crate::vector::{Vector, rotation_matrix};

movable! {
    /// A flat triangle. Visible from both sides.
    pub struct Triangle {
        /// The three corners.
        pub vertices: Vertices,
    }
    check(self, reader) {
        if self.normal().is_none() {
            reader.error("'vertices' must not be equal or on one line: they span the area");
        }
    }
}

impl Triangle {
    /// The unit normal on the side from which the vertices are counter-clockwise; `None` without an
    /// area.
    pub(crate) fn normal(&self) -> Option<Vector> {
        let [a, b, c] = self.vertices.get().map(Vector);
        let (u, v) = (b - a, c - a);
        let cross = u.cross(v);
        let length = cross.length();
        (length > 1e-9 * u.length() * v.length() && length > 0.0).then(|| cross * (1.0 / length))
    }
}

impl ShapeKind for Triangle {
    const LABEL: &'static str = "Triangle";
    const ICON: &'static str = "triangle";
    const FRAME: Frame = Frame::Vertices;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        let vertices = Vertices::new([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])?;
        Some(Self { vertices })
    }

    fn bounds(&self) -> Option<Aabb> {
        let [a, b, c] = self.vertices.get().map(|corner| Aabb { min: corner, max: corner });
        Some(a.union(b).union(c))
    }

    /// Along the world axes, since it has no axes of its own.
    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let corners = self.vertices.get().map(|corner| stretch.world_point(corner));
        let vertices = Vertices::new(corners).ok_or(MotionError::OutOfRange)?;
        Ok(Some(Self { vertices }))
    }
}

movable! {
    /// A mesh of triangles, scaled, then turned, then moved to its place.
    pub struct Mesh {
        /// The mesh: the hash of an uploaded one; on the command line a PLY, OBJ, glTF or GLB file beside
        /// the scene file.
        pub asset: AssetName,
        /// Where the origin of the mesh comes to lie.
        pub translation: Point = Point::ORIGIN,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
        /// The factor of all lengths: a number, or [x, y, z].
        pub scale: Scale = Scale::ONE,
    }
}

impl Mesh {
    /// The rows of the rotation and scale matrix; the translation follows.
    pub fn matrix(&self) -> [[f64; 3]; 3] {
        let scale = self.scale.get();
        rotation_matrix(self.rotation.get())
            .map(|row| std::array::from_fn(|axis| row[axis] * scale[axis]))
    }

    /// The world-space bounding box of a mesh with the bounding box `local`.
    pub(crate) fn bounds_of(&self, local: Aabb) -> Aabb {
        let (center, half) = (Vector(local.center()), Vector(local.size()) * 0.5);
        let rows = self.matrix();
        let middle = Vector(rows.map(|row| Vector(row).dot(center)));
        let reach = rows.map(|row| Vector(row.map(f64::abs)).dot(half));
        Aabb::around((middle + Vector(self.translation.get())).0, reach)
    }
}

impl ShapeKind for Mesh {
    const LABEL: &'static str = "Mesh";
    const ICON: &'static str = "mesh";
    const FRAME: Frame = Frame::Unknown;
    const SIZES: Option<&'static str> = Some("scale");

    fn sample() -> Option<Self> {
        None
    }

    /// The document does not contain its extent.
    fn bounds(&self) -> Option<Aabb> {
        None
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        Ok(Some(Self {
            translation: stretch.own_point(self.translation, self.rotation)?,
            scale: Scale::new(stretch.lengths(self.scale.get())).ok_or(MotionError::OutOfRange)?,
            ..self.clone()
        }))
    }
}
