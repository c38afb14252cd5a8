//! Digests of request prefixes, which tell whether stored thinking blocks are still valid.
//!
//! Newer models bind each thinking block to the `system`, `tools` and messages before it
//! ("preserved thinking", platform.claude.com/docs, prefix checks). They refuse a block after a
//! changed prefix, and all blocks after that one. So the digest of the prefix is stored with each
//! thinking block. After a compaction, or after old pictures were removed, only the blocks whose
//! digest no longer matches are left out.

use serde_json::Value;

use crate::digest::Chain;

/// An incremental digest of a request, without `cache_control`.
#[derive(Clone, Default)]
pub(super) struct Prefix {
    chain: Chain,
    /// The number of messages included so far.
    messages: usize,
}

impl Prefix {
    pub(super) fn begin(&mut self, system: Option<&Value>, tools: Option<&[Value]>) {
        self.chain.add(&system.map(plain_text).unwrap_or_default());
        self.chain.add(&tools.into_iter().flatten().map(plain_text).collect::<String>());
    }

    /// The stored form of the digest of a request with `messages`. Only the last message may still
    /// grow.
    pub(super) fn after(&mut self, messages: &[(&str, Vec<Value>)]) -> String {
        let Some(((role, blocks), closed)) = messages.split_last() else {
            return self.name();
        };
        for (role, blocks) in closed.iter().skip(self.messages) {
            self.add(role, blocks);
        }
        let mut here = self.clone();
        here.add(role, blocks);
        here.name()
    }

    fn add(&mut self, role: &str, blocks: &[Value]) {
        self.chain.add(role);
        self.chain.add(&blocks.iter().map(plain_text).collect::<String>());
        self.messages += 1;
    }

    fn name(&self) -> String {
        format!("{:016x}", self.chain.so_far())
    }

    /// The stored form of the digest of the request `body`.
    pub(super) fn of_body(body: &Value) -> String {
        let mut prefix = Self::default();
        prefix.begin(body.get("system"), body["tools"].as_array().map(Vec::as_slice));
        for message in body["messages"].as_array().into_iter().flatten() {
            let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
            prefix.add(message["role"].as_str().unwrap_or_default(), blocks);
        }
        prefix.name()
    }
}

/// The JSON text of a block, a declaration or a list of them, without `cache_control`.
fn plain_text(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(plain_text).collect(),
        Value::Object(fields) if fields.contains_key("cache_control") => {
            let mut fields = fields.clone();
            fields.shift_remove("cache_control");
            Value::Object(fields).to_string()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::{FIELD, wire};
    use super::*;
    use crate::content::{Content, Part};
    use crate::growing;
    use crate::model::Request;
    use crate::registry::facts;

    fn body(model: &str, contents: &[Content]) -> Value {
        let request = Request {
            system_instruction: "Be brief.".into(),
            contents: contents.to_vec(),
            ..Request::default()
        };
        wire::body(model, &facts(model), &request)
    }

    /// The system blocks, tools and messages of a request, in order, without `cache_control`.
    fn sent(body: &Value) -> Vec<String> {
        let messages = body["messages"].as_array().into_iter().flatten();
        let blocks = messages.flat_map(|message| {
            let role = message["role"].as_str().unwrap_or_default();
            let blocks = message["content"].as_array().into_iter().flatten();
            blocks.map(move |block| format!("{role} {}", plain_text(block)))
        });
        std::iter::once(plain_text(&body["system"])).chain(blocks).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn later_requests_begin_with_the_bytes_of_earlier_ones(rounds in growing::rounds()) {
            for model in ["claude-sonnet-5-5", "claude-haiku-4-5"] {
                let mut thoughts = 0;
                let requests = growing::requests(&rounds, |request| {
                    thoughts += 1;
                    let block = json!({ "type": "thinking", "thinking": "", "signature": "s" });
                    let prefix = Prefix::of_body(&body(model, request));
                    let own = json!({ "model": model, "block": block, "prefix": prefix });
                    Part::from_value(json!({ "text": "", "thought": true, FIELD: own }))
                });
                let bodies: Vec<Vec<String>> =
                    requests.iter().map(|request| sent(&body(model, request))).collect();
                for pair in bodies.windows(2) {
                    prop_assert_eq!(&pair[1][..pair[0].len()], &pair[0][..], "{}", model);
                }
                // No earlier thought is lost.
                let last = bodies.last().map_or(0, |last| {
                    last.iter().filter(|block| block.contains("signature")).count()
                });
                prop_assert!(thoughts - last <= 1, "{thoughts} {last}");
            }
        }
    }
}
