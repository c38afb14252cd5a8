//! What happened so far: for each message of the user the looks at the scene, the calls and how they
//! ended.

mod turn;

use std::borrow::Cow;
use std::collections::VecDeque;

use llm::{Content, Part, Role};
use serde_json::Value;

pub(crate) use turn::{CallResult, Step, Turn};

/// The name of the tool that shows the scene.
pub(crate) const LOOK: &str = "get_scene_state";
/// The name of the tool that finds likely mistakes.
pub(crate) const CHECK: &str = "check_scene";

/// What the answer says that the user stopped.
const INTERRUPTED: &str = "[The user interrupted this answer.]";
/// The fields of parts that are pictures.
const PICTURES: [&str; 2] = ["inlineData", "fileData"];

/// A call without its result yet.
type Awaited<'a> = (Option<&'a str>, &'a str, &'a Value);

/// The messages in order; the last one is to be answered when `answered` is false for it.
#[derive(Debug, Default)]
pub(crate) struct History<'a> {
    pub(crate) turns: Vec<Turn<'a>>,
}

impl<'a> History<'a> {
    /// Reads a history of any origin.
    pub(crate) fn read(contents: &'a [Content]) -> Self {
        let mut history = Self::default();
        let mut awaited: VecDeque<Awaited<'a>> = VecDeque::new();
        for content in contents {
            match content.role {
                // The scene is looked at where it is needed.
                Role::User if content.is_context() => {}
                Role::User => {
                    // Some services put results into the user's turn.
                    history.take_results(content, &mut awaited);
                    history.hear(content);
                }
                Role::Model => {
                    history.lose(&mut awaited);
                    let calls = content.calls();
                    awaited = calls
                        .map(|call| (call.id, call.name, call.args.unwrap_or(&Value::Null)))
                        .collect();
                    if awaited.is_empty()
                        && let Some(turn) = history.turns.last_mut()
                    {
                        let text = content.visible_text();
                        turn.interrupted = text.contains(INTERRUPTED);
                        turn.answer = Some(text);
                    }
                }
                Role::Function => history.take_results(content, &mut awaited),
            }
        }
        history.lose(&mut awaited);
        history
    }

    fn hear(&mut self, content: &Content) {
        let (message, selection) = read_message(&content.visible_text());
        let is_picture = |part: &Part| PICTURES.iter().any(|kind| part.raw().contains_key(*kind));
        let pictures = content.parts.iter().any(is_picture);
        if message.is_empty() && selection.is_empty() && !pictures {
            return;
        }
        match self.turns.last_mut() {
            // A second message before anything was done belongs to the first.
            Some(turn) if turn.answer.is_none() && !turn.has_acted() => {
                turn.message = format!("{}\n{message}", turn.message).trim().to_owned();
                turn.selection.extend(selection);
                turn.pictures |= pictures;
            }
            _ => self.turns.push(Turn { message, selection, pictures, ..Turn::default() }),
        }
    }

    /// Calls that never got a result.
    fn lose(&mut self, awaited: &mut VecDeque<Awaited<'a>>) {
        let lost = awaited.drain(..).map(|(_, name, args)| {
            let result = Err(Cow::Borrowed("the call was interrupted"));
            CallResult { name, args, result }
        });
        self.record(lost.collect());
    }

    fn take_results(&mut self, content: &'a Content, awaited: &mut VecDeque<Awaited<'a>>) {
        let mut results = Vec::new();
        for response in content.responses() {
            let by_id = awaited.iter().position(|(id, ..)| id.is_some() && *id == response.id);
            let by_name = || awaited.iter().position(|(_, name, _)| *name == response.name);
            let Some(index) = by_id.or_else(by_name) else { continue };
            let Some((_, name, args)) = awaited.remove(index) else { continue };
            results.push(CallResult { name, args, result: result_of(response.response) });
        }
        self.record(results);
    }

    fn record(&mut self, results: Vec<CallResult<'a>>) {
        let Some(turn) = self.turns.last_mut() else { return };
        let mut wave = Vec::new();
        for result in results {
            match (result.name, &result.result) {
                (LOOK, Ok(scene)) => turn.steps.push(Step::Look(scene)),
                (LOOK, Err(error)) => turn.steps.push(Step::Blind(error.clone().into_owned())),
                (CHECK, report) => turn.steps.push(Step::Check(report.as_ref().ok().copied())),
                _ => wave.push(result),
            }
        }
        if !wave.is_empty() {
            turn.steps.push(Step::Wave(wave));
        }
    }
}

/// The message without the line that tells what is selected, and the selected ids.
pub(crate) fn read_message(text: &str) -> (String, Vec<String>) {
    let mut selection = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let inner = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        match inner.and_then(|inner| inner.strip_prefix("selected: ")) {
            Some(ids) => selection.extend(ids.split(',').map(|id| id.trim().to_owned())),
            // Other lines in brackets are notes of the program.
            None if inner.is_some() => {}
            None => lines.push(line),
        }
    }
    (lines.join("\n").trim().to_owned(), selection)
}

/// `{"success": true, "result": ...}` or `{"success": false, "error": "..."}`.
fn result_of(response: Option<&Value>) -> Result<&Value, Cow<'_, str>> {
    let Some(response) = response else { return Err("the call got no result".into()) };
    if response.get("success").and_then(Value::as_bool) == Some(true) {
        return Ok(response.get("result").unwrap_or(&Value::Null));
    }
    let error = response.get("error");
    let text = error.and_then(Value::as_str).map(Cow::Borrowed);
    Err(text.unwrap_or_else(|| error.unwrap_or(response).to_string().into()))
}
