//! glTF 2.0 files, as JSON or as GLB.
//!
//! The `gltf` crate does not check lengths and offsets, so everything that is used of a file is checked
//! here.

mod accessor;
mod container;
mod matrix;
mod repair;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Document, Node, Primitive};
use media::MeshData;
use serde_json::Value;

use self::accessor::Accessors;
use self::matrix::{IDENTITY, times};
use crate::append::append;
use crate::{Limits, MAX_FILE_BYTES, MeshFileError};

pub use self::matrix::{Matrix, transform_mesh};

/// A checked glTF file with its buffers.
#[derive(Debug)]
pub struct GltfFile {
    /// The document, repaired so that the `gltf` crate accepts it.
    pub document: Document,
    /// The JSON as it is in the file, with everything the `gltf` crate does not know.
    pub json: Value,
    buffers: Vec<Vec<u8>>,
}

impl GltfFile {
    /// Reads a glTF or GLB file. `beside` reads the files it refers to, by their percent-decoded paths.
    pub fn open(
        bytes: &[u8],
        beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
    ) -> Result<Self, MeshFileError> {
        let (mut json, mut blob) = container::open(bytes)?;
        let document = repair::repaired(&mut json)?;
        // The error contains the path in the document.
        let root = serde_path_to_error::deserialize(document).map_err(MeshFileError::malformed)?;
        check_positions(&root)?;
        let document = Document::from_json(root).map_err(MeshFileError::malformed)?;
        let mut fetched = 0;
        let buffers = document
            .buffers()
            .map(|buffer| {
                let content = match buffer.source() {
                    Source::Bin => blob.take().ok_or_else(|| {
                        MeshFileError::malformed("a buffer is in the binary part, which is missing")
                    })?,
                    Source::Uri(uri) => fetch(uri, beside)?,
                };
                fetched += content.len() as u64;
                if fetched > MAX_FILE_BYTES {
                    return Err(MeshFileError::TooLarge(fetched));
                }
                if content.len() < buffer.length() {
                    return Err(MeshFileError::malformed(format!(
                        "buffer {} has {} bytes, but {} are promised",
                        buffer.index(),
                        content.len(),
                        buffer.length()
                    )));
                }
                Ok(content)
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self { document, json, buffers })
    }

    /// The nodes of the default scene, each after its parent, with their matrices to world space. Fails
    /// if the nodes are not a tree.
    pub fn placed_nodes(&self) -> Result<Vec<PlacedNode<'_>>, MeshFileError> {
        let mut unseen = vec![true; self.document.nodes().len()];
        let scene = self.document.default_scene().or_else(|| self.document.scenes().next());
        let scene = scene.ok_or_else(|| MeshFileError::malformed("the file has no scene"))?;
        // Not recursive: deep trees would exhaust the stack.
        let mut waiting: Vec<_> = scene.nodes().map(|node| (node, None, IDENTITY)).collect();
        waiting.reverse();
        let mut placed = Vec::new();
        while let Some((node, parent, outer)) = waiting.pop() {
            if !std::mem::take(&mut unseen[node.index()]) {
                let what =
                    format!("node {} is in several places of the tree of nodes", node.index());
                return Err(MeshFileError::malformed(what));
            }
            let matrix = times(outer, node.transform().matrix());
            let children: Vec<_> =
                node.children().map(|child| (child, Some(node.index()), matrix)).collect();
            waiting.extend(children.into_iter().rev());
            placed.push(PlacedNode { node, parent, matrix });
        }
        Ok(placed)
    }

