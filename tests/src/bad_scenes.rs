//! Scene files that must be refused, and with which words. One table for every door.

use serde::Deserialize;
use serde_json::Value;

/// A scene file that must be refused.
#[derive(Debug, Deserialize)]
pub struct BadScene {
    /// What is wrong with it.
    pub name: String,
    /// What the error must say.
    pub fault: String,
    #[serde(default)]
    scene: Value,
    text: Option<String>,
    repeat: Option<Repeat>,
}

/// A text that is too long to be written out.
#[derive(Debug, Deserialize)]
struct Repeat {
    before: String,
    piece: String,
    times: usize,
    after: String,
}

impl BadScene {
    /// The table.
    ///
    /// # Panics
    /// When it is not in its form.
    pub fn all() -> Vec<Self> {
        serde_json::from_str(include_str!("../data/bad-scenes.json")).expect("a table")
    }

    /// The file's text.
    pub fn text(&self) -> String {
        match (&self.text, &self.repeat) {
            (Some(text), _) => text.clone(),
            (None, Some(Repeat { before, piece, times, after })) => {
                format!("{before}{}{after}", piece.repeat(*times))
            }
            (None, None) => self.scene.to_string(),
        }
    }
}
