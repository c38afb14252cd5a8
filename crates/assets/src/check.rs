//! Validation of uploads: each file is parsed under limits.

use bytes::Bytes;

use crate::facts::Facts;
use crate::hash::AssetHash;
use crate::media_type::{MediaType, Reading};

/// The longest file name, in characters.
const MAX_NAME_CHARS: usize = 120;
/// An invalid file. Nothing of it is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// Neither header, name nor content tells its type.
    #[error(
        "the type of this file is unknown; send a Content-Type of {} or a name that ends in .ply, \
         .stl, .obj, .gltf, .glb, .png, .jpg, .webp, .hdr or .exr",
        MediaType::ALL.map(MediaType::name).join(", ")
    )]
    UnknownKind,
    /// It is malformed, or exceeds a limit.
    #[error("the file cannot be read as {media_type}: {reason}")]
    Bad {
        /// The type it was read as.
        media_type: &'static str,
        /// The error of the reader.
        reason: String,
    },
}

/// A validated file that is not stored yet.
#[derive(Debug, Clone)]
pub struct Checked {
    pub(crate) hash: AssetHash,
    pub(crate) name: String,
    pub(crate) media_type: MediaType,
    pub(crate) facts: Facts,
    pub(crate) bytes: Bytes,
}

impl Checked {
    /// The hash of its content.
    pub fn hash(&self) -> &AssetHash {
        &self.hash
    }
}

/// Validates a file. Its type is `media_type`, else that of its name, else that of its content.
pub(crate) fn check(
    bytes: Bytes,
    name: &str,
    media_type: Option<MediaType>,
    limits: &mesh_files::Limits,
) -> Result<Checked, CheckError> {
    let media_type = media_type
        .or_else(|| MediaType::of_file_name(name))
        .or_else(|| MediaType::of_content(&bytes))
        .ok_or(CheckError::UnknownKind)?;
    let facts = match media_type.reading() {
        Reading::Mesh(format) => mesh_facts(&bytes, format, limits),
        Reading::Image(format) => image_facts(&bytes, format),
    };
    let media_type_name = media_type.name();
    let facts = facts.map_err(|reason| CheckError::Bad { media_type: media_type_name, reason })?;
    Ok(Checked { hash: AssetHash::of(&bytes), name: clean(name), media_type, facts, bytes })
}

fn mesh_facts(
    bytes: &[u8],
    format: mesh_files::Format,
    limits: &mesh_files::Limits,
) -> Result<Facts, String> {
    let data = mesh_files::read_within(bytes, format, limits).map_err(|error| error.to_string())?;
    data.check().map_err(|error| error.to_string())?;
    let bounds = data.bounds().ok_or("the mesh has no triangles")?;
    Ok(Facts::Mesh {
        bounds: bounds.into(),
        vertices: data.positions.len(),
        triangles: data.triangles.len(),
    })
}

fn image_facts(bytes: &[u8], format: image_files::Format) -> Result<Facts, String> {
    let image = image_files::read(bytes, format, &image_files::Limits::default());
    let [width, height] = image.map_err(|error| error.to_string())?.size();
    Ok(Facts::Image { width, height })
}

/// The last component of a path, without unprintable characters.
fn clean(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    scene::shown(last.trim()).chars().take(MAX_NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_last_part_of_a_path_and_can_be_shown() {
        assert_eq!(clean("C:\\meshes\\bunny.ply"), "bunny.ply");
        assert_eq!(clean("../../etc/ b\u{7}\nunny.ply "), "bunny.ply");
        assert_eq!(clean(&"x".repeat(1000)).len(), MAX_NAME_CHARS);
        assert_eq!(clean("gpj.\u{202e}exe\u{200b}.png"), "gpj.exe.png");
        assert_eq!(clean(""), "");
    }
}
