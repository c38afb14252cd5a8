//! Scenes as strong models built them that met the tools for the first time: their answers of then, mistakes
//! included, are given to the real server again. What it cost them is held to bounds, and compared with what it
//! would have cost with batches that are done whole or not at all, where a fault has the whole batch sent again.

use std::path::Path;

use end_to_end::fake_chat::{Dialect, FakeChat, KEY, Reply};
use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use evaluation::{GivenCall, Transcript, transcripts};
use llm::TextProtocol;
use secrecy::SecretString;
use serde_json::{Value, json};
use server::{ModelsConfig, ProviderAccess, ToolSetting};

/// What a transcript came to.
#[derive(Debug, Default)]
struct Cost {
    answers: usize,
    /// Calls, those in batches each for itself.
    calls: usize,
    /// Calls that are sent a second time word by word.
    resent: usize,
    /// Tool calls that failed.
    failed: usize,
    /// Bytes of all results.
    results: usize,
    /// Bytes of all arguments.
    arguments: usize,
    /// Bytes of text in the last request: the instruction, the tools, and all that was said, called and answered.
    input: usize,
}

fn as_gemini(transcript: &Transcript) -> Vec<Answer> {
    let (last, earlier) = transcript.answers.split_last().expect("a transcript has answers");
    let mut answers: Vec<Answer> = Vec::new();
    for (turn, given) in earlier.iter().enumerate() {
        let mut answer = Answer::new().text(&given.text);
        for (at, call) in given.calls.iter().enumerate() {
            let id = format!("call_{turn}_{at}");
            answer = answer.call(Some(&id), &call.name, call.cheap_args()).signed("c2ln");
        }
        answers.push(answer);
    }
    answers.push(Answer::new().text(&last.text).signed_end("c2ln"));
    answers
}

/// Gives the answers to the server; what they cost, and the scene they made.
async fn replay(transcript: &Transcript) -> (Cost, Value) {
    let gemini = FakeGemini::start(as_gemini(transcript)).await;
    let server = TestServer::with_gemini(&gemini).await;
    let mut client = server.client().await;
    let end = client.say(&transcript.brief).await;
    assert_eq!(end["reason"], "completed", "{end}");
    assert_eq!(gemini.refusals(), Vec::<String>::new());
    let log = server.get(&format!("/api/sessions/{}/log", client.session())).await;
    let mut cost = Cost { answers: transcript.answers.len(), ..Cost::default() };
    for entry in log["entries"].as_array().expect("entries") {
        if entry["type"] == "tool_result" {
            cost.failed += usize::from(entry.to_string().contains("\"success\":false"));
            cost.results += entry.to_string().len();
        }
    }
    cost.arguments = transcript.calls_as_sent().map(|call| call.args.to_string().len()).sum();
    cost.input = gemini.requests().last().map_or(0, |request| text_bytes(&request.body));
    cost.calls = transcript.calls().len();
    cost.resent = transcript.resent();
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    (cost, scene)
}

/// Bytes of a request without its pictures.
fn text_bytes(body: &Value) -> usize {
    match body {
        Value::Object(fields) if fields.contains_key("inlineData") => 0,
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + 4 + text_bytes(value)).sum()
        }
        Value::Array(items) => items.iter().map(|item| 1 + text_bytes(item)).sum(),
        other => other.to_string().len(),
    }
}

fn of_repository() -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../evals/transcripts");
    transcripts(&folder).expect("transcripts")
}

