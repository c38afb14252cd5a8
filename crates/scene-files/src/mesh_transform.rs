//! Transforms of meshes, cameras and lights from the matrices of a file.

use glam::{DMat3, DMat4, DVec3};
use media::MeshData;
use mesh_files::{Matrix, transform_mesh};
use scene::{Aabb, MAX_RADIANCE, Scale, euler_angles};
use serde_json::{Map, Value, json};

/// Relative tolerance for right angles and equal lengths: files hold single precision.
const TOLERANCE: f64 = 1e-4;
/// Numbers are rounded to 1 / this: lengths to a micrometre.
const PLACES: f64 = 1e6;

/// Scale, then rotation, then translation of a mesh (the TRS properties of glTF).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeshTransform {
    pub(crate) translation: [f64; 3],
    /// Euler angles in degrees, applied X, then Y, then Z.
    pub(crate) rotation: [f64; 3],
    pub(crate) scale: [f64; 3],
}

impl MeshTransform {
    /// The decomposition of a matrix; `None` for one that mirrors or shears.
    pub(crate) fn of(matrix: DMat4) -> Option<Self> {
        let axes = DMat3::from_mat4(matrix);
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        let [x, y, z] =
            [axes.x_axis / lengths[0], axes.y_axis / lengths[1], axes.z_axis / lengths[2]];
        let square = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|cosine| cosine.abs() < TOLERANCE);
        // False for an axis of length 0, too.
        let rotates = square && x.cross(y).dot(z) > 0.0;
        let largest = lengths.into_iter().fold(0.0, f64::max);
        let even = lengths.iter().all(|length| (length - largest).abs() <= TOLERANCE * largest);
        let scale = if even { [factor(largest); 3] } else { lengths.map(factor) };
        let is_valid = rotates && Scale::new(scale).is_some();
        is_valid.then(|| Self {
            translation: matrix.w_axis.truncate().to_array().map(tidy),
            rotation: euler_angles([[x.x, y.x, z.x], [x.y, y.y, z.y], [x.z, y.z, z.z]])
                .map(degrees),
            scale,
        })
    }

    /// A translation.
    pub(crate) fn at(translation: DVec3) -> Self {
        let translation = translation.to_array().map(tidy);
        Self { translation, rotation: [0.0; 3], scale: [1.0; 3] }
    }

    /// The properties of a mesh shape, without those that have their defaults.
    pub(crate) fn properties(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        if self.translation != [0.0; 3] {
            properties.insert("translation".into(), json!(self.translation));
        }
        if self.rotation != [0.0; 3] {
            properties.insert("rotation".into(), json!(self.rotation));
        }
        match self.scale {
            [x, y, z] if x == y && y == z => {
                if x != 1.0 {
                    properties.insert("scale".into(), json!(x));
                }
            }
            scale => {
                properties.insert("scale".into(), json!(scale));
            }
        }
        properties
    }

    /// The bounding box after the transform of an object with the bounding box `local`.
    pub(crate) fn bounds(&self, local: Aabb) -> Aabb {
        let rows = scene::rotation_matrix(self.rotation);
        let corners = (0..8).map(|corner| {
            let local: [f64; 3] = std::array::from_fn(|axis| {
                let end = if corner >> axis & 1 == 0 { local.min } else { local.max };
                end[axis] * self.scale[axis]
            });
            let turned = rows.map(|row| (0..3).map(|axis| row[axis] * local[axis]).sum::<f64>());
            let point = std::array::from_fn(|axis| turned[axis] + self.translation[axis]);
            Aabb { min: point, max: point }
        });
        corners.reduce(Aabb::union).unwrap_or(local)
    }
}

/// The mesh with the linear part of a matrix applied, for one that is no [`MeshTransform`].
pub(crate) fn with_linear_part(data: &MeshData, matrix: DMat4) -> MeshData {
    let mut data = data.clone();
    let mut columns = matrix.as_mat4().to_cols_array_2d();
    columns[3] = [0.0, 0.0, 0.0, 1.0];
    transform_mesh(&mut data, columns);
    data
}

/// The mesh with a matrix applied.
pub(crate) fn in_world(mut data: MeshData, matrix: DMat4) -> MeshData {
    transform_mesh(&mut data, matrix.as_mat4().to_cols_array_2d());
    data
}

/// The mesh with its origin at the centre of its bounding box, and that centre.
pub(crate) fn centered(mut data: MeshData, bounds: Aabb) -> (MeshData, [f64; 3]) {
    let middle = bounds.center().map(tidy);
    for position in &mut data.positions {
        *position = std::array::from_fn(|axis| (f64::from(position[axis]) - middle[axis]) as f32);
    }
    (data, middle)
}

