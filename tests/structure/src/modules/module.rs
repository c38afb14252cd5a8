//! What is known of a crate and of a module.

use std::collections::{BTreeMap, BTreeSet};

/// A crate's modules, the root first, and the files they stand in.
#[derive(Debug, Default)]
pub struct Crate {
    /// Relative to the folder of the root file.
    pub(crate) files: Vec<String>,
    pub(crate) modules: Vec<Module>,
    /// The module that defines each macro by example.
    pub(crate) macros: BTreeMap<String, usize>,
}

/// A module and its code that is not for tests alone.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// An index into [`Crate::files`].
    pub(crate) file: usize,
    /// An index into [`Crate::modules`], as those of the children.
    pub(crate) parent: Option<usize>,
    pub(crate) children: BTreeMap<String, usize>,
    /// The names of the items that it defines itself.
    pub(crate) items: BTreeSet<String>,
    pub(crate) imports: Vec<Import>,
    pub(crate) mentions: Vec<Mention>,
}

/// One name of a `use`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The name in this module; empty for all the names of a module, and for `_`.
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) glob: bool,
    /// Whether other modules are given the name as well, `pub use`.
    pub(crate) reexported: bool,
    pub(crate) line: usize,
}

/// A path in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) makes_macro_call: bool,
    pub(crate) line: usize,
}

impl Crate {
    /// Adds an empty module, the child of another.
    pub(crate) fn add(&mut self, parent: Option<usize>, name: &str, file: usize) -> usize {
        let index = self.modules.len();
        self.modules.push(Module { file, parent, ..Module::default() });
        if let Some(parent) = parent {
            self.modules[parent].children.insert(name.into(), index);
        }
        index
    }
}
