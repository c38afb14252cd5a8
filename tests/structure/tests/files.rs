//! Files of a crate use each other in one direction, and no folder holds too many of them.

use structure::{Circle, Crate, arrows, circles, crowded, packages, workspace};

/// More files than these are not looked over at a glance.
const MAX_FILES: usize = 25;

/// So many places of an arrow are told.
const MAX_PLACES: usize = 8;

#[test]
fn files_use_each_other_in_one_direction() {
    let mut wrong = String::new();
    for package in &packages().unwrap() {
        for root in &package.roots {
            for circle in circles(&arrows(&Crate::read(&(), root).unwrap())) {
                wrong += &drawn(&package.name, &circle);
            }
        }
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
    let folders = ["crates", "tests", "benches"].map(|folder| workspace().join(folder));
    let crowded = folders.iter().flat_map(|folder| crowded(folder, MAX_FILES).unwrap());
    let crowded: Vec<_> = crowded.collect();
    assert!(crowded.is_empty(), "more than {MAX_FILES} files: {crowded:?}");
}
