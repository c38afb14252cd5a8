//! A scene that is kept by following events alone, as a client does it.

use serde_json::{Value, json};

/// What a client knows of the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Replica {
    scene: Value,
}

impl Replica {
    /// Starts with the scene of a welcome.
    pub fn new(scene: &Value) -> Self {
        Self { scene: without_description(scene) }
    }

    /// Follows an event, in the way that `changes[].index` asks for.
    ///
    /// # Panics
    /// When a change names a kind that is not known.
    pub fn follow(&mut self, event: &Value) {
        for change in event["changes"].as_array().into_iter().flatten() {
            let list = match change["kind"].as_str().expect("a kind") {
                "shape" => "shapes",
                "light" => "lights",
                "group" => "groups",
                whole => {
                    self.scene[whole] = change["after"].clone();
                    continue;
                }
            };
            if self.scene[list].is_null() {
                self.scene[list] = json!([]);
            }
            let objects = self.scene[list].as_array_mut().expect("a list");
            let place = objects.iter().position(|object| object["id"] == change["id"]);
            match (change["op"] == "remove", change["index"].as_u64(), place) {
                (false, None, Some(place)) => objects[place] = change["after"].clone(),
                (is_removed, index, place) => {
                    place.map(|place| objects.remove(place));
                    if let Some(index) = index.filter(|_| !is_removed) {
                        objects.insert(index as usize, change["after"].clone());
                    }
                }
            }
            if list == "groups" && objects.is_empty() {
                self.scene.as_object_mut().map(|scene| scene.shift_remove("groups"));
            }
        }
    }

    /// Whether it is the same scene.
    pub fn is(&self, scene: &Value) -> bool {
        self.scene == without_description(scene)
    }

    /// The scene, for messages.
    pub fn scene(&self) -> &Value {
        &self.scene
    }
}

/// Changes do not tell the description of a file.
fn without_description(scene: &Value) -> Value {
    let mut scene = scene.clone();
    scene.as_object_mut().map(|scene| scene.shift_remove("description"));
    scene
}
