//! UV coordinates for meshes: an atlas for baking, or those of the shape.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat4, Vec2, Vec3};
use media::MeshData;
use tracer::ShapeTextures;

use super::canvas::TexelMap;
use super::face::{Face, points};
use crate::export::Instances;
use crate::{SceneFileError, Sources};

/// Charts of an atlas.
const MAX_CHARTS: usize = 600;
/// Texels around each chart, for bilinear filtering.
const MARGIN: f32 = 2.0;

/// A triangle of an atlas.
#[derive(Debug, Clone)]
struct AtlasTriangle {
    /// Its index in the mesh.
    triangle: u32,
    /// Its corners in texels from the top left.
    texels: [Vec2; 3],
    /// The side of a cube that it faces.
    side: usize,
}

/// A mesh unwrapped onto a square image, where each point of its surface has its own texel.
#[derive(Debug)]
pub(super) struct Atlas {
    /// The mesh with UV coordinates; its triangles are in the order of `triangles`.
    mesh: MeshData,
    triangles: Vec<AtlasTriangle>,
    /// Width and height of the image, in texels.
    side: u32,
}

/// An atlas to bake the textures of instances onto.
#[derive(Debug)]
pub(super) struct BakeTarget {
    mesh: Rc<MeshData>,
    triangles: Vec<AtlasTriangle>,
    /// The geometry of its mesh.
    pub(super) geometry: usize,
    pub(super) texels: TexelMap,
}

impl BakeTarget {
    pub(super) fn new(
        atlas: Atlas,
        instances: &mut Instances,
        sources: &Sources<'_>,
    ) -> Result<Self, SceneFileError> {
        let Atlas { mesh, triangles, side } = atlas;
        let corners = triangles.iter().map(|triangle| triangle.texels);
        let texels = TexelMap::new(side, &corners, sources)?;
        let mesh = Rc::new(mesh);
        let geometry = instances.add_unwrapped(Rc::clone(&mesh));
        Ok(Self { mesh, triangles, geometry, texels })
    }

    /// The triangles with a matrix applied.
    pub(super) fn faces(&self, matrix: DMat4) -> Vec<Face> {
        let face = |(at, &AtlasTriangle { texels, triangle, side }): (usize, &AtlasTriangle)| {
            let axes = AXES[side].map(|axis| matrix.transform_vector3(axis.as_dvec3()).as_vec3());
            Face { texels, axes, triangle, ..Face::of(&self.mesh, at, matrix) }
        };
        self.triangles.iter().enumerate().map(face).collect()
    }
}

/// Connected triangles that face the same side of a cube, projected along its axis.
struct Chart {
    triangles: Vec<usize>,
    low: Vec2,
    size: Vec2,
    /// Its lower left corner in texels from the bottom left, the margin included.
    position: Vec2,
}

impl Atlas {
    /// Unwraps a mesh; `None` if that takes too many charts.
    pub(super) fn of(
        data: &MeshData,
        side: u32,
        sources: &Sources<'_>,
    ) -> Result<Option<Self>, SceneFileError> {
        let sides: Vec<usize> =
            (0..data.triangles.len()).map(|at| facing(normal(data, at))).collect();
        let Some(mut charts) = charts(data, &sides, sources)? else { return Ok(None) };
        let Some(scale) = pack(&mut charts, side as f32) else { return Ok(None) };
        let mut builder = UvMeshBuilder::default();
        let mut triangles = Vec::with_capacity(data.triangles.len());
        for chart in &charts {
            for &at in &chart.triangles {
                sources.check_cancelled_at(triangles.len())?;
                let axes = AXES[sides[at]];
                let project = |point: Vec3| Vec2::new(point.dot(axes[0]), point.dot(axes[1]));
                let local = points(data, at);
                let placed = local
                    .map(|point| (project(point) - chart.low) * scale + chart.position + MARGIN);
                let uv = placed.map(|at| (at / side as f32).to_array());
                let texels = placed.map(|at| Vec2::new(at.x, side as f32 - at.y));
                builder.add(data, at, uv);
                triangles.push(AtlasTriangle { triangle: at as u32, texels, side: sides[at] });
            }
        }
        Ok(Some(Self { mesh: builder.mesh, triangles, side }))
    }
}

