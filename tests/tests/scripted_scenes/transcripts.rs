//! Scenes as strong models built them that met the tools for the first time: their answers of then, mistakes
//! included, are given to the real server again. What it cost them is held to bounds, and compared with what it
//! would have cost with batches that are done whole or not at all, where a fault has the whole batch sent again.

use std::path::Path;

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use evaluation::{Transcript, transcripts};
use serde_json::Value;

/// What a transcript came to.
#[derive(Debug, Default)]
pub(super) struct Cost {
    answers: usize,
    /// Calls, those in batches each for itself.
    calls: usize,
    /// Calls that are sent a second time word by word.
    resent: usize,
    /// Tool calls that failed.
    pub(super) failed: usize,
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
pub(super) async fn replay(transcript: &Transcript) -> (Cost, Value) {
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

pub(super) fn of_repository() -> Vec<Transcript> {
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
