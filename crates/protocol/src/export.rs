//! Generates the JSON Schema and the TypeScript types of all messages.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use ts_rs::{Config, TS};

use crate::{
    ChatEntry, ClientMessage, PreviewHeader, ServerMessage, client, goal, goal_request, parts,
    server, welcome,
};

/// JSON Schema (2020-12) of the three kinds of messages, under `$defs`.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let roots = json!({
        "client_message": generator.subschema_for::<ClientMessage>(),
        "server_message": generator.subschema_for::<ServerMessage>(),
        "preview_header": generator.subschema_for::<PreviewHeader>(),
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "scene-llm WebSocket protocol",
        "properties": roots,
        "$defs": generator.take_definitions(true),
    })
}

/// The TypeScript types of all messages, as one module.
pub fn typescript() -> String {
    let config = Config::new().with_large_int("number");
    let declarations = [
        client::ClientMessage::decl(&config),
        client::ClientRequest::decl(&config),
        client::Remember::decl(&config),
        client::ImageAttachment::decl(&config),
        client::EditCall::decl(&config),
        client::ViewRequest::decl(&config),
        client::CameraView::decl(&config),
        client::Quality::decl(&config),
        server::ServerMessage::decl(&config),
        welcome::Welcome::decl(&config),
        parts::Access::decl(&config),
        parts::Effort::decl(&config),
        parts::ModelPrices::decl(&config),
        parts::ModelInfo::decl(&config),
        parts::ShownImage::decl(&config),
        parts::Limits::decl(&config),
        parts::ApprovalRequest::decl(&config),
        parts::ToolResponse::decl(&config),
        parts::ChangeOperation::decl(&config),
        parts::Bookmark::decl(&config),
        parts::HistoryStep::decl(&config),
        parts::ChangeKind::decl(&config),
        parts::SceneChange::decl(&config),
        parts::ProgressAction::decl(&config),
        parts::RunFinishedReason::decl(&config),
        parts::Usage::decl(&config),
        parts::ErrorCode::decl(&config),
        parts::PreviewHeader::decl(&config),
        parts::PresentPerson::decl(&config),
        ChatEntry::decl(&config),
        goal::Goal::decl(&config),
        goal::GoalStatus::decl(&config),
        goal::GoalCriterion::decl(&config),
        goal::GoalSource::decl(&config),
        goal::GoalVerify::decl(&config),
        goal::GoalVariants::decl(&config),
        goal::GoalVariant::decl(&config),
        goal_request::VariantChoice::decl(&config),
        goal::GoalTask::decl(&config),
        goal::GoalTaskStatus::decl(&config),
        goal::GoalBudget::decl(&config),
        goal::GoalUsage::decl(&config),
        goal::GoalQuestion::decl(&config),
        goal::GoalChange::decl(&config),
        goal_request::GoalRequest::decl(&config),
        goal_request::GoalEdit::decl(&config),
        goal_request::GoalTaskRequest::decl(&config),
    ];
    let mut module = String::from(
        "// Generated from crates/protocol by `make generate`. Do not edit: change the Rust types.\n",
    );
    for declaration in declarations {
        module.push_str("\nexport ");
        module.push_str(&declaration);
        module.push('\n');
    }
    module
}
