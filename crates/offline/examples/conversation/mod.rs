//! A conversation with the model over a scene of its own, without a server.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use llm::{Chunk, Content, LanguageModel, Part, Request};
use offline::Offline;
use rustix::time::{ClockId, clock_gettime};
use scene::{Edit, Scene, SceneManager};
use serde_json::{Value, json};

/// More requests than this no message may need.
const MAX_REQUESTS: usize = 10;

/// One request to the model.
pub(crate) struct Timed {
    pub(crate) own: Duration,
    pub(crate) said: String,
}

/// What was said, and the scene.
pub(crate) struct Conversation {
    manager: SceneManager,
    contents: Vec<Content>,
    pub(crate) times: Vec<Timed>,
}

/// What this thread has computed so far: on a busy machine, the time on the clock is that of others, too.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

impl Conversation {
    pub(crate) fn over(scene: Scene) -> Self {
        Self { manager: SceneManager::new(scene), contents: Vec::new(), times: Vec::new() }
    }

    pub(crate) fn scene(&self) -> Scene {
        (*self.manager.current().scene).clone()
    }

    /// Says something and does what the model calls for, until it answers; all it said.
    pub(crate) fn say(&mut self, message: &str, selection: &[String]) -> String {
        let selected = match selection {
            [] => String::new(),
            ids => format!("[selected: {}]\n", ids.join(", ")),
        };
        self.contents.push(Content::user(format!("{selected}{message}")));
        let mut said = Vec::new();
        for _ in 0..MAX_REQUESTS {
            let request = Request { contents: self.contents.clone(), ..Request::default() };
            let started = processor_time();
            let stream = Offline.stream(request);
            let own = processor_time().saturating_sub(started);
            self.times.push(Timed { own, said: message.to_owned() });
            let chunks = stream.collect::<Vec<_>>().now_or_never().unwrap_or_default();
            let parts = chunks.into_iter().filter_map(|chunk| match chunk {
                Ok(Chunk::Part(part)) => Some(part),
                _ => None,
            });
            let answer = Content::model(parts.collect());
            said.push(answer.visible_text());
            let responses: Vec<Part> = answer
                .calls()
                .map(|call| {
                    let args = call.args.cloned().unwrap_or(Value::Null);
                    let response = self.perform(call.name, &args);
                    Part::response(call.id, call.name, response, Vec::new())
                })
                .collect();
            self.contents.push(answer);
            if responses.is_empty() {
                break;
            }
            self.contents.push(Content::function(responses));
        }
        said.join("\n")
    }

    fn perform(&mut self, name: &str, args: &Value) -> Value {
        if name == "get_scene_state" {
            return json!({ "success": true, "result": self.manager.current().scene.to_json() });
        }
        match Edit::parse(name, args).and_then(|edit| self.manager.apply(&[edit])) {
            Ok(applied) => json!({ "success": true, "result": applied.results[0] }),
            Err(violations) => json!({ "success": false, "error": violations.to_string() }),
        }
    }
}
