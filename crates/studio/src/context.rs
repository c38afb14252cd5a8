//! The context of a model: the whole scene at first, then the changes of the user. The model knows its
//! own changes from the results of its calls.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use agent::ContextSource;
use llm::{Content, Part};
use scene::{Assets, Change, Revision};
use serde_json::{Value, json};

use crate::shared::SharedScene;

/// The most meshes, and the most images, that are listed; more would crowd out the scene.
const MAX_ASSETS: usize = 20;

/// The most lines of changes; beyond it, the whole scene is sent.
const MAX_LINES: usize = 40;

/// The least bytes of changes, however small the scene, after which the whole scene is sent again.
const MIN_CHANGE_BYTES: usize = 2_000;

/// The context source for the scene that model and user share.
#[derive(Debug, Clone)]
pub struct SceneContext(Arc<SharedScene>);

impl SceneContext {
    /// A context source for `scene`.
    pub fn new(scene: Arc<SharedScene>) -> Self {
        Self(scene)
    }
}

/// A context source for an agent that works for a model: the scene once, as it is when the agent begins. It
/// does not count as a look of the model.
#[derive(Debug, Clone)]
pub struct CurrentScene(Arc<SharedScene>);

impl CurrentScene {
    /// A context source for `scene`.
    pub fn new(scene: Arc<SharedScene>) -> Self {
        Self(scene)
    }
}

impl ContextSource for CurrentScene {
    fn untold(&self, told: &[Content]) -> Option<Part> {
        let is_told = KnownContext::of(told).revision.is_some();
        (!is_told).then(|| whole(&self.0, &self.0.current()))
    }
}

/// The revision of the scene context in `content`, if it is one.
pub fn revision_told(content: &Content) -> Option<u64> {
    let about = content.parts.iter().find_map(Part::as_context)?;
    about["revision"].as_u64()
}

/// The scene context that the conversation contains.
#[derive(Debug, Default, PartialEq)]
struct KnownContext {
    /// The revision of the newest context; `None` if the conversation has no full scene.
    revision: Option<u64>,
    /// The bytes of changes since the last full scene.
    change_bytes: usize,
    /// Names of the listed meshes and images.
    assets: BTreeSet<String>,
}

impl KnownContext {
    fn of(contents: &[Content]) -> Self {
        let mut told = Self::default();
        for part in contents.iter().flat_map(|content| &content.parts) {
            let Some(about) = part.as_context() else { continue };
            if about["whole"] == true {
                told = Self { revision: Some(0), ..Self::default() };
            } else {
                told.change_bytes += part.as_text().map_or(0, str::len);
            }
            told.revision = told.revision.and(about["revision"].as_u64());
            let assets = about["assets"].as_array().into_iter().flatten();
            told.assets.extend(assets.filter_map(Value::as_str).map(str::to_owned));
        }
        told
    }
}

impl ContextSource for SceneContext {
    fn untold(&self, contents: &[Content]) -> Option<Part> {
        let told = KnownContext::of(contents);
        let (revision, untold) = self.0.show_to_model();
        let assets = self.0.assets();
        let since = told.revision.filter(|since| *since >= untold.branch_start);
        if let (Some(since), Some(changes)) = (since, &untold.changes) {
            let (text, names) = changed(&self.0, changes, since, &told.assets);
            if text.is_empty() {
                return None;
            }
            let short = told.change_bytes + text.len() <= MIN_CHANGE_BYTES;
            let whole = || revision.scene.to_context_text_with(&*assets).len();
            if changes.len() <= MAX_LINES && (short || told.change_bytes + text.len() <= whole()) {
                let about = json!({ "revision": revision.number, "whole": false, "assets": names });
                return Some(Part::context(text, &about));
            }
        }
        Some(whole(&self.0, &revision))
    }
}

/// All of a revision, with the assets that it may use.
fn whole(scene: &SharedScene, revision: &Revision) -> Part {
    let assets = scene.assets();
    let (meshes, images) = (meshes(&*assets, &BTreeSet::new()), images(&*assets, &BTreeSet::new()));
    let text = format!(
        "[The scene as it is now, revision {}]\n{}{}{}",
        revision.number,
        revision.scene.to_context_text_with(&*assets),
        meshes.text,
        images.text
    );
    let names = [meshes.names, images.names].concat();
    let about = json!({ "revision": revision.number, "whole": true, "assets": names });
    Part::context(text, &about)
}

