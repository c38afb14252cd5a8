//! A task at an agent: what its messages add up to.

use agent::untrusted::{clean, cut, note, without_base64};
use serde_json::{Map, Value};

/// The most bytes of an answer that are kept; an agent that says more is stopped.
const MAX_SAID: usize = 1024 * 1024;
/// The most artifacts of a task; an agent that makes more is stopped.
const MAX_ARTIFACTS: usize = 256;
/// The most bytes of an artifact's id.
const MAX_ID: usize = 200;
/// Bytes of an answer that the model reads: about 3,000 tokens.
const MAX_SUMMARY: usize = 12_000;
/// Bytes of a note on what the agent does, or why it ended.
const MAX_NOTE: usize = 600;
/// Numbers of usage that are passed on.
const MAX_NUMBERS: usize = 12;

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Going,
    /// It waits for an answer, or for a login.
    Asks,
    Completed,
    Failed,
    Canceled,
}

impl State {
    fn named(name: &str) -> Self {
        match name {
            "TASK_STATE_COMPLETED" => Self::Completed,
            "TASK_STATE_FAILED" | "TASK_STATE_REJECTED" => Self::Failed,
            "TASK_STATE_CANCELED" => Self::Canceled,
            "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_AUTH_REQUIRED" => Self::Asks,
            _ => Self::Going,
        }
    }
}

/// A task.
#[derive(Debug)]
pub(crate) struct Task {
    /// Its id, once the agent has told it.
    pub(crate) id: Option<String>,
    pub(crate) state: State,
    /// What the agent last said of its state.
    pub(crate) note: String,
    /// Its artifacts by id, in their order.
    artifacts: Vec<(String, String)>,
    /// A message in place of a task.
    message: String,
    usage: Map<String, Value>,
    /// Bytes that were kept so far.
    said: usize,
}

impl Task {
    pub(crate) fn new() -> Self {
        Self {
            id: None,
            state: State::Going,
            note: String::new(),
            artifacts: Vec::new(),
            message: String::new(),
            usage: Map::new(),
            said: 0,
        }
    }

    /// Adds a result: a task, a message, or an update of either kind. Returns whether there is a new note.
    pub(crate) fn add(&mut self, result: &Value) -> Result<bool, String> {
        let before = self.note.clone();
        if let Some(task) = result.get("task").filter(|task| task.is_object()) {
            self.whole(task);
        } else if let Some(message) = result.get("message").filter(|message| message.is_object()) {
            (self.message, self.state) = (text_of(&message["parts"]), State::Completed);
            self.said += self.message.len();
        } else if let Some(update) = result.get("statusUpdate").filter(|update| update.is_object())
        {
            self.named(&update["taskId"]);
            self.status(&update["status"]);
            self.used(&update["metadata"]);
        } else if let Some(update) = result.get("artifactUpdate").filter(|it| it.is_object()) {
            self.named(&update["taskId"]);
            self.artifact(&update["artifact"], update["append"] == true);
        } else if result.get("status").is_some() {
            // GetTask answers with the task itself.
            self.whole(result);
        }
        if self.said > MAX_SAID {
            return Err(format!("it said more than {} KiB", MAX_SAID / 1024));
        }
        if self.artifacts.len() > MAX_ARTIFACTS {
            return Err(format!("it made more than {MAX_ARTIFACTS} artifacts"));
        }
        Ok(!self.note.is_empty() && self.note != before)
    }

    fn whole(&mut self, task: &Value) {
        self.named(&task["id"]);
        self.status(&task["status"]);
        self.used(&task["metadata"]);
        for artifact in task["artifacts"].as_array().into_iter().flatten() {
            self.artifact(artifact, false);
        }
    }

    fn named(&mut self, id: &Value) {
        let id = id.as_str().filter(|id| !id.is_empty() && id.len() <= 1_000);
        if self.id.is_none() {
            self.id = id.map(str::to_owned);
        }
    }

    fn status(&mut self, status: &Value) {
        self.state = State::named(status["state"].as_str().unwrap_or_default());
        let said = text_of(&status["message"]["parts"]);
        if !said.trim().is_empty() {
            self.said += said.len();
            self.note = clean(&said, MAX_NOTE);
        }
    }

