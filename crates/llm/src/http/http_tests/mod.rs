//! Clients against a small local server that returns the refusals of real providers.

mod server;

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::{
    Chunk, Content, Gemini, LanguageModel, ModelError, OpenAi, Part, Request, Role,
    ToolDeclaration, ToolUse,
};
use server::{KEY, Reply, Server, events, refuse, said, thought};

fn picture() -> Part {
    Part::inline_data("image/png", "AAAA")
}

fn request(parts: Vec<Part>) -> Request {
    Request {
        system_instruction: "Be brief.".into(),
        contents: vec![Content { role: Role::User, parts }],
        ..Request::default()
    }
}

fn hello() -> Request {
    request(vec![Part::text("hello")])
}

type Chunks = Vec<Result<Chunk, ModelError>>;

async fn ask(model: &dyn LanguageModel, request: &Request) -> Chunks {
    model.stream(request.clone()).collect().await
}

/// The messages to the user about repairs.
fn repair_messages(chunks: &Chunks) -> Vec<&str> {
    let told = chunks.iter().filter_map(|chunk| match chunk {
        Ok(Chunk::Retrying { delay: Duration::ZERO, reason, .. }) => Some(reason.as_str()),
        _ => None,
    });
    told.collect()
}

fn text_of(chunks: &Chunks) -> String {
    let mut text = String::new();
    for chunk in chunks {
        match chunk {
            Ok(Chunk::Part(part)) if !part.is_thought() => {
                text.push_str(part.as_text().unwrap_or_default());
            }
            Ok(Chunk::Retrying { discard_text: true, .. }) => text.clear(),
            Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
    }
    text
}

fn error_of(chunks: &Chunks) -> &ModelError {
    chunks.last().unwrap().as_ref().unwrap_err()
}

#[tokio::test]
async fn a_model_that_sees_nothing_gets_no_pictures_from_then_on() {
    for (status, words) in [
        (404, "No endpoints found that support image input"),
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
        (400, "messages[1]: unknown variant `image_url`, expected `text`"),
    ] {
        let server = Server::start([refuse(status, words), said("ok")]).await;
        let model = server.openai();
        let asked = request(vec![Part::text("like this"), picture()]);
        let chunks = ask(&model, &asked).await;
        assert_eq!(
            repair_messages(&chunks),
            ["This model does not accept pictures: they are left out."],
            "{words}"
        );
        assert_eq!(text_of(&chunks), "ok");
        assert!(repair_messages(&ask(&model, &asked).await).is_empty());
        let bodies = server.bodies();
        assert!(bodies[0].to_string().contains("AAAA"));
        assert!(!bodies[1].to_string().contains("AAAA"));
        assert_eq!(bodies[1], bodies[2]);
        assert!(bodies[1].to_string().contains("A picture, left out"));
    }
}

#[tokio::test]
async fn thoughts_bound_to_another_conversation_are_left_out_and_stay_so() {
    let words = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound \
                 to a different conversation.";
    let server = Server::start([
        thought("one", "A"),
        refuse(400, words),
        thought("two", "B"),
        thought("three", "C"),
    ])
    .await;
    let model = server.anthropic();
    let mut asked = hello();
    for (number, expected) in ["A", "B", "C"].into_iter().enumerate() {
        let chunks = ask(&model, &asked).await;
        assert_eq!(text_of(&chunks), expected);
        assert_eq!(repair_messages(&chunks).len(), usize::from(number == 1));
        let parts = chunks.into_iter().filter_map(|chunk| match chunk {
            Ok(Chunk::Part(part)) => Some(part),
            _ => None,
        });
        asked.contents.extend([Content::model(parts.collect()), Content::user("go on")]);
    }
    let signatures: Vec<Vec<bool>> = server
        .bodies()
        .iter()
        .map(|body| ["\"one\"", "\"two\""].map(|it| body.to_string().contains(it)).to_vec())
        .collect();
    assert_eq!(signatures[1..], [[true, false], [false, false], [false, true]]);
}

#[tokio::test]
async fn each_cause_is_repaired_once_and_three_in_all() {
    let always = Server::start([refuse(400, "Could not process image")]).await;
    let chunks = ask(&always.openai(), &request(vec![picture()])).await;
    assert_eq!((repair_messages(&chunks).len(), always.bodies().len()), (1, 2));
    assert!(
        matches!(error_of(&chunks), ModelError::Rejected(text) if text.contains("process image"))
    );

    let tool = ToolDeclaration {
        name: "f".into(),
        description: String::new(),
        parameters: json!({ "anyOf": [{ "type": "object" }] }).into(),
    };
    let mut asked = request(vec![picture()]);
    asked.tools = [tool].into();
    asked.settings.temperature = Some(0.5);
    let many = Server::start([
        refuse(404, "No endpoints found that support image input"),
        refuse(400, "tools.0.custom.input_schema: JSON schema is invalid."),
        refuse(500, "Value is not callable: System role not supported"),
        refuse(400, "Unrecognized request argument supplied: stream_options"),
    ])
    .await;
    let chunks = ask(&many.openai(), &asked).await;
    assert_eq!((repair_messages(&chunks).len(), many.bodies().len()), (3, 4));
    let last = many.bodies()[3].clone();
    assert!(!last.to_string().contains("anyOf") && last["messages"][0]["role"] == "user");
    assert!(last.get("stream_options").is_some());
    // The next request leaves out at once what was learned, and learns the rest.
    let chunks = ask(&many.openai(), &asked).await;
    assert!(chunks.last().unwrap().is_err());
}

#[tokio::test]
async fn a_setting_that_is_not_taken_is_left_out() {
    let server = Server::start([
        refuse(400, "Unrecognized request argument supplied: stream_options"),
        said("ok"),
    ])
    .await;
    let model = server.openai();
    let chunks = ask(&model, &hello()).await;
    assert_eq!(
        repair_messages(&chunks),
        ["This model does not accept the setting stream_options: it is left out."]
    );
    ask(&model, &hello()).await;
    let present: Vec<bool> =
        server.bodies().iter().map(|body| body.get("stream_options").is_some()).collect();
    assert_eq!(present, [true, false, false]);
}

#[tokio::test]
async fn a_limit_is_taken_from_the_text() {
    let server = Server::start([
        refuse(
            400,
            "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for x",
        ),
        thought("s", "ok"),
    ])
    .await;
    let model = server.anthropic();
    assert_eq!(text_of(&ask(&model, &hello()).await), "ok");
    ask(&model, &hello()).await;
    let limits: Vec<Value> =
        server.bodies().iter().map(|body| body["max_tokens"].clone()).collect();
    assert_eq!(limits, [32_000, 8_192, 8_192]);
}

#[tokio::test]
async fn what_others_repair_is_an_error_of_its_own() {
    let long = Server::start([refuse(400, "prompt is too long: 210000 tokens > 200000 maximum")]);
    let long = long.await;
    let model = long.anthropic();
    let chunks = ask(&model, &hello()).await;
    assert!(matches!(error_of(&chunks), ModelError::ContextOverflow(_)));
    assert_eq!(model.facts().context_window, 200_000);
    let tools = Server::start([refuse(400, "registry.ollama.ai/library/x does not support tools")]);
    let tools = tools.await;
    let model = tools.openai();
    let chunks = ask(&model, &hello()).await;
    assert!(matches!(error_of(&chunks), ModelError::Rejected(_)));
    assert_eq!(model.facts().tools, ToolUse::Text);
    assert_eq!((long.bodies().len(), tools.bodies().len()), (1, 1));
    // A request without pictures can only be shortened.
    let large = Server::start([Reply::Http(413, String::new(), "Payload too large".into())]).await;
    let chunks = ask(&large.anthropic(), &hello()).await;
    assert!(matches!(error_of(&chunks), ModelError::ContextOverflow(_)));
}

#[tokio::test]
async fn a_refusal_within_the_stream_is_repaired_too() {
    let server = Server::start([
        events(&[
            json!({ "type": "content_block_start", "index": 0,
                "content_block": { "type": "text", "text": "half" } }),
            json!({ "type": "error", "request_id": "req_0123", "error": {
                "type": "invalid_request_error", "message": "Could not process image" } }),
        ]),
        thought("s", "whole"),
    ])
    .await;
    let chunks = ask(&server.anthropic(), &request(vec![Part::text("x"), picture()])).await;
    assert_eq!((text_of(&chunks).as_str(), repair_messages(&chunks).len()), ("whole", 1));
    assert!(!server.bodies()[1].to_string().contains("AAAA"));
}

#[tokio::test]
async fn a_key_goes_nowhere_but_to_its_provider() {
    let elsewhere = Server::start([said("caught")]).await;
    let location = format!("location: {}/v1/chat/completions\r\n", elsewhere.url);
    let server = Server::start([Reply::Http(307, location, String::new())]).await;
    let chunks = ask(&server.openai(), &hello()).await;
    assert!(elsewhere.bodies().is_empty());
    let ModelError::Rejected(text) = error_of(&chunks) else { panic!("{chunks:?}") };
    assert!(text.contains("redirects to 127.0.0.1") && text.contains("OPENAI_BASE_URL"), "{text}");
    // Nor into messages to the user.
    let echo = Server::start([refuse(401, &format!("Incorrect API key provided: {KEY}"))]).await;
    let ModelError::Unauthorized(text) = error_of(&ask(&echo.openai(), &hello()).await).clone()
    else {
        panic!()
    };
    assert!(!text.contains(KEY) && text.contains("[key]"), "{text}");
    for (head, body) in echo.requests.lock().unwrap().iter() {
        assert!(head.contains(KEY) && !head.lines().next().unwrap().contains(KEY));
        assert!(!body.to_string().contains(KEY));
    }
}

#[tokio::test]
async fn a_silent_provider_is_asked_twice_at_most() {
    let server = Server::start([Reply::Silence]).await;
    let mut config = server.config("gpt-4o");
    config.idle_timeout = Duration::from_millis(50);
    let chunks = ask(&OpenAi::new(config).unwrap(), &hello()).await;
    assert!(matches!(error_of(&chunks), ModelError::Unavailable(text) if text.contains("2 times")));
    assert_eq!(server.bodies().len(), 2);
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let check = async |status, message: &str, expected: &[&str]| {
        let server = Server::start([refuse(status, message)]).await;
        let mut config = server.config("gpt-4x");
        config.provider_name = Some("OpenRouter".into());
        config.key_name = Some("the key entered in the page".into());
        config.known_models = ["gpt-4o", "gpt-4.1", "llama-4"].map(str::to_owned).to_vec();
        let chunks = ask(&OpenAi::new(config).unwrap(), &hello()).await;
        let text = error_of(&chunks).to_string();
        for words in expected {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(text.starts_with("OpenRouter"), "{text}");
    };
    check(403, "Country, region, or territory not supported", &["not offered where you are"]).await;
    check(403, "Your organization must be verified to stream this model.", &["verify your"]).await;
    check(404, "No endpoints found matching your data policy.", &["privacy settings"]).await;
    check(402, "Insufficient Balance", &["add credit"]).await;
    check(401, "invalid key", &["the key entered in the page", "set a valid key"]).await;
    check(404, "The model `gpt-4x` does not exist", &["e.g. gpt-4", "SCENE_LLM_MODEL"]).await;
    let long = "x".repeat(5_000);
    let server = Server::start([refuse(400, &long)]).await;
    assert!(error_of(&ask(&server.openai(), &hello()).await).to_string().len() < 1_000);
    let page = Reply::Http(404, String::new(), "<html><title>Not here</title></html>".into());
    let page = Server::start([page]).await;
    let text = error_of(&ask(&page.openai(), &hello()).await).to_string();
    assert!(text.contains("OPENAI_BASE_URL") && !text.contains('<'), "{text}");
    let id = Reply::Http(400, "request-id: req_42ab\r\n".into(), "{}".into());
    let id = Server::start([id]).await;
    assert!(error_of(&ask(&id.anthropic(), &hello()).await).to_string().contains("req_42ab"));
}

#[tokio::test]
async fn gemini_signatures_that_are_refused_are_left_out() {
    let answer = json!({ "candidates": [{ "content": { "parts": [{ "text": "ok" }] },
        "finishReason": "STOP" }] });
    let refused = json!({ "error": { "code": 400, "message": "Corrupted thought signature.",
        "status": "INVALID_ARGUMENT" } });
    let server =
        Server::start([Reply::Http(400, String::new(), refused.to_string()), events(&[answer])])
            .await;
    let call = json!({ "functionCall": { "name": "f", "args": {} }, "thoughtSignature": "old" });
    let mut asked = hello();
    asked.contents.extend([
        Content::model(vec![Part::from_value(call)]),
        Content::function(vec![Part::response(None, "f", json!({}), Vec::new())]),
    ]);
    let model = Gemini::new(server.config("gemini-3.8-flash")).unwrap();
    let chunks = ask(&model, &asked).await;
    assert_eq!((text_of(&chunks).as_str(), repair_messages(&chunks).len()), ("ok", 1));
    let signature =
        |at: usize| server.bodies()[at]["contents"][1]["parts"][0]["thoughtSignature"].clone();
    assert_eq!([signature(0), signature(1)], ["old", "skip_thought_signature_validator"]);
}
