//! The plan cache: answers to identical requests.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_stream::stream;
use futures_util::StreamExt;

use crate::content::Part;
use crate::model::{Chunk, ChunkStream, LanguageModel, Request};
use crate::registry::ModelFacts;

/// Hit and miss counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Requests answered from memory.
    pub hits: u64,
    /// Requests that went to the model.
    pub misses: u64,
}

/// A model with a cache of answers. Only complete answers are cached; the oldest one is evicted. Clones
/// share the cache.
#[derive(Clone)]
pub struct Cached {
    model: Arc<dyn LanguageModel>,
    memory: Arc<Memory>,
}

struct Memory {
    capacity: usize,
    /// Held briefly, never across an await.
    answers: Mutex<Answers>,
    hits: AtomicU64,
    misses: AtomicU64,
}

#[derive(Default)]
struct Answers {
    /// The whole request is compared, so hash collisions are harmless.
    kept: HashMap<u64, (u64, Request, Vec<Part>)>,
    next: u64,
}

impl Cached {
    /// Keeps up to `capacity` answers of `model`.
    pub fn new(model: Arc<dyn LanguageModel>, capacity: usize) -> Self {
        let memory = Memory {
            capacity: capacity.max(1),
            answers: Mutex::default(),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        };
        Self { model, memory: Arc::new(memory) }
    }

    /// The counts so far.
    pub fn counts(&self) -> CacheCounts {
        CacheCounts {
            hits: self.memory.hits.load(Ordering::Relaxed),
            misses: self.memory.misses.load(Ordering::Relaxed),
        }
    }
}

impl Memory {
    fn find(&self, key: u64, request: &Request) -> Option<Vec<Part>> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, asked, parts) = answers.kept.get(&key)?;
        (asked == request).then(|| parts.clone())
    }

    fn keep(&self, key: u64, request: Request, parts: Vec<Part>) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.kept.len() >= self.capacity {
            let oldest = answers.kept.iter().min_by_key(|(_, (age, ..))| *age);
            if let Some(key) = oldest.map(|(key, _)| *key) {
                answers.kept.remove(&key);
            }
        }
        answers.next += 1;
        let age = answers.next;
        answers.kept.insert(key, (age, request, parts));
    }
}

fn key_of(request: &Request) -> u64 {
    let mut hasher = DefaultHasher::new();
    request.system_instruction.hash(&mut hasher);
    for content in &request.contents {
        for part in &content.parts {
            for (name, value) in part.raw() {
                (name, value.to_string()).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

impl LanguageModel for Cached {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn facts(&self) -> ModelFacts {
        self.model.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let key = key_of(&request);
        if let Some(parts) = self.memory.find(key, &request) {
            self.memory.hits.fetch_add(1, Ordering::Relaxed);
            return futures_util::stream::iter(parts.into_iter().map(|part| Ok(Chunk::Part(part))))
                .boxed();
        }
        self.memory.misses.fetch_add(1, Ordering::Relaxed);
        let memory = Arc::clone(&self.memory);
        let mut chunks = self.model.stream(request.clone());
        Box::pin(stream! {
            let mut parts = Vec::new();
            let mut whole = true;
            while let Some(chunk) = chunks.next().await {
                match &chunk {
                    Ok(Chunk::Part(part)) => parts.push(part.clone()),
                    Ok(Chunk::Retrying { discard_text: true, .. }) => parts.clear(),
                    Ok(Chunk::LengthLimit) | Err(_) => whole = false,
                    Ok(_) => {}
                }
                yield chunk;
            }
            if whole && !parts.is_empty() {
                memory.keep(key, request, parts);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    //! A repeated planning request is served from memory, and the hit is counted (B5).
    use super::*;
    use crate::content::Content;
    use crate::model::ModelError;
    use crate::scripted::{Scripted, Step};

    fn request(text: &str) -> Request {
        let contents = vec![Content::user(text)];
        Request { system_instruction: String::new(), contents, ..Request::default() }
    }

    async fn ask(model: &Cached, text: &str) -> Vec<Result<Chunk, ModelError>> {
        model.stream(request(text)).collect().await
    }

    #[tokio::test]
    async fn whole_answers_are_given_again_and_the_oldest_gives_way() {
        let text = |text: &str| vec![Step::text(text)];
        let script = Scripted::new([
            vec![Step::text("br"), Step::Error(ModelError::Unavailable("down".into()))],
            text("one"),
            text("two"),
            text("one again"),
        ]);
        let model = Cached::new(Arc::new(script), 1);
        assert!(ask(&model, "a").await.last().unwrap().is_err());
        let one = ask(&model, "a").await;
        assert_eq!(ask(&model, "a").await, one);
        ask(&model, "b").await;
        assert_eq!(ask(&model, "a").await, [Ok(Chunk::Part(Part::text("one again")))]);
        assert_eq!(model.counts(), CacheCounts { hits: 1, misses: 4 });
    }
}
