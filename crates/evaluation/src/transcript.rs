//! Answers of models that are kept, to be given to the program again.

use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::goal::GoalError;

/// What a model answered to the request for a scene; see `evals/transcripts/README.md`.
#[derive(Debug, Clone, Deserialize)]
pub struct Transcript {
    /// Its name: that of its file.
    #[serde(skip)]
    pub name: String,
    /// The request.
    pub brief: String,
    /// The answers in order; the last one has no calls.
    pub answers: Vec<GivenAnswer>,
}

/// An answer of a model.
#[derive(Debug, Clone, Deserialize)]
pub struct GivenAnswer {
    /// What it said.
    pub text: String,
    /// What it called.
    #[serde(default)]
    pub calls: Vec<GivenCall>,
}

/// A call of a tool.
#[derive(Debug, Clone, Deserialize)]
pub struct GivenCall {
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Value,
}

/// The transcripts of a `.json` file, or of all such files in a folder.
pub fn transcripts(path: &Path) -> Result<Vec<Transcript>, GoalError> {
    let unreadable = |reason| GoalError::Unreadable { path: path.display().to_string(), reason };
    let mut files: Vec<PathBuf> = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(unreadable)?;
        let entries = entries.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        files = entries.into_iter().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
        files.sort();
    }
    let read = |file: &PathBuf| {
        let path = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|reason| GoalError::Unreadable { path: path.clone(), reason })?;
        let read: Transcript = serde_json::from_str(&text)
            .map_err(|error| GoalError::Malformed { path, reason: error.to_string() })?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Transcript { name, ..read })
    };
    files.iter().map(read).collect()
}

impl Transcript {
    /// The same for batches that are done whole or not at all: a correction has to send the whole batch. `None` where
    /// an answer has several batches, and the transcript does not say which of them a correction is for.
    #[must_use]
    pub fn all_or_nothing(&self) -> Option<Self> {
        let batches = |answer: &GivenAnswer| {
            answer.calls.iter().filter(|call| call.name == "edit_scene").count()
        };
        if self.is_corrected() && self.answers.iter().any(|answer| batches(answer) > 1) {
            return None;
        }
        let mut old = self.clone();
        let mut stopped: Vec<Value> = Vec::new();
        let calls = old.answers.iter_mut().flat_map(|answer| &mut answer.calls);
        for call in calls.filter(|call| call.name == "edit_scene") {
            let given = call.args["calls"].as_array().cloned().unwrap_or_default();
            for step in &given {
                let Some(index) = step["index"].as_u64() else { continue };
                let place = usize::try_from(index).unwrap_or(usize::MAX).saturating_sub(1);
                let mut step = step.clone();
                if let Some(step) = step.as_object_mut() {
                    step.shift_remove("index");
                }
                if let Some(known) = stopped.get_mut(place) {
                    *known = step;
                }
            }
            if given.iter().any(|step| step.get("index").is_some()) {
                stopped.retain(|step| step["skip"] != true);
            } else {
                stopped = given;
            }
            call.args["calls"] = stopped.clone().into();
            call.args["on_fault"] = "all_or_nothing".into();
        }
        Some(old)
    }

    /// Whether a call of a batch was corrected by its index.
    pub fn is_corrected(&self) -> bool {
        self.calls_as_sent().any(|call| call.args.to_string().contains("\"index\":"))
    }

    /// The calls in order, a batch as one.
    pub fn calls_as_sent(&self) -> impl Iterator<Item = &GivenCall> {
        self.answers.iter().flat_map(|answer| &answer.calls)
    }

    /// The calls in order, those of batches each for itself.
    pub fn calls(&self) -> Vec<(&str, &Value)> {
        let parts = |call: &GivenCall| call.name == "edit_scene";
        let mut calls = Vec::new();
        for call in self.calls_as_sent() {
            match call.args["calls"].as_array().filter(|_| parts(call)) {
                None => calls.push((call.name.as_str(), &call.args)),
                Some(steps) => calls.extend(
                    steps.iter().map(|it| (it["name"].as_str().unwrap_or_default(), &it["args"])),
                ),
            }
        }
        calls
    }

    /// Changing calls that are sent a second time word by word.
    pub fn resent(&self) -> usize {
        let mut sent = HashSet::new();
        let calls = self.calls().into_iter();
        let changes = calls.filter(|(name, _)| !GivenCall::only_looks(name));
        changes.filter(|(name, args)| !sent.insert((*name, args.to_string()))).count()
    }

