//! The JSON form of an object of the user's own.

use scene::read::nearest;
use scene::{Scene, Violations};
use serde_json::{Map, Value, json};

use super::about::About;
use super::object::OwnObject;
use crate::build::Bounds;

/// What the first line of a file says.
const FORMAT: &str = "scene-llm object";
/// The version of the form.
const VERSION: u64 = 1;
/// All that a file may have; `assets` is for who keeps files.
const FIELDS: [&str; 11] = [
    "format", "version", "name", "words", "category", "note", "size", "shapes", "lights", "groups",
    "assets",
];

impl OwnObject {
    /// Reads the form `{"format": "scene-llm object", "version": 1, "name", "words"?, "category"?, "note"?,
    /// "size"?, "shapes", "lights"?, "groups"?}`. The size is computed where it can be, so only an object
    /// with meshes has to have one.
    ///
    /// # Errors
    /// All rules that it violates.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let Some(fields) = value.as_object() else {
            return Err(Violations::one("an object file must be a JSON object"));
        };
        if fields.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(Violations::one(format!(
                "it is no exported object: 'format' must be \"{FORMAT}\""
            )));
        }
        if fields.get("version").and_then(Value::as_u64) != Some(VERSION) {
            return Err(Violations::one(format!(
                "'version' must be {VERSION}, which this version of the program reads"
            )));
        }
        let mut errors = Vec::new();
        for name in fields.keys().filter(|name| !FIELDS.contains(&name.as_str())) {
            let near = nearest(name, FIELDS.iter().copied());
            let name: String = name.chars().take(60).collect();
            errors.push(format!("unknown property '{name}'; did you mean '{near}'?"));
        }
        let about = read_about(fields, &mut errors);
        let parts = Scene::from_json(&json!({
            "version": 1,
            "shapes": fields.get("shapes").cloned().unwrap_or(Value::Null),
            "lights": fields.get("lights").cloned().unwrap_or_else(|| json!([])),
            "groups": fields.get("groups").cloned().unwrap_or_else(|| json!([])),
        }));
        let size = parts.as_ref().ok().and_then(bounds_of).map(|bounds| bounds.size().to_array());
        let size = size.or_else(|| read_size(fields.get("size"), &mut errors));
        let object = match (parts, size) {
            (Ok(parts), Some(size)) => Self::new(about, parts, size),
            (Err(violations), _) => Err(violations),
            (Ok(_), None) => about.checked().and(Err(Violations::one(
                "'size' must be [width, height, depth] in meters, since it has meshes",
            ))),
        };
        let errors = errors.into_iter().map(Violations::one);
        match Violations::joined(errors.chain(object.as_ref().err().cloned())) {
            Some(violations) => Err(violations),
            None => object,
        }
    }

    /// The form that [`from_json`](Self::from_json) reads.
    pub fn to_json(&self) -> Value {
        let About { name, words, category, note } = self.about();
        let mut form = Map::new();
        form.insert("format".into(), FORMAT.into());
        form.insert("version".into(), VERSION.into());
        form.insert("name".into(), name.as_str().into());
        form.insert("words".into(), json!(words));
        if let Some(category) = category {
            form.insert("category".into(), category.as_str().into());
        }
        if !note.is_empty() {
            form.insert("note".into(), note.as_str().into());
        }
        form.insert("size".into(), json!(self.size()));
        let parts = self.parts();
        form.insert("shapes".into(), parts.shapes.iter().map(|shape| shape.to_json()).collect());
        form.insert("lights".into(), parts.lights.iter().map(|light| light.to_json()).collect());
        form.insert("groups".into(), parts.groups.iter().map(|group| group.to_json()).collect());
        form.into()
    }
}

fn read_about(fields: &Map<String, Value>, errors: &mut Vec<String>) -> About {
    let mut text = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => {
            errors.push(format!("'{name}' must be a text"));
            None
        }
    };
    let (name, category, note) = (text("name"), text("category"), text("note"));
    let words = match fields.get("words") {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(words)) => {
            words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
        }
        Some(_) => None,
    };
    if words.is_none() {
        errors.push("'words' must be a list of texts".to_owned());
    }
    About {
        name: name.unwrap_or_default(),
        words: words.unwrap_or_default(),
        category,
        note: note.unwrap_or_default(),
    }
}

fn read_size(value: Option<&Value>, errors: &mut Vec<String>) -> Option<[f64; 3]> {
    let value = value.filter(|value| !value.is_null())?;
    let side = |side: &Value| side.as_f64();
    let sides =
        value.as_array().and_then(|sides| sides.iter().map(side).collect::<Option<Vec<_>>>());
    let size: Option<[f64; 3]> = sides.and_then(|sides| sides.try_into().ok());
    if size.is_none() {
        errors.push("'size' must be [width, height, depth] in meters".to_owned());
    }
    size
}

/// The box of shapes whose measures are known without their assets.
fn bounds_of(parts: &Scene) -> Option<Bounds> {
    let boxes = parts.shapes.iter().map(|shape| shape.geometry.bounds());
    let boxes: Option<Vec<_>> = boxes.collect();
    boxes?.into_iter().map(Bounds::from).reduce(Bounds::union)
}