/// The directions right and up on each side of a cube, seen from outside; by [`facing`].
const AXES: [[Vec3; 2]; 6] = [
    [Vec3::NEG_Z, Vec3::Y],
    [Vec3::Z, Vec3::Y],
    [Vec3::X, Vec3::NEG_Z],
    [Vec3::X, Vec3::Z],
    [Vec3::X, Vec3::Y],
    [Vec3::NEG_X, Vec3::Y],
];

/// The side of a cube that a normal points to: 0 to 5 for +x, -x, +y, -y, +z, -z.
fn facing(normal: Vec3) -> usize {
    let size = normal.abs();
    let axis = if size.y > size.x.max(size.z) {
        1
    } else if size.x > size.z {
        0
    } else {
        2
    };
    2 * axis + usize::from(normal[axis] < 0.0)
}

fn normal(data: &MeshData, triangle: usize) -> Vec3 {
    let [a, b, c] = points(data, triangle);
    (b - a).cross(c - a).normalize_or(Vec3::Y)
}

/// The charts of a mesh: triangles that share an edge and a side of the cube are in one.
fn charts(
    data: &MeshData,
    sides: &[usize],
    sources: &Sources<'_>,
) -> Result<Option<Vec<Chart>>, SceneFileError> {
    let mut parents: Vec<usize> = (0..sides.len()).collect();
    let mut edges: HashMap<([u32; 3], [u32; 3], usize), usize> = HashMap::new();
    for (at, side) in sides.iter().enumerate() {
        sources.check_cancelled_at(at)?;
        let corners = points(data, at).map(|point| (point + 0.0).to_array().map(f32::to_bits));
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let (low, high) = (corners[from].min(corners[to]), corners[from].max(corners[to]));
            let other = *edges.entry((low, high, *side)).or_insert(at);
            let (one, other) = (root(&mut parents, at), root(&mut parents, other));
            parents[one.max(other)] = one.min(other);
        }
    }
    let mut indices = HashMap::new();
    let mut charts: Vec<Chart> = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        let chart = *indices.entry(root(&mut parents, at)).or_insert_with(|| {
            let (low, size) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            charts.push(Chart { triangles: Vec::new(), low, size, position: Vec2::ZERO });
            charts.len() - 1
        });
        if charts.len() > MAX_CHARTS {
            return Ok(None);
        }
        let chart = &mut charts[chart];
        chart.triangles.push(at);
        for point in points(data, at) {
            let point = Vec2::new(point.dot(AXES[*side][0]), point.dot(AXES[*side][1]));
            chart.low = chart.low.min(point);
            // The upper right corner; the lower left one is subtracted below.
            chart.size = chart.size.max(point);
        }
    }
    for chart in &mut charts {
        chart.size -= chart.low;
    }
    Ok(Some(charts))
}

