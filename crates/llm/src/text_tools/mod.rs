//! Tools for models without function calling: the instruction describes the tools, and calls are
//! parsed from the streamed text.

mod cursor;
mod elements;
mod expression;
mod items;
mod label;
mod lines;
mod literal;
mod marks;
mod output;
mod pending;
mod plan;
mod protocol;
mod reader;
mod region;
mod render;
mod shapes;
mod tools;
mod words;

use std::sync::Arc;

use async_stream::stream;
use futures_util::StreamExt;

use crate::content::Part;
use crate::model::{Chunk, ChunkStream, LanguageModel, ModelError, Request, ToolDeclaration};
use crate::registry::{ModelFacts, ToolUse};
use output::Output;
pub use protocol::TextProtocol;
use reader::Reader;
use tools::Tools;

impl TextProtocol {
    fn reader(self, tools: &[ToolDeclaration]) -> Reader {
        Reader::new(self, Tools::new(tools, self == Self::Plan))
    }

    /// The notation of calls, for the instruction.
    fn form(self) -> &'static str {
        match self {
            Self::React => render::REACT_FORM,
            Self::Json => render::JSON_FORM,
            Self::Plan => render::PLAN_FORM,
        }
    }
}

/// A model that calls tools by a text protocol.
pub struct TextTools {
    name: String,
    model: Arc<dyn LanguageModel>,
    protocol: TextProtocol,
}

impl TextTools {
    /// Wraps `model` under the name `name`, with tools by `protocol`.
    pub fn new(
        name: impl Into<String>,
        model: Arc<dyn LanguageModel>,
        protocol: TextProtocol,
    ) -> Self {
        Self { name: name.into(), model, protocol }
    }
}

impl LanguageModel for TextTools {
    fn name(&self) -> &str {
        &self.name
    }

    fn facts(&self) -> ModelFacts {
        ModelFacts { tools: ToolUse::Text, ..self.model.facts() }
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let protocol = self.protocol;
        let tools = request.tools.clone();
        let sees = self.model.facts().images;
        let mut chunks = self.model.stream(render::request(protocol, request, sees));
        Box::pin(stream! {
            let mut reader = protocol.reader(&tools);
            while let Some(chunk) = chunks.next().await {
                let found = match &chunk {
                    Ok(Chunk::Part(part)) if !part.is_thought() => match part.as_text() {
                        Some(text) => reader.push(text),
                        None => {
                            yield chunk;
                            continue;
                        }
                    },
                    Ok(Chunk::Retrying { discard_text, .. }) => {
                        if *discard_text {
                            reader = protocol.reader(&tools);
                        }
                        yield chunk;
                        continue;
                    }
                    // An unfinished call is reported before the length limit.
                    Ok(Chunk::LengthLimit) => reader.finish(true),
                    _ => {
                        yield chunk;
                        continue;
                    }
                };
                let limit = matches!(chunk, Ok(Chunk::LengthLimit));
                for found in found {
                    let ends = matches!(found, Output::Malformed(_) | Output::End);
                    if let Some(chunk) = to_chunk(found) {
                        yield chunk;
                    }
                    if ends {
                        // Text after a call is invented by the model.
                        return;
                    }
                }
                if limit {
                    yield chunk;
                }
            }
            for found in reader.finish(false) {
                if let Some(chunk) = to_chunk(found) {
                    yield chunk;
                }
            }
        })
    }
}

/// Parses `written`, in which a model called `tools` in text instead of by its provider's function
/// calling.
pub(crate) fn read_written(
    written: &str,
    tools: &[ToolDeclaration],
) -> Result<Vec<Part>, ModelError> {
    let mut reader = TextProtocol::Json.reader(tools);
    let mut found = reader.push(written);
    if !found.iter().any(|it| matches!(it, Output::Malformed(_) | Output::End)) {
        found.extend(reader.finish(false));
    }
    let chunks = found.into_iter().filter_map(to_chunk);
    let parts = chunks.map(|chunk| {
        chunk.map(|chunk| match chunk {
            Chunk::Part(part) => Some(part),
            _ => None,
        })
    });
    parts.filter_map(Result::transpose).collect()
}

fn to_chunk(found: Output) -> Option<Result<Chunk, ModelError>> {
    Some(match found {
        Output::Text(text) => Ok(Chunk::Part(Part::text(text))),
        Output::Thought(text) => Ok(Chunk::Part(Part::thought(text))),
        Output::Call(part) => Ok(Chunk::Part(part)),
        Output::Malformed(why) => Err(ModelError::MalformedCall(why)),
        Output::End => return None,
    })
}

#[cfg(test)]
mod matrix;
#[cfg(test)]
#[path = "tests.rs"]
mod tests;
