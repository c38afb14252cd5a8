//! `list_textures`: the textures that may replace colours and numbers of a material.

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use serde_json::{Value, json};

/// All types of textures with their properties.
pub(crate) struct ListTextures;

#[async_trait]
impl Tool for ListTextures {
    fn name(&self) -> &str {
        "list_textures"
    }

    fn description(&self) -> &str {
        "Names all textures with their properties."
    }

    fn parameters(&self) -> Value {
        json!({ "type": "object", "properties": {} })
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, _: Value) -> ToolOutput {
        ToolOutput::success(scene::texture_types())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_example_can_be_used_as_it_stands() {
        let listed = ListTextures.call(json!({})).await.response();
        let material = json!({ "type": "lambertian", "albedo": listed["result"]["example"] });
        let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
        let args = json!({ "id": "ball", "type": "sphere", "properties": ball });
        let edit = scene::Edit::parse("create_shape", &args);
        assert!(edit.is_ok(), "{edit:?}");
        assert!(listed["result"]["types"]["wood"].is_object());
    }
}
