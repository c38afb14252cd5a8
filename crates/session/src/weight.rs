//! How much memory a session takes, by estimate.

use llm::Content;
use scene::{MAX_REVISIONS, Revision};
use serde_json::Value;

/// The estimated bytes of memory that a content takes.
pub(crate) fn content_bytes(content: &Content) -> usize {
    /// Bytes of a field of an object besides its text, and of any other value.
    const FIELD: usize = 96;
    const VALUE: usize = 32;
    fn of(value: &Value) -> usize {
        match value {
            Value::String(text) => VALUE + text.len(),
            Value::Array(items) => VALUE + items.iter().map(of).sum::<usize>(),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| FIELD + name.len() + of(value));
                VALUE + fields.sum::<usize>()
            }
            _ => VALUE,
        }
    }
    let fields = content.parts.iter().flat_map(|part| part.raw());
    fields.map(|(name, value)| FIELD + name.len() + of(value)).sum()
}

/// The estimated bytes of memory of a scene with its revisions, of which `newest` is the newest: each has a pointer for
/// each object, and unchanged objects are shared.
pub(crate) fn scene_bytes(newest: &Revision) -> usize {
    const POINTER: usize = 8;
    const OBJECT: usize = 768;
    const GROUP: usize = 192;
    let Revision { number, scene } = newest;
    let revisions = usize::try_from(*number).unwrap_or(usize::MAX).saturating_add(1);
    let objects = scene.shapes.len() + scene.lights.len();
    let of_revision = POINTER * objects + GROUP * scene.groups.len();
    OBJECT * objects + of_revision * revisions.min(MAX_REVISIONS)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use llm::Part;
    use scene::Scene;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_content_takes_memory_for_its_texts_and_its_fields() {
        let text = content_bytes(&Content::user("x".repeat(7_000)));
        assert!((7_000..7_500).contains(&text), "{text}");
        let numbers = json!({ "points": vec![1.5; 1_000] });
        let call = Content::model(vec![Part::call(None, "create_shape", numbers)]);
        assert!((32_000..34_000).contains(&content_bytes(&call)), "{}", content_bytes(&call));
    }

    #[test]
    fn a_scene_takes_memory_for_its_objects_and_its_revisions() {
        let ball = json!({ "id": "a", "type": "sphere",
            "properties": { "center": [0, 0, 0], "radius": 1 } });
        let file = json!({ "version": 1, "shapes": [ball] });
        let scene = Arc::new(Scene::from_json(&file).unwrap());
        let at = |number| scene_bytes(&Revision { number, scene: Arc::clone(&scene) });
        assert_eq!((at(0), at(9)), (776, 848));
        assert_eq!(at(100_000), 768 + 8 * MAX_REVISIONS, "older ones are not in memory");
    }
}