/// The matrix of a file in double precision.
pub(crate) fn matrix(columns: Matrix) -> DMat4 {
    DMat4::from_cols_array_2d(&columns.map(|column| column.map(f64::from)))
}

/// A camera at `eye` that looks along `forward`. It looks at the point that is as far away as the centre
/// of `bounds`.
pub(crate) fn camera(
    eye: DVec3,
    forward: DVec3,
    up: DVec3,
    vertical_degrees: f64,
    bounds: Option<Aabb>,
) -> Value {
    let middle = bounds.map_or(eye + forward, |bounds| DVec3::from_array(bounds.center()));
    let depth = (middle - eye).dot(forward);
    let distance = if depth > 1e-3 { depth } else { 1.0 };
    json!({
        "center": vector_json(eye),
        "look_at": vector_json(eye + forward * distance),
        "up": vector_json(up),
        "vfov": tidy(vertical_degrees.clamp(0.1, 179.0)),
    })
}

/// A camera that sees all of `bounds` from the front, slightly from the right and above.
pub(crate) fn camera_in_front(bounds: Aabb) -> Value {
    const VERTICAL: f64 = 40.0;
    let middle = DVec3::from_array(bounds.center());
    let radius = (DVec3::from_array(bounds.size()).length() / 2.0).max(1e-3);
    let distance = radius / (VERTICAL / 2.0).to_radians().sin() * 1.05;
    let eye = middle + DVec3::new(0.5, 0.35, 1.0).normalize() * distance;
    json!({
        "center": vector_json(eye),
        "look_at": vector_json(middle),
        "vfov": VERTICAL,
    })
}

/// The properties of a `directional_light` that shines along `forward`. Its handle in the editor lies
/// outside of `bounds`. `irradiance` is that of a surface that faces the light.
pub(crate) fn directional_light(
    forward: DVec3,
    irradiance: [f64; 3],
    bounds: Aabb,
) -> Map<String, Value> {
    let middle = DVec3::from_array(bounds.center());
    let reach = DVec3::from_array(bounds.size()).length().max(1.0);
    let emission = irradiance.map(|part| tidy(part.min(MAX_RADIANCE)));
    let mut properties = Map::new();
    properties.insert("direction".into(), vector_json(forward));
    properties.insert("emission".into(), json!(emission));
    properties.insert("center".into(), vector_json(middle - forward * reach));
    properties
}

/// The properties of an `area_quad_light` with the shape of a mesh, if that is one parallelogram of two
/// triangles. It shines to the front of the mesh.
pub(crate) fn quad_of_mesh(data: &MeshData) -> Option<Map<String, Value>> {
    let [first, second] = data.triangles.as_slice() else { return None };
    let point = |vertex: u32| {
        let position = data.positions.get(vertex as usize)?;
        Some(DVec3::from_array(position.map(f64::from)))
    };
    let corners = [point(first[0])?, point(first[1])?, point(first[2])?];
    let others = [point(second[0])?, point(second[1])?, point(second[2])?];
    let size = corners[0].distance(corners[1]) + corners[1].distance(corners[2]);
    let same = |a: DVec3, b: DVec3| a.distance(b) < 1e-4 * size;
    // The corner of each triangle that the other does not share.
    let alone = (0..3).find(|at| !others.iter().any(|other| same(corners[*at], *other)))?;
    let opposite =
        others.iter().find(|other| !corners.iter().any(|corner| same(*corner, **other)))?;
    let (corner, next, last) = (corners[alone], corners[(alone + 1) % 3], corners[(alone + 2) % 3]);
    let (u, v) = (next - corner, last - corner);
    let facing = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a);
    let flat = same(corner + u + v, *opposite) && facing(corners).dot(facing(others)) > 0.0;
    flat.then(|| {
        let mut properties = Map::new();
        properties.insert("corner".into(), vector_json(corner));
        properties.insert("u".into(), vector_json(u));
        properties.insert("v".into(), vector_json(v));
        properties
    })
}

/// A point or vector as JSON.
pub(crate) fn vector_json(vector: DVec3) -> Value {
    json!(vector.to_array().map(tidy))
}

/// A scale factor rounded to six digits.
fn factor(length: f64) -> f64 {
    let digits = 5 - length.log10().floor() as i32;
    let unit = 10f64.powi(digits);
    (length * unit).round() / unit
}

/// An angle without the rounding errors of single precision.
fn degrees(angle: f64) -> f64 {
    (angle * 1e4).round() / 1e4 + 0.0
}

/// A length or coordinate without the rounding errors of single precision.
pub(crate) fn tidy(number: f64) -> f64 {
    let rounded = (number * PLACES).round() / PLACES;
    // Adding 0 makes -0 positive.
    if rounded.is_finite() { rounded + 0.0 } else { number }
}
