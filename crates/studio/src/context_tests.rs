//! The scene context in requests.

use scene::{Scene, SceneManager};
use spatial::Call;

use super::*;
use crate::Attention;

struct Conversation {
    scene: Arc<SharedScene>,
    contents: Vec<Content>,
}

impl Conversation {
    fn new() -> Self {
        let file = json!({ "version": 1, "shapes": [
            { "id": "ball", "type": "sphere", "properties": { "center": [0, 1, 0], "radius": 1 } } ] });
        let manager = SceneManager::new(Scene::from_json(&file).unwrap());
        let scene = Arc::new(SharedScene::new(manager, Attention::default()));
        Self { scene, contents: vec![Content::user("hello")] }
    }

    /// The text that the next request adds; empty if there is none.
    fn next(&mut self) -> String {
        let part = SceneContext::new(Arc::clone(&self.scene)).untold(&self.contents);
        let Some(part) = part else { return String::new() };
        let text = part.as_text().unwrap().to_owned();
        self.contents.push(Content { role: llm::Role::User, parts: vec![part] });
        text
    }

    #[expect(clippy::needless_pass_by_value, reason = "cases are written without borrowing")]
    fn user(&self, name: &str, args: Value) {
        let call = Call::parse(name, &args).unwrap();
        self.scene.apply_for_user(&[call], None).unwrap();
    }

    #[expect(clippy::needless_pass_by_value, reason = "cases are written without borrowing")]
    fn model(&self, name: &str, args: Value) {
        self.scene.apply(&Call::parse(name, &args).unwrap(), crate::Author::Model).unwrap();
    }
}

fn radius(radius: f64) -> Value {
    json!({ "id": "ball", "updates": { "properties": { "radius": radius } } })
}

fn cube(id: &str) -> Value {
    json!({ "id": id, "type": "box", "properties": { "center": [3, 0.5, 0], "dimensions": [1, 1, 1] } })
}

#[test]
fn the_whole_scene_comes_first_and_then_only_what_the_user_changed() {
    let mut conversation = Conversation::new();
    let first = conversation.next();
    assert!(
        first.starts_with("[The scene as it is now, revision 0]\nshapes (1):\n- ball: sphere ")
    );
    assert_eq!(conversation.next(), "");
    // The model knows its own changes.
    conversation.model("create_shape", cube("crate"));
    assert_eq!(conversation.next(), "");
    conversation.user("update_shape", radius(2.0));
    conversation.user("create_shape", cube("box"));
    conversation.user("remove_shape", json!({ "id": "crate" }));
    let changes = conversation.next();
    assert!(
        changes.starts_with("[The user changed the scene by hand since revision 0;"),
        "{changes}"
    );
    for line in [
        "- changed shape 'ball': radius 1.0 -> 2.0\n",
        "- added shape box: box ",
        "- removed shape 'crate'\n",
    ] {
        assert!(changes.contains(line), "{changes}");
    }
    assert_eq!(conversation.next(), "");
    conversation.scene.undo(crate::Author::User).unwrap();
    assert!(conversation.next().contains("- added shape crate: box "));
}

#[test]
fn the_whole_scene_is_told_again_where_changes_would_be_longer() {
    let mut conversation = Conversation::new();
    conversation.next();
    for number in 0..=MAX_LINES {
        conversation.user("create_shape", cube(&format!("box_{number}")));
    }
    assert!(conversation.next().starts_with("[The scene as it is now"));
    let mut lengths = Vec::new();
    for step in 0..400 {
        conversation.user("update_shape", radius(1.0 + f64::from(step)));
        lengths.push(conversation.next());
    }
    let whole = lengths.iter().filter(|text| text.starts_with("[The scene as it is now")).count();
    assert!((1..40).contains(&whole), "{whole} of {}", lengths.len());
}

#[test]
fn another_branch_and_a_summary_begin_with_the_whole_scene() {
    let mut conversation = Conversation::new();
    conversation.next();
    conversation.user("update_shape", radius(2.0));
    conversation.scene.entered_branch();
    assert!(conversation.next().starts_with("[The scene as it is now, revision 1]"));
    assert_eq!(conversation.next(), "");
    // Compaction removed the context.
    conversation.contents.truncate(1);
    assert!(conversation.next().starts_with("[The scene as it is now, revision 1]"));
}

#[test]
fn changes_too_old_to_compare_with_are_told_as_the_whole_scene() {
    let mut conversation = Conversation::new();
    conversation.next();
    for step in 0..2_000 {
        conversation.user("update_shape", radius(1.0 + f64::from(step)));
    }
    let told = conversation.next();
    assert!(told.contains("radius=2000") || told.contains("-> 2000"), "{told}");
}
