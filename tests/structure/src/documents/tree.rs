//! The files and folders of the repository.

use std::fs;
use std::io;
use std::path::Path;

/// Folders that hold what is built or installed; so do those whose name begins with a dot.
const SKIPPED: [&str; 4] = ["target", "node_modules", "dist", "artifacts"];

/// The paths of all files and folders, relative to the root. The path of a folder ends with `/`.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    paths: Vec<String>,
}

impl Tree {
    /// Reads the folders under `root`.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut tree = Self::default();
        tree.add(root, "")?;
        Ok(tree)
    }

    fn add(&mut self, folder: &Path, name: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let file_name = entry.file_name();
            let file_name = file_name.to_string_lossy();
            if !entry.file_type()?.is_dir() {
                self.paths.push(format!("{name}{file_name}"));
            } else if !file_name.starts_with('.') && !SKIPPED.contains(&&*file_name) {
                let inner = format!("{name}{file_name}/");
                self.add(&entry.path(), &inner)?;
                self.paths.push(inner);
            }
        }
        Ok(())
    }

    /// The paths of all files with one of these extensions.
    pub fn files_with(&self, extensions: &[&str]) -> Vec<&str> {
        let paths = self.paths.iter().map(String::as_str);
        paths.filter(|path| extension(path).is_some_and(|it| extensions.contains(&it))).collect()
    }

    /// Whether a file or a folder has this path, or a path that ends with it. A path that ends with `/`
    /// is a folder.
    pub fn has(&self, path: &str) -> bool {
        self.paths.iter().any(|whole| {
            let whole = if path.ends_with('/') { whole } else { whole.trim_end_matches('/') };
            ends_with_path(whole, path)
        })
    }

    /// Whether a file of the tree has this extension.
    pub(crate) fn knows_extension(&self, wanted: &str) -> bool {
        self.paths.iter().any(|path| extension(path) == Some(wanted))
    }

    /// Whether a folder of the root has this name.
    pub(crate) fn has_root_folder(&self, name: &str) -> bool {
        self.paths.iter().any(|path| path.strip_suffix('/') == Some(name))
    }
}

#[cfg(test)]
impl From<&[&str]> for Tree {
    fn from(paths: &[&str]) -> Self {
        Self { paths: paths.iter().map(|path| (*path).into()).collect() }
    }
}

/// Whether `whole` is `end`, or ends with `/` and `end`.
pub(crate) fn ends_with_path(whole: &str, end: &str) -> bool {
    whole.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'))
}

/// The extension of a file's path.
pub(crate) fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    name.rsplit_once('.').map(|(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_leave_out_its_first_folders() {
        let tree = Tree::from(&["crates/", "crates/scene/", "crates/scene/lib.rs"][..]);
        for path in ["crates/scene/lib.rs", "scene/lib.rs", "lib.rs", "scene/", "crates/scene"] {
            assert!(tree.has(path), "{path}");
        }
        for path in ["scene", "cene/lib.rs", "scene/lib.rs/", "scene/lib", "web/lib.rs"] {
            assert_eq!(tree.has(path), path == "scene", "{path}");
        }
    }

    #[test]
    fn this_file_is_in_the_tree_and_nothing_built_is() -> io::Result<()> {
        let tree = Tree::read(&crate::workspace())?;
        assert!(tree.has("tests/structure/src/documents/tree.rs"));
        assert!(!tree.has("tests/structure/src/documents/trees.rs"));
        assert!(!tree.has_root_folder("target"));
        Ok(())
    }
}
