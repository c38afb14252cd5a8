//! What Ollama leaves out of a request that is longer than its context.

use serde_json::Value;

use super::rules::tokens;

/// Its context when a request names none, on machines with little video memory.
pub(super) const DEFAULT_CONTEXT: u64 = 4_096;

/// How many messages fall off the front: never the system's, never the last one. Without a word: the
/// answer looks like any other.
pub(super) fn lost(body: &Value) -> usize {
    let context = body["options"]["num_ctx"].as_u64().unwrap_or(DEFAULT_CONTEXT);
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fixed = tokens(&body["tools"]);
    let is_system = |message: &&Value| message["role"] == "system";
    for start in 0..messages.len() {
        let kept = messages[..start].iter().filter(is_system).chain(&messages[start..]);
        if fixed + kept.map(tokens).sum::<u64>() <= context {
            return messages[..start].iter().filter(|message| !is_system(message)).count();
        }
    }
    messages.iter().filter(|message| !is_system(message)).count().saturating_sub(1)
}
