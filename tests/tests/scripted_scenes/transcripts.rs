//! Scenes as strong models built them that met the tools for the first time: their answers of then, mistakes
//! included, are given to the real server again. What it cost them is held to bounds.

use std::collections::HashSet;
use std::path::Path;

use end_to_end::fake_gemini::{Answer, FakeGemini};
use end_to_end::server::TestServer;
use serde::Deserialize;
use serde_json::Value;

/// What a model answered to the request for a scene; see `evals/transcripts/README.md`.
#[derive(Deserialize)]
struct Transcript {
    brief: String,
    answers: Vec<GivenAnswer>,
}

#[derive(Deserialize)]
struct GivenAnswer {
    text: String,
    #[serde(default)]
    calls: Vec<GivenCall>,
}

#[derive(Deserialize)]
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
}

impl Transcript {
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
    let mut sent = HashSet::new();
    for (name, args) in transcript.calls() {
        cost.calls += 1;
        let is_change = !["render_preview", "check_scene", "get_scene_state"].contains(&name);
        cost.resent += usize::from(!sent.insert((name, args.to_string())) && is_change);
    }
    let scene = server.get(&format!("/api/sessions/{}/scene", client.session())).await;
    (cost, scene)
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
        assert!(scene["shapes"].as_array().is_some_and(|shapes| shapes.len() > 20), "{name}");
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
