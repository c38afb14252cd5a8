//! The order of a scene's lists, which is for people.

use scene::Change;
use serde_json::json;
use spatial::Call;

use crate::tools::desk;

#[tokio::test]
async fn another_order_of_a_list_is_no_change_that_a_model_has_to_see_first() {
    let desk = desk();
    let order = Call::parse("reorder", &json!({ "ids": ["ball"], "before": "floor" })).unwrap();
    let applied = desk.scene.apply_for_user(&[order], None).unwrap();
    assert!(!applied.changes.is_empty());
    assert!(applied.changes.iter().all(Change::is_of_order_only));
    let (_, scene) = desk.state();
    let ids: Vec<&str> = scene.shapes.iter().map(|shape| shape.id.as_str()).collect();
    assert_eq!(ids, ["ball", "floor", "table"]);
    let moved = desk.call("move", json!({ "ids": ["ball"], "by": [0, 0, 0.1] })).await;
    assert!(moved.outcome.is_ok(), "{moved:?}");
}
