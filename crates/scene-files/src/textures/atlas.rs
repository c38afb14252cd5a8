//! Triangles laid out flat, and u and v for those that have none.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat4, Vec2, Vec3};
use media::MeshData;
use tracer::ShapeTextures;

use super::canvas::Canvas;
use super::face::{Face, points};
use crate::parts::Parts;
use crate::{SceneFileFault, Sources};

/// Pieces a surface may be cut into.
const MOST_PIECES: usize = 600;
/// Pixels around each piece, for what is between pixels.
const MARGIN: f32 = 2.0;

/// A triangle on an image, wherever its shape stands.
#[derive(Debug, Clone)]
struct Flat {
    /// Its place among those of the form.
    triangle: u32,
    /// In pixels, rows from the top.
    pixels: [Vec2; 3],
    /// The side of a cube it faces.
    side: usize,
}

/// A surface on a square image, each point at a place of its own.
#[derive(Debug)]
pub(super) struct Atlas {
    /// The triangles, with u and v; in the order of `faces`.
    mesh: MeshData,
    faces: Vec<Flat>,
    /// Pixels across and down.
    side: u32,
}

/// An atlas that parts are painted on.
#[derive(Debug)]
pub(super) struct Layout {
    mesh: Rc<MeshData>,
    faces: Vec<Flat>,
    /// The place of its triangles among the forms.
    pub(super) form: usize,
    pub(super) canvas: Canvas,
}

impl Layout {
    pub(super) fn of(
        atlas: Atlas,
        parts: &mut Parts,
        sources: &Sources<'_>,
    ) -> Result<Self, SceneFileFault> {
        let Atlas { mesh, faces, side } = atlas;
        let canvas = Canvas::new(side, &faces.iter().map(|face| face.pixels), sources)?;
        let mesh = Rc::new(mesh);
        Ok(Self { form: parts.lay_out(Rc::clone(&mesh)), mesh, faces, canvas })
    }

    /// The triangles where a matrix takes them.
    pub(super) fn faces(&self, matrix: DMat4) -> Vec<Face> {
        let face = |(at, flat): (usize, &Flat)| {
            let axes =
                AXES[flat.side].map(|axis| matrix.transform_vector3(axis.as_dvec3()).as_vec3());
            let (pixels, triangle) = (flat.pixels, flat.triangle);
            Face { pixels, axes, triangle, ..Face::of(&self.mesh, at, matrix) }
        };
        self.faces.iter().enumerate().map(face).collect()
    }
}

/// Triangles next to each other that face the same way, seen along one axis.
struct Piece {
    triangles: Vec<usize>,
    low: Vec2,
    size: Vec2,
    /// Where its lower left corner lies, in pixels from the left and from below, the margin included.
    place: Vec2,
}

impl Atlas {
    /// `None` for what falls into too many pieces.
    pub(super) fn of(
        data: &MeshData,
        side: u32,
        sources: &Sources<'_>,
    ) -> Result<Option<Self>, SceneFileFault> {
        let sides: Vec<usize> =
            (0..data.triangles.len()).map(|at| facing(normal(data, at))).collect();
        let Some(mut pieces) = pieces(data, &sides, sources)? else { return Ok(None) };
        let Some(scale) = place(&mut pieces, side as f32) else { return Ok(None) };
        let mut corners = Corners::default();
        let mut faces = Vec::with_capacity(data.triangles.len());
        for piece in &pieces {
            for &at in &piece.triangles {
                sources.check_now_and_then(faces.len())?;
                let axes = AXES[sides[at]];
                let flat = |point: Vec3| Vec2::new(point.dot(axes[0]), point.dot(axes[1]));
                let local = points(data, at);
                let laid =
                    local.map(|point| (flat(point) - piece.low) * scale + piece.place + MARGIN);
                let uv = laid.map(|at| (at / side as f32).to_array());
                let pixels = laid.map(|at| Vec2::new(at.x, side as f32 - at.y));
                corners.add(data, at, uv);
                faces.push(Flat { triangle: at as u32, pixels, side: sides[at] });
            }
        }
        Ok(Some(Self { mesh: corners.mesh, faces, side }))
    }
}

/// Right and up for whoever looks at a side, by [`facing`].
const AXES: [[Vec3; 2]; 6] = [
    [Vec3::NEG_Z, Vec3::Y],
    [Vec3::Z, Vec3::Y],
    [Vec3::X, Vec3::NEG_Z],
    [Vec3::X, Vec3::Z],
    [Vec3::X, Vec3::Y],
    [Vec3::NEG_X, Vec3::Y],
];

