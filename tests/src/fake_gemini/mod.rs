//! A Gemini API server that answers by script, and refuses what the real one would refuse.

mod google_error;
mod options;
mod script;
mod server;
mod state;
mod validate;

use std::net::SocketAddr;
use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};

pub use llm::Gate;
pub use options::Options;
pub use script::Answer;
pub use state::{Outcome, RecordedRequest};

use state::Shared;

/// A running server. Dropping it closes its port and its streams.
#[derive(Debug)]
pub struct FakeGemini {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

impl FakeGemini {
    /// Starts a server that gives these answers, one for each request that it does not refuse.
    pub async fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        Self::start_with(Options::default(), script).await
    }

    /// Like [`FakeGemini::start`].
    ///
    /// # Panics
    /// When no port can be opened.
    pub async fn start_with(options: Options, script: impl IntoIterator<Item = Answer>) -> Self {
        let shared = Arc::new(Shared::new(options, script));
        let stop = CancellationToken::new();
        let address = server::spawn(Arc::clone(&shared), stop.clone())
            .await
            .expect("a loopback port can be opened");
        Self { address, shared, _stop: stop.drop_guard() }
    }

    /// What `GEMINI_BASE_URL` must be.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds an answer at the end of the script.
    pub fn push(&self, answer: Answer) {
        self.shared.push(answer);
    }

    /// Answers requests that offer no tools by `text`, out of the script: they ask for a summary.
    pub fn summarise_by(&self, text: &str) {
        self.shared.summarise_by(text);
    }

    /// Forgets the answers that were not asked for.
    pub fn clear(&self) {
        self.shared.clear();
    }

    /// All requests for answers so far, refused ones too.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.requests()
    }

    /// Why requests were refused so far: one text for each refused request.
    pub fn refusals(&self) -> Vec<String> {
        self.shared.refusals()
    }

    /// How many answers of the script were not asked for yet.
    pub fn remaining(&self) -> usize {
        self.shared.remaining()
    }

    /// Waits until the requests are as `condition` wants them, and returns them.
    ///
    /// # Panics
    /// When nothing happens for half a minute.
    pub async fn wait_until(
        &self,
        condition: impl FnMut(&[RecordedRequest]) -> bool,
    ) -> Vec<RecordedRequest> {
        self.shared.wait_until(condition).await
    }

    /// Waits until the client hung up in the middle of the answer to request `index`, from 0.
    pub async fn wait_for_cut_off(&self, index: usize) {
        self.wait_until(|requests| {
            requests.get(index).is_some_and(|request| request.outcome == Outcome::CutOff)
        })
        .await;
    }
}
