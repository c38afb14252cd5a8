//! Wavefront OBJ files.

use tobj::LoadOptions;
use tracer::MeshData;

use crate::limits::{LONGEST_LINE, Limits, too_long_a_line};
use crate::{FileFault, append};

/// Objects, groups and changes of material: each begins a part with tables of its own.
const MOST_PARTS: usize = 1 << 16;

/// Polygons are cut into triangles, and a vertex with several normals into several vertices.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<MeshData, FileFault> {
    check(bytes, limits)?;
    let options = LoadOptions { triangulate: true, single_index: true, ..LoadOptions::default() };
    // The files of materials that it names are not read.
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let (models, _) =
        tobj::load_obj_buf(&mut &*bytes, &options, no_materials).map_err(FileFault::malformed)?;
    let mut mesh = MeshData::default();
    for model in models {
        let tobj::Mesh { positions, normals, texcoords, indices, .. } = model.mesh;
        let part = MeshData {
            positions: groups(&positions),
            triangles: groups(&indices),
            normals: groups(&normals),
            uv: groups(&texcoords),
        };
        append(&mut mesh, part)?;
    }
    limits.check_vertices(mesh.positions.len())?;
    Ok(mesh)
}

/// Counts what the library would allocate for, line by line as it does.
fn check(bytes: &[u8], limits: &Limits) -> Result<(), FileFault> {
    let text = std::str::from_utf8(bytes).map_err(FileFault::malformed)?;
    let (mut vertices, mut faces, mut triangles, mut parts) = (0, 0, 0, 0);
    for line in text.split('\n') {
        if line.len() > LONGEST_LINE {
            return Err(too_long_a_line());
        }
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
    if parts > MOST_PARTS {
        return Err(FileFault::TooMuch { what: "objects and groups", most: MOST_PARTS });
    }
    Ok(())
}

fn groups<T: Copy, const N: usize>(flat: &[T]) -> Vec<[T; N]> {
    flat.as_chunks().0.to_vec()
}
