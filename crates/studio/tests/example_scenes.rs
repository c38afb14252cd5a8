//! The findings of `check_scene` in the example scenes, which have no mistakes.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use scene::{NoAssets, Scene};
use tracer::Meshes;

/// All findings of all scenes without asset files, one per line.
fn findings() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    let mut text = String::new();
    for path in files {
        let scene = Scene::from_json_text(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for finding in studio::findings(&scene, &NoAssets, &Meshes::default()).found {
            text.push_str(&format!("{name}: {}: {}\n", finding.check, finding.message));
        }
    }
    text
}

#[test]
fn little_is_found_in_the_example_scenes() {
    let found = findings();
    // Joined parts without a group look like overlaps.
    let count = |check: &str| found.lines().filter(|line| line.contains(check)).count();
    assert!(found.lines().count() <= 140, "{found}");
    assert_eq!((count(": camera_"), count(": dark"), count(": burnt_out")), (0, 0, 0), "{found}");
}