/// The representative of a set in a disjoint-set forest.
fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// Packs the charts at the largest scale at which they fit, and returns it in texels per unit of length.
fn pack(charts: &mut [Chart], side: f32) -> Option<f32> {
    let mut order: Vec<usize> = (0..charts.len()).collect();
    order.sort_by(|a, b| charts[*b].size.y.total_cmp(&charts[*a].size.y));
    let largest = charts.iter().map(|chart| chart.size.max_element()).fold(0.0, f32::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let (mut fits, mut too_large) = (0.0, 2.0 * side / largest);
    for _ in 0..24 {
        let middle = f32::midpoint(fits, too_large);
        if pack_on_shelves(charts, &order, side, middle) {
            fits = middle;
        } else {
            too_large = middle;
        }
    }
    (fits > 0.0 && pack_on_shelves(charts, &order, side, fits)).then_some(fits)
}

/// Shelf packing in the given order; whether all charts fit.
fn pack_on_shelves(charts: &mut [Chart], order: &[usize], side: f32, scale: f32) -> bool {
    let (mut pen, mut height) = (Vec2::ZERO, 0.0_f32);
    for &at in order {
        let size = (charts[at].size * scale).ceil() + 2.0 * MARGIN;
        if pen.x + size.x > side {
            pen = Vec2::new(0.0, pen.y + height);
            height = 0.0;
        }
        charts[at].position = pen;
        pen.x += size.x;
        height = height.max(size.y);
        if pen.x > side || pen.y + height > side {
            return false;
        }
    }
    true
}

/// Builds a mesh with UV coordinates; a vertex with several of them becomes several vertices.
#[derive(Default)]
struct UvMeshBuilder {
    mesh: MeshData,
    known: HashMap<(u32, [u32; 2]), u32>,
}

impl UvMeshBuilder {
    fn add(&mut self, data: &MeshData, triangle: usize, uv: [[f32; 2]; 3]) {
        let vertices = data.triangles[triangle];
        let made = std::array::from_fn(|corner| {
            let (vertex, uv) = (vertices[corner], uv[corner]);
            let next = self.mesh.positions.len() as u32;
            let at = *self.known.entry((vertex, uv.map(f32::to_bits))).or_insert(next);
            if at == next {
                self.mesh.positions.push(data.positions[vertex as usize]);
                self.mesh.normals.extend(data.normals.get(vertex as usize));
                self.mesh.uv.push(uv);
            }
            at
        });
        self.mesh.triangles.push(made);
    }
}

/// The mesh with the UV coordinates of the shape.
pub(super) fn with_own_uv(
    data: &MeshData,
    matrix: DMat4,
    textures: &ShapeTextures,
    sources: &Sources<'_>,
) -> Result<MeshData, SceneFileError> {
    let mut builder = UvMeshBuilder::default();
    for at in 0..data.triangles.len() {
        sources.check_cancelled_at(at)?;
        let face = Face::of(data, at, matrix);
        let (points, normal) = (face.points.map(|point| point.to_array()), face.normal.to_array());
        builder.add(data, at, textures.corners(points, normal, at as u32));
    }
    Ok(builder.mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two squares at a right angle.
    fn corner() -> MeshData {
        MeshData {
            positions: vec![
                [0.0, 0.0, 0.0],
                [2.0, 0.0, 0.0],
                [2.0, 2.0, 0.0],
                [0.0, 2.0, 0.0],
                [0.0, 0.0, 2.0],
                [2.0, 0.0, 2.0],
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3], [0, 4, 5], [0, 5, 1]],
            ..MeshData::default()
        }
    }

    fn atlas_of(data: &MeshData) -> Option<Atlas> {
        let mut none = |_: &str| Err(mesh_files::MeshFileError::Missing);
        let mut nothing = |_: &str| Err(mesh_files::MeshFileError::Missing);
        let sources = Sources { meshes: &mut none, images: &mut nothing, cancelled: &|| false };
        Atlas::of(data, 64, &sources).unwrap()
    }

    #[test]
    fn charts_do_not_overlap_and_keep_their_areas() {
        let atlas = atlas_of(&corner()).unwrap();
        assert_eq!(atlas.triangles.len(), 4);
        let area = |face: &AtlasTriangle| {
            let [a, b, c] = face.texels;
            (b - a).perp_dot(c - a).abs()
        };
        let first = area(&atlas.triangles[0]);
        assert!(first > 100.0, "{first}");
        assert!(atlas.triangles.iter().all(|face| (area(face) - first).abs() < 1e-2 * first));
        let low = |faces: &[AtlasTriangle]| {
            let all = faces.iter().flat_map(|face| face.texels);
            all.fold(Vec2::INFINITY, Vec2::min)
        };
        let high = |faces: &[AtlasTriangle]| {
            let all = faces.iter().flat_map(|face| face.texels);
            all.fold(Vec2::NEG_INFINITY, Vec2::max)
        };
        let (one, other) = atlas.triangles.split_at(2);
        let apart = high(one).cmplt(low(other)).any() || high(other).cmplt(low(one)).any();
        assert!(apart, "{:?}", atlas.triangles);
        assert!(
            low(&atlas.triangles).min_element() >= 1.0
                && high(&atlas.triangles).max_element() <= 63.0
        );
    }

    #[test]
    fn a_mesh_with_too_many_charts_has_no_atlas() {
        let count = MAX_CHARTS as u32 + 1;
        let positions = (0..3 * count).map(|at| [at as f32, (at % 3) as f32, (at % 2) as f32]);
        let data = MeshData {
            positions: positions.collect(),
            triangles: (0..count).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect(),
            ..MeshData::default()
        };
        assert!(atlas_of(&data).is_none());
    }
}
