//! The clients of OpenAI's and Anthropic's APIs against servers that refuse what the real ones
//! would refuse.

use std::time::Duration;

use end_to_end::fake_chat::{Dialect, FakeChat, KEY, Reply, estimate_tokens};
use futures_util::StreamExt;
use llm::{
    Anthropic, Chunk, ClientConfig, Content, Gate, LanguageModel, ModelError, OpenAi, Part,
    Request, Role, ToolDeclaration, Usage, normalise,
};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::json;

const DIALECTS: [Dialect; 2] = [Dialect::OpenAi, Dialect::Anthropic];

pub(crate) fn model_with(
    fake: &FakeChat,
    dialect: Dialect,
    name: &str,
    key: &str,
) -> Box<dyn LanguageModel> {
    let mut config = ClientConfig::new(fake.base_url(), SecretString::from(key), name);
    config.retry.base_delay = Duration::from_millis(1);
    match dialect {
        Dialect::Anthropic => Box::new(Anthropic::new(config).unwrap()),
        _ => Box::new(OpenAi::new(config).unwrap()),
    }
}

fn name_of(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Anthropic => "claude-sonnet-5-5",
        _ => "gpt-5.5",
    }
}

async fn start(
    dialect: Dialect,
    script: impl IntoIterator<Item = Reply>,
) -> (FakeChat, Box<dyn LanguageModel>) {
    let fake = FakeChat::start(dialect, script).await;
    let model = model_with(&fake, dialect, name_of(dialect), KEY);
    (fake, model)
}

pub(crate) fn request(contents: &[Content]) -> Request {
    Request {
        system_instruction: "You build scenes.".into(),
        contents: normalise(contents),
        tools: [ToolDeclaration {
            name: "create_shape".into(),
            description: "Adds a shape.".into(),
            parameters: json!({ "type": "object", "properties": { "id": { "type": "string" } } })
                .into(),
        }]
        .into(),
        ..Request::default()
    }
}

pub(crate) async fn all(
    model: &dyn LanguageModel,
    history: &[Content],
) -> Vec<Result<Chunk, ModelError>> {
    model.stream(request(history)).collect().await
}

pub(crate) fn parts(chunks: &[Result<Chunk, ModelError>]) -> Vec<Part> {
    let part = |chunk: &Result<Chunk, ModelError>| match chunk {
        Ok(Chunk::Part(part)) => Some(part.clone()),
        Ok(_) => None,
        Err(error) => panic!("{error}"),
    };
    chunks.iter().filter_map(part).collect()
}

fn last_error(chunks: Vec<Result<Chunk, ModelError>>) -> ModelError {
    chunks.into_iter().next_back().expect("a chunk").expect_err("an error at the end")
}

fn hello() -> Vec<Content> {
    vec![Content::user("hello")]
}

