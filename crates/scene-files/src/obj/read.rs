//! A scene of the parts of a file, or of the one mesh in it.

use mesh_files::{Limits, ObjFile};
use serde_json::Value;

use super::map::Maps;
use super::material::from_mtl;
use crate::draft::{Draft, Imported};
use crate::work::go_on;
use crate::{Beside, Cancelled, SceneFileFault};

pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    beside: Beside<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileFault> {
    let file = ObjFile::open(bytes, limits, beside, cancelled)?;
    let mut draft = Draft::default();
    if let Some(fault) = &file.missing {
        draft.note(format!("the file of materials cannot be used ({fault}): all is grey"));
    }
    let mut maps = Maps::new(beside);
    let materials: Vec<Value> =
        file.materials.iter().map(|material| from_mtl(material, &mut maps, &mut draft)).collect();
    let grey = scene::Material::default().to_json();
    for part in file.parts {
        go_on(cancelled)?;
        let material = part.material.and_then(|at| materials.get(at)).unwrap_or(&grey);
        let unnamed = part.name.is_empty() || part.name == "unnamed_object";
        let part_name = if unnamed { name } else { &part.name };
        draft.mesh_in_world(part_name, None, part.data, material.clone())?;
    }
    draft.finish()
}

/// A mesh alone: grey, in the middle of the picture.
pub(crate) fn read_ply(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileFault> {
    go_on(cancelled)?;
    let data = mesh_files::read_within(bytes, mesh_files::Format::Ply, limits)?;
    let mut draft = Draft::default();
    draft.mesh_in_world(name, None, data, scene::Material::default().to_json())?;
    draft.finish()
}
