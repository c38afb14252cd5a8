//! Tools that no provider would accept unchanged.

use std::collections::BTreeSet;

use serde_json::json;

use crate::harness::{node, one};

#[tokio::test]
async fn odd_tools_are_mended_and_can_be_called() {
    let running = one(node("tiny.mjs", &["--odd"])).await;
    let tools = running.tools();
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool.name()).collect();
    assert_eq!((tools.len(), names.len()), (13, 13), "{names:?}");
    for tool in &tools {
        let parameters = tool.parameters();
        assert_eq!(parameters["type"], "object", "{}", tool.name());
        assert!(parameters["properties"].is_object(), "{}", tool.name());
        assert!(
            ["anyOf", "oneOf", "$ref", "$defs"].iter().all(|word| parameters.get(word).is_none())
        );
        assert!(tool.name().len() <= 64 && tool.description().len() <= 1_024);
    }
    assert_eq!(running.servers.status()[0].notes, ["1 tools without a usable name are left out"]);
    // The model sees the normalised name of the argument, the server gets the original one.
    let text = running.text("s__keys", json!({ "_filter_by": "x" })).await;
    assert_eq!(text, r#"{"$filter by":"x"}"#);
}
