//! Tools for models that only write text: the tools are described in the instruction, and the calls
//! are found in the answer while it streams.

mod found;
mod json;
mod plan;
mod react;
mod render;
mod scan;

use std::sync::Arc;

use async_stream::stream;
use futures_util::StreamExt;

use crate::content::Part;
use crate::model::{Chunk, ChunkStream, LanguageModel, ModelError, Request};
use crate::registry::{ModelFacts, ToolUse};
use found::{Finder, Found};

/// How calls are written in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextProtocol {
    /// `<tool_code><name>..</name><parameters>{..}</parameters></tool_code>`, one call an answer;
    /// results come back as `<observation>`.
    React,
    /// `{"tool_calls": [{"name", "arguments"}]}`, also fenced, also a single call.
    Json,
    /// `{"status", "action", "tools": [{"id", "tool", "args", "needs"}], "reasoning"}`: a plan of
    /// calls that may depend on each other.
    Plan,
}

impl TextProtocol {
    /// The protocol called `name`: `react`, `json` or `plan`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "react" => Some(Self::React),
            "json" => Some(Self::Json),
            "plan" => Some(Self::Plan),
            _ => None,
        }
    }

    fn finder(self, tools: &[String]) -> Box<dyn Finder> {
        match self {
            Self::React => Box::new(react::React::default()),
            Self::Json => Box::new(json::Objects::new(json::Calls { tools: tools.to_vec() })),
            Self::Plan => Box::new(json::Objects::new(plan::Plans)),
        }
    }
}

/// A model that takes tools by a protocol in its text.
pub struct TextTools {
    name: String,
    model: Arc<dyn LanguageModel>,
    protocol: TextProtocol,
}

impl TextTools {
    /// `model`, called `name`, with tools by `protocol`.
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
        let tools: Vec<String> = request.tools.iter().map(|tool| tool.name.clone()).collect();
        let sees = self.model.facts().images;
        let mut chunks = self.model.stream(render::request(protocol, request, sees));
        Box::pin(stream! {
            let mut finder = protocol.finder(&tools);
            while let Some(chunk) = chunks.next().await {
                let found = match &chunk {
                    Ok(Chunk::Part(part)) if !part.is_thought() => match part.as_text() {
                        Some(text) => finder.push(text),
                        None => {
                            yield chunk;
                            continue;
                        }
                    },
                    Ok(Chunk::Retrying { discard_text, .. }) => {
                        if *discard_text {
                            finder = protocol.finder(&tools);
                        }
                        yield chunk;
                        continue;
                    }
                    // Tells the loop why a call was left unfinished, before it does.
                    Ok(Chunk::LengthLimit) => finder.finish(),
                    _ => {
                        yield chunk;
                        continue;
                    }
                };
                let limit = matches!(chunk, Ok(Chunk::LengthLimit));
                for found in found {
                    let ends = matches!(found, Found::Malformed(_) | Found::End);
                    if let Some(chunk) = to_chunk(found) {
                        yield chunk;
                    }
                    if ends {
                        // What a model writes after its call it only imagines.
                        return;
                    }
                }
                if limit {
                    yield chunk;
                }
            }
            for found in finder.finish() {
                if let Some(chunk) = to_chunk(found) {
                    yield chunk;
                }
            }
        })
    }
}

fn to_chunk(found: Found) -> Option<Result<Chunk, ModelError>> {
    Some(match found {
        Found::Text(text) => Ok(Chunk::Part(Part::text(text))),
        Found::Thought(text) => Ok(Chunk::Part(Part::thought(text))),
        Found::Call(part) => Ok(Chunk::Part(part)),
        Found::Malformed(why) => Err(ModelError::MalformedCall(why)),
        Found::End => return None,
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