/// The changes since revision `since`, and the names of the listed assets; empty if nothing changed.
fn changed(
    scene: &SharedScene,
    changes: &[Change],
    since: u64,
    known: &BTreeSet<String>,
) -> (String, Vec<String>) {
    let (revision, assets) = scene.with_assets();
    let mut text = String::new();
    if !changes.is_empty() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "[The user changed the scene by hand since revision {since}; this stands. It is \
             revision {} now]",
            revision.number
        );
        for change in changes {
            text.push_str(&line(change, &revision.scene, &*assets));
        }
    }
    let (meshes, images) = (meshes(&*assets, known), images(&*assets, known));
    text.push_str(meshes.text.trim_start_matches(if text.is_empty() { "\n" } else { "" }));
    text.push_str(images.text.trim_start_matches(if text.is_empty() { "\n" } else { "" }));
    (text, [meshes.names, images.names].concat())
}

fn line(change: &Change, scene: &scene::Scene, assets: &dyn Assets) -> String {
    let name = match &change.id {
        Some(id) => format!("{} '{id}'", change.kind.name()),
        None => format!("the {}", change.kind.name()),
    };
    match (&change.before, &change.after) {
        (None, Some(after)) => {
            let told = change.id.as_deref().and_then(|id| scene.context_line(id, assets));
            match told {
                Some(line) => format!("- added {} {line}", change.kind.name()),
                None => format!("- added {name}: {after}\n"),
            }
        }
        (Some(_), None) => format!("- removed {name}\n"),
        (Some(before), Some(after)) => {
            let mut differences = Vec::new();
            differing("", before, after, &mut differences);
            format!("- changed {name}: {}\n", differences.join(", "))
        }
        (None, None) => format!("- touched {name}\n"),
    }
}

/// `radius 1 -> 2`, for each property that differs.
fn differing(name: &str, before: &Value, after: &Value, found: &mut Vec<String>) {
    if before == after {
        return;
    }
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        found.push(format!("{name} {before} -> {after}"));
        return;
    };
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        // All values are below `properties`, so the prefix is left out.
        let inner = match (name, key.as_str()) {
            ("", "properties") => String::new(),
            ("", key) => key.to_owned(),
            (name, key) => format!("{name}.{key}"),
        };
        let get = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or_default();
        differing(&inner, &get(old), &get(new), found);
    }
}

/// A list of assets as text, and their names.
#[derive(Default)]
struct Listed {
    text: String,
    names: Vec<String>,
}

impl Listed {
    fn under(mut self, heading: &str) -> Self {
        if !self.text.is_empty() {
            self.text = format!("\n{heading}\n{}", self.text);
        }
        self
    }
}

/// The meshes that shapes may use, each with its size, except those in `known`.
fn meshes(assets: &dyn Assets, known: &BTreeSet<String>) -> Listed {
    let mut listed = Listed::default();
    for name in assets.names().iter().take(MAX_ASSETS) {
        if known.contains(name.as_str()) {
            continue;
        }
        let Some(bounds) = assets.bounds(name) else { continue };
        let [width, height, depth] = bounds.size();
        let title = assets.title(name).map(|title| format!("{title:?}, ")).unwrap_or_default();
        let [x, y, z] = bounds.center();
        // Writing to a String cannot fail.
        let _ = writeln!(
            listed.text,
            "- {name}: {title}{width:.3} x {height:.3} x {depth:.3} around [{x:.3}, {y:.3}, {z:.3}]"
        );
        listed.names.push(name.to_string());
    }
    listed.under(
        "Meshes that were uploaded (the 'asset' of a shape of type mesh, its file, its size):",
    )
}

/// The images that textures and environments may use, except those in `known`.
fn images(assets: &dyn Assets, known: &BTreeSet<String>) -> Listed {
    let mut listed = Listed::default();
    for name in assets.image_names().iter().take(MAX_ASSETS) {
        if known.contains(name.as_str()) {
            continue;
        }
        let title = assets.title(name).map(|title| format!(": {title:?}")).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(listed.text, "- {name}{title}");
        listed.names.push(name.to_string());
    }
    listed.under("Images that were uploaded (the 'asset' of a texture of type image, its file):")
}

#[cfg(test)]
#[path = "context_tests.rs"]
mod tests;
