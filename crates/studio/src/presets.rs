//! `list_presets`: named materials, and the properties of kinds of shapes.

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use scene::{PresetName, describe_shape, presets};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Lists preset names by family, the properties of one preset, or those of a kind of shape.
pub(crate) struct ListPresets;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    name: Option<String>,
}

#[async_trait]
impl Tool for ListPresets {
    fn name(&self) -> &str {
        "list_presets"
    }

    fn description(&self) -> &str {
        "Names all material presets by family. With a name: what that preset or type of shape is made of."
    }

    fn parameters(&self) -> Value {
        json!({ "type": "object", "properties": {
            "name": { "type": "string", "description": "A preset." } } })
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        match serde_json::from_value(args) {
            Ok(Args { name: None }) => ToolOutput::success(families()),
            Ok(Args { name: Some(name) }) => {
                match (describe_shape(&name), PresetName::read_named(&name)) {
                    (Some(shape), _) => ToolOutput::success(shape),
                    (None, Ok(preset)) => ToolOutput::success(
                        json!({ "name": preset.as_str(), "material": preset.material().to_json() }),
                    ),
                    (None, Err(violations)) => ToolOutput::failure(violations.to_string()),
                }
            }
            Err(error) => ToolOutput::failure(format!("list_presets: {error}")),
        }
    }
}

fn families() -> Value {
    let mut families: Map<String, Value> = Map::new();
    for preset in presets() {
        let family = families.entry(preset.kind).or_insert_with(|| json!([]));
        if let Some(names) = family.as_array_mut() {
            names.push(preset.name.into());
        }
    }
    Value::Object(families)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn presets_are_named_by_family_and_told_one_by_one() {
        let all = ListPresets.call(json!({})).await.response();
        let metals = all["result"]["metal"].as_array().unwrap();
        assert!(metals.contains(&json!("gold")) && metals.contains(&json!("brushed_steel")));
        let count: usize = all["result"]
            .as_object()
            .unwrap()
            .values()
            .map(|names| names.as_array().unwrap().len())
            .sum();
        assert_eq!(count, presets().len());
        let gold = ListPresets.call(json!({ "name": "Gold" })).await.response();
        assert_eq!(gold["result"]["name"], "gold");
        assert_eq!(gold["result"]["material"]["base_metalness"], 1.0);
        let lathe = ListPresets.call(json!({ "name": "lathe" })).await.response();
        let told = |name: &str| lathe["result"]["properties"][name].as_str().unwrap().to_owned();
        assert!(told("profile").starts_with("required; Points [distance from the axis, height]"));
        assert!(told("smooth").starts_with("optional; "));
        let error =
            ListPresets.call(json!({ "name": "golt" })).await.response()["error"].to_string();
        assert!(error.contains("did you mean 'gold'"), "{error}");
        let error =
            ListPresets.call(json!({ "kind": "metal" })).await.response()["error"].to_string();
        assert!(error.contains("unknown field `kind`"), "{error}");
    }
}
