//! The directory of object files.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::OwnObjectError;
use crate::limits::MAX_FILE_BYTES;

/// How the names of object files end.
pub(crate) const ENDING: &str = ".object.json";
/// The longest name of a file without its ending, in bytes; file systems take 255 with it.
const MAX_STEM_BYTES: usize = 200;

/// A file that is no object, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// The file's name.
    pub file: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// The state of a file by which a change is noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) name: OsString,
    pub(crate) bytes: u64,
    modified: Option<SystemTime>,
    is_file: bool,
}

/// The object files of a directory, sorted by name. A directory that does not exist has none.
pub(crate) fn stamps(directory: &Path) -> Result<Vec<Stamp>, OwnObjectError> {
    let listed = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed.map_err(OwnObjectError::disk(directory))?,
    };
    let mut stamps = Vec::new();
    for file in listed {
        let file = file.map_err(OwnObjectError::disk(directory))?;
        let name = file.file_name();
        if !name.to_string_lossy().ends_with(ENDING) {
            continue;
        }
        // Of a link, not of what it leads to: no file outside is an object.
        let Ok(facts) = file.metadata() else { continue };
        stamps.push(Stamp {
            name,
            bytes: facts.len(),
            modified: facts.modified().ok(),
            is_file: facts.is_file(),
        });
    }
    stamps.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(stamps)
}

/// The content of a file, within the limit.
pub(crate) fn content(directory: &Path, stamp: &Stamp) -> Result<Vec<u8>, String> {
    if !stamp.is_file {
        return Err("it is a link or a directory; put the file itself there".to_owned());
    }
    if stamp.bytes > MAX_FILE_BYTES {
        return Err(OwnObjectError::TooLarge(stamp.bytes).to_string());
    }
    read(&directory.join(&stamp.name)).map_err(|error| error.to_string())
}

/// The content of a file; it may have grown since it was listed.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, OwnObjectError> {
    let file = std::fs::File::open(path).map_err(OwnObjectError::disk(path))?;
    let mut content = Vec::new();
    let most = file.take(MAX_FILE_BYTES + 1);
    { most }.read_to_end(&mut content).map_err(OwnObjectError::disk(path))?;
    match content.len() as u64 {
        length if length > MAX_FILE_BYTES => Err(OwnObjectError::TooLarge(length)),
        _ => Ok(content),
    }
}

/// Writes a file whole: after a crash the old or the new one is there.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), OwnObjectError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory).map_err(OwnObjectError::disk(directory))?;
    let failed = || OwnObjectError::disk(path);
    let builder = || tempfile::Builder::new().prefix(".object-").tempfile_in(directory);
    let mut file = builder().map_err(failed())?;
    file.write_all(content).map_err(failed())?;
    file.as_file().sync_data().map_err(failed())?;
    file.persist(path).map_err(|error| failed()(error.error))?;
    Ok(())
}

/// A path for an object of this name that `is_taken` by no other. Only letters and digits of the name are in
/// it, so it leads nowhere else.
pub(crate) fn free_path(directory: &Path, name: &str, is_taken: impl Fn(&Path) -> bool) -> PathBuf {
    let mut stem = String::new();
    for letter in name.to_lowercase().chars() {
        let letter = if letter.is_alphanumeric() { letter } else { '-' };
        if stem.len() + letter.len_utf8() > MAX_STEM_BYTES {
            break;
        }
        stem.push(letter);
    }
    let path = |number: usize| match number {
        1 => directory.join(format!("{stem}{ENDING}")),
        _ => directory.join(format!("{stem}-{number}{ENDING}")),
    };
    // Only so many files are counted as there are objects; a free one is found.
    (1..).map(path).find(|path| !is_taken(path)).unwrap_or_else(|| path(1))
}