#[tokio::test]
async fn the_same_answer_gives_the_same_parts_however_it_is_cut() {
    for dialect in DIALECTS {
        for piece in [1, 2, 3, 7, usize::MAX] {
            let reply = Reply::new()
                .thought("Größe?", "c2ln")
                .text("Ein H\u{e4}us")
                .text("chen \u{1f3e0}")
                .call("c1", "create_shape", json!({ "id": "h\u{e4}us {\"}" }))
                .call("c2", "create_shape", json!({}));
            let (fake, model) = start(dialect, [reply.in_pieces(piece)]).await;
            let chunks = all(&*model, &hello()).await;
            let last = chunks.iter().rfind(|chunk| matches!(chunk, Ok(Chunk::Usage(_))));
            let input_tokens = estimate_tokens(&fake.requests()[0]);
            let counted = Usage { input_tokens, output_tokens: 7, ..Usage::default() };
            assert_eq!(last, Some(&Ok(Chunk::Usage(counted))));
            let answer = Content::model(parts(&chunks));
            assert_eq!(answer.visible_text(), "Ein H\u{e4}uschen \u{1f3e0}");
            let thoughts = answer.parts.iter().filter(|part| part.is_thought());
            assert_eq!(thoughts.filter_map(Part::as_text).collect::<String>(), "Größe?");
            let calls: Vec<_> =
                answer.calls().map(|call| (call.id, call.name, call.args.cloned())).collect();
            assert_eq!(
                calls,
                [
                    (Some("c1"), "create_shape", Some(json!({ "id": "h\u{e4}us {\"}" }))),
                    (Some("c2"), "create_shape", Some(json!({}))),
                ],
                "{dialect:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_conversation_with_signed_thoughts_and_pictures_is_accepted() {
    for dialect in DIALECTS {
        let (fake, model) = start(
            dialect,
            [
                Reply::new()
                    .thought("Two shapes.", "c2ln")
                    .text("I begin.")
                    .call("c1", "create_shape", json!({ "id": "a" }))
                    .call("c2", "create_shape", json!({ "id": "b" })),
                Reply::new().thought("Good.", "ZW5k").text("Done."),
                Reply::new().text("Bye."),
            ],
        )
        .await;
        let mut history = hello();
        history.push(Content::model(parts(&all(&*model, &history).await)));
        let result = |id, success: bool| {
            let picture = vec![Part::inline_data("image/png", "AAAA")];
            Part::response(Some(id), "create_shape", json!({ "success": success }), picture)
        };
        history.push(Content::function(vec![result("c1", true), result("c2", false)]));
        history.push(Content::model(parts(&all(&*model, &history).await)));
        history.push(Content::user("thanks"));
        assert_eq!(parts(&all(&*model, &history).await), [Part::text("Bye.")]);
        assert_eq!(fake.refusals(), Vec::<String>::new());
        if dialect == Dialect::Anthropic {
            let first = &fake.requests()[2]["messages"][1]["content"][0];
            let signed =
                json!({ "type": "thinking", "thinking": "Two shapes.", "signature": "c2ln" });
            assert_eq!(*first, signed);
        }
    }
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_and_a_broken_stream_begins_anew() {
    for dialect in DIALECTS {
        let busy = Reply::error(429, "rate_limit_error", "Slow down").header("retry-after", "0.01");
        let overloaded = Reply::error(503, "overloaded_error", "Overloaded");
        let (_fake, model) = start(
            dialect,
            [
                busy,
                overloaded,
                Reply::new().text("Hal").broken(),
                Reply::new().text("Ha").then_error("overloaded_error", "Overloaded"),
                Reply::new().text("Hello"),
            ],
        )
        .await;
        let chunks = all(&*model, &hello()).await;
        let retries: Vec<bool> = chunks
            .iter()
            .filter_map(|chunk| match chunk {
                Ok(Chunk::Retrying { discard_text, .. }) => Some(*discard_text),
                _ => None,
            })
            .collect();
        assert_eq!(retries, [false, false, true, true], "{dialect:?}");
        assert_eq!(parts(&chunks).last(), Some(&Part::text("Hello")));
    }
}

#[tokio::test]
async fn a_refused_key_says_what_to_do_and_is_not_shown() {
    for (dialect, variable) in DIALECTS.into_iter().zip(["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]) {
        let fake = FakeChat::start(dialect, []).await;
        let model = model_with(&fake, dialect, name_of(dialect), "sk-wrong");
        let error = last_error(all(&*model, &hello()).await);
        let ModelError::Unauthorized(text) = &error else { panic!("{error:?}") };
        assert!(text.contains(variable) && text.ends_with("set a valid key and try again."));
        assert!(!text.contains("sk-wrong"));
        assert_eq!(fake.requests().len(), 1);
    }
}

#[tokio::test]
async fn what_cannot_be_answered_is_final_and_says_why() {
    for dialect in DIALECTS {
        let credit = match dialect {
            Dialect::Anthropic => {
                let text = "Your credit balance is too low to access the Anthropic API.";
                Reply::error(400, "invalid_request_error", text)
            }
            _ => Reply::error(429, "insufficient_quota", "You exceeded your quota."),
        };
        let (fake, model) = start(dialect, [credit]).await;
        let error = last_error(all(&*model, &hello()).await);
        assert!(matches!(&error, ModelError::Unavailable(text) if text.contains("no credit")));
        assert_eq!(fake.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_dropped_answer_hangs_up_at_once() {
    for dialect in DIALECTS {
        let gate = Gate::new();
        let (fake, model) = start(dialect, [Reply::new().text("I am").gate(&gate)]).await;
        let mut stream = model.stream(request(&hello()));
        while !matches!(stream.next().await, Some(Ok(Chunk::Part(_)))) {}
        drop(stream);
        fake.push(Reply::new().text("Hello again."));
        assert_eq!(parts(&all(&*model, &hello()).await), [Part::text("Hello again.")]);
    }
}

#[tokio::test]
async fn models_are_listed_page_by_page() {
    let fake = FakeChat::start(Dialect::Anthropic, []).await;
    let config = |fake: &FakeChat| {
        ClientConfig::new(format!("{}/v1/", fake.base_url()), SecretString::from(KEY), "any")
    };
    let names = Anthropic::new(config(&fake)).unwrap().list_models().await.unwrap();
    let listed: Vec<&str> = Dialect::Anthropic.models().iter().map(|model| model.id).collect();
    assert_eq!(names, listed);
    let fake = FakeChat::start(Dialect::OpenAi, []).await;
    let names = OpenAi::new(config(&fake)).unwrap().list_models().await.unwrap();
    assert_eq!(names, ["gpt-4o-mini", "gpt-5.5", "gpt-6-astra", "text-embedding-3-small"]);
}

/// Any part, of any provider, also in places where it makes no sense.
fn part() -> impl Strategy<Value = Part> {
    let id = prop_oneof![Just(None), Just(Some("a")), Just(Some("an id with spaces"))];
    prop_oneof![
        Just(Part::text("hello")),
        Just(Part::text(" ")),
        Just(Part::thought("hm")),
        Just(Part::from_value(json!({ "text": "", "thoughtSignature": "c2ln" }))),
        Just(Part::from_value(json!({ "somethingNew": { "x": 1 } }))),
        Just(Part::from_value(json!({ "text": "", "thought": true, "anthropic":
            { "model": "another", "block": { "type": "thinking", "thinking": "x", "signature": "y" } } }))),
        Just(Part::inline_data("image/png", "AAAA")),
        Just(Part::inline_data("application/pdf", "AAAA")),
        id.clone().prop_map(|id| Part::call(id, "create_shape", json!({ "id": "a" }))),
        (id, any::<bool>()).prop_map(|(id, success)| {
            let picture = vec![Part::inline_data("image/png", "AAAA")];
            Part::response(id, "create_shape", json!({ "success": success }), picture)
        }),
    ]
}

pub(crate) fn history() -> impl Strategy<Value = Vec<Content>> {
    let role = prop_oneof![Just(Role::User), Just(Role::Model), Just(Role::Function)];
    let content = (role, prop::collection::vec(part(), 0..4))
        .prop_map(|(role, parts)| Content { role, parts });
    prop::collection::vec(content, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever happened in a conversation, and whoever answered in it, every provider takes it.
    #[test]
    fn any_history_is_accepted_once_normalised(mut history in history()) {
        history.push(Content::user("go on"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for (dialect, name) in [
                (Dialect::OpenAi, "gpt-5.5"),
                (Dialect::OpenAi, "gpt-4o-mini"),
                (Dialect::Anthropic, "claude-sonnet-5-5"),
                (Dialect::Anthropic, "claude-haiku-4-5"),
            ] {
                let fake = FakeChat::start(dialect, [Reply::new().text("ok")]).await;
                let model = model_with(&fake, dialect, name, KEY);
                let answer = parts(&all(&*model, &history).await);
                assert_eq!(answer, [Part::text("ok")]);
            }
        });
    }
}
