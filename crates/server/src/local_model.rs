//! The built-in model on threads of its own: it computes its answers, which takes long over large scenes, and the
//! runtime's workers are for everybody's edits.

use std::sync::Arc;

use async_stream::stream;
use futures_util::StreamExt;
use llm::{ChunkStream, LanguageModel, ModelError, ModelFacts, Request};

use crate::queue::Queue;
use crate::shares::Asker;

/// Its answers that are computed at the same time. The rest of the processor is for edits and pictures.
const MAX_RUNNING: usize = 2;
/// Those that wait.
const MAX_WAITING: usize = 1_024;

/// The queue of its requests.
pub(crate) fn queue() -> Arc<Queue> {
    let names = ["offline_requests", "offline_requests_waiting"];
    Arc::new(Queue::new(names, MAX_RUNNING, MAX_WAITING))
}

/// A model that computes its answer when it is asked.
pub(crate) struct Apart {
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) queue: Arc<Queue>,
    pub(crate) asker: Asker,
}

impl LanguageModel for Apart {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn facts(&self) -> ModelFacts {
        self.model.facts()
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let (model, queue) = (Arc::clone(&self.model), Arc::clone(&self.queue));
        let asker = self.asker.clone();
        Box::pin(stream! {
            let permit = match queue.enter(asker.address()).await {
                Ok(permit) => permit,
                Err(error) => {
                    yield Err(error);
                    return;
                }
            };
            // It goes on if its run is stopped meanwhile, and so does its permit.
            let computed = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                model.stream(request)
            });
            match computed.await {
                Ok(mut chunks) => while let Some(chunk) = chunks.next().await {
                    yield chunk;
                },
                Err(panic) => {
                    tracing::error!(%panic, "the built-in model failed");
                    let message = "the built-in model failed at this message; say it in other words";
                    yield Err(ModelError::Rejected(message.to_owned()));
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::stream;
    use llm::{Chunk, Part};

    use super::*;

    /// Answers once it is told to, on the thread that asks; and panics where there is nothing to say.
    struct Blocking(std::sync::Mutex<mpsc::Receiver<&'static str>>);

    impl LanguageModel for Blocking {
        fn name(&self) -> &str {
            "blocking"
        }

        fn stream(&self, _: Request) -> ChunkStream {
            let text = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv();
            stream::iter([Ok(Chunk::Part(Part::text(text.unwrap())))]).boxed()
        }
    }

    async fn texts(model: &Apart) -> Vec<Result<Chunk, ModelError>> {
        model.stream(Request::default()).collect().await
    }

    /// One worker, which would stand still if the model computed on it.
    #[tokio::test]
    async fn it_computes_beside_the_runtime_so_many_at_a_time() {
        let (say, told) = mpsc::channel();
        let queue = Arc::new(Queue::new(["a", "b"], 1, 1));
        let model = Arc::new(Blocking(std::sync::Mutex::new(told)));
        let asker = Asker { session: "one".into(), talkers: Arc::default() };
        let apart = Apart { model, queue: Arc::clone(&queue), asker };
        let asks = async { tokio::join!(texts(&apart), texts(&apart), texts(&apart)) };
        let tells = async {
            while queue.waiting() < 1 {
                tokio::task::yield_now().await;
            }
            say.send("one").unwrap();
            say.send("two").unwrap();
        };
        let ((one, two, three), ()) = tokio::join!(asks, tells);
        let text = |text| vec![Ok(Chunk::Part(Part::text(text)))];
        assert_eq!((one, two), (text("one"), text("two")));
        assert!(matches!(&three[..], [Err(ModelError::Unavailable(_))]), "{three:?}");
        // A panic is the run's error.
        drop(say);
        assert!(matches!(&texts(&apart).await[..], [Err(ModelError::Rejected(_))]));
        assert_eq!(queue.bounds().map(|bound| bound.used), [0, 0]);
    }
}
