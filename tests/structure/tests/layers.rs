//! Which crate may depend on which, and which may use a library that brings waiting, the wire, threads
//! or a disk with it.

use std::io;

use structure::{Package, packages};

/// Every crate of the workspace with the ones that it depends on. A row names only crates of rows above
/// it, so that nothing points up.
const LAYERS: [(&str, &[&str]); 35] = [
    ("scene", &[]),
    ("oidn", &[]),
    ("allocator", &[]),
    ("supervision", &[]),
    ("protocol", &["scene"]),
    ("client", &["protocol"]),
    ("terminal", &["client", "protocol"]),
    ("store", &["supervision"]),
    ("llm", &[]),
    ("goals", &[]),
    ("damage", &[]),
    ("test-postgres", &[]),
    ("structure", &[]),
    ("catalogue", &["scene"]),
    ("media", &["scene"]),
    ("tessellation", &["scene"]),
    ("spatial", &["catalogue", "scene", "tessellation"]),
    ("tracer", &["media", "scene", "tessellation"]),
    ("image-files", &["media"]),
    ("mesh-files", &["image-files", "media", "scene"]),
    ("scene-files", &["image-files", "media", "mesh-files", "scene", "tessellation", "tracer"]),
    ("evaluation", &["scene", "spatial", "tracer"]),
    ("offline", &["catalogue", "llm", "scene", "spatial"]),
    ("agent", &["llm"]),
    ("mcp-client", &["agent", "llm", "supervision"]),
    ("a2a-client", &["agent", "llm", "supervision"]),
    (
        "studio",
        &[
            "agent",
            "catalogue",
            "llm",
            "media",
            "oidn",
            "scene",
            "spatial",
            "tessellation",
            "tracer",
        ],
    ),
    ("sub-agents", &["agent", "llm", "studio"]),
    ("assets", &["image-files", "media", "mesh-files", "scene", "store", "studio", "tracer"]),
    ("own-objects", &["assets", "catalogue", "scene"]),
    (
        "session",
        &[
            "agent",
            "assets",
            "catalogue",
            "evaluation",
            "goals",
            "llm",
            "scene",
            "spatial",
            "store",
            "studio",
            "sub-agents",
        ],
    ),
    ("a2a-server", &["scene", "session", "store"]),
    ("mcp-server", &["agent", "scene", "session", "spatial", "store", "studio"]),
    (
        "server",
        &[
            "a2a-client",
            "a2a-server",
            "agent",
            "allocator",
            "assets",
            "catalogue",
            "goals",
            "llm",
            "mcp-client",
            "mcp-server",
            "mesh-files",
            "offline",
            "own-objects",
            "protocol",
            "scene",
            "scene-files",
            "session",
            "spatial",
            "store",
            "studio",
            "sub-agents",
            "supervision",
            "tessellation",
            "tracer",
        ],
    ),
    (
        "scene-llm",
        &[
            "agent",
            "assets",
            "catalogue",
            "client",
            "evaluation",
            "mcp-client",
            "media",
            "mesh-files",
            "own-objects",
            "scene",
            "scene-files",
            "server",
            "session",
            "store",
            "studio",
            "terminal",
            "tracer",
        ],
    ),
];

/// What only tests and measurements need: above everything, and nothing but tests is above them.
const ABOVE: [&str; 2] = ["end-to-end", "benches"];

/// What the tests of any crate may use besides what the crate itself may.
const FOR_TESTS: [&str; 3] = ["damage", "end-to-end", "test-postgres"];

/// What the tests of one crate use besides.
const FOR_TESTS_OF: [(&str, &[&str]); 6] = [
    ("catalogue", &["spatial", "tracer"]),
    ("offline", &["evaluation"]),
    ("own-objects", &["store"]),
    ("sub-agents", &["scene"]),
    ("client", &["server"]),
    ("terminal", &["server"]),
];

/// Libraries that decide what a crate is, and the crates they are for.
const LIBRARIES: [(&str, &[&str]); 10] = [
    (
        "tokio",
        &[
            "supervision",
            "store",
            "llm",
            "agent",
            "mcp-client",
            "a2a-client",
            "studio",
            "sub-agents",
            "assets",
            "session",
            "a2a-server",
            "mcp-server",
            "server",
            "client",
            "terminal",
            "scene-llm",
        ],
    ),
    ("axum", &["server"]),
    ("clap", &["scene-llm"]),
    ("object_store", &["assets"]),
    ("rayon", &["tracer", "studio", "server", "scene-llm"]),
    ("ratatui", &["terminal"]),
    ("reqwest", &["llm", "mcp-client", "a2a-client", "client"]),
    ("rmcp", &["mcp-client", "mcp-server"]),
    ("sqlx", &["store"]),
    ("ts-rs", &["protocol"]),
];

fn of<'a>(table: &[(&str, &'a [&'a str])], name: &str) -> &'a [&'a str] {
    table.iter().find(|(row, _)| *row == name).map_or(&[], |(_, names)| names)
}

fn product() -> io::Result<Vec<Package>> {
    let mut packages = packages()?;
    packages.retain(|package| !ABOVE.contains(&&*package.name));
    Ok(packages)
}

#[test]
fn a_layer_depends_on_layers_below_it() {
    for (row, (name, names)) in LAYERS.iter().enumerate() {
        for below in *names {
            let lower = LAYERS[..row].iter().any(|(other, _)| other == below);
            assert!(lower, "{name} is to depend on {below}, which is no row above its own");
        }
    }
}

#[test]
fn crates_depend_on_what_their_layer_says() {
    let packages = product().unwrap();
    let crates: Vec<&str> = packages.iter().map(|package| &*package.name).collect();
    for (name, _) in LAYERS {
        assert!(crates.contains(&name), "LAYERS names {name}, which is no crate of the workspace");
    }
    for package in &packages {
        let name = &*package.name;
        assert!(LAYERS.iter().any(|(row, _)| *row == name), "{name} has no row in LAYERS");
        let allowed = of(&LAYERS, name);
        let ours = |dependency: &&String| {
            crates.contains(&dependency.as_str()) || ABOVE.contains(&dependency.as_str())
        };
        for dependency in package.dependencies.iter().filter(ours) {
            assert!(allowed.contains(&&**dependency), "{name} may not depend on {dependency}");
        }
        for dependency in allowed {
            let used = package.dependencies.iter().any(|used| used == dependency);
            assert!(used, "{name} no longer depends on {dependency}: take that out of LAYERS");
        }
        for dependency in package.dev_dependencies.iter().filter(ours) {
            let sets = [allowed, &FOR_TESTS, of(&FOR_TESTS_OF, name)];
            let allowed = sets.iter().any(|set| set.contains(&&**dependency));
            assert!(allowed, "the tests of {name} may not depend on {dependency}");
        }
    }
}

#[test]
fn libraries_stay_in_the_crates_they_are_for() {
    for package in product().unwrap() {
        for (library, crates) in LIBRARIES {
            let used = package.dependencies.iter().any(|dependency| dependency == library);
            let allowed = crates.contains(&&*package.name);
            assert_eq!(used, allowed, "{library} in {}", package.name);
        }
    }
}
