//! Surfaces of flat faces between vertices.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{Movable, Role, movable};
use crate::document::stretch::Stretch;
use crate::lists::Corners;
use crate::read::{PropertyPath, Read};
use crate::values::{Point, Rotation};
use crate::vector::{Vector, rotation_matrix};
use crate::violations::ReadErrors;

movable! {
    /// A mesh by vertices and faces: a gem, a roof, a rock, a hull, a sail.
    pub struct Polyhedron {
        /// Where [0, 0, 0] of the vertices comes to lie.
        pub center: Point = Point::ORIGIN,
        /// Corners [x, y, z] in its own space, 3 to 500.
        pub vertices: Corners,
        /// Lists of three or more indices into the vertices, from 0, in order round each face; either way
        /// round. A surface that is not closed is visible from both sides.
        pub faces: Faces,
        /// Whether it is shaded as if it were curved.
        pub smooth: bool = false,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
    check(self, reader) {
        let count = self.vertices.get().len();
        for (at, face) in self.faces.get().iter().enumerate() {
            if let Some(index) = face.iter().find(|index| **index as usize >= count) {
                reader.error(&format!(
                    "'faces[{at}]' names vertex {index}, and there are {count}, from 0 to {}", count - 1
                ));
                return;
            }
            if (0..face.len()).any(|one| face[..one].contains(&face[one])) {
                reader.error(&format!("'faces[{at}]' names a vertex twice: {face:?}"));
                return;
            }
            if self.normal(face).length() < 1e-18 {
                reader.error(&format!("'faces[{at}]' has no area: its vertices lie on one line"));
                return;
            }
        }
    }
}

/// The most faces, and corners of a face.
const MAX_FACES: usize = 1000;
const MAX_FACE_CORNERS: usize = 64;

/// Faces as indices of their vertices.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Faces(Arc<[Vec<u32>]>);

impl Faces {
    /// The faces.
    pub fn get(&self) -> &[Vec<u32>] {
        &self.0
    }

    /// The faces, if there are not too many and each has enough corners.
    pub fn new(faces: Vec<Vec<u32>>) -> Option<Self> {
        let fits = (1..=MAX_FACES).contains(&faces.len())
            && faces.iter().all(|face| (3..=MAX_FACE_CORNERS).contains(&face.len()));
        fits.then(|| Self(faces.into()))
    }
}

impl Read for Faces {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let index = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let face = |face: &Value| face.as_array()?.iter().map(index).collect::<Option<Vec<u32>>>();
        let faces =
            value.as_array().and_then(|faces| faces.iter().map(face).collect::<Option<Vec<_>>>());
        let read = faces.and_then(Self::new);
        if read.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        read
    }

    fn expected() -> String {
        format!(
            "1 to {MAX_FACES} lists of 3 to {MAX_FACE_CORNERS} indices of vertices, e.g. [[0, 1, 2], [0, 2, 3]]"
        )
    }
}

impl schemars::JsonSchema for Faces {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Faces".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array", "items": { "type": "array", "items": { "type": "integer" } }
        })
    }
}

impl Movable for Faces {
    const ROLE: Role = Role::Plain;

    fn moved(&self, _: &Motion) -> Result<Self, MotionError> {
        Ok(self.clone())
    }
}

impl Polyhedron {
    /// Twice the area of a face along its normal, by Newell's method.
    fn normal(&self, face: &[u32]) -> Vector {
        let corner = |at: usize| Vector(self.vertices.get()[face[at % face.len()] as usize]);
        let first = corner(0);
        let parts = (1..face.len()).map(|at| (corner(at) - first).cross(corner(at + 1) - first));
        parts.fold(Vector([0.0; 3]), |sum, part| sum + part)
    }

    /// The faces, counter-clockwise seen from outside: neighbours agree, and what is closed has a positive
    /// volume.
    pub fn oriented_faces(&self) -> Vec<Vec<u32>> {
        let mut faces = self.faces.get().to_vec();
        let edges = self.edges();
        let mut is_known = vec![false; faces.len()];
        for start in 0..faces.len() {
            let (mut part, mut next) = (Vec::new(), vec![start]);
            while let Some(at) = next.pop() {
                if std::mem::replace(&mut is_known[at], true) {
                    continue;
                }
                part.push(at);
                for [from, to] in ways(&faces[at]).collect::<Vec<_>>() {
                    for &other in &edges[&[from.min(to), from.max(to)]] {
                        if !is_known[other] && !next.contains(&other) {
                            // Neighbours go along their edge in opposite directions.
                            if ways(&faces[other]).any(|way| way == [from, to]) {
                                faces[other].reverse();
                            }
                            next.push(other);
                        }
                    }
                }
            }
            let is_closed = part.iter().all(|at| {
                ways(&faces[*at]).all(|[from, to]| edges[&[from.min(to), from.max(to)]].len() == 2)
            });
            let volume: f64 = part
                .iter()
                .map(|at| {
                    self.normal(&faces[*at])
                        .dot(Vector(self.vertices.get()[faces[*at][0] as usize]))
                })
                .sum();
            if is_closed && volume < 0.0 {
                part.iter().for_each(|at| faces[*at].reverse());
            }
        }
        faces
    }

    /// The faces at each edge, whose vertices are in ascending order.
    fn edges(&self) -> HashMap<[u32; 2], Vec<usize>> {
        let mut edges: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
        for (at, face) in self.faces.get().iter().enumerate() {
            for [from, to] in ways(face) {
                edges.entry([from.min(to), from.max(to)]).or_default().push(at);
            }
        }
        edges
    }
}

/// The edges of a face in order.
fn ways(face: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..face.len()).map(|at| [face[at], face[(at + 1) % face.len()]])
}

impl ShapeKind for Polyhedron {
    const LABEL: &'static str = "Polyhedron";
    const ICON: &'static str = "mesh";
    const FRAME: Frame = Frame::Corners;
    const ON_REQUEST: bool = true;

    /// An octahedron.
    fn sample() -> Option<Self> {
        let vertices = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
        let faces = [
            [0, 2, 4],
            [4, 2, 1],
            [1, 2, 5],
            [5, 2, 0],
            [4, 3, 0],
            [1, 3, 4],
            [5, 3, 1],
            [0, 3, 5],
        ];
        Some(Self {
            center: Point::ORIGIN,
            vertices: Corners::new(vertices.map(|corner| corner.map(f64::from)).to_vec())?,
            faces: Faces::new(faces.map(Vec::from).to_vec())?,
            smooth: false,
            rotation: Rotation::NONE,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let rows = rotation_matrix(self.rotation.get()).map(Vector);
        let center = Vector(self.center.get());
        let used = self.faces.get().iter().flatten();
        let boxes = used.map(|index| {
            let own = Vector(self.vertices.get()[*index as usize]);
            let place = (center + Vector(rows.map(|row| row.dot(own)))).0;
            Aabb { min: place, max: place }
        });
        boxes.reduce(Aabb::union)
    }

    fn is_solid(&self) -> bool {
        self.edges().values().all(|faces| faces.len() == 2)
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let corners = self.vertices.get().iter().map(|corner| stretch.lengths(*corner));
        Ok(Some(Self {
            center: stretch.own_point(self.center, self.rotation)?,
            vertices: Corners::new(corners.collect()).ok_or(MotionError::OutOfRange)?,
            ..self.clone()
        }))
    }
}
