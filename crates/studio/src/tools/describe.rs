//! `describe`: the properties of shapes, lights, materials, textures and environments.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use scene::{describe, described_names};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use spatial::{guide, guided_names};

/// The most names of one call.
const MAX_NAMES: usize = 20;

/// Describes types and presets by name, or lists the names.
pub(super) struct Describe;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    names: Option<Names>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

#[async_trait]
impl Tool for Describe {
    fn name(&self) -> &str {
        "describe"
    }

    fn description(&self) -> &str {
        "What shapes, lights, materials, textures, environments, presets and patterns of array take, with ranges, \
         defaults and an example. Without names: all names."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({ "type": "object", "properties": {
            "names": { "type": "array", "items": { "type": "string" } } } })
        .into()
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let names = match serde_json::from_value(args) {
            Ok(Args { names: None }) => Vec::new(),
            Ok(Args { names: Some(Names::One(name)) }) => vec![name],
            Ok(Args { names: Some(Names::Several(names)) }) => names,
            Err(error) => {
                return ToolOutput::failure(format!("describe: {error}; it takes names (a list)"));
            }
        };
        if names.len() > MAX_NAMES {
            return ToolOutput::failure(format!(
                "describe takes at most {MAX_NAMES} names at once, got {}",
                names.len()
            ));
        }
        if names.is_empty() {
            let mut names = described_names();
            names["patterns"] = guided_names().collect::<Vec<_>>().into();
            return ToolOutput::success(names);
        }
        let (mut told, mut faults) = (Map::new(), Vec::new());
        for name in names {
            // A pattern may be asked for as one of its tool: "array scatter".
            let pattern = name.trim().to_lowercase();
            match guide(pattern.trim_start_matches("array").trim())
                .map_or_else(|| describe(&name), Ok)
            {
                Ok(description) => {
                    told.insert(name, description);
                }
                Err(violations) => faults.push(violations.to_string()),
            }
        }
        // Valid names are answered even if another one is wrong.
        if told.is_empty() {
            return ToolOutput::failure(format!("describe: {}", faults.join("; ")));
        }
        if !faults.is_empty() {
            told.insert("unknown".into(), json!(faults));
        }
        ToolOutput::success(told.into())
    }
}
