//! glTF 2.0 files, as JSON or as GLB.
//!
//! The library believes what a file says of lengths and offsets, so all that is used of a file is
//! checked here first.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Accessor, Gltf, Node, Primitive};
use serde_json::Value;
use tracer::MeshData;

use crate::{FileFault, LARGEST_FILE, Limits, append};

/// Values and lists of the JSON part: each may take some hundred bytes once it is read.
const MOST_VALUES: usize = 1 << 18;
/// Magic, version and length of a GLB file.
const GLB_HEADER: usize = 12;

/// A file that was checked, with its buffers.
#[derive(Debug)]
pub struct GltfFile {
    /// What the file says.
    pub document: gltf::Document,
    /// The same as it is written, with what the library does not know.
    pub json: Value,
    buffers: Vec<Vec<u8>>,
}

impl GltfFile {
    /// Reads a glTF or GLB file; `beside` gets the files it names, by their decoded names.
    pub fn open(
        bytes: &[u8],
        beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>,
    ) -> Result<Self, FileFault> {
        check_glb(bytes)?;
        check_values(bytes)?;
        check_positions(bytes)?;
        let Gltf { document, mut blob } = Gltf::from_slice(bytes).map_err(FileFault::malformed)?;
        let mut fetched = 0;
        let buffers = document
            .buffers()
            .map(|buffer| {
                let content = match buffer.source() {
                    Source::Bin => blob.take().ok_or_else(|| {
                        FileFault::malformed("a buffer is in the binary part, which is missing")
                    })?,
                    Source::Uri(uri) => fetch(uri, beside)?,
                };
                fetched += content.len() as u64;
                if fetched > LARGEST_FILE {
                    return Err(FileFault::TooLarge(fetched));
                }
                if content.len() < buffer.length() {
                    return Err(FileFault::malformed(format!(
                        "buffer {} has {} bytes, but {} are promised",
                        buffer.index(),
                        content.len(),
                        buffer.length()
                    )));
                }
                Ok(content)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let json = serde_json::from_slice(json_part(bytes)).map_err(FileFault::malformed)?;
        Ok(Self { document, json, buffers })
    }

    /// The nodes of the scene that is shown, each after its parent, with the matrix that takes it to
    /// world space. A node that is met twice is a fault: neither a loop nor a node in many others
    /// takes forever.
    pub fn placed_nodes(&self) -> Result<Vec<Placed<'_>>, FileFault> {
        let mut unseen = vec![true; self.document.nodes().len()];
        let scene = self.document.default_scene().or_else(|| self.document.scenes().next());
        let scene = scene.ok_or_else(|| FileFault::malformed("the file has no scene"))?;
        // On a list of our own, so that no depth of nodes exhausts the stack.
        let mut waiting: Vec<_> = scene.nodes().map(|node| (node, None, IDENTITY)).collect();
        waiting.reverse();
        let mut placed = Vec::new();
        while let Some((node, parent, outer)) = waiting.pop() {
            if !std::mem::take(&mut unseen[node.index()]) {
                let what =
                    format!("node {} is in several places of the tree of nodes", node.index());
                return Err(FileFault::malformed(what));
            }
            let matrix = times(outer, node.transform().matrix());
            let children: Vec<_> =
                node.children().map(|child| (child, Some(node.index()), matrix)).collect();
            waiting.extend(children.into_iter().rev());
            placed.push(Placed { node, parent, matrix });
        }
        Ok(placed)
    }

    /// The triangles of a primitive, where its mesh has them; none of points and lines.
    pub fn triangles(
        &self,
        primitive: &Primitive<'_>,
        limits: &Limits,
    ) -> Result<MeshData, FileFault> {
        take_primitive(primitive, &self.buffers, limits)
    }

    /// The bytes of a picture that is inside the file, or beside it.
    pub fn picture(
        &self,
        image: &gltf::Image<'_>,
        beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>,
    ) -> Result<Vec<u8>, FileFault> {
        match image.source() {
            gltf::image::Source::Uri { uri, .. } => fetch(uri, beside),
            gltf::image::Source::View { view, .. } => {
                let bytes = self.buffers.get(view.buffer().index());
                let end = view.offset().checked_add(view.length());
                let part = bytes.zip(end).and_then(|(bytes, end)| bytes.get(view.offset()..end));
                part.map(<[u8]>::to_vec).ok_or_else(|| {
                    FileFault::malformed(format!(
                        "image {} lies outside of its buffer",
                        image.index()
                    ))
                })
            }
        }
    }
}

/// A node and its place in the world.
#[derive(Debug)]
pub struct Placed<'a> {
    /// The node.
    pub node: Node<'a>,
    /// The index of the node it is part of.
    pub parent: Option<usize>,
    /// Columns.
    pub matrix: Matrix,
}

pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>,
) -> Result<MeshData, FileFault> {
    let file = GltfFile::open(bytes, beside)?;
    let mut mesh = MeshData::default();
    for Placed { node, matrix, .. } in file.placed_nodes()? {
        take_node(&mut mesh, &node, matrix, &file, limits)?;
    }
    Ok(mesh)
}

fn check_glb(bytes: &[u8]) -> Result<(), FileFault> {
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let length = bytes.get(8..GLB_HEADER).and_then(|bytes| bytes.try_into().ok());
    let length = length.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize);
    if (GLB_HEADER..=bytes.len()).contains(&length) {
        return Ok(());
    }
    Err(FileFault::malformed(format!(
        "the header promises {length} bytes, but there are {}",
        bytes.len()
    )))
}

/// The JSON of a file, which is all of it unless it is a GLB.
fn json_part(bytes: &[u8]) -> &[u8] {
    if !bytes.starts_with(b"glTF") {
        return bytes;
    }
    // The first chunk: its length, its type, and the JSON.
    let length = bytes.get(GLB_HEADER..GLB_HEADER + 4).and_then(|bytes| bytes.try_into().ok());
    let length = length.map_or(0, |bytes| u32::from_le_bytes(bytes) as usize);
    let rest = bytes.get(GLB_HEADER + 8..).unwrap_or_default();
    &rest[..length.min(rest.len())]
}

/// Counts the values of the JSON part without reading it: a file of nothing but empty nodes would
/// take a hundred times its size.
fn check_values(bytes: &[u8]) -> Result<(), FileFault> {
    let json = json_part(bytes);
    let (mut values, mut quoted, mut escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' | b',' if !quoted => values += 1,
            _ => {}
        }
    }
    if values > MOST_VALUES {
        return Err(FileFault::TooMuch { what: "values in its JSON", most: MOST_VALUES });
    }
    Ok(())
}

/// The library looks at the accessors of attributes before it has checked that they are there.
fn check_positions(bytes: &[u8]) -> Result<(), FileFault> {
    let file = Gltf::from_slice_without_validation(bytes).map_err(FileFault::malformed)?;
    let root = file.document.as_json();
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut named = primitives.flat_map(|primitive| primitive.attributes.values());
    match named.find(|accessor| accessor.value() >= root.accessors.len()) {
        Some(accessor) => Err(FileFault::malformed(format!(
            "a mesh names accessor {}, but there are {}",
            accessor.value(),
            root.accessors.len()
        ))),
        None => Ok(()),
    }
}

fn fetch(
    uri: &str,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>,
) -> Result<Vec<u8>, FileFault> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data
            .split_once(";base64,")
            .ok_or_else(|| FileFault::malformed("a data URI is not in base64"))?;
        return STANDARD.decode(text).map_err(FileFault::malformed);
    }
    let name = percent_encoding::percent_decode_str(uri).decode_utf8();
    let name = name.map_err(FileFault::malformed)?;
    beside(&name).map_err(|fault| FileFault::malformed(format!("buffer '{name}': {fault}")))
}

/// Columns of a matrix that takes points from one space to another.
pub type Matrix = [[f32; 4]; 4];

const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

fn times(a: Matrix, b: Matrix) -> Matrix {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

/// Adds the meshes of a node.
fn take_node(
    mesh: &mut MeshData,
    node: &Node<'_>,
    matrix: Matrix,
    file: &GltfFile,
    limits: &Limits,
) -> Result<(), FileFault> {
    for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
        let mut part = file.triangles(&primitive, limits)?;
        limits.check_triangles(mesh.triangles.len() + part.triangles.len())?;
        limits.check_vertices(mesh.positions.len() + part.positions.len())?;
        place(&mut part, matrix);
        append(mesh, part)?;
    }
    Ok(())
}

