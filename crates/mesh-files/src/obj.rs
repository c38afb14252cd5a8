//! Wavefront OBJ files.

use tobj::LoadOptions;
use tracer::MeshData;

use crate::{FileFault, append};

/// Polygons are cut into triangles, and a vertex with several normals into several vertices.
pub(crate) fn read(bytes: &[u8]) -> Result<MeshData, FileFault> {
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
    Ok(mesh)
}

fn groups<T: Copy, const N: usize>(flat: &[T]) -> Vec<[T; N]> {
    flat.as_chunks().0.to_vec()
}
