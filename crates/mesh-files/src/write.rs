//! Writing of PLY files.

use media::MeshData;

/// The mesh as binary PLY, with its normals and UV coordinates if it has them.
pub fn write_ply(mesh: &MeshData) -> Vec<u8> {
    let vertices = mesh.positions.len();
    let normals = (mesh.normals.len() == vertices).then_some(&mesh.normals);
    let uv = (mesh.uv.len() == vertices).then_some(&mesh.uv);
    let mut names = vec!["x", "y", "z"];
    names.extend(normals.iter().flat_map(|_| ["nx", "ny", "nz"]));
    names.extend(uv.iter().flat_map(|_| ["s", "t"]));
    let mut header = format!("ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n");
    names.iter().for_each(|name| header += &format!("property float {name}\n"));
    header += &format!(
        "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.triangles.len()
    );
    let mut bytes = header.into_bytes();
    bytes.reserve(vertices * names.len() * 4 + mesh.triangles.len() * 13);
    let mut put = |numbers: &[f32]| {
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    };
    for vertex in 0..vertices {
        put(&mesh.positions[vertex]);
        normals.iter().for_each(|normals| put(&normals[vertex]));
        uv.iter().for_each(|uv| put(&uv[vertex]));
    }
    for corners in &mesh.triangles {
        bytes.push(3);
        corners.iter().for_each(|corner| bytes.extend(corner.to_le_bytes()));
    }
    bytes
}
