//! The modules of a crate: what each defines, imports and mentions outside its tests.

mod imports;
mod module;
mod parse;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use module::Crate;
pub(crate) use module::Module;

use crate::tokens::tokens;

/// Where the text of files comes from.
pub trait Source {
    /// The text of a file; None if there is no such file.
    fn read(&self, path: &Path) -> Option<String>;
}

/// The files of the disk.
impl Source for () {
    fn read(&self, path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }
}

/// Files in memory, by their paths.
impl Source for BTreeMap<PathBuf, String> {
    fn read(&self, path: &Path) -> Option<String> {
        self.get(path).cloned()
    }
}

/// A module in a file of its own that is still to be read.
struct Pending {
    parent: Option<usize>,
    name: String,
    path: PathBuf,
    /// Where the files of its children are.
    folder: PathBuf,
}

impl Crate {
    /// Reads every file that the root file leads to.
    pub fn read(source: &impl Source, root: &Path) -> io::Result<Self> {
        let base = root.parent().unwrap_or(root);
        let mut krate = Self::default();
        let mut pending = vec![Pending {
            parent: None,
            name: String::new(),
            path: root.into(),
            folder: base.into(),
        }];
        while let Some(next) = pending.pop() {
            let text = source.read(&next.path).ok_or_else(|| missing(&next.path))?;
            let index = krate.add(next.parent, &next.name, krate.files.len());
            let relative = next.path.strip_prefix(base).unwrap_or(&next.path);
            krate.files.push(relative.to_string_lossy().into_owned());
            for file in parse::parse(&mut krate, index, &tokens(&text)) {
                let folder = file.inline.iter().fold(next.folder.clone(), |f, name| f.join(name));
                pending.push(locate(source, file, &folder)?);
            }
        }
        Ok(krate)
    }
}

/// Finds the file of `mod name;` in the folder of its parent's children.
fn locate(source: &impl Source, file: parse::File, folder: &Path) -> io::Result<Pending> {
    let own = folder.join(&file.name);
    let (alone, inner) = (folder.join(format!("{}.rs", file.name)), own.join("mod.rs"));
    let path = [alone, inner.clone()].into_iter().find(|path| source.read(path).is_some());
    let path = path.ok_or_else(|| missing(&inner))?;
    Ok(Pending { parent: Some(file.parent), name: file.name, path, folder: own })
}

fn missing(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("no file {}", path.display()))
}
