//! Each request of a conversation begins with the bytes of the previous one: prompt caches and
//! signed thoughts depend on it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::profile::{Api, Target};
use super::{FIELD, chat, responses};
use crate::content::{Content, Part, Role};
use crate::model::{Request, RequestSettings};
use crate::normalise::normalise;
use crate::registry::facts;

/// Addresses and models of each kind of profile.
const ASKED: [(&str, &str); 13] = [
    ("https://api.openai.com/v1", "gpt-5.5"),
    ("https://api.openai.com/v1", "gpt-4o"),
    ("https://api.deepseek.com", "deepseek-v4"),
    ("https://api.moonshot.ai/v1", "kimi-k2.6"),
    ("https://api.mistral.ai/v1", "mistral-large-4"),
    ("https://api.groq.com/openai/v1", "qwen3"),
    ("https://api.minimax.io/v1", "MiniMax-M3"),
    ("https://dashscope.aliyuncs.com/v1", "qwen3.7-max"),
    ("https://api.z.ai/api/paas/v4", "glm-5.3"),
    ("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-5.5"),
    ("https://openrouter.ai/api/v1", "mistralai/devstral"),
    ("http://localhost:8080", "qwen3"),
    ("http://127.0.0.1:45678", "any"),
];

fn target((url, model): (&str, &str)) -> Target {
    Target::new(url, model, facts("gpt-4o"))
}

/// A step of a conversation.
#[derive(Debug, Clone)]
enum Step {
    User(Vec<u8>),
    /// The model (an index), the form of the thought, whether there is text, the calls (forms of
    /// name and id, whether the result has a picture).
    Answer(usize, u8, bool, Vec<(u8, u8, bool)>),
}

fn step() -> impl Strategy<Value = Step> {
    let calls = prop::collection::vec((0..4u8, 0..4u8, any::<bool>()), 0..3);
    prop_oneof![
        prop::collection::vec(0..4u8, 0..3).prop_map(Step::User),
        (0..ASKED.len(), 0..6u8, any::<bool>(), calls)
            .prop_map(|(who, thought, text, calls)| Step::Answer(who, thought, text, calls)),
    ]
}

fn marked(part: &Part, mark: Value) -> Part {
    let mut raw = part.raw().clone();
    raw.insert(FIELD.into(), mark);
    Part::from_value(Value::Object(raw))
}

/// The history after `steps`.
fn history(asked: &Target, steps: &[Step]) -> Vec<Content> {
    let mut history = vec![Content::user("begin")];
    for step in steps {
        match step {
            Step::User(kinds) => {
                let part = |kind: &u8| match kind {
                    0 => Part::text("more"),
                    1 => Part::context("the scene now", &json!({})),
                    2 => Part::inline_data("image/png", "AAAA"),
                    _ => Part::text(""),
                };
                history.push(Content { role: Role::User, parts: kinds.iter().map(part).collect() });
            }
            Step::Answer(who, thought, text, calls) => {
                // Half of the answers are by the requested model.
                let by = if who % 2 == 0 { asked.clone() } else { target(ASKED[*who]) };
                let mut parts = Vec::new();
                let mark = match thought {
                    0 => json!({ "field": "reasoning_content" }),
                    1 => json!({ "field": "content" }),
                    2 => json!({ "field": "thinking" }),
                    3 => {
                        json!({ "reasoning_details": [{ "type": "reasoning.text", "text": "a", "index": 0 }] })
                    }
                    4 => {
                        json!({ "item": { "type": "reasoning", "id": "rs", "encrypted_content": "x" } })
                    }
                    _ => Value::Null,
                };
                if !mark.is_null() {
                    parts.push(marked(&Part::thought("hm"), by.mark(mark)));
                }
                // The loop does not store answers without parts.
                if *text || (parts.is_empty() && calls.is_empty()) {
                    parts.push(Part::text("I do."));
                }
                let mut results = Vec::new();
                for (name, id, picture) in calls {
                    let name = ["look", "functions.look", "", "make shape"][usize::from(*name)];
                    let id =
                        [None, Some("call_2"), Some("look:0"), Some("D681PevKs")][usize::from(*id)];
                    let call = Part::call(id, name, json!({}));
                    parts.push(marked(&call, by.mark(json!({ "item_id": "fc" }))));
                    let picture = picture.then(|| Part::inline_data("image/png", "AAAA"));
                    let picture = picture.into_iter().collect();
                    results.push(Part::response(id, name, json!({ "success": true }), picture));
                }
                history.push(Content::model(parts));
                if !results.is_empty() {
                    history.push(Content::function(results));
                }
            }
        }
    }
    history
}

/// The messages for `contents`, without `cache_control`.
fn sent(asked: &Target, contents: &[Content]) -> Vec<String> {
    let request = Request {
        system_instruction: "You build scenes.".into(),
        contents: normalise(contents),
        tools: Default::default(),
        settings: RequestSettings::default(),
    };
    let mut body = match asked.profile.api {
        Api::Chat => chat::body(asked, &request)["messages"].take(),
        Api::Responses => responses::body(asked, &request)["input"].take(),
    };
    for message in body.as_array_mut().unwrap() {
        for piece in message["content"].as_array_mut().into_iter().flatten() {
            piece.as_object_mut().unwrap().shift_remove("cache_control");
        }
    }
    body.as_array().unwrap().iter().map(Value::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each request begins with the previous one, for any content, author and target model.
    #[test]
    fn what_was_answered_never_changes(steps in prop::collection::vec(step(), 0..8)) {
        for asked in ASKED.map(target) {
            let history = history(&asked, &steps);
            let whole = sent(&asked, &history);
            for (index, content) in history.iter().enumerate() {
                if content.role == Role::Model {
                    let before = sent(&asked, &history[..index]);
                    prop_assert!(
                        whole.starts_with(&before),
                        "{} before content {index}:\n{:#?}\nis no beginning of\n{:#?}",
                        asked.owner, before, whole
                    );
                }
            }
        }
    }
}
