//! The log of a session as messages, calls and results (requirement D6).

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use llm::{Content, Role};
use serde_json::{Value, json};

use super::app::App;
use super::problem::Problem;
use super::sessions::find;
use session::Permission;

/// `GET /api/sessions/{id}/log`: `{"entries": [..]}`.
pub(super) async fn of_session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let history = find(&app, &id, Permission::View).await?.history().await?;
    let written = app.scene_texts.json(move || {
        let entries: Vec<Value> = history.iter().flat_map(entries).collect();
        json!({ "entries": entries })
    });
    written.await
}

/// The log entries of a content: a `user_message`, `tool_call`s with an `agent_response`, `tool_result`s,
/// a `summary`, or the `context` that the model got with the message.
fn entries(content: &Content) -> Vec<Value> {
    let text = content.visible_text();
    let said = |kind: &str| json!({ "type": kind, "text": text });
    match content.role {
        Role::User if content.parts.iter().any(|part| part.as_summary().is_some()) => {
            vec![said("summary")]
        }
        Role::User if content.is_context() => vec![said("context")],
        Role::User => vec![said("user_message")],
        Role::Model => {
            let calls = content.calls().map(
                |call| json!({ "type": "tool_call", "id": call.id, "name": call.name, "args": call.args }),
            );
            let answer = (!text.is_empty()).then(|| said("agent_response"));
            answer.into_iter().chain(calls).collect()
        }
        Role::Function => content
            .responses()
            .map(|it| json!({ "type": "tool_result", "id": it.id, "name": it.name, "response": it.response }))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use llm::Part;

    use super::*;

    /// Requirement D6.
    #[test]
    fn every_content_has_its_entries_in_order() {
        let history = [
            Content::user("a ball"),
            Content::model(vec![
                Part::thought("hm"),
                Part::text("Here."),
                Part::call(Some("1"), "create_shape", json!({ "id": "ball" })),
            ]),
            Content::function(vec![Part::response(
                Some("1"),
                "create_shape",
                json!({ "success": true }),
                Vec::new(),
            )]),
            Content::model(vec![Part::text("Done.")]),
        ];
        let all: Vec<Value> = history.iter().flat_map(entries).collect();
        assert_eq!(
            all,
            [
                json!({ "type": "user_message", "text": "a ball" }),
                json!({ "type": "agent_response", "text": "Here." }),
                json!({ "type": "tool_call", "id": "1", "name": "create_shape", "args": { "id": "ball" } }),
                json!({ "type": "tool_result", "id": "1", "name": "create_shape", "response": { "success": true } }),
                json!({ "type": "agent_response", "text": "Done." }),
            ]
        );
    }
}
