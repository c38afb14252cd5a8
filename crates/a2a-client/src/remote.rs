//! One agent: how it is reached, and its card, which is read again and again.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use crate::card::Card;
use crate::config::RemoteAgent;
use crate::connection::Connection;

/// The pause before a card that could not be read is asked for again; it doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause, and the time after which a card is read again.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// What is known of an agent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// Its card, once it was read.
    pub(crate) card: Option<Arc<Card>>,
    /// Why the newest attempt to read its card failed.
    pub(crate) error: Option<String>,
}

/// An agent, and what its card says.
pub(crate) struct Remote {
    pub(crate) config: RemoteAgent,
    pub(crate) connection: Connection,
    /// Owns what tells the agent to stop.
    pub(crate) tracker: TaskTracker,
    pub(crate) known: watch::Sender<Known>,
}

impl Remote {
    /// An agent whose card is not known yet. `tracker` is to own what tells it to stop.
    pub(crate) fn new(config: RemoteAgent, tracker: TaskTracker) -> Result<Self, String> {
        let connection = Connection::new(config.token.clone())?;
        Ok(Self { config, connection, tracker, known: watch::Sender::default() })
    }

    /// Reads the card, again and again.
    pub(crate) async fn keep_card(self: Arc<Self>) {
        let url = self.config.card_url();
        let mut pause = FIRST_PAUSE;
        loop {
            match self.connection.card(&url).await {
                Ok(card) => {
                    pause = MAX_PAUSE;
                    tracing::info!(agent = self.config.name, "an agent's card was read");
                    self.known.send_replace(Known { card: Some(Arc::new(card)), error: None });
                }
                // A card that was read counts until there is another.
                Err(why) => {
                    if self.known.borrow().error.as_ref() != Some(&why) {
                        tracing::error!("the agent '{}' cannot be used: {why}", self.config.name);
                    }
                    pause = MAX_PAUSE.min(pause * 2);
                    self.known.send_modify(|known| known.error = Some(why));
                }
            }
            tokio::time::sleep(pause).await;
        }
    }
}