/// Takes a mesh to the place its node gives it; what is mirrored is turned the right way round.
pub fn place(mesh: &mut MeshData, matrix: Matrix) {
    let [x, y, z, w] = matrix.map(|[a, b, c, _]| [a, b, c]);
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let blend = |axes: [[f32; 3]; 3], [a, b, c]: [f32; 3]| -> [f32; 3] {
        std::array::from_fn(|row| axes[0][row] * a + axes[1][row] * b + axes[2][row] * c)
    };
    for position in &mut mesh.positions {
        let turned = blend([x, y, z], *position);
        *position = std::array::from_fn(|row| turned[row] + w[row]);
    }
    // Normals turn as planes do: by the cofactors.
    let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
    for normal in &mut mesh.normals {
        *normal = blend(cofactors, *normal);
    }
    // What is mirrored goes round the other way; the specification has it so.
    if dot(x, cofactors[0]) < 0.0 {
        mesh.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
        mesh.normals.iter_mut().flatten().for_each(|part| *part = -*part);
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn take_primitive(
    primitive: &Primitive<'_>,
    buffers: &[Vec<u8>],
    limits: &Limits,
) -> Result<MeshData, FileFault> {
    use gltf::Semantic::{Normals, Positions, TexCoords};
    let fault = FileFault::malformed;
    let positions =
        primitive.get(&Positions).ok_or_else(|| fault("a mesh has no positions".to_owned()))?;
    check(&positions, buffers, &[DataType::F32], Dimensions::Vec3)?;
    limits.check_vertices(positions.count())?;
    let normals = primitive.get(&Normals);
    if let Some(normals) = &normals {
        check(normals, buffers, &[DataType::F32], Dimensions::Vec3)?;
    }
    let uv = primitive.get(&TexCoords(0));
    if let Some(uv) = &uv {
        check(uv, buffers, &[DataType::F32, DataType::U8, DataType::U16], Dimensions::Vec2)?;
    }
    if let Some(indices) = primitive.indices() {
        let kinds = [DataType::U8, DataType::U16, DataType::U32];
        check(&indices, buffers, &kinds, Dimensions::Scalar)?;
        limits.check_triangles(indices.count() / 3)?;
    }
    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(AsRef::as_ref));
    let positions: Vec<_> = reader.read_positions().into_iter().flatten().collect();
    let vertices: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..positions.len() as u32).collect(),
    };
    Ok(MeshData {
        triangles: triangles(primitive.mode(), &vertices)?,
        normals: reader.read_normals().into_iter().flatten().collect(),
        uv: reader.read_tex_coords(0).map(|uv| uv.into_f32().collect()).unwrap_or_default(),
        positions,
    })
}

/// Points and lines have no triangles.
fn triangles(mode: Mode, vertices: &[u32]) -> Result<Vec<[u32; 3]>, FileFault> {
    Ok(match mode {
        Mode::Triangles => vertices.as_chunks().0.to_vec(),
        Mode::TriangleStrip => vertices
            .array_windows()
            .enumerate()
            .map(|(at, &[a, b, c])| if at % 2 == 0 { [a, b, c] } else { [b, a, c] })
            .collect(),
        Mode::TriangleFan => match vertices {
            [first, rest @ ..] => rest.array_windows().map(|&[b, c]| [*first, b, c]).collect(),
            [] => Vec::new(),
        },
        Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Vec::new(),
    })
}

/// Whether all that an accessor speaks of is in the file and of a form that is read.
fn check(
    accessor: &Accessor<'_>,
    buffers: &[Vec<u8>],
    kinds: &[DataType],
    dimensions: Dimensions,
) -> Result<(), FileFault> {
    let fault =
        |what: &str| Err(FileFault::malformed(format!("accessor {} {what}", accessor.index())));
    if accessor.sparse().is_some() {
        return fault("is sparse, which is not read");
    }
    if !kinds.contains(&accessor.data_type()) || accessor.dimensions() != dimensions {
        return fault("has a form that its use does not allow");
    }
    let Some(view) = accessor.view() else {
        return fault("has no data");
    };
    let stride = view.stride().unwrap_or(accessor.size());
    let end = accessor
        .count()
        .checked_sub(1)
        .and_then(|last| last.checked_mul(stride))
        .and_then(|last| last.checked_add(accessor.offset()))
        .and_then(|last| last.checked_add(accessor.size()));
    if end.is_none_or(|end| end > view.length()) || stride < accessor.size() {
        return fault("reaches beyond its buffer view");
    }
    let end = view.offset().checked_add(view.length());
    let length = buffers.get(view.buffer().index()).map_or(0, |buffer| buffer.len());
    if end.is_none_or(|end| end > length) {
        return fault("lies in a buffer view that reaches beyond its buffer");
    }
    Ok(())
}
