//! Folders with more source files than one can look over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders at and under `root` that hold more than `limit` Rust files themselves, with how many.
pub fn crowded(root: &Path, limit: usize) -> io::Result<Vec<(PathBuf, usize)>> {
    let (mut count, mut found) = (0, Vec::new());
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() {
            let skipped = path.file_name().is_some_and(|n| n == "target" || n == "node_modules");
            if !skipped {
                found.extend(crowded(&path, limit)?);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            count += 1;
        }
    }
    if count > limit {
        found.push((root.into(), count));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_over_the_limit_is_found() -> io::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = root.join("src");
        let files = fs::read_dir(&source)?.filter_map(Result::ok);
        let files = files.filter(|file| file.path().is_file()).count();
        assert_eq!(crowded(&source, files)?, []);
        assert_eq!(crowded(root, files - 1)?, [(source, files)]);
        Ok(())
    }
}
