//! The built-in language model: understands plain scene requests without a key.
//!
//! It is a language model like any other: it gets instruction, history and tools, streams text and
//! function calls, and sees and changes the scene only by calling tools. It keeps nothing between
//! requests. Deterministic and instant; it says plainly what it does not understand.
//!
//! The way of one request: `history` finds what the person still waits for -> `language`
//! reads the words as intents -> `plan` carries them out on a copy of the scene that was looked at,
//! with `resolve` finding what the words mean -> the difference becomes tool calls -> `correct` mends
//! calls that failed -> `check` has the scene looked over -> `answer` tells what came of it.

mod answer;
mod check;
mod colour;
mod correct;
mod history;
mod language;
mod memory;
mod plan;
mod resolve;
mod respond;
mod world;

use futures_util::StreamExt;
use futures_util::stream;
use llm::{Chunk, ChunkStream, LanguageModel, Request, Usage};

/// The name users select the built-in model by.
pub const NAME: &str = "offline";

/// The built-in model. Has no state and needs no key.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offline;

impl Offline {
    /// Reads the lexicon and the catalogue, which the first request would read otherwise: some 20 ms. For a
    /// task in the background of a program that starts.
    pub fn warm() {
        language::warm();
    }
}

impl LanguageModel for Offline {
    fn name(&self) -> &str {
        NAME
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let can_check = request.tools.iter().any(|tool| tool.name == check::CHECK);
        let response = respond::respond(&request.contents, can_check);
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
