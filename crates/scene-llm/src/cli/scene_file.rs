//! Scene files of the command line.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use media::MeshError;
use mesh_files::{Folder, MeshFileError, SceneMedia, read_regular};
use scene::{Scene, Violations};
use tracer::{Mesh, Meshes};

/// Why a scene file could not be used.
pub(super) enum SceneLoadError {
    /// It cannot be read.
    Unreadable(anyhow::Error),
    /// It breaks the rules.
    Invalid(Violations),
}

/// Reads and checks a scene file.
pub(super) fn read_scene(path: &Path) -> anyhow::Result<Result<Scene, Violations>> {
    let bytes = read_regular(path)
        .map_err(|error| match error {
            MeshFileError::Unreadable(error) => anyhow::Error::new(error),
            MeshFileError::Missing => anyhow!("there is no such file"),
            MeshFileError::NoFile => {
                anyhow!("it is a folder, a pipe or a device, not a regular file")
            }
            other => anyhow!("{other}"),
        })
        .with_context(|| format!("cannot read '{}'", path.display()))?;
    let text = String::from_utf8(bytes)
        .with_context(|| format!("'{}' is not UTF-8 text", path.display()))?;
    Ok(Scene::from_json_text(&text))
}

/// Reads and checks a scene file and the meshes it names, which lie in `assets` or else beside it.
pub(super) fn load(path: &Path, assets: Option<&Path>) -> Result<(Scene, Meshes), SceneLoadError> {
    let scene =
        read_scene(path).map_err(SceneLoadError::Unreadable)?.map_err(SceneLoadError::Invalid)?;
    let folder = match assets {
        Some(assets) => Folder::new(assets.to_path_buf()),
        None => Folder::of_scene(path),
    };
    let media = folder.load(&scene).map_err(SceneLoadError::Invalid)?;
    let meshes = built(media).map_err(|error| SceneLoadError::Unreadable(error.into()))?;
    Ok((scene, meshes))
}

/// Makes meshes and images ready for rays, on the rayon pool this is called in.
fn built(media: SceneMedia) -> Result<Meshes, MeshError> {
    let mut meshes = Meshes::default();
    for (name, data) in media.meshes {
        meshes.insert(name, Arc::new(Mesh::new(data)?));
    }
    for (name, image) in media.images {
        meshes.insert_image(name, Arc::new(image.into()));
    }
    Ok(meshes)
}