/// The side of a cube that a normal goes through: 0 to 5 for +x, -x, +y, -y, +z, -z.
fn facing(normal: Vec3) -> usize {
    let steep = normal.abs();
    let axis = if steep.y > steep.x.max(steep.z) {
        1
    } else if steep.x > steep.z {
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

/// The pieces of a surface.
fn pieces(
    data: &MeshData,
    sides: &[usize],
    sources: &Sources<'_>,
) -> Result<Option<Vec<Piece>>, SceneFileFault> {
    let mut parents: Vec<usize> = (0..sides.len()).collect();
    let mut edges: HashMap<([u32; 3], [u32; 3], usize), usize> = HashMap::new();
    for (at, side) in sides.iter().enumerate() {
        sources.check_now_and_then(at)?;
        let corners = points(data, at).map(|point| (point + 0.0).to_array().map(f32::to_bits));
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let (low, high) = (corners[from].min(corners[to]), corners[from].max(corners[to]));
            let other = *edges.entry((low, high, *side)).or_insert(at);
            let (one, other) = (root(&mut parents, at), root(&mut parents, other));
            parents[one.max(other)] = one.min(other);
        }
    }
    let mut places = HashMap::new();
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        let piece = *places.entry(root(&mut parents, at)).or_insert_with(|| {
            let (low, size) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            pieces.push(Piece { triangles: Vec::new(), low, size, place: Vec2::ZERO });
            pieces.len() - 1
        });
        if pieces.len() > MOST_PIECES {
            return Ok(None);
        }
        let piece = &mut pieces[piece];
        piece.triangles.push(at);
        for point in points(data, at) {
            let flat = Vec2::new(point.dot(AXES[*side][0]), point.dot(AXES[*side][1]));
            piece.low = piece.low.min(flat);
            // The upper end, until all is known.
            piece.size = piece.size.max(flat);
        }
    }
    for piece in &mut pieces {
        piece.size -= piece.low;
    }
    Ok(Some(pieces))
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// Puts the pieces on the image, as large as it can hold; gives the pixels of a length of 1.
fn place(pieces: &mut [Piece], side: f32) -> Option<f32> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|a, b| pieces[*b].size.y.total_cmp(&pieces[*a].size.y));
    let largest = pieces.iter().map(|piece| piece.size.max_element()).fold(0.0, f32::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let (mut fits, mut too_large) = (0.0, 2.0 * side / largest);
    for _ in 0..24 {
        let middle = f32::midpoint(fits, too_large);
        if on_shelves(pieces, &order, side, middle) {
            fits = middle;
        } else {
            too_large = middle;
        }
    }
    (fits > 0.0 && on_shelves(pieces, &order, side, fits)).then_some(fits)
}

/// Lays the pieces in rows, the highest first; whether all have room.
fn on_shelves(pieces: &mut [Piece], order: &[usize], side: f32, scale: f32) -> bool {
    let (mut pen, mut height) = (Vec2::ZERO, 0.0_f32);
    for &at in order {
        let size = (pieces[at].size * scale).ceil() + 2.0 * MARGIN;
        if pen.x + size.x > side {
            pen = Vec2::new(0.0, pen.y + height);
            height = 0.0;
        }
        pieces[at].place = pen;
        pen.x += size.x;
        height = height.max(size.y);
        if pen.x > side || pen.y + height > side {
            return false;
        }
    }
    true
}

/// Vertices that may differ in u and v alone.
#[derive(Default)]
struct Corners {
    mesh: MeshData,
    known: HashMap<(u32, [u32; 2]), u32>,
}

impl Corners {
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

/// The triangles with u and v as the shape's own.
pub(super) fn with_own_uv(
    data: &MeshData,
    matrix: DMat4,
    textures: &ShapeTextures,
    sources: &Sources<'_>,
) -> Result<MeshData, SceneFileFault> {
    let mut corners = Corners::default();
    for at in 0..data.triangles.len() {
        sources.check_now_and_then(at)?;
        let face = Face::of(data, at, matrix);
        let (points, normal) = (face.points.map(|point| point.to_array()), face.normal.to_array());
        corners.add(data, at, textures.corners(points, normal, at as u32));
    }
    Ok(corners.mesh)
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

    fn laid_out(data: &MeshData) -> Option<Atlas> {
        let mut none = |_: &str| Err(mesh_files::FileFault::Missing);
        let mut nothing = |_: &str| Err(mesh_files::FileFault::Missing);
        let sources = Sources { meshes: &mut none, images: &mut nothing, cancelled: &|| false };
        Atlas::of(data, 64, &sources).unwrap()
    }

    #[test]
    fn pieces_do_not_lie_on_each_other_and_keep_their_form() {
        let atlas = laid_out(&corner()).unwrap();
        assert_eq!(atlas.faces.len(), 4);
        let area = |face: &Flat| {
            let [a, b, c] = face.pixels;
            (b - a).perp_dot(c - a).abs()
        };
        let first = area(&atlas.faces[0]);
        assert!(first > 100.0, "{first}");
        assert!(atlas.faces.iter().all(|face| (area(face) - first).abs() < 1e-2 * first));
        let low = |faces: &[Flat]| {
            let all = faces.iter().flat_map(|face| face.pixels);
            all.fold(Vec2::INFINITY, Vec2::min)
        };
        let high = |faces: &[Flat]| {
            let all = faces.iter().flat_map(|face| face.pixels);
            all.fold(Vec2::NEG_INFINITY, Vec2::max)
        };
        let (one, other) = atlas.faces.split_at(2);
        let apart = high(one).cmplt(low(other)).any() || high(other).cmplt(low(one)).any();
        assert!(apart, "{:?}", atlas.faces);
        assert!(low(&atlas.faces).min_element() >= 1.0 && high(&atlas.faces).max_element() <= 63.0);
    }

    #[test]
    fn what_falls_to_pieces_is_refused() {
        let count = MOST_PIECES as u32 + 1;
        let positions = (0..3 * count).map(|at| [at as f32, (at % 3) as f32, (at % 2) as f32]);
        let data = MeshData {
            positions: positions.collect(),
            triangles: (0..count).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect(),
            ..MeshData::default()
        };
        assert!(laid_out(&data).is_none());
    }
}
