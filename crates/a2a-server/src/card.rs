//! The agent card: who we are and how to call us.

use serde_json::{Value, json};

/// The card. `base` is the address of the server as the client has called it; `guarded`: whether calls need the
/// operator's token.
pub fn agent_card(base: &str, guarded: bool) -> Value {
    let mut card = json!({
        "name": "scene-llm",
        "description": "Builds, edits and renders 3D scenes from what you say. A context is a session with one scene: \
                        say what to change in the same context, and people can watch and edit in the page.",
        "version": env!("CARGO_PKG_VERSION"),
        "supportedInterfaces": [
            { "url": format!("{base}/a2a"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }
        ],
        "capabilities": { "streaming": true, "pushNotifications": false, "extendedAgentCard": false },
        "defaultInputModes": ["text/plain", "image/png", "image/jpeg", "image/webp"],
        "defaultOutputModes": ["text/plain", "application/json", "image/png"],
        "skills": [
            {
                "id": "build_scene",
                "name": "Build a scene",
                "description": "Builds a 3D scene from a description: furniture, buildings, products, light and camera.",
                "tags": ["3d", "scene", "rendering"],
                "examples": ["a red ball on a wooden table", "a small living room with a sofa and a floor lamp"],
            },
            {
                "id": "edit_scene",
                "name": "Edit a scene",
                "description": "Changes the scene of a context: adds, moves, removes, colors, lights it anew.",
                "tags": ["3d", "scene", "editing"],
                "examples": ["make the ball blue and put it on the floor"],
            }
        ],
    });
    if guarded {
        card["securitySchemes"] = json!({
            "operator_token": { "httpAuthSecurityScheme": { "scheme": "Bearer",
                "description": "The operator's token of the server." } }
        });
        card["securityRequirements"] = json!([{ "schemes": { "operator_token": { "list": [] } } }]);
    }
    card
}
