//! Clients against a small local server that refuses what real providers refuse, in their words.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::ClientConfig;
use crate::{
    Anthropic, Chunk, Content, Gemini, LanguageModel, ModelError, OpenAi, Part, Request, Role,
    ToolDeclaration, ToolUse,
};

const KEY: &str = "sk-a-key-that-nobody-may-see";

/// What the server answers one request with.
#[derive(Clone)]
enum Reply {
    /// A status, further headers and a body.
    Http(u16, String, String),
    /// Nothing, for ever.
    Silence,
}

fn refuse(status: u16, message: &str) -> Reply {
    let error = json!({ "type": "invalid_request_error", "message": message });
    Reply::Http(status, String::new(), json!({ "type": "error", "error": error }).to_string())
}

fn events(events: &[Value]) -> Reply {
    let text: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Reply::Http(200, "content-type: text/event-stream\r\n".into(), text)
}

/// An answer in the dialect of chat completions.
fn said(text: &str) -> Reply {
    events(&[json!({ "choices": [{ "delta": { "content": text }, "finish_reason": "stop" }] })])
}

/// An answer in Anthropic's dialect, with a signed thought.
fn thought(signature: &str, text: &str) -> Reply {
    events(&[
        json!({ "type": "content_block_start", "index": 0,
            "content_block": { "type": "thinking", "thinking": "hm", "signature": signature } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "content_block_start", "index": 1,
            "content_block": { "type": "text", "text": text } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {} }),
        json!({ "type": "message_stop" }),
    ])
}

struct Server {
    url: String,
    /// Heads and bodies, in order.
    requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    /// Answers with `replies` in order, the last one again and again.
    async fn start(replies: impl Into<Vec<Reply>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<(String, Value)>>> = Arc::default();
        let (seen, replies) = (Arc::clone(&requests), replies.into());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&seen), replies.clone()));
            }
        });
        Self { url, requests }
    }

    fn bodies(&self) -> Vec<Value> {
        self.requests.lock().unwrap().iter().map(|(_, body)| body.clone()).collect()
    }

    fn config(&self, model: &str) -> ClientConfig {
        let mut config = ClientConfig::new(&self.url, SecretString::from(KEY), model);
        config.retry.base_delay = Duration::from_millis(1);
        config
    }

    fn openai(&self) -> OpenAi {
        OpenAi::new(self.config("gpt-4o")).unwrap()
    }

    fn anthropic(&self) -> Anthropic {
        Anthropic::new(self.config("claude-sonnet-5-5")).unwrap()
    }
}

async fn answer(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<(String, Value)>>>,
    replies: Vec<Reply>,
) {
    let mut bytes = Vec::new();
    let (head, length) = loop {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        bytes.drain(..end + 4);
        break (head, length.unwrap_or(0));
    };
    while bytes.len() < length {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push((head, serde_json::from_slice(&bytes).unwrap_or_default()));
        seen.len() - 1
    };
    match &replies[number.min(replies.len() - 1)] {
        Reply::Http(status, headers, body) => {
            let length = body.len();
            let text = format!(
                "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            let _ = stream.write_all(text.as_bytes()).await;
        }
        Reply::Silence => std::future::pending().await,
    }
}

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

/// What the user was told of repairs.
fn told(chunks: &Chunks) -> Vec<&str> {
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
            told(&chunks),
            ["This model does not accept pictures: they are left out."],
            "{words}"
        );
        assert_eq!(text_of(&chunks), "ok");
        assert!(told(&ask(&model, &asked).await).is_empty());
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
        assert_eq!(told(&chunks).len(), usize::from(number == 1));
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
    assert_eq!((told(&chunks).len(), always.bodies().len()), (1, 2));
    assert!(
        matches!(error_of(&chunks), ModelError::Rejected(text) if text.contains("process image"))
    );

    let tool = ToolDeclaration {
        name: "f".into(),
        description: String::new(),
        parameters: json!({ "anyOf": [{ "type": "object" }] }),
    };
    let mut asked = request(vec![picture()]);
    asked.tools.push(tool);
    asked.settings.temperature = Some(0.5);
    let many = Server::start([
        refuse(404, "No endpoints found that support image input"),
        refuse(400, "tools.0.custom.input_schema: JSON schema is invalid."),
        refuse(500, "Value is not callable: System role not supported"),
        refuse(400, "Unrecognized request argument supplied: stream_options"),
    ])
    .await;
    let chunks = ask(&many.openai(), &asked).await;
    assert_eq!((told(&chunks).len(), many.bodies().len()), (3, 4));
    let last = many.bodies()[3].clone();
    assert!(!last.to_string().contains("anyOf") && last["messages"][0]["role"] == "user");
    assert!(last.get("stream_options").is_some());
    // What was learned is left out at once by the next request, which learns the rest.
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
        told(&chunks),
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
    // A request without pictures can only become shorter.
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
    assert_eq!((text_of(&chunks).as_str(), told(&chunks).len()), ("whole", 1));
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
    // Nor into what the user reads.
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
    assert_eq!((text_of(&chunks).as_str(), told(&chunks).len()), ("ok", 1));
    let signature =
        |at: usize| server.bodies()[at]["contents"][1]["parts"][0]["thoughtSignature"].clone();
    assert_eq!([signature(0), signature(1)], ["old", "skip_thought_signature_validator"]);
}
