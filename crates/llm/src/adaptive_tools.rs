//! Function calling with a fallback: when the provider refuses it, a text protocol is used.

use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use futures_util::StreamExt;

use crate::model::{Chunk, ChunkStream, LanguageModel, Request};
use crate::registry::{ModelFacts, ToolUse};
use crate::text_tools::{TextProtocol, TextTools};

/// A model that calls tools as its facts say, and by a text protocol once its provider has refused
/// function calling.
pub struct AdaptiveTools {
    native: Arc<dyn LanguageModel>,
    text: Arc<TextTools>,
}

impl AdaptiveTools {
    /// Wraps `model`; `protocol` is the fallback.
    pub fn new(model: Arc<dyn LanguageModel>, protocol: TextProtocol) -> Self {
        let text = TextTools::new(model.name(), Arc::clone(&model), protocol);
        Self { native: model, text: Arc::new(text) }
    }
}

impl LanguageModel for AdaptiveTools {
    fn name(&self) -> &str {
        self.native.name()
    }

    fn facts(&self) -> ModelFacts {
        self.native.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        if self.facts().tools == ToolUse::Text {
            return self.text.stream(request);
        }
        let (native, text) = (Arc::clone(&self.native), Arc::clone(&self.text));
        Box::pin(stream! {
            let mut parts_streamed = false;
            let mut chunks = native.stream(request.clone());
            let mut refused = None;
            while let Some(chunk) = chunks.next().await {
                match chunk {
                    Err(error) if native.facts().tools == ToolUse::Text => refused = Some(error),
                    chunk => {
                        parts_streamed |= matches!(chunk, Ok(Chunk::Part(_)));
                        yield chunk;
                    }
                }
            }
            let Some(error) = refused else { return };
            yield Ok(Chunk::Retrying {
                attempt: 1,
                delay: Duration::ZERO,
                reason: format!("{error} Asking again with the tools described in the text."),
                discard_text: parts_streamed,
            });
            let mut chunks = text.stream(request);
            while let Some(chunk) = chunks.next().await {
                yield chunk;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::http::{Cause, Learned};
    use crate::model::{ModelError, ToolDeclaration};
    use crate::registry::facts;

    /// A model that refuses the first request with tools, as providers do.
    struct NoTools(Learned);

    impl LanguageModel for NoTools {
        fn name(&self) -> &str {
            "no-tools"
        }

        fn facts(&self) -> ModelFacts {
            self.0.applied_to(facts(self.name()))
        }

        fn stream(&self, request: Request) -> ChunkStream {
            let answer = if request.tools.is_empty() {
                let text = "{\"tool_calls\": [{\"name\": \"check\", \"arguments\": {}}]}";
                Ok(Chunk::Part(crate::Part::text(text)))
            } else {
                self.0.never(Cause::NoTools);
                Err(ModelError::Rejected("It does not support tools.".into()))
            };
            Box::pin(futures_util::stream::iter([answer]))
        }
    }

    #[tokio::test]
    async fn a_refusal_of_tools_is_answered_by_describing_them() {
        let model = AdaptiveTools::new(Arc::new(NoTools(Learned::default())), TextProtocol::Json);
        let check = ToolDeclaration {
            name: "check".into(),
            description: "Checks.".into(),
            parameters: serde_json::json!({ "type": "object" }).into(),
        };
        let request = Request {
            contents: vec![Content::user("check it")],
            tools: [check].into(),
            ..Request::default()
        };
        let first: Vec<_> = model.stream(request.clone()).collect().await;
        assert!(
            matches!(&first[0], Ok(Chunk::Retrying { reason, .. }) if reason.contains("tools"))
        );
        let called = |chunks: &[Result<Chunk, ModelError>]| {
            chunks.iter().any(|chunk| match chunk {
                Ok(Chunk::Part(part)) => part.as_call().is_some_and(|call| call.name == "check"),
                _ => false,
            })
        };
        assert!(called(&first), "{first:?}");
        let second: Vec<_> = model.stream(request).collect().await;
        assert!(called(&second) && !matches!(second[0], Ok(Chunk::Retrying { .. })), "{second:?}");
    }
}