    /// The triangles of a primitive in the space of its mesh; none for points and lines.
    pub fn triangles(
        &self,
        primitive: &Primitive<'_>,
        limits: &Limits,
    ) -> Result<MeshData, MeshFileError> {
        use gltf::Semantic::{Normals, Positions, TexCoords};
        let accessors = Accessors { json: &self.json, buffers: &self.buffers };
        let positions = primitive.get(&Positions);
        let positions =
            positions.ok_or_else(|| MeshFileError::malformed("a mesh has no positions"))?;
        let vertices = accessors.count(positions.index())?;
        limits.check_vertices(vertices)?;
        // Accessors with another count are ignored.
        let fits = |accessor: &gltf::Accessor<'_>| {
            accessors.count(accessor.index()).is_ok_and(|count| count == vertices)
        };
        let normals = primitive.get(&Normals).filter(fits);
        let uv = primitive.get(&TexCoords(0)).filter(fits);
        let corners = match primitive.indices() {
            Some(indices) => {
                limits.check_triangles(accessors.count(indices.index())? / 3)?;
                accessors.indices(indices.index())?
            }
            None => (0..vertices as u32).collect(),
        };
        let normals = normals.map(|normals| accessors.vectors(normals.index())).transpose()?;
        let uv = uv.map(|uv| accessors.vectors(uv.index())).transpose()?;
        Ok(MeshData {
            positions: accessors.vectors(positions.index())?,
            triangles: triangles(primitive.mode(), &corners),
            normals: normals.unwrap_or_default(),
            // In glTF v points down.
            uv: uv.into_iter().flatten().map(|[u, v]: [f32; 2]| [u, 1.0 - v]).collect(),
        })
    }

    /// The bytes of an image in the file or beside it.
    pub fn image_bytes(
        &self,
        image: &gltf::Image<'_>,
        beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
    ) -> Result<Vec<u8>, MeshFileError> {
        match image.source() {
            gltf::image::Source::Uri { uri, .. } => fetch(uri, beside),
            gltf::image::Source::View { view, .. } => {
                let bytes = self.buffers.get(view.buffer().index());
                let end = view.offset().checked_add(view.length());
                let part = bytes.zip(end).and_then(|(bytes, end)| bytes.get(view.offset()..end));
                part.map(<[u8]>::to_vec).ok_or_else(|| {
                    MeshFileError::malformed(format!(
                        "image {} lies outside of its buffer",
                        image.index()
                    ))
                })
            }
        }
    }
}

/// A node with its matrix to world space.
#[derive(Debug)]
pub struct PlacedNode<'a> {
    /// The node.
    pub node: Node<'a>,
    /// The index of its parent.
    pub parent: Option<usize>,
    /// From the space of the node to the world.
    pub matrix: Matrix,
}

pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
) -> Result<MeshData, MeshFileError> {
    let file = GltfFile::open(bytes, beside)?;
    let mut mesh = MeshData::default();
    for PlacedNode { node, matrix, .. } in file.placed_nodes()? {
        append_node(&mut mesh, &node, matrix, &file, limits)?;
    }
    Ok(mesh)
}

/// Checks accessor indices of attributes, which the `gltf` crate uses before it checks them.
fn check_positions(root: &gltf::json::Root) -> Result<(), MeshFileError> {
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut named = primitives.flat_map(|primitive| primitive.attributes.values());
    match named.find(|accessor| accessor.value() >= root.accessors.len()) {
        Some(accessor) => Err(MeshFileError::malformed(format!(
            "a mesh names accessor {}, but there are {}",
            accessor.value(),
            root.accessors.len()
        ))),
        None => Ok(()),
    }
}

fn fetch(
    uri: &str,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
) -> Result<Vec<u8>, MeshFileError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data
            .split_once(";base64,")
            .ok_or_else(|| MeshFileError::malformed("a data URI is not in base64"))?;
        return STANDARD.decode(text).map_err(MeshFileError::malformed);
    }
    let name = percent_encoding::percent_decode_str(uri).decode_utf8();
    let name = name.map_err(MeshFileError::malformed)?;
    beside(&name).map_err(|error| MeshFileError::malformed(format!("buffer '{name}': {error}")))
}

/// Appends the mesh of a node.
fn append_node(
    mesh: &mut MeshData,
    node: &Node<'_>,
    matrix: Matrix,
    file: &GltfFile,
    limits: &Limits,
) -> Result<(), MeshFileError> {
    for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
        let mut part = file.triangles(&primitive, limits)?;
        limits.check_triangles(mesh.triangles.len() + part.triangles.len())?;
        limits.check_vertices(mesh.positions.len() + part.positions.len())?;
        transform_mesh(&mut part, matrix);
        append(mesh, part)?;
    }
    Ok(())
}

/// The triangles of a primitive mode; none for points and lines.
fn triangles(mode: Mode, vertices: &[u32]) -> Vec<[u32; 3]> {
    match mode {
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
    }
}
