//! What stands before an answer in a request.
//!
//! Newer models bind each thinking block to the `system`, `tools` and messages before it, and refuse
//! it before others ("preserved thinking", platform.claude.com/docs, prefix checks): the one that
//! fails, and every later one. A digest of what an answer followed is kept with its thoughts, so that
//! a history that was summarised, or that lost old pictures, goes out without those thoughts only
//! that no longer fit.

use serde_json::Value;

use crate::digest::Chain;

/// A digest of a request as far as it is written, without the marks for the cache.
#[derive(Clone, Default)]
pub(super) struct Prefix {
    chain: Chain,
    /// How many messages are in it.
    messages: usize,
}

impl Prefix {
    pub(super) fn begin(&mut self, system: Option<&Value>, tools: Option<&[Value]>) {
        self.chain.add(&system.map(plain_text).unwrap_or_default());
        self.chain.add(&tools.into_iter().flatten().map(plain_text).collect::<String>());
    }

    /// The prefix of an answer to `messages`, as it is noted. Of them only the last one may still
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

    /// The prefix of the answer to `body`, as it is noted.
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

/// The text of a block, a declaration or a list of them, without marks.
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

    /// Everything that is sent, in order, without the marks for the cache.
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
                // No thought is lost on the way, but the one of an answer to come.
                let last = bodies.last().map_or(0, |last| {
                    last.iter().filter(|block| block.contains("signature")).count()
                });
                prop_assert!(thoughts - last <= 1, "{thoughts} {last}");
            }
        }
    }
}
