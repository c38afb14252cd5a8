//! Read-only tools: the whole scene, and geometric queries.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use scene::ToolSpec;
use serde_json::{Value, json};
use spatial::{Question, Space};

use crate::shared::SharedScene;

/// `get_scene_state`: the whole scene in the form of the file.
pub(super) struct GetSceneState {
    pub(super) scene: Arc<SharedScene>,
}

#[async_trait]
impl Tool for GetSceneState {
    fn name(&self) -> &str {
        "get_scene_state"
    }

    fn description(&self) -> &str {
        "The whole scene."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({ "type": "object", "properties": {} }).into()
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        if let Some(name) = args.as_object().and_then(|args| args.keys().next()) {
            return ToolOutput::failure(format!(
                "get_scene_state takes no arguments, got '{name}'"
            ));
        }
        let scene = self.scene.current().scene;
        // A large one takes a while, and the runtime's workers are for everybody.
        match tokio::task::spawn_blocking(move || scene.to_json()).await {
            Ok(scene) => ToolOutput::success(scene),
            Err(panic) => ToolOutput::failure(format!("the scene cannot be told: {panic}")),
        }
    }
}

/// A geometric query: `measure`, `select_objects`.
pub(super) struct QuestionTool {
    pub(super) spec: &'static ToolSpec,
    pub(super) scene: Arc<SharedScene>,
}

#[async_trait]
impl Tool for QuestionTool {
    fn name(&self) -> &str {
        self.spec.name
    }

    fn description(&self) -> &str {
        &self.spec.description
    }

    fn parameters(&self) -> Arc<Value> {
        Arc::clone(&self.spec.parameters)
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let (revision, assets) = self.scene.with_assets();
        let answer = Question::parse(self.spec.name, &args)
            .and_then(|question| question.answer(&Space::of(&revision.scene, &*assets)));
        match answer {
            Ok(answer) => ToolOutput::success(answer),
            Err(violations) => ToolOutput::failure(violations.to_string()),
        }
    }
}
