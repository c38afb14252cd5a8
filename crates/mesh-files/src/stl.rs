//! STL files: bare triangles, as text or binary.

use std::collections::HashMap;

use media::MeshData;

use crate::limits::{Limits, MAX_LINE, line_too_long};
use crate::{MeshFileError, append::next_vertex};

/// The length of the header of a binary file: a comment and the number of triangles.
const HEADER: usize = 84;
/// The length of a triangle in a binary file: a normal, three corners and two bytes without a
/// defined meaning.
const RECORD: usize = 50;

/// Reads triangles; corners with equal coordinates become one vertex. Normals are ignored, since
/// they follow from the corners.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<MeshData, MeshFileError> {
    match binary_records(bytes)? {
        Some(records) => read_binary(records, limits),
        None => read_text(bytes, limits),
    }
}

/// The triangles of a binary file; `None` for text. The length decides first: there are binary files that
/// begin with "solid", as text does.
fn binary_records(bytes: &[u8]) -> Result<Option<&[u8]>, MeshFileError> {
    let is_text = bytes.trim_ascii_start().starts_with(b"solid");
    let Some((head, rest)) = bytes.split_at_checked(HEADER) else {
        let reason = "an STL file begins with 'solid', or with a header of 84 bytes";
        return if is_text { Ok(None) } else { Err(MeshFileError::malformed(reason)) };
    };
    let count = u32::from_le_bytes([head[80], head[81], head[82], head[83]]) as usize;
    let length = count.checked_mul(RECORD);
    match length {
        Some(length) if length == rest.len() => Ok(Some(rest)),
        _ if is_text => Ok(None),
        // Some programs append their own data.
        Some(length) if length < rest.len() => Ok(Some(&rest[..length])),
        _ => Err(MeshFileError::malformed(format!(
            "the header promises {count} triangles, more than the file can hold"
        ))),
    }
}

fn read_binary(records: &[u8], limits: &Limits) -> Result<MeshData, MeshFileError> {
    limits.check_triangles(records.len() / RECORD)?;
    let mut mesh = Welded::default();
    for record in records.chunks_exact(RECORD) {
        let number = |at: usize| {
            f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
        };
        // After the normal.
        let corner = |index: usize| [0, 1, 2].map(|axis| number(12 + 12 * index + 4 * axis));
        mesh.add([corner(0), corner(1), corner(2)], limits)?;
    }
    Ok(mesh.data)
}

fn read_text(bytes: &[u8], limits: &Limits) -> Result<MeshData, MeshFileError> {
    let mut mesh = Welded::default();
    let mut corners: Vec<[f32; 3]> = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        if line.len() > MAX_LINE {
            return Err(line_too_long());
        }
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_whitespace();
        let faulty = |what: &str| MeshFileError::malformed(format!("line {}: {what}", index + 1));
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("vertex") => {
                let numbers: Vec<f32> = words.map_while(|word| word.parse().ok()).collect();
                let corner = numbers.as_slice().try_into();
                corners.push(corner.map_err(|_| faulty("'vertex' needs three numbers"))?);
            }
            Some("endloop") => {
                let triangle = corners.as_slice().try_into();
                mesh.add(triangle.map_err(|_| faulty("a facet needs three vertices"))?, limits)?;
                corners.clear();
            }
            _ => {}
        }
    }
    if corners.is_empty() {
        Ok(mesh.data)
    } else {
        Err(MeshFileError::malformed("the file ends within a facet"))
    }
}

/// A mesh whose vertices differ from each other.
#[derive(Default)]
struct Welded {
    data: MeshData,
    /// Vertices by the bits of their coordinates.
    vertices: HashMap<[u32; 3], u32>,
}

impl Welded {
    fn add(&mut self, corners: [[f32; 3]; 3], limits: &Limits) -> Result<(), MeshFileError> {
        limits.check_triangles(self.data.triangles.len() + 1)?;
        let mut triangle = [0; 3];
        for (at, corner) in triangle.iter_mut().zip(corners) {
            // Zero has two representations.
            let key = corner.map(|coordinate| (coordinate + 0.0).to_bits());
            *at = match self.vertices.get(&key) {
                Some(&known) => known,
                None => {
                    limits.check_vertices(self.data.positions.len() + 1)?;
                    let new = next_vertex(&self.data)?;
                    self.data.positions.push(corner);
                    self.vertices.insert(key, new);
                    new
                }
            };
        }
        self.data.triangles.push(triangle);
        Ok(())
    }
}
