//! A scene file as it comes: alone, or in a ZIP archive with the files that it names.

use std::collections::HashMap;
use std::io::{Cursor, Read};
use std::path::Path;

use axum::http::StatusCode;
use bytes::Bytes;
use mesh_files::MeshFileError;
use scene_files::Format;
use zip::ZipArchive;

use crate::http::problem::Problem;

/// Files in an archive.
const MAX_FILES: usize = 4096;
/// Bytes of all files of an archive, unpacked.
const MAX_UNPACKED: u64 = 1 << 30;

/// A scene file and those beside it.
pub(super) struct Unpacked {
    pub(super) bytes: Bytes,
    pub(super) format: Format,
    /// Its name without the extension.
    pub(super) stem: String,
    /// The folder it is in; ends with a slash unless it is the archive's own.
    folder: String,
    /// By their paths in the archive.
    others: HashMap<String, Vec<u8>>,
}

/// Whether a name is that of an archive.
pub(super) fn is_archive(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"))
}

/// What an archive says its files have, in bytes.
pub(super) fn unpacked_size(bytes: &Bytes) -> Result<u64, Problem> {
    let mut archive = opened(bytes)?;
    let mut size = 0_u64;
    for index in 0..archive.len() {
        size = size.saturating_add(archive.by_index_raw(index).map_err(damaged)?.size());
    }
    if size > MAX_UNPACKED {
        return Err(unreadable(&format!(
            "the archive unpacks to {size} bytes; at most {MAX_UNPACKED} are read"
        )));
    }
    Ok(size)
}

impl Unpacked {
    /// A file without others.
    pub(super) fn alone(bytes: Bytes, format: Format, stem: String) -> Self {
        Self { bytes, format, stem, folder: String::new(), others: HashMap::new() }
    }

    /// Unpacks an archive. Of several scene files the one that is the fewest folders deep counts, of those
    /// the first of [`PREFERRED`].
    pub(super) fn of_archive(bytes: &Bytes) -> Result<Self, Problem> {
        let mut left = unpacked_size(bytes)?;
        let mut archive = opened(bytes)?;
        let mut files = HashMap::new();
        for index in 0..archive.len() {
            let mut file = archive.by_index(index).map_err(damaged)?;
            let path = file.enclosed_name().map(|path| path.to_string_lossy().replace('\\', "/"));
            let Some(path) = path.filter(|path| file.is_file() && !is_of_the_system(path)) else {
                continue;
            };
            let mut content = Vec::new();
            // A damaged archive may hold more than it says.
            let read = file.by_ref().take(left + 1).read_to_end(&mut content);
            read.map_err(|error| unreadable(&format!("'{path}' in the archive: {error}")))?;
            left = left
                .checked_sub(content.len() as u64)
                .ok_or_else(|| unreadable("the archive holds more than it says"))?;
            files.insert(path, content);
        }
        let (path, format) = scene_file(&files).ok_or_else(|| {
            unreadable("the archive holds no .gltf, .glb, .obj, .pbrt, .stl or .ply file")
        })?;
        let bytes = files.remove(&path).unwrap_or_default().into();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Ok(Self { bytes, format, stem, folder, others: files })
    }

    /// A file that the scene file names: by its path, else by its name alone, since many programs write
    /// paths of the computer they ran on. Upper and lower case count as the same.
    pub(super) fn beside(&self, name: &str) -> Result<Vec<u8>, MeshFileError> {
        if self.others.is_empty() {
            return Err(MeshFileError::Malformed(format!(
                "'{name}' is missing: choose it together with the file, or pack both as one .zip"
            )));
        }
        let name = name.replace('\\', "/").to_lowercase();
        let wanted = normalized(&format!("{}{name}", self.folder.to_lowercase()));
        let last = file_name(&name);
        let by = |is_it: &dyn Fn(&str) -> bool| {
            self.others.iter().find(|(path, _)| is_it(&path.to_lowercase()))
        };
        let found = by(&|path| path == wanted).or_else(|| by(&|path| file_name(path) == last));
        found.map(|(_, content)| content.clone()).ok_or(MeshFileError::Missing)
    }
}

/// What an archive is for, when several formats are in one folder.
const PREFERRED: [Format; 6] =
    [Format::Gltf, Format::Glb, Format::Obj, Format::Pbrt, Format::Stl, Format::Ply];

fn scene_file(files: &HashMap<String, Vec<u8>>) -> Option<(String, Format)> {
    let rated = files.keys().filter_map(|path| {
        let format = Format::of(Path::new(path))?;
        let rank = PREFERRED.iter().position(|each| *each == format)?;
        Some(((path.matches('/').count(), rank, path), format))
    });
    rated.min_by(|(a, _), (b, _)| a.cmp(b)).map(|((_, _, path), format)| (path.clone(), format))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path without `.` and `..`.
fn normalized(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// What macOS and Windows add to archives.
fn is_of_the_system(path: &str) -> bool {
    path.starts_with("__MACOSX/") || file_name(path).starts_with('.')
}

fn opened(bytes: &Bytes) -> Result<ZipArchive<Cursor<Bytes>>, Problem> {
    let archive = ZipArchive::new(Cursor::new(bytes.clone())).map_err(damaged)?;
    if archive.len() > MAX_FILES {
        return Err(unreadable(&format!(
            "the archive has {} files; at most {MAX_FILES} are read",
            archive.len()
        )));
    }
    Ok(archive)
}

fn damaged(error: impl std::fmt::Display) -> Problem {
    unreadable(&format!("the archive cannot be read: {error}"))
}

fn unreadable(detail: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use damage::damage;
    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const OBJ: &[u8] = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    /// An archive of a scene file in a folder and one beside it.
    fn archive(method: zip::CompressionMethod) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        for (name, content) in [("it/a.obj", OBJ), ("it/a.mtl", b"newmtl m\nKd 1 0 0\n")] {
            writer.start_file(name, options).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn an_archive_is_its_scene_file_and_those_beside_it() {
        let whole = Unpacked::of_archive(&archive(zip::CompressionMethod::Deflated).into());
        let whole = whole.unwrap_or_else(|problem| panic!("{}", problem.detail()));
        assert_eq!((&whole.bytes[..], whole.stem.as_str()), (OBJ, "a"));
        assert!(whole.beside("A.mtl").unwrap().starts_with(b"newmtl"));
        assert!(matches!(whole.beside("../../b.png"), Err(MeshFileError::Missing)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn damaged_archives_are_refused_or_read(
            packed in any::<bool>(), damages in prop::collection::vec(damage(), 1..4),
        ) {
            let method = [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated];
            let mut bytes = archive(method[usize::from(packed)]);
            damages.iter().for_each(|damage| damage.of(&mut bytes));
            match Unpacked::of_archive(&bytes.into()) {
                Ok(read) => {
                    prop_assert!(!read.stem.contains('/') && !read.folder.contains(".."));
                    let _ = read.beside("a.mtl");
                }
                Err(problem) => {
                    prop_assert_eq!(problem.status(), StatusCode::UNPROCESSABLE_ENTITY);
                    prop_assert!(!problem.detail().is_empty() && problem.detail().len() < 4096);
                }
            }
        }
    }
}