    fn artifact(&mut self, artifact: &Value, append: bool) {
        let id = cut(artifact["artifactId"].as_str().unwrap_or_default(), MAX_ID);
        let text = text_of(&artifact["parts"]);
        self.said += text.len();
        let has_room = self.artifacts.len() <= MAX_ARTIFACTS;
        match self.artifacts.iter_mut().find(|(known, _)| known == id) {
            Some((_, whole)) if append => whole.push_str(&text),
            Some((_, whole)) => *whole = text,
            None if has_room => self.artifacts.push((id.to_owned(), text)),
            None => {}
        }
    }

    /// Keeps numbers that an agent tells of what the task has used.
    fn used(&mut self, metadata: &Value) {
        for (name, value) in metadata["usage"].as_object().into_iter().flatten() {
            if value.is_number() && self.usage.len() < MAX_NUMBERS {
                self.usage.insert(clean(name, 40), value.clone());
            }
        }
    }

    /// What the agent answered, bounded and sanitised.
    pub(crate) fn summary(&self) -> String {
        let texts = self.artifacts.iter().map(|(_, text)| text.as_str());
        let all: Vec<&str> =
            texts.chain([self.message.as_str()]).filter(|text| !text.trim().is_empty()).collect();
        let all = if all.is_empty() { self.note.clone() } else { all.join("\n") };
        let all = without_base64(&all);
        let bounded = clean(&all, MAX_SUMMARY);
        match bounded.len() + MAX_SUMMARY / 10 < all.len() {
            true => format!("{bounded}\n[cut off: the whole answer has {} bytes]", all.len()),
            false => bounded,
        }
    }

    /// What the task has used, as the agent tells.
    pub(crate) fn usage(&self) -> &Map<String, Value> {
        &self.usage
    }
}

/// The text of parts, with notes on lines of their own for what is no text.
fn text_of(parts: &Value) -> String {
    let mut all = String::new();
    let mut after_text = true;
    for part in parts.as_array().into_iter().flatten() {
        let is_text = part["text"].is_string();
        let Some(text) = part["text"].as_str().map(str::to_owned).or_else(|| told(part)) else {
            continue;
        };
        let is_piece = is_text && after_text;
        if !all.is_empty() && !is_piece {
            all.push('\n');
        }
        all.push_str(&text);
        after_text = is_text;
    }
    all
}

/// What is told of a part that is no text.
fn told(part: &Value) -> Option<String> {
    let kind = part["mediaType"].as_str();
    if let Some(url) = part["url"].as_str() {
        return Some(format!("[link: {}]", clean(url, 500)));
    }
    if let Some(raw) = part["raw"].as_str() {
        return Some(note(kind, raw.len() / 4 * 3));
    }
    part.get("data").map(Value::to_string)
}

#[cfg(test)]
mod tests {
    use damage::{damage, value, with_value};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn artifact(id: &str, text: &str, append: bool) -> Value {
        json!({ "artifactUpdate": { "taskId": "t1", "append": append,
            "artifact": { "artifactId": id, "parts": [{ "text": text }] } } })
    }

    #[test]
    fn a_task_is_what_its_updates_add_up_to() {
        let mut task = Task::new();
        let status = |state: &str, words: &str| {
            json!({ "statusUpdate": { "taskId": "t1", "status": { "state": state,
                "message": { "parts": [{ "text": words }] } }, "metadata": { "usage": { "tokens": 7, "x": "y" } } } })
        };
        assert_eq!(
            task.add(
                &json!({ "task": { "id": "t1", "status": { "state": "TASK_STATE_SUBMITTED" } } })
            ),
            Ok(false)
        );
        assert_eq!(task.add(&status("TASK_STATE_WORKING", "paints the sky")), Ok(true));
        assert_eq!(task.add(&status("TASK_STATE_WORKING", "paints the sky")), Ok(false));
        assert_eq!((task.state, task.note.as_str()), (State::Going, "paints the sky"));
        for update in [
            artifact("a", "It is ", false),
            artifact("a", "blue", true),
            artifact("b", "x", false),
            artifact("b", "done", false),
        ] {
            task.add(&update).unwrap();
        }
        task.add(&status("TASK_STATE_COMPLETED", "")).unwrap();
        assert_eq!((task.state, task.summary()), (State::Completed, "It is blue\ndone".into()));
        assert_eq!(Value::from(task.usage().clone()), json!({ "tokens": 7 }));
        assert_eq!(task.id.as_deref(), Some("t1"));
    }

