//! Reader: the objects and materials of an OBJ file, or the mesh of a PLY file, as a scene.

mod material;
mod texture;

use mesh_files::{Limits, ObjFile};
use serde_json::Value;

use crate::SceneFileError;
use crate::cancel::{Cancelled, check_cancelled};
use crate::import::{FileSource, Imported, SceneBuilder};
use material::from_mtl;
use texture::Textures;

pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    files: FileSource<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileError> {
    let file = ObjFile::open(bytes, limits, files, cancelled)?;
    let mut builder = SceneBuilder::default();
    if let Some(error) = &file.missing {
        builder.note(format!("the file of materials cannot be used ({error}): all is grey"));
    }
    let mut textures = Textures::new(files);
    let materials: Vec<Value> = file
        .materials
        .iter()
        .map(|material| from_mtl(material, &mut textures, &mut builder))
        .collect();
    let grey = scene::Material::default().to_json();
    for part in file.parts {
        check_cancelled(cancelled)?;
        let material = part.material.and_then(|at| materials.get(at)).unwrap_or(&grey);
        let unnamed = part.name.is_empty() || part.name == "unnamed_object";
        let part_name = if unnamed { name } else { &part.name };
        builder.mesh_in_world(part_name, None, part.data, material.clone())?;
    }
    builder.finish()
}

/// A scene with the one mesh of a file, in the default material.
pub(crate) fn read_mesh(
    bytes: &[u8],
    format: mesh_files::Format,
    name: &str,
    limits: &Limits,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileError> {
    check_cancelled(cancelled)?;
    let data = mesh_files::read_within(bytes, format, limits)?;
    let mut builder = SceneBuilder::default();
    builder.mesh_in_world(name, None, data, scene::Material::default().to_json())?;
    builder.finish()
}
