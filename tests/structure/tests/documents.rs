//! What the documents name exists: files and folders, tests, metrics.

use std::{fs, io};

use structure::documents::{
    TestFile, Tree, inline_code, named_metric, named_paths, named_tests, registered_metrics,
};
use structure::workspace;

/// The documents that name tests.
const WITH_TESTS: [&str; 4] =
    ["docs/architecture.md", "docs/providers.md", "docs/requirements.md", "docs/security.md"];

const METRICS: &str = "crates/server/src/metrics.rs";
const METRICS_PREFIX: &str = "scene_llm_";
const WITH_METRICS: &str = "docs/operations.md";
const WITH_ALERTS: &str = "deploy/alerts.yml";

fn read(path: &str) -> io::Result<String> {
    fs::read_to_string(workspace().join(path))
}

/// The paths of `README.md` and of every document in `docs`.
fn documents(tree: &Tree) -> Vec<&str> {
    let all = tree.files_with(&["md"]).into_iter();
    all.filter(|path| *path == "README.md" || path.starts_with("docs/")).collect()
}

#[test]
fn files_and_folders_exist() {
    let tree = Tree::read(&workspace()).unwrap();
    let documents = documents(&tree);
    assert!(documents.len() > 30, "only {documents:?}");
    let (mut named, mut wrong) = (0, String::new());
    for document in documents {
        for code in inline_code(&read(document).unwrap()) {
            for path in named_paths(&code.text, &tree) {
                named += 1;
                if !tree.has(&path) {
                    wrong += &format!("{document}:{}: there is no {path}\n", code.line);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(named > 500, "only {named} paths");
}

#[test]
fn tests_exist() {
    let tree = Tree::read(&workspace()).unwrap();
    let files = tree.files_with(&["rs", "js", "mjs", "ts", "tsx"]).into_iter();
    let files: Vec<_> = files.map(|path| TestFile::new(path, &read(path).unwrap())).collect();
    let (mut named, mut wrong) = (0, String::new());
    for document in WITH_TESTS {
        for code in inline_code(&read(document).unwrap()) {
            for test in named_tests(&code.text) {
                named += 1;
                if !files.iter().any(|file| file.holds(&test)) {
                    wrong += &format!("{document}:{}: there is no {}\n", code.line, code.text);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(named > 150, "only {named} tests");
}

#[test]
fn alerts_ask_for_metrics_that_exist() {
    let registered = registered_metrics(&read(METRICS).unwrap());
    let alerts = read(WITH_ALERTS).unwrap();
    let words = alerts.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let named: Vec<_> = words.filter(|word| word.starts_with(METRICS_PREFIX)).collect();
    assert!(named.len() > 5, "{named:?}");
    for name in named {
        let exists = registered.iter().any(|metric| metric.shows(name));
        assert!(exists, "{WITH_ALERTS} asks for {name}, which {METRICS} does not register");
    }
}

#[test]
fn metrics_exist_and_each_is_described() {
    let registered = registered_metrics(&read(METRICS).unwrap());
    assert!(!registered.is_empty());
    let code = inline_code(&read(WITH_METRICS).unwrap());
    let named = code.iter().filter_map(|code| named_metric(&code.text, METRICS_PREFIX));
    let named: Vec<_> = named.collect();
    for name in &named {
        let exists = registered.iter().any(|metric| metric.shows(name));
        assert!(exists, "{WITH_METRICS} names {name}, which {METRICS} does not register");
    }
    for metric in registered {
        let described = named.iter().any(|name| metric.shows(name));
        assert!(described, "{WITH_METRICS} does not describe {}", metric.name);
    }
}
