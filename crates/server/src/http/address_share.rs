//! The share of the address that a request comes from, for the doors of agents.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use session::ClientShare;
use tokio::sync::OwnedSemaphorePermit;

use super::app::App;
use super::sessions::count_new;
use crate::shares::Share;

/// The copies of a text that there are while it is sent: the text, and the message it is in.
const COPIES: u64 = 2;

/// The share of an address, and the room that the answer to one of its requests takes.
pub(super) struct AddressShare {
    app: Arc<App>,
    share: Share,
    room: Mutex<Vec<OwnedSemaphorePermit>>,
}

impl AddressShare {
    pub(super) fn new(app: Arc<App>, share: Share) -> Self {
        Self { app, share, room: Mutex::default() }
    }
}

#[async_trait]
impl ClientShare for AddressShare {
    fn may_begin_session(&self) -> Result<(), String> {
        self.share.may_begin_session().map_err(|error| error.to_string())
    }

    fn began_session(&self, id: &str) -> Result<(), String> {
        count_new(&self.app, &self.share, id).map_err(|error| error.to_string())
    }

    fn talks_to(&self, id: &str) {
        self.share.talks_to(id);
    }

    fn picture(&self) -> Result<Box<dyn Any + Send>, String> {
        let place = self.share.picture().map_err(|error| error.to_string())?;
        Ok(Box::new(place))
    }

    async fn written(&self, write: Box<dyn FnOnce() -> String + Send>) -> Result<String, String> {
        let (text, room) = self
            .app
            .scene_texts
            .written_apart(write, COPIES)
            .await
            .map_err(|problem| problem.detail().to_owned())?;
        self.room.lock().unwrap_or_else(PoisonError::into_inner).push(room);
        Ok(text)
    }
}