#[tokio::test]
async fn strong_models_lose_little_when_they_meet_the_tools_first() {
    let transcripts = of_repository();
    let mut all = Cost::default();
    for transcript in &transcripts {
        let name = &transcript.name;
        let (cost, scene) = replay(transcript).await;
        println!("{name}: {cost:?}, {} shapes", scene["shapes"].as_array().map_or(0, Vec::len));
        assert!(scene["shapes"].as_array().is_some_and(|shapes| shapes.len() > 10), "{name}");
        let whole = transcript.all_or_nothing().filter(|_| transcript.is_corrected());
        if let Some(whole) = whole {
            let (old, same) = replay(&whole).await;
            println!("{name}, batches done whole or not at all: {old:?}");
            assert_eq!(
                same["shapes"].as_array().map(Vec::len),
                scene["shapes"].as_array().map(Vec::len)
            );
            assert!(old.resent > cost.resent && old.arguments > cost.arguments, "{name}");
        }
        // To be looked at: `scene-llm render target/tmp/NAME.json -o NAME.png`.
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
        std::fs::write(kept, scene.to_string()).expect("the scene is written");
        assert!(cost.answers <= 12, "{name}: {cost:?}");
        all.calls += cost.calls;
        all.resent += cost.resent;
        all.failed += cost.failed;
        all.results += cost.results;
    }
    assert!(20 * all.resent <= all.calls, "more than 5 % of the calls were sent again: {all:?}");
    assert!(all.failed <= transcripts.len(), "more than one fault a scene: {all:?}");
}

/// The calls of an answer as text of a protocol; one that takes a call at a time gets several answers.
fn as_text(protocol: TextProtocol, transcript: &Transcript) -> Vec<Reply> {
    let (last, earlier) = transcript.answers.split_last().expect("a transcript has answers");
    let mut replies = Vec::new();
    for given in earlier {
        let call = |call: &GivenCall| (call.name.clone(), call.cheap_args());
        let calls: Vec<(String, Value)> = given.calls.iter().map(call).collect();
        match protocol {
            TextProtocol::React => replies.extend(calls.iter().map(|(name, args)| {
                Reply::new().text(&format!(
                    "{}\n<tool_code><name>{name}</name><parameters>{args}</parameters></tool_code>",
                    given.text
                ))
            })),
            TextProtocol::Json => {
                let calls: Vec<Value> = calls
                    .iter()
                    .map(|(name, args)| json!({ "name": name, "arguments": args }))
                    .collect();
                let calls = json!({ "tool_calls": calls });
                replies.push(Reply::new().text(&format!("{}\n```json\n{calls}\n```", given.text)));
            }
            TextProtocol::Plan => {
                let tools: Vec<Value> = calls
                    .iter()
                    .enumerate()
                    .map(|(at, (name, args))| json!({ "id": format!("c{at}"), "tool": name, "args": args, "needs": [] }))
                    .collect();
                let plan = json!({ "status": "continue", "action": given.text, "tools": tools,
                                   "reasoning": "As planned." });
                replies.push(Reply::new().text(&plan.to_string()));
            }
        }
    }
    replies.push(match protocol {
        TextProtocol::Plan => Reply::new().text(
            &json!({ "status": "done", "action": last.text, "tools": [], "reasoning": "" })
                .to_string(),
        ),
        _ => Reply::new().text(&last.text),
    });
    replies
}

#[tokio::test]
async fn native_calls_and_each_text_protocol_build_the_same_scene() {
    let all = of_repository();
    let transcript = all.iter().find(|it| it.name == "birthday-table").expect("the table");
    let (_, native) = replay(transcript).await;
    assert!(native["shapes"].as_array().is_some_and(|shapes| shapes.len() > 10));
    for protocol in [TextProtocol::React, TextProtocol::Json, TextProtocol::Plan] {
        let model = FakeChat::start(Dialect::OpenAi, as_text(protocol, transcript)).await;
        let access =
            ProviderAccess { api_key: SecretString::from(KEY), base_url: model.base_url() };
        let server = TestServer::start(ModelsConfig {
            openai: Some(access),
            model: Some("gpt-4o-mini".into()),
            tool_use: Some(ToolSetting::Text(protocol)),
            ..ModelsConfig::default()
        })
        .await;
        let mut client = server.client().await;
        let end = client.say(&transcript.brief).await;
        assert_eq!(end["reason"], "completed", "{protocol:?}: {end}");
        assert_eq!(model.refusals(), Vec::<String>::new(), "{protocol:?}");
        let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
        assert_eq!(scene["shapes"], native["shapes"], "{protocol:?}");
        assert_eq!(scene["lights"], native["lights"], "{protocol:?}");
        assert_eq!(scene["camera"], native["camera"], "{protocol:?}");
    }
}
