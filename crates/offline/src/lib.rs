//! The built-in language model, a grammar that composes.
//!
//! ```text
//! text -> tokens -> chart -> frames -> resolve -> plan -> answer
//!                     (history and dialogue complete frames that say only a part)
//! ```
//!
//! It is a language model like any other: it gets instruction, history and tools, streams text and
//! function calls, and sees and changes the scene only by calling tools. It keeps nothing between
//! requests but a cache. `docs/offline-model.md` tells how each step works.

mod answer;
mod chart;
mod dialogue;
mod explain;
mod frames;
mod history;
mod looks;
mod plan;
mod resolve;
mod respond;
mod tokens;
mod wording;

use futures_util::StreamExt;
use futures_util::stream;
use llm::{Chunk, ChunkStream, LanguageModel, Request, Usage};

use respond::Tools;

pub use explain::explain;

/// The name users select the built-in model by.
pub const NAME: &str = "offline";

/// The built-in model. Has no state and needs no key.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offline;

impl Offline {
    /// Reads the lexicon, the grammar and the catalogue, which the first request would read otherwise.
    /// For a task in the background of a program that starts.
    pub fn warm() {
        chart::grammar();
    }

    /// The bytes of what messages were taken for, kept for the requests that follow, and their limit.
    pub fn kept_bytes() -> (usize, usize) {
        dialogue::in_use()
    }

    /// Drops what is kept for conversations that rest. For a task that runs from time to time.
    pub fn forget_unused() {
        dialogue::forget_unused();
    }
}

impl LanguageModel for Offline {
    fn name(&self) -> &str {
        NAME
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let has = |name: &str| request.tools.iter().any(|tool| tool.name == name);
        let tools = Tools { batch: has(spatial::BATCH_NAME), check: has(history::CHECK) };
        let response = respond::respond(&request.contents, tools);
        let parts = response.into_parts(request.contents.len());
        // Words stand in for tokens, so that costs and limits have something to count.
        let usage = Usage {
            input_tokens: words_in(&request),
            output_tokens: parts.len() as u64,
            ..Usage::default()
        };
        let chunks = parts.into_iter().map(Chunk::Part).chain([Chunk::Usage(usage)]);
        stream::iter(chunks.map(Ok).collect::<Vec<_>>()).boxed()
    }
}

fn words_in(request: &Request) -> u64 {
    let texts = request.contents.iter().map(|content| content.visible_text());
    texts.map(|text| text.split_whitespace().count() as u64).sum()
}

#[cfg(test)]
mod tests {
    use llm::Content;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_leaves_no_solids_on_its_thread_and_what_it_kept_is_counted() {
        let ball = json!({ "id": "ball", "type": "sphere", "properties": { "radius": 0.5, "center": [0, 0, 0] } });
        let result = json!({ "success": true, "result": { "version": 1, "shapes": [ball] } });
        let contents = [
            Content::user("put a box next to the ball"),
            Content::model(vec![llm::Part::call(Some("c"), history::LOOK, json!({}))]),
            Content::function(vec![llm::Part::response(
                Some("c"),
                history::LOOK,
                result,
                Vec::new(),
            )]),
        ];
        let response = respond::respond(&contents, Tools { batch: true, check: true });
        assert!(!response.calls.is_empty(), "{}", response.text);
        assert!(!resolve::knows_solids());
        let (used, limit) = Offline::kept_bytes();
        assert!(used > 0 && used <= limit, "{used} of {limit}");
    }
}
