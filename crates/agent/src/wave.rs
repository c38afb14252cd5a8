//! One wave: the calls of one answer. Reading calls that follow each other run together, changing
//! calls run alone and in order; results are in call order.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::join_all;
use llm::{Content, Part};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::event::Event;
use crate::tool::{Access, ToolOutput, Toolbox};

/// A call of the model, taken out of its answer.
pub(crate) struct Call {
    /// Unique in the conversation.
    pub(crate) call_id: String,
    /// The id to echo; none when the model gave none.
    id: Option<String>,
    name: String,
    args: Option<Value>,
}

impl Call {
    /// The calls of `answer`. `message_id` makes the ids of calls unique whose own id is missing or
    /// was used before in `history`.
    pub(crate) fn all_of(answer: &Content, message_id: &str, history: &[Content]) -> Vec<Self> {
        let mut used: HashSet<String> = history
            .iter()
            .flat_map(|content| content.calls().filter_map(|call| call.id))
            .map(str::to_owned)
            .collect();
        let call = |(index, call): (usize, llm::FunctionCall<'_>)| {
            let fresh = call.id.filter(|id| used.insert((*id).to_owned()));
            Self {
                call_id: fresh
                    .map_or_else(|| format!("{message_id}.call{}", index + 1), str::to_owned),
                id: call.id.map(str::to_owned),
                name: call.name.to_owned(),
                args: call.args.cloned(),
            }
        };
        answer.calls().enumerate().map(call).collect()
    }

    /// The part that answers this call.
    pub(crate) fn answer(&self, output: ToolOutput) -> Part {
        Part::response(self.id.as_deref(), &self.name, output.response(), output.pictures)
    }
}

/// Runs all calls and returns one response part for each, in call order. After `cancel` the calls
/// that run finish, and those that have not begun are answered with an error that says so.
pub(crate) async fn run_calls(
    calls: &[Call],
    tools: &Toolbox,
    events: &mpsc::Sender<Event>,
    cancel: &CancellationToken,
) -> Vec<Part> {
    let reads = |call: &Call| tools.get(&call.name).is_none_or(|t| t.access() == Access::Reads);
    let mut responses = Vec::with_capacity(calls.len());
    for group in calls.chunk_by(|a, b| reads(a) && reads(b)) {
        if cancel.is_cancelled() {
            let stopped = "not run: the user stopped the run before this call began";
            responses.extend(group.iter().map(|call| call.answer(ToolOutput::failure(stopped))));
        } else {
            responses.extend(join_all(group.iter().map(|call| run(call, tools, events))).await);
        }
    }
    responses
}

/// Runs one call; whatever goes wrong becomes its error result.
async fn run(call: &Call, tools: &Toolbox, events: &mpsc::Sender<Event>) -> Part {
    let started = Instant::now();
    let args = call.args.clone().unwrap_or_else(|| json!({}));
    // A receiver that is gone means nobody listens; the run goes on all the same.
    let _ = events
        .send(Event::ToolStarted {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            args: args.clone(),
        })
        .await;
    let output = output_of(call, args, tools).await;
    let _ = events
        .send(Event::ToolFinished {
            call_id: call.call_id.clone(),
            name: call.name.clone(),
            response: output.response(),
            duration: started.elapsed(),
            version: output.version,
        })
        .await;
    call.answer(output)
}

async fn output_of(call: &Call, args: Value, tools: &Toolbox) -> ToolOutput {
    let Some(tool) = tools.get(&call.name) else {
        return ToolOutput::failure(tools.unknown(&call.name));
    };
    if !args.is_object() {
        return ToolOutput::failure(format!(
            "tool '{}' takes an object of arguments, got {args}",
            call.name
        ));
    }
    match AssertUnwindSafe(tool.call(args)).catch_unwind().await {
        Ok(output) => output,
        Err(panic) => {
            let reason = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            tracing::error!(tool = call.name, reason, "a tool panicked");
            ToolOutput::failure(format!("tool '{}' failed inside: {reason}", call.name))
        }
    }
}
