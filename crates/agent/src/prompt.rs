//! Requests to the model: the history, the context at its end, and a summary of the older part when the
//! history is too long. Until a compaction, each request begins with the bytes of the one before.

use futures_util::StreamExt;
use llm::{
    Chunk, Content, LanguageModel, Request, Usage, estimate_content, estimate_request,
    picture_bytes,
};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use crate::compaction;
use crate::event::Event;
use crate::run::{Counts, Run};

/// The most picture data of one request, in bytes of base64: well below the limits of providers.
const MAX_PICTURE_BYTES: usize = 8 * 1024 * 1024;

/// How many times in a row a request is shortened after the model refused its length.
const MAX_OVERFLOWS: u32 = 3;

/// The share of a refused request's tokens that is assumed as the context window from then on, since
/// providers count tokens differently.
const REFUSED_SHARE: f64 = 0.7;

impl Run {
    /// The next request, with the older part summarised if the history is too long.
    pub(crate) async fn request(&mut self, counts: &mut Counts) -> Request {
        self.tell_context().await;
        let view = compaction::view(&self.history);
        let pictures: usize = view.iter().map(picture_bytes).sum();
        let request = self.request_for(&view);
        let window = self.options.compaction.window.unwrap_or(self.model.facts().context_window);
        let tokens = tokens_of(&request, counts);
        if !self.options.compaction.is_due(tokens, window) && pictures <= MAX_PICTURE_BYTES {
            return request;
        }
        self.compact(tokens, window, counts).await.unwrap_or(request)
    }

    /// A shorter request after the model refused the length of the last one; `None` if it cannot be
    /// shortened.
    pub(crate) async fn shorter_request(
        &mut self,
        said: &str,
        counts: &mut Counts,
    ) -> Option<Request> {
        counts.overflows += 1;
        if counts.overflows > MAX_OVERFLOWS || self.cancel.is_cancelled() {
            return None;
        }
        let refused = self.request_for(&compaction::view(&self.history));
        let tokens = tokens_of(&refused, counts);
        let window = (tokens as f64 * REFUSED_SHARE) as u64;
        // The context window is smaller than expected: later requests of this run stay below it.
        let known = self.options.compaction.window.unwrap_or(u64::MAX);
        self.options.compaction.window = Some(known.min(window));
        let reason = format!("{said} The earlier part of the conversation is summarised.");
        self.emit(Event::Retrying { attempt: counts.overflows, delay: Duration::ZERO, reason })
            .await;
        self.compact(tokens, window, counts).await
    }

    /// Summarises the older part and returns the shorter request; `None` if nothing can be summarised or
    /// the run was stopped.
    async fn compact(&mut self, tokens: u64, window: u64, counts: &mut Counts) -> Option<Request> {
        let older = self.options.compaction.older(&self.history)?;
        let asked = older.request(window / 4);
        let written = summary_of(&*self.model, asked, &self.cancel, &mut counts.usage).await;
        if self.cancel.is_cancelled() {
            return None;
        }
        let summary = match written {
            Some(written) => older.summary(&written),
            // The next compaction tries again to summarise what this one drops.
            None => older.without_summary(),
        };
        self.append(summary).await;
        self.tell_context().await;
        let view = compaction::view(&self.history);
        let contents = self.history.len() + 1 - view.len();
        let after: u64 = view.iter().map(estimate_content).sum();
        self.emit(Event::Compacted { contents, tokens_before: tokens, tokens_after: after }).await;
        Some(self.request_for(&view))
    }

    /// Appends new context that no message carries: the user changed something during the run, or a
    /// compaction removed earlier context.
    async fn tell_context(&mut self) {
        if let Some(part) = self.context.untold(&compaction::view(&self.history)) {
            self.append(Content { role: llm::Role::User, parts: vec![part] }).await;
        }
    }

    fn request_for(&self, view: &[Content]) -> Request {
        Request {
            system_instruction: self.instruction.to_string(),
            // A single content may hold more pictures than a compaction can remove.
            contents: llm::shed_pictures(llm::normalise(view), MAX_PICTURE_BYTES),
            tools: self.tools.declarations(),
            settings: self.options.settings.clone(),
        }
    }
}

fn tokens_of(request: &Request, counts: &Counts) -> u64 {
    (estimate_request(request) as f64 * counts.calibration) as u64
}

/// A summary by the model; `None` if it gave none or the run was stopped.
async fn summary_of(
    model: &dyn LanguageModel,
    request: Request,
    cancel: &CancellationToken,
    usage: &mut Usage,
) -> Option<String> {
    let mut stream = model.stream(request);
    let mut text = String::new();
    let mut counted = Usage::default();
    while let Some(chunk) = cancel.run_until_cancelled(stream.next()).await? {
        match chunk {
            Ok(Chunk::Part(part)) if !part.is_thought() => {
                text.push_str(part.as_text().unwrap_or_default());
            }
            Ok(Chunk::Usage(newest)) => counted = newest,
            Ok(Chunk::Retrying { discard_text: true, .. }) => text.clear(),
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "no summary of the older part could be made");
                return None;
            }
        }
    }
    *usage += counted;
    (!text.trim().is_empty()).then_some(text)
}
