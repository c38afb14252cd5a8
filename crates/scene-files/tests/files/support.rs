//! Imports, exports and small renders.

use std::collections::HashMap;
use std::sync::Arc;

use mesh_files::{Limits, MeshFileError};
use scene::Scene;
use scene_files::{Bounds, Exported, Format, Imported, SceneFileError, Sources, export, import};
use serde_json::Value;
use tracer::{Film, LinearImage, Mesh, Meshes, PassOutcome, RenderSettings, World, render_pass};

/// Imports a file without references.
pub(crate) fn read(bytes: &[u8], format: Format) -> Result<Imported, SceneFileError> {
    read_with(bytes, format, &[])
}

/// Imports a file that may refer to `others`.
pub(crate) fn read_with(
    bytes: &[u8],
    format: Format,
    others: &[(&str, &[u8])],
) -> Result<Imported, SceneFileError> {
    let others: HashMap<&str, &[u8]> = others.iter().copied().collect();
    let mut beside =
        |name: &str| others.get(name).map(|bytes| bytes.to_vec()).ok_or(MeshFileError::Missing);
    import(bytes, format, "thing", &Limits::default(), &mut beside, &|| false)
}

/// Exports a scene with the assets `mesh` and `image`.
pub(crate) fn try_write(
    scene: &Scene,
    format: Format,
    mesh: &dyn Fn(&str) -> Result<media::MeshData, MeshFileError>,
    image: &dyn Fn(&str) -> Result<Vec<u8>, MeshFileError>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileError> {
    let mut sources = Sources {
        meshes: &mut |name: &str| mesh(name),
        images: &mut |name: &str| image(name),
        cancelled: &|| false,
    };
    export(scene, format, "thing", &mut sources, bounds)
}

/// Exports a scene without assets.
pub(crate) fn write(scene: &Scene, format: Format) -> Exported {
    let none = |_: &str| Err(MeshFileError::Missing);
    try_write(scene, format, &none, &|_| Err(MeshFileError::Missing), &Bounds::default()).unwrap()
}

/// Imports an export.
pub(crate) fn read_back(exported: &Exported, format: Format) -> Imported {
    let files: Vec<(&str, Vec<u8>)> =
        exported.files.iter().map(|(name, content)| (name.as_str(), content.to_vec())).collect();
    let others: Vec<(&str, &[u8])> =
        files[1..].iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    read_with(&files[0].1, format, &others).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn scene(imported: &Imported) -> Scene {
    imported.scene(str::to_owned).unwrap_or_else(|violations| panic!("{violations:?}"))
}

/// The scene file of an import.
pub(crate) fn json(imported: &Imported) -> Value {
    scene(imported).to_json()
}

/// The properties of the shape or light `id`.
pub(crate) fn properties<'a>(file: &'a Value, id: &str) -> &'a Value {
    let lists = ["shapes", "lights"].iter().flat_map(|list| file[*list].as_array().unwrap());
    let found = lists.clone().find(|object| object["id"] == id);
    &found.unwrap_or_else(|| panic!("no {id} among {:?}", lists.collect::<Vec<_>>()))["properties"]
}

pub(crate) fn meshes(imported: &Imported) -> Meshes {
    let mut meshes = Meshes::default();
    for mesh in &imported.meshes {
        meshes.insert(mesh.name.clone(), Arc::new(Mesh::new(mesh.data.clone()).unwrap()));
    }
    for image in &imported.images {
        let format = image_files::Format::of_content(&image.bytes).unwrap();
        let texels = image_files::read(&image.bytes, format, &image_files::Limits::default());
        meshes.insert_image(image.name.clone(), Arc::new(texels.unwrap().into()));
    }
    meshes
}

/// A small render.
pub(crate) fn picture(scene: &Scene, meshes: &Meshes) -> LinearImage {
    let mut film = Film::new(48, 36);
    let world = World::build_with(scene, meshes);
    let outcome = render_pass(&world, &RenderSettings::default(), &mut film, 128, &|| false);
    assert!(matches!(outcome, PassOutcome::Completed(_)));
    film.linear()
}

/// The mean difference of two images, relative to the first one's brightness. The brightest
/// twentieth of the pixels is ignored, since it has the most noise.
pub(crate) fn difference(one: &LinearImage, other: &LinearImage) -> f64 {
    let luminance = |image: &LinearImage| -> Vec<f64> {
        image.pixels.iter().map(|p| f64::from(p[0] + p[1] + p[2]) / 3.0).collect()
    };
    let (one, other) = (luminance(one), luminance(other));
    let mut pairs: Vec<(f64, f64)> = one.into_iter().zip(other).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs.truncate(pairs.len() * 19 / 20);
    let sum: f64 = pairs.iter().map(|(one, _)| one).sum();
    pairs.iter().map(|(one, other)| (one - other).abs()).sum::<f64>() / sum.max(1e-9)
}
