//! A session in which something was said before.

use std::time::Instant;

use protocol::Welcome;
use serde_json::json;

use crate::picture::Picture;
use crate::view::View;

fn welcome() -> Welcome {
    let welcome = json!({
        "protocol": 1, "session_id": "k3v9", "name": "a snowman", "epoch": "e", "seq": 9,
        "resumed": false, "durable": true, "revision": 4,
        "scene": { "shapes": [{ "id": "body" }, { "id": "head" }], "lights": [] },
        "can_undo": true, "can_redo": false, "running": false, "model": "offline",
        "models": [{ "id": "offline", "label": "Built-in" }],
        "usage": { "input_tokens": 1200, "output_tokens": 80, "cost": 0.0123 },
        "limits": { "max_turns": 10, "max_message_bytes": 1, "max_image_side": 1, "max_samples": 1,
            "max_shapes": 1, "max_lights": 1, "standing_approvals": true },
        "approvals": [],
        "chat": [
            { "kind": "user", "message_id": "m1", "text": "a snowman" },
            { "kind": "tool", "call_id": "c1", "name": "create_shape",
                "args": { "id": "body", "type": "sphere" },
                "response": { "success": true, "result": {} }, "duration_ms": 12.0 },
            { "kind": "tool", "call_id": "c2", "name": "create_shape",
                "args": { "id": "head", "type": "sphere" },
                "response": { "success": false, "error": "'radius' must be above 0, got -1" } },
            { "kind": "model", "message_id": "m2",
                "text": "I built a **snowman** of two balls:\n\n- `body`\n- `head`, which stands on it and looks at the camera from below" },
            { "kind": "changed", "revision": 4, "by": "user",
                "changes": [{ "op": "update", "kind": "shape", "id": "head", "before": null, "after": null }] },
        ],
    });
    serde_json::from_value(welcome).unwrap()
}

/// The screen of that session, without pictures.
pub(super) fn view(now: Instant) -> View {
    View::new(welcome(), Picture::new(None), now)
}
