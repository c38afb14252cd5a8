//! Reading the content of an asset.

use media::{Image, MeshData};

use crate::media_type::{MediaType, Reading};

/// The most vertices of one mesh: reading the worst such file takes some hundred megabytes.
pub const MAX_VERTICES: usize = 1 << 21;
/// The most triangles of one mesh.
pub const MAX_TRIANGLES: usize = 1 << 21;

pub(crate) const LIMITS: mesh_files::Limits =
    mesh_files::Limits { vertices: MAX_VERTICES, triangles: MAX_TRIANGLES };

/// Reads the content of a mesh as the library does.
pub fn read_mesh(bytes: &[u8], kind: MediaType) -> Result<MeshData, String> {
    let Reading::Mesh(format) = kind.reading() else { return Err("it is not a mesh".into()) };
    mesh_files::read_within(bytes, format, &LIMITS).map_err(|error| error.to_string())
}

/// Reads the content of an image as the library does.
pub fn read_image(bytes: &[u8], kind: MediaType) -> Result<Image, String> {
    let Reading::Image(format) = kind.reading() else { return Err("it is not an image".into()) };
    image_files::read(bytes, format, &image_files::Limits::default())
        .map_err(|error| error.to_string())
}
