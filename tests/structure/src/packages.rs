//! The workspace's packages and what they depend on, as cargo tells it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A member of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The root files of its library and its programs.
    pub roots: Vec<PathBuf>,
    /// The names of all that it depends on, for a build and for building it.
    pub dependencies: Vec<String>,
    /// The names of all that its tests depend on besides.
    pub dev_dependencies: Vec<String>,
}

/// The workspace's folder.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).into()
}

/// Every member of the workspace, by `cargo metadata`.
pub fn packages() -> io::Result<Vec<Package>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    Ok(list(&metadata["packages"]).map(package).collect())
}

fn package(value: &Value) -> Package {
    let manifest = PathBuf::from(text(&value["manifest_path"]));
    let dependencies = |dev: bool| {
        list(&value["dependencies"])
            .filter(|dependency| (dependency["kind"] == "dev") == dev)
            .map(|dependency| text(&dependency["name"]))
            .collect()
    };
    let built = |target: &&Value| list(&target["kind"]).any(|kind| kind == "lib" || kind == "bin");
    Package {
        name: text(&value["name"]),
        folder: manifest.parent().map(PathBuf::from).unwrap_or_default(),
        roots: list(&value["targets"])
            .filter(built)
            .map(|target| text(&target["src_path"]).into())
            .collect(),
        dependencies: dependencies(false),
        dev_dependencies: dependencies(true),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}
