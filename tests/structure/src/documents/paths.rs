//! The paths that a document names.

use super::code::without_braces;
use super::tree::{Tree, extension};

/// Extensions of source files. A file with one of them is of this repository, even without its folder;
/// `scene.json` may be a file of the user.
const SOURCE: [&str; 7] = ["rs", "ts", "tsx", "mjs", "js", "py", "css"];

/// What stands for a name that the reader chooses.
const PLACEHOLDER: &str = "NAME";

/// The paths of files and folders of this repository in a piece of inline code.
pub fn named_paths(code: &str, tree: &Tree) -> Vec<String> {
    let words = code.split_whitespace().map(|word| word.trim_end_matches([':', ',']));
    words.flat_map(without_braces).filter(|word| is_path(word, tree)).collect()
}

/// Whether a word is to be a path of this repository: a folder (`a/`), a file with an extension that is
/// used here (`a/b.json`), the name of a source file (`b.rs`), or anything in a folder of the root
/// (`crates/a`).
fn is_path(word: &str, tree: &Tree) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    if !word.starts_with(char::is_alphanumeric) || !word.chars().all(plain) {
        return false;
    }
    if word.contains(PLACEHOLDER) {
        return false;
    }
    let Some((first, _)) = word.split_once('/') else {
        return extension(word).is_some_and(|extension| SOURCE.contains(&extension));
    };
    word.ends_with('/')
        || tree.has_root_folder(first)
        || extension(word).is_some_and(|extension| tree.knows_extension(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let paths = ["web/", "web/src/", "web/src/store.ts", "crates/", "crates/a/", "scene.json"];
        Tree::from(&paths[..])
    }

    /// The paths in the code that no file and no folder has.
    fn wrong(code: &str) -> Vec<String> {
        let tree = tree();
        named_paths(code, &tree).into_iter().filter(|path| !tree.has(path)).collect()
    }

    #[test]
    fn wrong_paths_are_found() {
        assert_eq!(wrong("src/{store,chat}.ts"), ["src/chat.ts"]);
        assert_eq!(wrong("web/store.ts: a_test"), ["web/store.ts"]);
        assert_eq!(wrong("bodies.ts"), ["bodies.ts"]);
        assert_eq!(wrong("views/ web/src/"), ["views/"]);
        assert_eq!(wrong("crates/b"), ["crates/b"]);
        assert_eq!(wrong("plans/scene.json"), ["plans/scene.json"]);
    }

    #[test]
    fn right_paths_are_paths_too() {
        assert_eq!(named_paths("store.ts, src/store.ts", &tree()), ["store.ts", "src/store.ts"]);
        assert!(wrong("store.ts, src/store.ts web/src/ crates/a").is_empty());
    }

    #[test]
    fn what_is_no_path_of_this_repository_is_left_out() {
        for code in [
            "GET /api/sessions/{id}/store.ts",
            "image/png",
            "cornell.png -o scene.json",
            "~/.config/a.json",
            "web/NAME.ts",
            "NNN-title.md",
            "a.b",
        ] {
            assert_eq!(named_paths(code, &tree()), <[&str; 0]>::default(), "{code}");
        }
    }
}
