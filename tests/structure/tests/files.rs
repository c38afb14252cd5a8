//! Files of a crate use each other in one direction, and no folder holds too many of them.

use std::collections::BTreeSet;
use std::path::Path;

use structure::{Circle, Crate, arrows, circles, crowded, packages, workspace};

/// The crate that is about to be replaced.
const UNCHECKED: &str = "offline";

/// More files than these are not looked over at a glance.
const MAX_FILES: usize = 25;

/// The folders that hold more still. One that no longer does leaves the list.
const KNOWN_CROWDED: [&str; 1] = ["tests/tests"];

/// So many places of an arrow are told.
const MAX_PLACES: usize = 8;

/// The circles there are still: a crate's name, and its files below it, indented. No other one may
/// appear, and one that is gone leaves the list.
const KNOWN: &str = include_str!("known_circles.txt");

/// A circle's crate and files.
type Named = (String, Vec<String>);

fn known() -> BTreeSet<Named> {
    let mut known: Vec<Named> = Vec::new();
    for line in KNOWN.lines().filter(|line| !line.is_empty()) {
        match (line.strip_prefix("  "), known.last_mut()) {
            (Some(file), Some((_, files))) => files.push(file.into()),
            _ => known.push((line.into(), Vec::new())),
        }
    }
    known.into_iter().collect()
}

#[test]
fn files_use_each_other_in_one_direction() {
    let mut known = known();
    let mut wrong = String::new();
    for package in packages().unwrap().iter().filter(|package| package.name != UNCHECKED) {
        for root in &package.roots {
            for circle in circles(&arrows(&Crate::read(&(), root).unwrap())) {
                if !known.remove(&(package.name.clone(), circle.files.clone())) {
                    wrong += &drawn(&package.name, &circle);
                }
            }
        }
    }
    for (name, files) in known {
        wrong +=
            &format!("a known circle is gone, take it out:\n{name}\n  {}\n", files.join("\n  "));
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn drawn(name: &str, circle: &Circle) -> String {
    let mut drawn = format!("a circle:\n{name}\n  {}\n", circle.files.join("\n  "));
    for pair in circle.arrows.chunk_by(|a, b| (&a.from, &a.to) == (&b.from, &b.to)) {
        let places = pair.iter().map(|arrow| format!(" {} {}", arrow.line, arrow.name));
        let places: Vec<_> = places.take(MAX_PLACES).collect();
        drawn += &format!("    {} -> {}:{}\n", pair[0].from, pair[0].to, places.join(","));
    }
    drawn
}

#[test]
fn no_folder_is_crowded() {
    let mut known = BTreeSet::from(KNOWN_CROWDED);
    for folder in ["crates", "tests", "benches"] {
        let crowded = crowded(&workspace().join(folder), MAX_FILES).unwrap();
        for (path, count) in crowded {
            let path = path.strip_prefix(workspace()).unwrap();
            if path.starts_with(Path::new("crates").join(UNCHECKED)) {
                continue;
            }
            let is_known = path.to_str().is_some_and(|path| known.remove(path));
            assert!(is_known, "{count} files in {}, of {MAX_FILES} at most", path.display());
        }
    }
    assert!(known.is_empty(), "no longer crowded, take them out: {known:?}");
}