    /// The answers as a script of the mock model.
    pub fn as_script(&self) -> String {
        let answer = |answer: &GivenAnswer| {
            let calls: Vec<Value> = answer
                .calls
                .iter()
                .map(|call| json!({ "name": call.name, "arguments": call.cheap_args() }))
                .collect();
            if calls.is_empty() {
                return json!(answer.text);
            }
            json!({ "text": answer.text, "tool_calls": calls })
        };
        Value::Array(self.answers.iter().map(answer).collect()).to_string()
    }
}

impl GivenCall {
    fn only_looks(name: &str) -> bool {
        ["render_preview", "check_scene", "get_scene_state", "measure", "describe"].contains(&name)
    }

    /// Its arguments; pictures are small, since nobody looks at them and they would take minutes.
    pub fn cheap_args(&self) -> Value {
        let mut args = self.args.clone();
        if self.name == "render_preview" {
            args["seconds"] = json!(0.1);
            args["width"] = json!(80);
            args["height"] = json!(60);
        }
        args
    }
}

/// What a transcript came to.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TranscriptCost {
    /// Its name.
    pub name: String,
    /// Answers, which are requests to the model.
    pub answers: usize,
    /// Calls, those of batches each for itself.
    pub calls: usize,
    /// Changing calls that were sent a second time word by word.
    pub resent: usize,
    /// Tool calls that failed, a batch as one.
    pub failed: usize,
    /// Bytes of all arguments.
    pub arguments: usize,
    /// Bytes of the results of each answer's calls.
    pub results: Vec<usize>,
    /// Shapes of the scene in the end.
    pub shapes: usize,
    /// Tokens of text in the last request, and in all requests together: about four bytes each.
    pub last_input: usize,
    /// As [`last_input`](Self::last_input), of all requests.
    pub all_input: usize,
}

impl TranscriptCost {
    /// The cost of answers whose calls had `results` bytes of results, with `constant` bytes of instruction and
    /// tools in each request.
    pub fn of(
        transcript: &Transcript,
        results: Vec<usize>,
        [failed, shapes]: [usize; 2],
        constant: usize,
    ) -> Self {
        /// Bytes of text that a token stands for.
        const BYTES: usize = 4;
        let (mut history, mut all) = (constant + transcript.brief.len(), 0);
        let mut last = history;
        for (answer, results) in transcript.answers.iter().zip(results.iter().chain([&0])) {
            last = history;
            all += history;
            let arguments = answer.calls.iter().map(|it| it.args.to_string().len() + it.name.len());
            history += answer.text.len() + arguments.sum::<usize>() + results;
        }
        Self {
            name: transcript.name.clone(),
            answers: transcript.answers.len(),
            calls: transcript.calls().len(),
            resent: transcript.resent(),
            failed,
            arguments: transcript.calls_as_sent().map(|it| it.args.to_string().len()).sum(),
            results,
            shapes,
            last_input: last / BYTES,
            all_input: all / BYTES,
        }
    }
}

/// What transcripts came to.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TranscriptReport {
    /// One for each.
    pub costs: Vec<TranscriptCost>,
}

impl Display for TranscriptReport {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{:<20}{:>8}{:>7}{:>11}{:>7}{:>11}{:>9}{:>8}{:>12}{:>12}",
            "transcript",
            "answers",
            "calls",
            "sent again",
            "failed",
            "arguments",
            "results",
            "shapes",
            "last input",
            "all input"
        )?;
        let line = |out: &mut Formatter<'_>, cost: &TranscriptCost| {
            writeln!(
                out,
                "{:<20}{:>8}{:>7}{:>11}{:>7}{:>11}{:>9}{:>8}{:>12}{:>12}",
                cost.name,
                cost.answers,
                cost.calls,
                cost.resent,
                cost.failed,
                cost.arguments,
                cost.results.iter().sum::<usize>(),
                cost.shapes,
                cost.last_input,
                cost.all_input
            )
        };
        let mut all = TranscriptCost { name: "all".into(), ..TranscriptCost::default() };
        for cost in &self.costs {
            line(out, cost)?;
            all.answers += cost.answers;
            all.calls += cost.calls;
            all.resent += cost.resent;
            all.failed += cost.failed;
            all.arguments += cost.arguments;
            all.results.extend(&cost.results);
            all.shapes += cost.shapes;
            all.last_input += cost.last_input;
            all.all_input += cost.all_input;
        }
        line(out, &all)
    }
}
