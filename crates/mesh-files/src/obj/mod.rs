//! Wavefront OBJ files with their materials.

mod text;

use media::MeshData;
use tobj::LoadOptions;

use crate::append::append;
use crate::{Limits, MeshFileError};

/// Objects, groups and `usemtl` lines. Each begins a part.
const MAX_PARTS: usize = 1 << 16;

/// The triangles of an object or group that have one material.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjPart {
    /// May be empty.
    pub name: String,
    /// The index of its material in [`ObjFile::materials`].
    pub material: Option<usize>,
    /// Its triangles.
    pub data: MeshData,
}

/// A Wavefront file with its materials.
#[derive(Debug, Clone, Default)]
pub struct ObjFile {
    /// The parts, in the order of the file.
    pub parts: Vec<ObjPart>,
    /// The materials of the MTL files it refers to.
    pub materials: Vec<tobj::Material>,
    /// The error of an MTL file that cannot be read. Parts have no materials then.
    pub missing: Option<String>,
}

impl ObjFile {
    /// Reads a file. `beside` reads the MTL files it refers to. `cancelled` is polled; once it returns true,
    /// reading ends with [`MeshFileError::Cancelled`].
    pub fn open(
        bytes: &[u8],
        limits: &Limits,
        beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, MeshFileError> {
        let text = text::mesh_lines(&text::decoded(bytes))?;
        check(&text, limits)?;
        let options =
            LoadOptions { triangulate: true, single_index: true, ..LoadOptions::default() };
        let beside = std::cell::RefCell::new(beside);
        let unread = std::cell::RefCell::new(None);
        let materials = |name: &std::path::Path| {
            let name = name.to_str().ok_or(tobj::LoadError::OpenFileFailed)?;
            let bytes = (beside.borrow_mut())(&name.replace('\\', "/")).map_err(|error| {
                *unread.borrow_mut() = Some(format!("{name}: {error}"));
                tobj::LoadError::OpenFileFailed
            })?;
            let text = text::material_lines(&text::decoded(&bytes));
            tobj::load_mtl_buf(&mut text.as_bytes())
        };
        let mut watched = Cancellable { rest: text.as_bytes(), cancelled };
        let loaded = tobj::load_obj_buf(&mut watched, &options, materials);
        if cancelled() {
            return Err(MeshFileError::Cancelled);
        }
        let (models, materials) = loaded.map_err(MeshFileError::malformed)?;
        let told = materials.as_ref().err().map(ToString::to_string);
        let missing = unread.take().filter(|_| told.is_some()).or(told);
        let parts: Vec<ObjPart> = models.into_iter().map(part).collect();
        let vertices = parts.iter().map(|part| part.data.positions.len()).sum();
        limits.check_vertices(vertices)?;
        Ok(Self { parts, materials: materials.unwrap_or_default(), missing })
    }
}

/// A reader that fails once reading is cancelled.
struct Cancellable<'a> {
    rest: &'a [u8],
    cancelled: &'a dyn Fn() -> bool,
}

impl std::io::Read for Cancellable<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.rest.read(into)
    }
}

impl std::io::BufRead for Cancellable<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        /// Some thousand lines.
        const PIECE: usize = 1 << 16;
        if (self.cancelled)() {
            return Err(std::io::Error::other("cancelled"));
        }
        Ok(&self.rest[..self.rest.len().min(PIECE)])
    }

    fn consume(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }
}

fn part(model: tobj::Model) -> ObjPart {
    let tobj::Mesh { positions, normals, texcoords, indices, material_id, .. } = model.mesh;
    let mut data = MeshData {
        positions: groups(&positions),
        triangles: groups(&indices),
        normals: groups(&normals),
        uv: groups(&texcoords),
    };
    // If only some faces have normals or UV coordinates, it is not known which vertices they belong to.
    if data.normals.len() != data.positions.len() {
        data.normals.clear();
    }
    if data.uv.len() != data.positions.len() {
        data.uv.clear();
    }
    ObjPart { name: model.name, material: material_id, data }
}

/// Reads a file as one mesh, without materials. Polygons are triangulated; a vertex with several normals
/// becomes several vertices.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<MeshData, MeshFileError> {
    let mut mesh = MeshData::default();
    let file = ObjFile::open(bytes, limits, &mut |_| Ok(Vec::new()), &|| false)?;
    for part in file.parts {
        append(&mut mesh, part.data)?;
    }
    Ok(mesh)
}

/// Checks what the parser would allocate, line by line.
fn check(text: &str, limits: &Limits) -> Result<(), MeshFileError> {
    let (mut vertices, mut faces, mut triangles, mut parts) = (0, 0, 0, 0);
    for line in text.split('\n') {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => vertices += 1,
            Some("f" | "l") => {
                faces += 1;
                triangles += words.count().saturating_sub(2);
            }
            Some("o" | "g" | "usemtl") => parts += 1,
            _ => {}
        }
    }
    limits.check_vertices(vertices)?;
    limits.check_triangles(faces.max(triangles))?;
    if parts > MAX_PARTS {
        return Err(MeshFileError::TooMuch { what: "objects and groups", max: MAX_PARTS });
    }
    Ok(())
}

fn groups<T: Copy, const N: usize>(flat: &[T]) -> Vec<[T; N]> {
    flat.as_chunks().0.to_vec()
}
