//! A chat provider that answers by script over real HTTP, in the dialect of one of nine providers, and
//! refuses what the real one would refuse.

mod denied;
mod issued;
mod lists;
mod options;
mod providers;
mod reply;
mod rules;
mod server;
mod state;
mod truncate;
mod wire;
mod wording;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};

pub use denied::Denied;
pub use options::{KEY, Options};
pub use providers::{Dialect, Form, Model};
pub use reply::Reply;
pub use state::Recorded;

use state::Shared;

/// About how many tokens a part of a request has: four bytes each, a picture a thousand.
pub fn estimate_tokens(value: &Value) -> u64 {
    rules::tokens(value)
}

/// A running server. Dropping it closes its port and its streams.
#[derive(Debug)]
pub struct FakeChat {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

impl FakeChat {
    /// Starts a server that gives these answers, one for each request that it does not refuse.
    ///
    /// # Panics
    /// When no port can be opened.
    pub async fn start(
        options: impl Into<Options>,
        script: impl IntoIterator<Item = Reply>,
    ) -> Self {
        let shared = Arc::new(Shared::new(options.into(), script.into_iter().collect()));
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

    /// Whose API it speaks.
    pub fn dialect(&self) -> Dialect {
        self.shared.options.dialect
    }

    /// Adds an answer at the end of the script.
    pub fn push(&self, reply: Reply) {
        self.shared.lock().script.push_back(reply);
    }

    /// Answers requests that offer no tools by `text`, out of the script: they ask for a summary.
    pub fn summarise_by(&self, text: &str) {
        self.shared.lock().summary = Some(text.to_owned());
    }

    /// From now on refuses what `denied` says, in the provider's words; nothing more when `None`.
    pub fn deny(&self, denied: Option<Denied>) {
        self.shared.lock().denied = denied;
    }

    /// Forgets the answers that were not asked for.
    pub fn clear(&self) {
        self.shared.lock().script.clear();
    }

    /// The bodies of all requests for answers so far, refused ones too.
    pub fn requests(&self) -> Vec<Value> {
        self.recorded().into_iter().map(|request| request.body).collect()
    }

    /// All requests for answers so far, refused ones too.
    pub fn recorded(&self) -> Vec<Recorded> {
        self.shared.lock().requests.clone()
    }

    /// Why requests were refused so far.
    pub fn refusals(&self) -> Vec<String> {
        self.recorded().into_iter().filter_map(|request| request.refusal).collect()
    }

    /// How many answers of the script were not asked for yet.
    pub fn remaining(&self) -> usize {
        self.shared.lock().script.len()
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
