//! Which file uses which, by the rule in the crate's documentation.

use crate::modules::{Crate, Module};

/// A use of an item of one file in the code of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The file that uses, relative to the crate's source folder.
    pub from: String,
    /// The file that defines what is used.
    pub to: String,
    /// Where in `from`.
    pub line: usize,
    /// As it is written there, an import in full.
    pub name: String,
}

/// Imports that lead in a round would be followed forever; no sane chain of re-exports is this long.
const MAX_REEXPORTS: usize = 16;

/// Every arrow of a crate, sorted; one for each place.
pub fn arrows(krate: &Crate) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for (index, module) in krate.modules.iter().enumerate() {
        let mut add = |found: Option<Target>, line: usize, path: &[String]| {
            if let Some(Target::Item(to)) = found
                && krate.modules[to].file != module.file
            {
                arrows.push(Arrow {
                    from: krate.files[module.file].clone(),
                    to: krate.files[krate.modules[to].file].clone(),
                    line,
                    name: path.join("::"),
                });
            }
        };
        for import in module.imports.iter().filter(|import| !import.reexported && !import.glob) {
            add(resolve(krate, index, &import.path, 0), import.line, &import.path);
        }
        for mention in &module.mentions {
            let found = if mention.makes_macro_call {
                krate.macros.get(&mention.path[mention.path.len() - 1]).copied().map(Target::Item)
            } else {
                resolve(krate, index, &mention.path, 0)
            };
            add(found, mention.line, &mention.path);
        }
    }
    arrows.sort();
    arrows.dedup();
    arrows
}

/// What a path leads to within the crate.
#[derive(Clone, Copy)]
enum Target {
    /// An item of the module.
    Item(usize),
    Module(usize),
}

/// What a path means in a module. None if it leads out of the crate.
fn resolve(krate: &Crate, module: usize, path: &[String], depth: usize) -> Option<Target> {
    if depth > MAX_REEXPORTS {
        return None;
    }
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => walk(krate, 0, rest, depth),
        "self" => walk(krate, module, rest, depth),
        "super" => {
            let parent = krate.modules[module].parent?;
            if rest.first().is_some_and(|next| next == "super") {
                return resolve(krate, parent, rest, depth);
            }
            walk(krate, parent, rest, depth)
        }
        _ if defines(krate, module, first, depth) => walk(krate, module, path, depth),
        _ => None,
    }
}

/// What a path means that starts in a module.
fn walk(krate: &Crate, start: usize, path: &[String], depth: usize) -> Option<Target> {
    let Some((name, rest)) = path.split_first() else { return Some(Target::Module(start)) };
    let module = &krate.modules[start];
    let child = module.children.get(name);
    if let Some(child) = child
        && !rest.is_empty()
    {
        return walk(krate, *child, rest, depth);
    }
    if module.items.contains(name) {
        return Some(Target::Item(start));
    }
    if let Some(import) = module.imports.iter().find(|import| import.name == *name) {
        // An import of its own name, `use tokio::time;`, is of another crate: no further steps in here.
        let target: Vec<String> = import.path.iter().chain(rest).cloned().collect();
        return match import.path.first() {
            Some(first) if first == name && child.is_none() => None,
            _ => resolve(krate, start, &target, depth + 1),
        };
    }
    if let Some(child) = child {
        return Some(Target::Module(*child));
    }
    globs(krate, module, start, depth)
        .find(|glob| defines(krate, *glob, name, depth + 1))
        .map_or(Some(Target::Item(start)), |glob| walk(krate, glob, path, depth + 1))
}

/// Whether a name means something in a module.
fn defines(krate: &Crate, index: usize, name: &String, depth: usize) -> bool {
    let module = &krate.modules[index];
    module.children.contains_key(name)
        || module.items.contains(name)
        || module.imports.iter().any(|import| import.name == *name)
        || depth < MAX_REEXPORTS
            && globs(krate, module, index, depth).any(|glob| defines(krate, glob, name, depth + 1))
}

/// The modules all of whose names a module imports.
fn globs<'a>(
    krate: &'a Crate,
    module: &'a Module,
    index: usize,
    depth: usize,
) -> impl Iterator<Item = usize> + 'a {
    let globs = module.imports.iter().filter(|import| import.glob);
    globs.filter_map(move |import| match resolve(krate, index, &import.path, depth + 1) {
        Some(Target::Module(module)) if module != index => Some(module),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
