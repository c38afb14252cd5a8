//! The tests that a document names.

use super::code::without_braces;
use super::tree::ends_with_path;
use crate::tokens::tokens;

/// A name of at least so many words is a test's, wherever it stands.
const WORDS: usize = 4;

/// A test, as a document names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTest {
    /// The files, folders and modules it is in; none if only the test is named.
    pub places: Vec<String>,
    /// Its name or its title, or a module of tests.
    pub name: String,
    /// Whether only the beginning of the name is given.
    pub beginning: bool,
}

/// The tests named in a piece of inline code: `module::a_test`, `folder/file.rs: a_test`, or a long name
/// alone. `...` after a name leaves out its end.
pub fn named_tests(code: &str) -> Vec<NamedTest> {
    without_braces(code).iter().filter_map(|code| named_test(code)).collect()
}

fn named_test(code: &str) -> Option<NamedTest> {
    let short = code.strip_suffix("...").or_else(|| code.strip_suffix('…'));
    let (places, name) = parts(short.unwrap_or(code))?;
    let places = places.into_iter().map(String::from).collect();
    Some(NamedTest { places, name: name.into(), beginning: short.is_some() })
}

fn parts(code: &str) -> Option<(Vec<&str>, &str)> {
    if let Some((file, name)) = code.split_once(": ") {
        return Some((vec![file], name));
    }
    if !code.split("::").all(is_snake_case) {
        return None;
    }
    let mut places: Vec<&str> = code.split("::").collect();
    let name = places.pop()?;
    let long = name.split('_').filter(|word| !word.is_empty()).count() >= WORDS;
    (long || !places.is_empty()).then_some((places, name))
}

fn is_snake_case(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|c| c == '_' || c.is_ascii_digit() || c.is_ascii_lowercase())
}

/// A file that may hold tests, and the names in it.
#[derive(Clone, Debug)]
pub struct TestFile {
    path: String,
    /// The functions and the modules it defines.
    names: Vec<String>,
    /// The text, where the titles of tests are strings in it.
    titles: Option<String>,
}

impl TestFile {
    /// The names in a file of Rust, or else of JavaScript or TypeScript.
    pub fn new(path: &str, source: &str) -> Self {
        let stem = path.strip_suffix(".rs");
        let names = if stem.is_some() { defined(source) } else { Vec::new() };
        let titles = stem.is_none().then(|| source.into());
        Self { path: path.into(), names, titles }
    }

    /// Whether the file holds this test, in each of the places that the document names.
    pub fn holds(&self, test: &NamedTest) -> bool {
        test.places.iter().all(|place| self.is_in(place)) && self.defines(test)
    }

    fn defines(&self, test: &NamedTest) -> bool {
        let fits =
            |name: &String| name == &test.name || test.beginning && name.starts_with(&test.name);
        let titled = |source: &String| {
            let end = |quote| if test.beginning { "" } else { quote };
            let quotes = ["'", "\"", "`"].into_iter();
            quotes.map(|q| format!("({q}{}{}", test.name, end(q))).any(|t| source.contains(&t))
        };
        self.names.iter().any(fits)
            || self.titles.as_ref().is_some_and(titled)
            || !test.places.is_empty() && self.in_folder(&test.name)
    }

    /// Whether the file has this path, is in a folder of this name or defines a module of this name.
    fn is_in(&self, place: &str) -> bool {
        ends_with_path(&self.path, place)
            || self.in_folder(place)
            || self.names.iter().any(|name| name == place)
    }

    /// Whether the file or one of its folders has this name.
    fn in_folder(&self, name: &str) -> bool {
        let path = self.path.strip_suffix(".rs").unwrap_or(&self.path);
        path.split('/').any(|part| part == name)
    }
}

/// The names of all functions and modules of a Rust file.
fn defined(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let pairs = tokens.windows(2).filter(|pair| pair[0].is("fn") || pair[0].is("mod"));
    pairs.map(|pair| pair[1].text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> [TestFile; 2] {
        let rust = "mod tests { #[test] fn a_cancel_is_quick_everywhere() {} } fn short() {}";
        let script = "describe('branches', () => { it(\"keeps them\", f) })";
        [
            TestFile::new("crates/agent/src/run.rs", rust),
            TestFile::new("web/tests/store.test.ts", script),
        ]
    }

    /// Whether every test in the code is found.
    fn right(code: &str) -> bool {
        let named = named_tests(code);
        assert!(!named.is_empty(), "{code} names no test");
        named.iter().all(|test| files().iter().any(|file| file.holds(test)))
    }

    #[test]
    fn tests_are_found_by_name_and_place() {
        assert!(right("a_cancel_is_quick_everywhere"));
        assert!(right("a_cancel_is_quick_..."));
        assert!(right("run::a_cancel_…"));
        assert!(right("agent::run::tests"));
        assert!(right("agent/src/run.rs: short"));
        assert!(right("run: short"));
        assert!(right("store.test.ts: branches"));
        assert!(right("tests/store.test.ts: keeps..."));
    }

    #[test]
    fn wrong_tests_are_found() {
        assert!(!right("a_cancel_is_quick_nowhere"));
        assert!(!right("a_cancel_is_quick"));
        assert!(!right("a_cancel_is_slow_..."));
        assert!(!right("walk::a_cancel_..."));
        assert!(!right("{run,walk}::tests"));
        assert!(!right("run::checks"));
        assert!(!right("walk.rs: short"));
        assert!(!right("run: long"));
        assert!(!right("store.test.ts: keeps"));
    }

    #[test]
    fn what_names_no_test_is_left_out() {
        for code in ["scene_changed", "spatial::Call", "a_b_c", "GET /metrics", "::"] {
            assert_eq!(named_tests(code), [], "{code}");
        }
    }
}
