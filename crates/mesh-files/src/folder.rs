//! The files a scene names: meshes and images.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use image_files::Format as ImageFormat;
use media::{Image, MeshData};
use scene::{Scene, Violations};

use crate::{Format, Limits, MAX_FILE_BYTES, MeshFileError, read_with};

/// The meshes and images of a scene, by the names of their assets.
#[derive(Debug, Clone, Default)]
pub struct SceneMedia {
    /// Valid meshes.
    pub meshes: Vec<(String, MeshData)>,
    /// Images.
    pub images: Vec<(String, Image)>,
}

/// A folder with the assets of a scene file. Paths cannot lead out of it.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at `path`.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The folder of a scene file.
    pub fn of_scene(file: &Path) -> Self {
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self(parent.unwrap_or(Path::new(".")).to_path_buf())
    }

    /// Reads all meshes and images of a scene. The error lists each property whose mesh or image is missing
    /// or damaged.
    pub fn load(&self, scene: &Scene) -> Result<SceneMedia, Violations> {
        let mut media = SceneMedia::default();
        let mut violations = Vec::new();
        for (name, users) in scene.mesh_users() {
            let checked = |mesh: MeshData| Ok(mesh.check().map(|()| mesh)?);
            match self.read(name.as_str()).and_then(checked) {
                Ok(mesh) => media.meshes.push((name.as_str().to_owned(), mesh)),
                Err(MeshFileError::Missing) => violations.extend(users.iter().map(|id| {
                    Violations::one(format!(
                        "shape '{id}' property 'asset': asset '{name}' is not known here; {}",
                        MeshFileError::Missing
                    ))
                })),
                Err(error) => violations.extend(users.iter().map(|id| {
                    Violations::one(format!("shape '{id}' property 'asset': '{name}': {error}"))
                })),
            }
        }
        for (name, places) in scene.image_places() {
            match self.read_image(name.as_str()) {
                Ok(image) => media.images.push((name.as_str().to_owned(), image)),
                Err(error) => violations.extend(
                    places
                        .iter()
                        .map(|place| Violations::one(format!("{place}: '{name}': {error}"))),
                ),
            }
        }
        Violations::joined(violations).map_or(Ok(media), Err)
    }

    /// Reads the mesh at a path relative to the folder.
    pub fn read(&self, name: &str) -> Result<MeshData, MeshFileError> {
        let format = Format::of(Path::new(name)).ok_or(MeshFileError::UnknownFormat)?;
        let bytes = self.bytes(Path::new(name))?;
        let place = Path::new(name).parent().unwrap_or(Path::new(""));
        read_with(&bytes, format, &Limits::default(), &mut |beside| self.bytes(&place.join(beside)))
    }

    /// Reads the image at a path relative to the folder.
    pub fn read_image(&self, name: &str) -> Result<Image, MeshFileError> {
        let format = ImageFormat::of(Path::new(name)).ok_or(MeshFileError::UnknownImageFormat)?;
        let bytes = self.bytes(Path::new(name))?;
        Ok(image_files::read(&bytes, format, &image_files::Limits::default())?)
    }

    /// The content of a file in the folder or below it, after symbolic links are resolved.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, MeshFileError> {
        // Decided by the path alone, so that the error does not tell what exists elsewhere.
        let mut depth = 0_i32;
        for component in path.components() {
            depth += match component {
                Component::Normal(_) => 1,
                Component::CurDir => 0,
                Component::ParentDir => -1,
                Component::RootDir | Component::Prefix(_) => return Err(MeshFileError::Outside),
            };
            if depth < 0 {
                return Err(MeshFileError::Outside);
            }
        }
        let found = self.0.join(path).canonicalize().map_err(missing)?;
        if !found.starts_with(self.0.canonicalize().map_err(missing)?) {
            return Err(MeshFileError::Outside);
        }
        read_regular(&found)
    }
}

/// The content of a regular file. Opening a pipe would block, and a device may have no end.
pub fn read_regular(path: &Path) -> Result<Vec<u8>, MeshFileError> {
    if !std::fs::metadata(path).map_err(missing)?.is_file() {
        return Err(MeshFileError::NoFile);
    }
    let file = File::open(path).map_err(missing)?;
    let facts = file.metadata()?;
    if facts.len() > MAX_FILE_BYTES {
        return Err(MeshFileError::TooLarge(facts.len()));
    }
    let mut bytes = Vec::with_capacity(facts.len() as usize);
    // The file may grow while it is read.
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn missing(error: std::io::Error) -> MeshFileError {
    match error.kind() {
        std::io::ErrorKind::NotFound => MeshFileError::Missing,
        _ => MeshFileError::Unreadable(error),
    }
}
