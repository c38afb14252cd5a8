//! The Gemini client against a server that refuses what the real one would refuse.

use std::sync::Arc;
use std::time::Duration;

use end_to_end::fake_gemini::{Answer, FakeGemini, Gate, Options, Outcome};
use futures_util::StreamExt;
use llm::{
    Chunk, ChunkStream, ClientConfig, Content, Gemini, LanguageModel, ModelError, Part, Request,
    RetryPolicy, ToolDeclaration, Usage, normalise,
};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::json;

const KEY: &str = "test-key-5309";

fn config(fake: &FakeGemini, model: &str) -> ClientConfig {
    let mut config = ClientConfig::new(fake.base_url(), SecretString::from(KEY), model);
    config.retry.base_delay = Duration::from_millis(1);
    config
}

fn gemini(fake: &FakeGemini) -> Gemini {
    Gemini::new(config(fake, "gemini-3.8-flash")).unwrap()
}

fn request(contents: Vec<Content>) -> Request {
    Request {
        system_instruction: "You build scenes.".into(),
        contents: normalise(&contents),
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

fn ask(model: &Gemini, history: &[Content]) -> ChunkStream {
    model.stream(request(history.to_vec()))
}

async fn all(model: &Gemini, history: &[Content]) -> Vec<Result<Chunk, ModelError>> {
    ask(model, history).collect().await
}

fn parts(chunks: &[Result<Chunk, ModelError>]) -> Vec<Part> {
    let part = |chunk: &Result<Chunk, ModelError>| match chunk {
        Ok(Chunk::Part(part)) => Some(part.clone()),
        _ => None,
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
async fn an_answer_streams_whatever_the_line_ends_and_the_pieces() {
    for piece in [1, 2, 3, 7, usize::MAX] {
        for crlf in [false, true] {
            let mut answer =
                Answer::new().thought("Größe?").text("Ein H\u{e4}us").text("chen \u{1f3e0}");
            if crlf {
                answer = answer.crlf();
            }
            let fake = FakeGemini::start([answer.in_pieces(piece)]).await;
            assert_eq!(
                all(&gemini(&fake), &hello()).await,
                [
                    Ok(Chunk::Part(Part::thought("Größe?"))),
                    Ok(Chunk::Part(Part::text("Ein H\u{e4}us"))),
                    Ok(Chunk::Part(Part::text("chen \u{1f3e0}"))),
                    Ok(Chunk::Usage(Usage {
                        input_tokens: 10,
                        output_tokens: 7,
                        ..Usage::default()
                    })),
                ]
            );
        }
    }
}

#[tokio::test]
async fn signatures_ids_and_empty_parts_come_back_verbatim() {
    let fake = FakeGemini::start([
        Answer::new()
            .thought("Two shapes.")
            .parts(vec![
                json!({ "functionCall": { "name": "create_shape", "args": { "id": "a" }, "id": "c1" },
                        "thoughtSignature": "c2ln" }),
                json!({ "functionCall": { "name": "create_shape", "args": { "id": "b" }, "id": "c2" } }),
            ])
            // Gemini may sign a part that says nothing else.
            .part(json!({ "thoughtSignature": "YmFy" })),
        Answer::new().text("Do").text("ne.").signed_end("ZW5k"),
        Answer::new().text("Bye."),
    ])
    .await;
    let model = gemini(&fake);
    let mut history = hello();
    let first = parts(&all(&model, &history).await);
    history.push(Content::model(first));
    let result = |id| {
        let picture = vec![Part::inline_data("image/png", "AAAA")];
        Part::response(Some(id), "create_shape", json!({ "success": true }), picture)
    };
    history.push(Content::function(vec![result("c1"), result("c2")]));
    history.push(Content::model(parts(&all(&model, &history).await)));
    history.push(Content::user("thanks"));
    let last = parts(&all(&model, &history).await);
    assert_eq!(last, [Part::text("Bye.")]);
    assert_eq!(fake.refusals(), Vec::<String>::new());
    assert_eq!(fake.requests().len(), 3);
}

#[tokio::test]
async fn a_history_of_another_model_is_accepted_after_a_switch() {
    let foreign = vec![
        Content::user("build"),
        Content::model(vec![Part::call(None, "create_shape", json!({ "id": "a" }))]),
        Content::function(vec![Part::response(
            None,
            "create_shape",
            json!({ "success": true }),
            vec![Part::inline_data("image/png", "AAAA")],
        )]),
    ];
    for name in ["gemini-3.8-flash", "gemini-2.5-flash"] {
        let options = Options { foreign_answers: true, ..Options::default() };
        let fake = FakeGemini::start_with(options, [Answer::new().text("ok")]).await;
        let model = Gemini::new(config(&fake, name)).unwrap();
        assert_eq!(parts(&all(&model, &foreign).await), [Part::text("ok")], "{name}");
    }
}

#[tokio::test]
async fn retries_are_visible_and_honour_the_delay() {
    let fake = FakeGemini::start([
        Answer::error(503, "The model is overloaded."),
        Answer::too_many_requests("0.05s"),
        Answer::new().text("partial").broken(),
        Answer::new().text("part").unfinished(),
        Answer::new().text("whole"),
    ])
    .await;
    let chunks = all(&gemini(&fake), &hello()).await;
    let retries: Vec<(u32, bool)> = chunks
        .iter()
        .filter_map(|chunk| match chunk {
            Ok(Chunk::Retrying { attempt, discard_text, .. }) => Some((*attempt, *discard_text)),
            _ => None,
        })
        .collect();
    assert_eq!(retries, [(1, false), (2, false), (3, true), (4, true)]);
    assert!(
        matches!(&chunks[0], Ok(Chunk::Retrying { reason, .. }) if reason.contains("overloaded"))
    );
    assert!(
        matches!(&chunks[1], Ok(Chunk::Retrying { delay, .. }) if *delay == Duration::from_millis(50))
    );
    assert_eq!(parts(&chunks), [Part::text("partial"), Part::text("part"), Part::text("whole")]);
    assert_eq!(fake.remaining(), 0);
}

#[tokio::test]
async fn a_retry_after_header_is_honoured() {
    let fake = FakeGemini::start([Answer::error(500, "oops").header("retry-after", "400")]).await;
    let error = last_error(all(&gemini(&fake), &hello()).await);
    assert!(matches!(&error, ModelError::Unavailable(text) if text.contains("400 s")), "{error}");
}

#[tokio::test]
async fn retries_end() {
    let fake = FakeGemini::start(vec![Answer::error(500, "oops"); 6]).await;
    let chunks = all(&gemini(&fake), &hello()).await;
    assert_eq!(chunks.len(), 6);
    let error = last_error(chunks);
    assert!(matches!(&error, ModelError::Unavailable(text) if text.contains("6 times")), "{error}");
    assert_eq!(fake.remaining(), 0);
}

#[tokio::test]
async fn a_daily_quota_is_final() {
    let fake = FakeGemini::start([Answer::daily_quota_used_up()]).await;
    let chunks = all(&gemini(&fake), &hello()).await;
    assert!(matches!(&chunks[..], [Err(ModelError::Unavailable(_))]), "{chunks:?}");
}

#[tokio::test]
async fn an_error_within_the_stream_counts_like_one_before_it() {
    let error =
        json!({ "error": { "code": 503, "message": "overloaded", "status": "UNAVAILABLE" } });
    let fake = FakeGemini::start([
        Answer::new().text("a").event(error).unfinished(),
        Answer::new().text("b"),
    ])
    .await;
    let chunks = all(&gemini(&fake), &hello()).await;
    assert!(matches!(&chunks[1], Ok(Chunk::Retrying { discard_text: true, .. })), "{chunks:?}");
    assert_eq!(parts(&chunks), [Part::text("a"), Part::text("b")]);
}

#[tokio::test]
async fn a_provider_that_says_nothing_is_asked_again() {
    let silent = Gate::new();
    let fake =
        FakeGemini::start([Answer::new().text("a").gate(&silent), Answer::new().text("b")]).await;
    let mut config = config(&fake, "gemini-3.8-flash");
    config.idle_timeout = Duration::from_secs(1);
    let chunks = all(&Gemini::new(config).unwrap(), &hello()).await;
    assert!(matches!(&chunks[1], Ok(Chunk::Retrying { discard_text: true, .. })), "{chunks:?}");
    fake.wait_for_cut_off(0).await;
}

#[tokio::test]
async fn an_unreachable_provider_is_unavailable() {
    let fake = FakeGemini::start([]).await;
    let mut config = config(&fake, "gemini-3.8-flash");
    // Nothing listens on the port for reserved use.
    config.base_url = "http://127.0.0.1:1".into();
    config.retry = RetryPolicy { max_retries: 1, ..config.retry };
    let chunks = all(&Gemini::new(config).unwrap(), &hello()).await;
    assert!(
        matches!(
            &chunks[..],
            [Ok(Chunk::Retrying { discard_text: false, .. }), Err(ModelError::Unavailable(_))]
        ),
        "{chunks:?}"
    );
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let gate = Gate::new();
    let fake = FakeGemini::start([Answer::new().text("a").gate(&gate).text("b")]).await;
    let mut stream = ask(&gemini(&fake), &hello());
    assert_eq!(stream.next().await, Some(Ok(Chunk::Part(Part::text("a")))));
    gate.reached().await;
    assert_eq!(fake.requests()[0].outcome, Outcome::Streaming);
    drop(stream);
    fake.wait_for_cut_off(0).await;
}

#[tokio::test]
async fn a_refused_key_says_so_and_stays_secret() {
    let options = Options { api_key: Some("another".into()), ..Options::default() };
    let fake = FakeGemini::start_with(options, []).await;
    let model = gemini(&fake);
    let error = last_error(all(&model, &hello()).await);
    assert!(
        matches!(&error, ModelError::Unauthorized(text) if text.contains("GEMINI_API_KEY")),
        "{error}"
    );
    assert!(matches!(model.list_models().await, Err(ModelError::Unauthorized(_))));
    assert!(!format!("{model:?} {error:?}").contains(KEY));

    let leaking = FakeGemini::start([Answer::error(400, &format!("bad key {KEY}"))]).await;
    let error = last_error(all(&gemini(&leaking), &hello()).await);
    assert!(!error.to_string().contains(KEY), "{error}");
}

#[tokio::test]
async fn an_unknown_model_names_the_setting() {
    let fake = FakeGemini::start([]).await;
    let model = Gemini::new(config(&fake, "gemini-9-none")).unwrap();
    let error = last_error(all(&model, &hello()).await);
    assert!(
        matches!(&error, ModelError::Rejected(text) if text.contains("SCENE_LLM_MODEL")),
        "{error}"
    );
}

#[tokio::test]
async fn blocks_and_malformed_calls_are_told_apart() {
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    let fake = FakeGemini::start([
        Answer::new().event(blocked).unfinished(),
        Answer::new().text("I").finish("SAFETY"),
        Answer::new().finish("MALFORMED_FUNCTION_CALL"),
        Answer::new().finish("UNEXPECTED_TOOL_CALL"),
    ])
    .await;
    let model = gemini(&fake);
    for _ in 0..2 {
        let error = last_error(all(&model, &hello()).await);
        assert!(matches!(error, ModelError::Blocked(_)), "{error}");
    }
    for _ in 0..2 {
        let error = last_error(all(&model, &hello()).await);
        assert!(matches!(error, ModelError::MalformedCall(_)), "{error}");
    }
}

#[tokio::test]
async fn a_bad_request_is_refused_with_the_reason_and_uses_no_answer_up() {
    let fake = FakeGemini::start([Answer::new().text("a")]).await;
    let mut bad = request(hello());
    Arc::make_mut(&mut bad.tools)[0].name = "two words".into();
    let chunks: Vec<_> = gemini(&fake).stream(bad).collect().await;
    assert!(
        matches!(&last_error(chunks), ModelError::Rejected(text) if text.contains("two words"))
    );
    assert_eq!((fake.refusals().len(), fake.remaining()), (1, 1));
    assert_eq!(fake.requests()[0].outcome, Outcome::Error(400));
}

#[tokio::test]
async fn models_are_listed_over_all_pages() {
    let fake = FakeGemini::start([]).await;
    assert_eq!(
        gemini(&fake).list_models().await.unwrap(),
        ["gemini-3.8-flash", "gemini-3.5-flash", "gemini-3.1-pro-preview", "gemini-2.5-flash"]
    );
}

#[tokio::test]
async fn a_server_that_was_dropped_is_gone() {
    let gate = Gate::new();
    let fake = FakeGemini::start([Answer::new().text("a").gate(&gate)]).await;
    let mut config = config(&fake, "gemini-3.8-flash");
    config.retry.max_retries = 0;
    let mut stream = ask(&Gemini::new(config).unwrap(), &hello());
    assert_eq!(stream.next().await, Some(Ok(Chunk::Part(Part::text("a")))));
    drop(fake);
    assert!(matches!(stream.next().await, Some(Err(ModelError::Unavailable(_)))));
}

#[test]
fn settings_that_cannot_work_are_refused_at_once() {
    let new = |base_url: &str, key: &str| {
        Gemini::new(ClientConfig::new(base_url, SecretString::from(key), "models/gemini-3.8-flash"))
    };
    assert!(matches!(new("localhost", KEY), Err(ModelError::Rejected(_))));
    assert!(matches!(new("ftp://host", KEY), Err(ModelError::Rejected(_))));
    assert!(matches!(new(llm::GEMINI_BASE_URL, " "), Err(ModelError::Unauthorized(_))));
    assert!(matches!(new(llm::GEMINI_BASE_URL, "a\nb"), Err(ModelError::Unauthorized(_))));
    assert_eq!(new(llm::GEMINI_BASE_URL, KEY).unwrap().name(), "gemini-3.8-flash");
}

fn any_part() -> impl Strategy<Value = Part> {
    let id = || prop_oneof![Just(None), Just(Some("a")), Just(Some("b"))];
    let name = || prop_oneof![Just("f"), Just("g")];
    prop_oneof![
        Just(Part::text("text")),
        Just(Part::thought("thought")),
        Just(Part::from_value(json!({ "thoughtSignature": "c2ln" }))),
        (id(), name()).prop_map(|(id, name)| Part::call(id, name, json!({}))),
        (id(), name()).prop_map(|(id, name)| {
            let picture = vec![Part::inline_data("image/png", "AAAA")];
            Part::response(id, name, json!({}), picture)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_was_logged_the_request_is_accepted(
        contents in prop::collection::vec(
            (prop_oneof![Just(llm::Role::User), Just(llm::Role::Model), Just(llm::Role::Function)],
             prop::collection::vec(any_part(), 0..4)), 0..8),
    ) {
        let mut history: Vec<Content> =
            contents.into_iter().map(|(role, parts)| Content { role, parts }).collect();
        history.push(Content::user("go on"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let refusals = runtime.block_on(async {
            let options = Options { foreign_answers: true, ..Options::default() };
            let answer = || Answer::new().text("ok");
            let fake = FakeGemini::start_with(options, [answer(), answer()]).await;
            for name in ["gemini-3.8-flash", "gemini-2.5-flash"] {
                all(&Gemini::new(config(&fake, name)).unwrap(), &history).await;
            }
            fake.refusals()
        });
        prop_assert_eq!(refusals, Vec::<String>::new());
    }
}
