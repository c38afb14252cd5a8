//! A chat service that answers by script over real HTTP, in the dialect of OpenAI or of Anthropic,
//! and refuses what the real one would refuse.

mod anthropic;
mod openai;
mod reply;
mod server;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

pub use reply::Reply;

/// The only key that is accepted.
pub const KEY: &str = "sk-test-5309";

/// Whose API is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Chat completions.
    OpenAi,
    /// Messages.
    Anthropic,
}

/// A running server. Dropping it closes its port and its streams.
#[derive(Debug)]
pub struct FakeChat {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

#[derive(Debug)]
pub(crate) struct Shared {
    dialect: Dialect,
    /// Short, never held across an await.
    inner: Mutex<Inner>,
    /// Counts requests; `watch`, as only the newest matters.
    asked: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Inner {
    script: VecDeque<Reply>,
    requests: Vec<Value>,
    refusals: Vec<String>,
    /// Signed thoughts this server gave out: (text, signature).
    signed: Vec<(String, String)>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FakeChat {
    /// Starts a server that gives these answers, one for each request that it does not refuse.
    ///
    /// # Panics
    /// When no port can be opened.
    pub async fn start(dialect: Dialect, script: impl IntoIterator<Item = Reply>) -> Self {
        let inner = Inner { script: script.into_iter().collect(), ..Inner::default() };
        let shared =
            Arc::new(Shared { dialect, inner: Mutex::new(inner), asked: watch::Sender::new(0) });
        let stop = CancellationToken::new();
        let address = server::spawn(Arc::clone(&shared), stop.clone())
            .await
            .expect("a loopback port can be opened");
        Self { address, shared, _stop: stop.drop_guard() }
    }

    /// What the variable of the address must be; `/v1` is for the client to add.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Adds an answer at the end of the script.
    pub fn push(&self, reply: Reply) {
        self.shared.lock().script.push_back(reply);
    }

    /// The bodies of all requests for answers so far, refused ones too.
    pub fn requests(&self) -> Vec<Value> {
        self.shared.lock().requests.clone()
    }

    /// Why requests were refused so far.
    pub fn refusals(&self) -> Vec<String> {
        self.shared.lock().refusals.clone()
    }

    /// Waits for the request with this number, from 1.
    ///
    /// # Panics
    /// When it does not come within half a minute.
    pub async fn wait_for_request(&self, number: usize) {
        let mut asked = self.shared.asked.subscribe();
        let wait = asked.wait_for(|asked| *asked >= number);
        tokio::time::timeout(Duration::from_secs(30), wait)
            .await
            .expect("a request in time")
            .expect("the server runs");
    }
}
