//! Scenes as strong models built them that met the tools for the first time: their answers of then, mistakes
//! included, are given to the real server again. What it cost them is held to bounds, and compared with what it
//! would have cost with batches that are done whole or not at all, where a fault has the whole batch sent again.

use std::collections::HashSet;
use std::path::Path;

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde::Deserialize;
use serde_json::Value;

/// What a model answered to the request for a scene; see `evals/transcripts/README.md`.
#[derive(Clone, Deserialize)]
struct Transcript {
    brief: String,
    answers: Vec<GivenAnswer>,
}

#[derive(Clone, Deserialize)]
struct GivenAnswer {
    text: String,
    #[serde(default)]
    calls: Vec<GivenCall>,
}

#[derive(Clone, Deserialize)]
struct GivenCall {
    name: String,
    args: Value,
}

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

impl Transcript {
    /// The same for batches that are done whole or not at all: a correction has to send the whole batch.
    fn all_or_nothing(&self) -> Self {
        let mut old = self.clone();
        let mut stopped: Vec<Value> = Vec::new();
        let calls = old.answers.iter_mut().flat_map(|answer| &mut answer.calls);
        for call in calls.filter(|call| call.name == "edit_scene") {
            let given = call.args["calls"].as_array().cloned().unwrap_or_default();
            for step in &given {
                let Some(index) = step["index"].as_u64() else { continue };
                let mut step = step.clone();
                step.as_object_mut().expect("a call").shift_remove("index");
                stopped[index as usize - 1] = step;
            }
            if given.iter().any(|step| step.get("index").is_some()) {
                stopped.retain(|step| step["skip"] != true);
            } else {
                stopped = given;
            }
            call.args["calls"] = stopped.clone().into();
            call.args["on_fault"] = "all_or_nothing".into();
        }
        old
    }

    fn is_corrected(&self) -> bool {
        self.calls_as_sent().any(|call| call.args.to_string().contains("\"index\":"))
    }

    fn calls_as_sent(&self) -> impl Iterator<Item = &GivenCall> {
        self.answers.iter().flat_map(|answer| &answer.calls)
    }

    /// All calls in order, those of batches among them.
    fn calls(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.answers.iter().flat_map(|answer| &answer.calls).flat_map(|call| {
            let inner = call.args["calls"].as_array().filter(|_| call.name == "edit_scene");
            match inner {
                None => vec![(call.name.as_str(), &call.args)],
                Some(calls) => calls
                    .iter()
                    .map(|call| (call["name"].as_str().unwrap_or_default(), &call["args"]))
                    .collect(),
            }
        })
    }

    fn as_gemini(&self) -> Vec<Answer> {
        let (last, earlier) = self.answers.split_last().expect("a transcript has answers");
        let mut answers: Vec<Answer> = Vec::new();
        for (turn, given) in earlier.iter().enumerate() {
            let mut answer = Answer::new().text(&given.text);
            for (at, call) in given.calls.iter().enumerate() {
                let id = format!("call_{turn}_{at}");
                let mut args = call.args.clone();
                if call.name == "render_preview" {
                    // Nobody looks at these; they would take minutes.
                    args["seconds"] = 0.1.into();
                    args["width"] = 80.into();
                    args["height"] = 60.into();
                }
                answer = answer.call(Some(&id), &call.name, args).signed("c2ln");
            }
            answers.push(answer);
        }
        answers.push(Answer::new().text(&last.text).signed_end("c2ln"));
        answers
    }
}

/// Gives the answers to the server; what they cost, and the scene they made.
async fn replay(transcript: &Transcript) -> (Cost, Value) {
    let gemini = FakeGemini::start(transcript.as_gemini()).await;
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
    let mut sent = HashSet::new();
    for (name, args) in transcript.calls() {
        cost.calls += 1;
        let is_change = !["render_preview", "check_scene", "get_scene_state"].contains(&name);
        cost.resent += usize::from(!sent.insert((name, args.to_string())) && is_change);
    }
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

#[tokio::test]
async fn strong_models_lose_little_when_they_meet_the_tools_first() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../evals/transcripts");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("transcripts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut all = Cost::default();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a transcript");
        let transcript: Transcript = serde_json::from_str(&text).expect("a transcript");
        let (cost, scene) = replay(&transcript).await;
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        println!("{name}: {cost:?}, {} shapes", scene["shapes"].as_array().map_or(0, Vec::len));
        assert!(scene["shapes"].as_array().is_some_and(|shapes| shapes.len() > 10), "{name}");
        if transcript.is_corrected() {
            let (old, same) = replay(&transcript.all_or_nothing()).await;
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
    assert!(all.failed <= files.len(), "more than one fault a scene: {all:?}");
}