    #[test]
    fn what_is_no_text_becomes_a_note_and_hidden_letters_go() {
        let mut task = Task::new();
        let parts = json!([{ "text": "a\u{202e}b" }, { "url": "http://x", "mediaType": "image/png" },
            { "raw": "AAAA", "mediaType": "image/png" }, { "data": { "n": 1 } }, 5]);
        task.add(&json!({ "message": { "parts": parts } })).unwrap();
        assert_eq!(task.state, State::Completed);
        assert_eq!(
            task.summary(),
            "ab\n[link: http://x]\n[image/png left out: 3 bytes]\n{\"n\":1}"
        );
    }

    #[test]
    fn answers_are_cut_and_endless_ones_refused() {
        let mut task = Task::new();
        task.add(&artifact("a", &"word ".repeat(10_000), false)).unwrap();
        let summary = task.summary();
        assert!(
            summary.len() < MAX_SUMMARY + 100 && summary.ends_with("has 50000 bytes]"),
            "{summary}"
        );
        let mut pieces = 0;
        let error = loop {
            match task.add(&artifact("a", &"word ".repeat(10_000), true)) {
                Ok(_) => pieces += 1,
                Err(error) => break error,
            }
            assert!(pieces < 100);
        };
        assert_eq!(error, "it said more than 1024 KiB");
        for odd in [
            json!(null),
            json!([]),
            json!({ "task": 5 }),
            json!({ "statusUpdate": { "status": 7 } }),
        ] {
            Task::new().add(&odd).unwrap();
        }
    }

    #[test]
    fn artifacts_without_number_are_refused_whatever_their_ids() {
        let mut task = Task::new();
        let artifacts: Vec<Value> =
            (0..50_000).map(|n| json!({ "artifactId": n.to_string(), "parts": [] })).collect();
        let whole = json!({ "task": { "id": "t1", "artifacts": artifacts } });
        assert_eq!(task.add(&whole), Err("it made more than 256 artifacts".into()));
        // One that goes on is the same, however long its id.
        let (mut task, id) = (Task::new(), "i".repeat(5_000));
        for _ in 0..1_000 {
            task.add(&artifact(&id, "a", true)).unwrap();
        }
        assert_eq!(task.summary(), "a".repeat(1_000));
    }

    /// Good results, and what a liar makes of them.
    const GOOD: [&str; 5] = [
        r#"{"task":{"id":"t1","status":{"state":"TASK_STATE_WORKING","message":{"parts":[{"text":"paints"}]}},
            "artifacts":[{"artifactId":"a","parts":[{"text":"x"},{"data":{"n":1}}]}],"metadata":{"usage":{"tokens":7}}}}"#,
        r#"{"statusUpdate":{"taskId":"t1","status":{"state":"TASK_STATE_COMPLETED","message":{"parts":[{"text":"ok"}]}}}}"#,
        r#"{"artifactUpdate":{"taskId":"t1","append":true,"artifact":{"artifactId":"a","parts":[{"raw":"AAAA"}]}}}"#,
        r#"{"message":{"parts":[{"text":"a"},{"url":"http://x","mediaType":"image/png"}]}}"#,
        r#"{"id":"t1","status":{"state":"TASK_STATE_FAILED"}}"#,
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn damaged_results_are_bounded_and_without_hidden_letters(
            lies in prop::collection::vec((0..GOOD.len(), 0.0..1.0, value(), damage()), 1..8),
        ) {
            let mut task = Task::new();
            for (which, at, lie, damage) in lies {
                let mut result: Value = serde_json::from_str(GOOD[which]).unwrap();
                with_value(&mut result, at, &lie);
                let mut text = result.to_string().into_bytes();
                let _ = task.add(&result);
                damage.of(&mut text);
                if let Ok(result) = serde_json::from_slice(&text) {
                    let _ = task.add(&result);
                }
            }
            let summary = task.summary();
            prop_assert!(summary.len() < MAX_SUMMARY + 200 && task.note.len() <= MAX_NOTE + 10);
            prop_assert!(!summary.contains(['\u{1b}', '\u{202e}', '\0']), "{summary:?}");
        }
    }
}
